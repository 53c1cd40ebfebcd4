"""`aws ec2 describe-reserved-instances`: instances around the clock for one or three years."""

from decimal import Decimal
from typing import Any

from scoring.contracts.sources.aws_values import (
    HOUR,
    Refused,
    amount_of,
    choice_of,
    count_of,
    first_day,
    instant_of,
    kept,
    last_day,
    narrower,
    needed,
    not_counted,
    owner_of,
    region_missing,
    region_of,
    tags_of,
    text_of,
    without_nothing,
    written,
)
from scoring.contracts.sources.interface import Entry, Output, Record, Records
from scoring.model.problem import Problem
from scoring.problems import warning

PAGE = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_ReservedInstances.html"
FIELDS = frozenset({
    "CurrencyCode", "InstanceTenancy", "OfferingClass", "OfferingType", "RecurringCharges", "Scope", "Tags",
    "AvailabilityZoneId", "ReservedInstancesId", "InstanceType", "AvailabilityZone", "Start", "End", "Duration",
    "UsagePrice", "FixedPrice", "InstanceCount", "ProductDescription", "State",
})  # fmt: skip
STATES = ("payment-pending", "active", "payment-failed", "retired", "queued", "queued-deleted")
IN_FORCE = ("active", "payment-pending")
CLASSES = {"standard": "reserved_standard", "convertible": "reserved_convertible"}
PAYMENTS = {
    "All Upfront": "all_upfront",
    "Partial Upfront": "partial_upfront",
    "No Upfront": "none",
    "Heavy Utilization": "partial_upfront",
}
PAID_BY_USE = ("Medium Utilization", "Light Utilization")
SCOPES = ("Availability Zone", "Region")
USED = FIELDS - {"InstanceTenancy", "ProductDescription", "Duration", "AvailabilityZoneId", "Scope"}


def convert(record: Record, _: Records) -> tuple[Entry | None, list[Problem]]:
    """The contract of a reservation. Raises Refused for a field that is not as the service's model says."""
    name = needed(record, "ReservedInstancesId")
    state = choice_of(record, "State", STATES)
    if state not in IN_FORCE:
        return None, not_counted(record, name, state)
    offering = choice_of(record, "OfferingType", (*PAYMENTS, *PAID_BY_USE))
    if offering in PAID_BY_USE:
        return None, [warning("contract-type-not-counted", **record.place("OfferingType", f"{name}: {offering}"))]
    zone = text_of(record, "AvailabilityZone")
    if choice_of(record, "Scope", SCOPES, "Availability Zone" if zone else "Region") == SCOPES[0] and not zone:
        raise Refused("AvailabilityZone", None, "a zone, since Scope is Availability Zone")
    region = region_of(record, zone)
    others, problems = kept(record, USED, FIELDS)
    problems += _told(record, name, state)
    if not region:
        return None, [*problems, *region_missing(record, name)]
    tags = tags_of(record)
    entry = without_nothing(
        {
            "id": name,
            "provider": "aws",
            "kind": CLASSES[choice_of(record, "OfferingClass", CLASSES, "standard")],
            **_term(record),
            "covers": without_nothing(
                {
                    "cloud": "aws",
                    "regions": [region],
                    "zones": [zone] if zone else [],
                    "instance_types": [needed(record, "InstanceType")],
                }
            ),
            "commitment": {"instances": count_of(record.fields.get("InstanceCount"), "InstanceCount")},
            "currency": text_of(record, "CurrencyCode") or "USD",
            "owner": owner_of(tags),
            "imported": {**others, **_effective(record), **{f"tag {k}": v for k, v in tags.items()}},
        }
    )
    return {**entry, **_money(record, PAYMENTS[offering])}, problems


def _term(record: Record) -> Entry:
    start, end = instant_of(record, "Start"), instant_of(record, "End")
    assert start is not None and end is not None  # noqa: S101 - both are required
    return {"starts_on": first_day(start), "ends_on": last_day(end)}


def hourly(record: Record) -> Decimal:
    """What an instance costs in each hour of the term, used or not: the recurring charges and the usage price."""
    total = amount_of(record.fields.get("UsagePrice"), "UsagePrice", Decimal(0))
    charges: Any = record.fields.get("RecurringCharges") or []
    for charge in charges if isinstance(charges, list) else [charges]:
        if not isinstance(charge, dict) or charge.get("Frequency", "Hourly") != "Hourly":
            raise Refused("RecurringCharges", charge, "an Amount with the Frequency Hourly")
        total += amount_of(charge.get("Amount"), "RecurringCharges.Amount")
    return total


def _money(record: Record, payment: str) -> Entry:
    """What is paid by the hour is the rate; what was paid at the start, of all instances, is the payment."""
    fixed = amount_of(record.fields.get("FixedPrice"), "FixedPrice", Decimal(0))
    upfront = fixed * count_of(record.fields.get("InstanceCount"), "InstanceCount")
    return {
        "rate": written(hourly(record)),
        "payment": {"kind": payment, **({"upfront": written(upfront)} if upfront else {})},
    }


def _effective(record: Record) -> dict[str, str]:
    """The price of an hour over the whole term, as information: what was paid at the start is paid."""
    fixed = amount_of(record.fields.get("FixedPrice"), "FixedPrice", Decimal(0))
    hours = amount_of(record.fields.get("Duration"), "Duration", Decimal(0)) / HOUR
    if not fixed or not hours:
        return {}
    return {"effective rate": written(round(fixed / hours + hourly(record), 6))}


def _told(record: Record, name: str, state: str) -> list[Problem]:
    problems = []
    if state == "payment-pending":
        problems.append(warning("contract-payment-pending", **record.place("State", name)))
    tenancy = text_of(record, "InstanceTenancy") or "default"
    product = text_of(record, "ProductDescription") or "Linux/UNIX"
    if tenancy != "default":
        problems += narrower(record, "InstanceTenancy", name, f"tenancy {tenancy}")
    if not product.startswith("Linux/UNIX"):
        problems += narrower(record, "ProductDescription", name, product)
    return problems


OUTPUT = Output("aws ec2 describe-reserved-instances", "ReservedInstances", PAGE, FIELDS, convert)
