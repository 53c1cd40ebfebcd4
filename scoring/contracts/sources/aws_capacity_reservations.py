"""`aws ec2 describe-capacity-reservations`: capacity that is paid at the on-demand rate while it is open."""

from datetime import date
from typing import Any

from scoring.contracts.sources.aws_values import (
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
)
from scoring.contracts.sources.interface import Entry, Output, Record, Records
from scoring.model.problem import Problem

PAGE = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityReservation.html"
KEY = "CapacityReservations"
FIELDS = frozenset({
    "CapacityReservationId", "OwnerId", "CapacityReservationArn", "AvailabilityZoneId", "InstanceType",
    "InstancePlatform", "AvailabilityZone", "Tenancy", "TotalInstanceCount", "AvailableInstanceCount", "EbsOptimized",
    "EphemeralStorage", "State", "StartDate", "EndDate", "EndDateType", "InstanceMatchCriteria", "CreateDate", "Tags",
    "OutpostArn", "CapacityReservationFleetId", "PlacementGroupArn", "CapacityAllocations", "ReservationType",
    "UnusedReservationBillingOwnerId", "CommitmentInfo", "DeliveryPreference", "CapacityBlockId", "Interruptible",
    "InterruptibleCapacityAllocation", "InterruptionInfo", "AdjustmentStatus", "AdjustmentDetails",
    "OriginalStartDate", "ZeroSizePreference", "LaunchStatus",
})  # fmt: skip
STATES = (
    "active", "expired", "cancelled", "pending", "failed", "scheduled", "payment-pending", "payment-failed",
    "assessing", "delayed", "unsupported", "cancelling", "unavailable",
)  # fmt: skip
IN_FORCE = ("active", "scheduled", "delayed")
TYPES = ("default", "capacity-block")
END_TYPES = ("unlimited", "limited")
USED = frozenset({
    "CapacityReservationId", "CapacityReservationArn", "InstanceType", "AvailabilityZone", "TotalInstanceCount",
    "State", "StartDate", "EndDate", "EndDateType", "Tags", "ReservationType", "CommitmentInfo",
})  # fmt: skip


def convert(record: Record, records: Records) -> tuple[Entry | None, list[Problem]]:
    """The contract of a reservation; one that belongs to a capacity block is read with its block.

    Raises Refused for a field that is not as the service's model says.
    """
    name = needed(record, "CapacityReservationId")
    is_block = choice_of(record, "ReservationType", TYPES, "default") == "capacity-block"
    if is_block and _told_by_a_block(name, records):
        return None, []
    state = choice_of(record, "State", STATES)
    if state not in IN_FORCE:
        return None, not_counted(record, name, state)
    entry, problems = of_capacity(record, name)
    if entry is None:
        return None, problems
    if is_block:
        return {**entry, **PAID, **_term(record)}, problems
    return without_nothing({**entry, "kind": "capacity_reservation", **_term(record)}), problems


PAID: Entry = {"kind": "capacity_block", "rate": "0", "payment": {"kind": "all_upfront"}}
"""A block is paid before it begins: nothing is left to pay, and what was paid is not in this output."""


def of_capacity(record: Record, name: str) -> tuple[Entry | None, list[Problem]]:
    """What the contract covers, whose it is, and all else that the record says."""
    zone = text_of(record, "AvailabilityZone")
    region = region_of(record, zone)
    others, problems = kept(record, USED, FIELDS)
    if not region:
        return None, [*problems, *region_missing(record, name)]
    tenancy = text_of(record, "Tenancy") or "default"
    platform = text_of(record, "InstancePlatform") or "Linux/UNIX"
    if tenancy != "default":
        problems += narrower(record, "Tenancy", name, f"tenancy {tenancy}")
    if platform != "Linux/UNIX":
        problems += narrower(record, "InstancePlatform", name, platform)
    tags = tags_of(record)
    covers = {"cloud": "aws", "regions": [region], "zones": [zone] if zone else []}
    entry = {
        "id": name,
        "provider": "aws",
        "covers": without_nothing({**covers, "instance_types": [needed(record, "InstanceType")]}),
        "commitment": {"instances": count_of(record.fields.get("TotalInstanceCount"), "TotalInstanceCount")},
        "owner": owner_of(tags),
        "imported": {**others, **{f"tag {k}": v for k, v in tags.items()}},
        "arn": text_of(record, "CapacityReservationArn"),
    }
    return without_nothing(entry), problems


def _told_by_a_block(name: str, records: Records) -> bool:
    named = (block.fields.get("CapacityReservationIds") for block in records.get("CapacityBlocks", ()))
    return any(name in ids for ids in named if isinstance(ids, list))


def _term(record: Record) -> Entry:
    """First and last day; without a last day the reservation stays open until somebody cancels it."""
    start = instant_of(record, "StartDate", required=False) or instant_of(record, "CreateDate")
    assert start is not None  # noqa: S101 - one of them is required
    limited = choice_of(record, "EndDateType", END_TYPES, "unlimited") == "limited"
    end = instant_of(record, "EndDate") if limited else None
    return {"starts_on": first_day(start), "ends_on": last_day(end) if end else None, **_committed(record)}


def _committed(record: Record) -> dict[str, Any]:
    """Until when a reservation for a future date cannot be cancelled."""
    held: Any = record.fields.get("CommitmentInfo")
    if not isinstance(held, dict) or not held.get("CommitmentEndDate"):
        return {}
    end = instant_of(Record(held, record.file, record.row), "CommitmentEndDate")
    committed: date | None = last_day(end) if end else None
    return {"committed_until": committed}


OUTPUT = Output("aws ec2 describe-capacity-reservations", KEY, PAGE, FIELDS, convert)
