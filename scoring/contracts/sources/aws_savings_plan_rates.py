"""`aws savingsplans describe-savings-plan-rates`: what an hour of each instance type costs under one plan."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from scoring.contracts.sources.aws_values import Refused, amount_of, needed, text_of, written
from scoring.contracts.sources.interface import Entry, Output, Record, Records
from scoring.model.problem import Problem
from scoring.problems import warning

PAGE = "https://docs.aws.amazon.com/savingsplans/latest/APIReference/API_SavingsPlanRate.html"
KEY = "searchResults"
FIELDS = frozenset({
    "rate", "currency", "unit", "productType", "serviceCode", "usageType", "operation", "properties",
})  # fmt: skip
PLAN = "savingsPlanId"
"""The output names its plan beside the list; every record of the list is read with it."""
PLATFORM, TENANCY = "Linux/UNIX", "shared"


def convert(record: Record, _: Records) -> tuple[Entry | None, list[Problem]]:
    """A rate is no contract; it completes the one of its plan."""
    return None, []


def rates_of(plan: Record, name: str, records: Records) -> tuple[dict[str, str], list[Problem]]:
    """Rates of a plan by instance type, of Linux in shared tenancy.

    A type whose rate differs between regions is left out and told, since a contract has one rate a type.
    Raises Refused for a rate that is not as the service's model says.
    """
    found: dict[str, dict[Decimal, str]] = {}
    for rate in records.get(KEY, ()):
        if rate.fields.get(PLAN) == name and rate.fields.get("productType", "EC2") == "EC2":
            for instance_type, region in _hours(rate, plan):
                amount = amount_of(rate.fields.get("rate"), "rate")
                found.setdefault(instance_type, {}).setdefault(amount, region)
    several = {t: amounts for t, amounts in found.items() if len(amounts) > 1}
    problems = [
        warning(
            "savings-plan-rates-differ",
            **plan.place(KEY, f"{t}: {', '.join(f'{r}: {written(a)}' for a, r in list(amounts.items())[:6])}"),
        )
        for t, amounts in list(several.items())[:20]
    ]
    return {t: written(next(iter(a))) for t, a in sorted(found.items()) if t not in several}, problems


def _hours(rate: Record, plan: Record) -> Iterator[tuple[str, str]]:
    """The type and region of a rate per hour; nothing of another platform, tenancy, unit or, where named, region."""
    properties = _properties(rate)
    told_otherwise = (
        rate.fields.get("unit", "Hrs") != "Hrs"
        or properties.get("productDescription", PLATFORM) != PLATFORM
        or properties.get("tenancy", TENANCY).casefold() != TENANCY
    )
    instance_type, region = properties.get("instanceType"), properties.get("region", "")
    if told_otherwise or instance_type is None or (plan.region and region and region != plan.region):
        return
    currency = text_of(plan, "currency") or "USD"
    if needed(rate, "currency") != currency:
        raise Refused("currency", rate.fields.get("currency"), currency)
    yield instance_type, region


def _properties(rate: Record) -> dict[str, str]:
    value: Any = rate.fields.get("properties")
    if not isinstance(value, list) or not all(isinstance(p, dict) for p in value):
        raise Refused("properties", value, "a list of names and values")
    return {str(p.get("name")): str(p.get("value")) for p in value}


OUTPUT = Output("aws savingsplans describe-savings-plan-rates", KEY, PAGE, FIELDS, convert)
