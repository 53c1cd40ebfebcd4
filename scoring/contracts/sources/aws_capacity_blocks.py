"""`aws ec2 describe-capacity-blocks`: a fixed start and length, paid upfront; what it holds its reservations say."""

from scoring.contracts.sources.aws_capacity_reservations import KEY as RESERVATIONS
from scoring.contracts.sources.aws_capacity_reservations import PAID, of_capacity
from scoring.contracts.sources.aws_values import (
    Refused,
    choice_of,
    first_day,
    instant_of,
    kept,
    last_day,
    needed,
    not_counted,
    owner_of,
    tags_of,
    without_nothing,
)
from scoring.contracts.sources.interface import Entry, Output, Record, Records
from scoring.model.problem import Problem
from scoring.problems import question, warning

PAGE = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityBlock.html"
FIELDS = frozenset({
    "CapacityBlockId", "UltraserverType", "AvailabilityZone", "AvailabilityZoneId", "CapacityReservationIds",
    "StartDate", "EndDate", "CreateDate", "State", "Tags",
})  # fmt: skip
STATES = (
    "active", "expired", "unavailable", "cancelled", "failed", "scheduled", "payment-pending", "payment-failed",
)  # fmt: skip
IN_FORCE = ("active", "scheduled", "payment-pending")
USED = frozenset({"CapacityBlockId", "CapacityReservationIds", "StartDate", "EndDate", "State", "Tags"})


def convert(record: Record, records: Records) -> tuple[Entry | None, list[Problem]]:
    """The contract of a block, of the type and number that its reservations say; without them a question.

    Raises Refused for a field that is not as the service's model says.
    """
    name = needed(record, "CapacityBlockId")
    state = choice_of(record, "State", STATES)
    if state not in IN_FORCE:
        return None, not_counted(record, name, state)
    ids = record.fields.get("CapacityReservationIds")
    if not isinstance(ids, list) or not ids or not all(isinstance(i, str) for i in ids):
        raise Refused("CapacityReservationIds", ids, "the ids of its reservations")
    known = {r.fields.get("CapacityReservationId"): r for r in records.get(RESERVATIONS, ())}
    missing = [i for i in ids if i not in known]
    others, problems = kept(record, USED, FIELDS)
    if missing:
        expected = f"the output of describe-capacity-reservations with {', '.join(missing)[:100]}"
        return None, [*problems, question("contract-part-missing", **record.place(None, name, expected=expected))]
    if state == "payment-pending":
        problems.append(warning("contract-payment-pending", **record.place("State", name)))
    entry, more = _held(name, [known[i] for i in ids])
    start, end = instant_of(record, "StartDate"), instant_of(record, "EndDate")
    assert start is not None and end is not None  # noqa: S101 - both are required
    tags = tags_of(record)
    if entry is not None:
        entry |= {"id": name, **PAID, "starts_on": first_day(start), "ends_on": last_day(end)}
        entry |= without_nothing({"owner": owner_of(tags)})
        entry["imported"] = {**entry.get("imported", {}), **others, **{f"tag {k}": v for k, v in tags.items()}}
    return entry, [*problems, *more]


def _held(name: str, reservations: list[Record]) -> tuple[Entry | None, list[Problem]]:
    """The sum of the reservations of a block; they are of one type in one zone."""
    total: Entry | None = None
    problems: list[Problem] = []
    for reservation in reservations:
        entry, more = of_capacity(reservation, name)
        problems += more
        if entry is None:
            return None, problems
        if total is None:
            total = entry
        elif total["covers"] != entry["covers"]:
            raise Refused("CapacityReservationIds", name, "reservations of one type in one zone")
        else:
            total["commitment"]["instances"] += entry["commitment"]["instances"]
    return total, problems


OUTPUT = Output("aws ec2 describe-capacity-blocks", "CapacityBlocks", PAGE, FIELDS, convert)
