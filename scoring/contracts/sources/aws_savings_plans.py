"""`aws savingsplans describe-savings-plans`: an amount an hour for one or three years, spent at the plan's rates."""

from scoring.contracts.sources.aws_savings_plan_rates import rates_of
from scoring.contracts.sources.aws_values import (
    amount_of,
    choice_of,
    first_day,
    instant_of,
    kept,
    last_day,
    needed,
    not_counted,
    owner_of,
    tags_of,
    text_of,
    without_nothing,
    written,
)
from scoring.contracts.sources.interface import Entry, Output, Record, Records
from scoring.model.problem import Problem
from scoring.problems import warning

PAGE = "https://docs.aws.amazon.com/savingsplans/latest/APIReference/API_SavingsPlan.html"
FIELDS = frozenset({
    "offeringId", "savingsPlanId", "savingsPlanArn", "description", "start", "end", "state", "region",
    "ec2InstanceFamily", "savingsPlanType", "paymentOption", "productTypes", "currency", "commitment",
    "upfrontPaymentAmount", "recurringPaymentAmount", "termDurationInSeconds", "tags", "returnableUntil",
})  # fmt: skip
STATES = (
    "payment-pending", "payment-failed", "active", "retired", "queued", "queued-deleted", "pending-return", "returned",
)  # fmt: skip
IN_FORCE = ("active", "payment-pending")
KINDS = {"Compute": "savings_plan_compute", "EC2Instance": "savings_plan_instance"}
TYPES = (*KINDS, "SageMaker", "Database")
PAYMENTS = {"All Upfront": "all_upfront", "Partial Upfront": "partial_upfront", "No Upfront": "none"}
USED = FIELDS - {"offeringId", "description", "productTypes", "termDurationInSeconds", "returnableUntil"}
USED -= {"recurringPaymentAmount"}


def convert(record: Record, records: Records) -> tuple[Entry | None, list[Problem]]:
    """The contract of a plan, with the rates of its own rates' output where that was read too.

    Raises Refused for a field that is not as the service's model says.
    """
    name = needed(record, "savingsPlanId")
    state = choice_of(record, "state", STATES)
    if state not in IN_FORCE:
        return None, not_counted(record, name, state)
    plan = choice_of(record, "savingsPlanType", TYPES)
    if plan not in KINDS:
        found = f"{name}: {plan} savings plan"
        return None, [warning("contract-type-not-counted", **record.place("savingsPlanType", found))]
    others, problems = kept(record, USED, FIELDS)
    if state == "payment-pending":
        problems.append(warning("contract-payment-pending", **record.place("state", name)))
    is_instance = plan == "EC2Instance"
    covers = {
        "cloud": "aws",
        "regions": [needed(record, "region")] if is_instance else [],
        "families": [needed(record, "ec2InstanceFamily")] if is_instance else [],
    }
    tags = tags_of(record)
    rates, more = rates_of(record, name, records)
    return without_nothing(
        {
            "id": name,
            "provider": "aws",
            "kind": KINDS[plan],
            **_term(record),
            "covers": without_nothing(covers),
            "commitment": {"currency_per_hour": written(amount_of(record.fields.get("commitment"), "commitment"))},
            "covered_rates": rates,
            "payment": _payment(record),
            "currency": text_of(record, "currency") or "USD",
            "owner": owner_of(tags),
            "arn": text_of(record, "savingsPlanArn"),
            "imported": {**others, **{f"tag {k}": v for k, v in tags.items()}},
        }
    ), [*problems, *more]


def _term(record: Record) -> Entry:
    start, end = instant_of(record, "start"), instant_of(record, "end")
    assert start is not None and end is not None  # noqa: S101 - both are required
    return {"starts_on": first_day(start), "ends_on": last_day(end)}


def _payment(record: Record) -> Entry:
    upfront = amount_of(record.fields.get("upfrontPaymentAmount") or "0", "upfrontPaymentAmount")
    kind = PAYMENTS[choice_of(record, "paymentOption", PAYMENTS)]
    return {"kind": kind, **({"upfront": written(upfront)} if upfront else {})}


OUTPUT = Output("aws savingsplans describe-savings-plans", "savingsPlans", PAGE, FIELDS, convert)
