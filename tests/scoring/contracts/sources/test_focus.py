"""FOCUS exports: used and unused by commitment and month; what an export does not say is asked, row by row told."""

from decimal import Decimal

import pytest

from scoring.contracts.book import read_contracts
from scoring.contracts.sources.focus import Export, is_export, read_export, told
from scoring.model.problem import Severity
from scoring.reading.posted import PostedFile

HEAD = (
    "BillingCurrency,ChargeCategory,ChargePeriodStart,EffectiveCost,CommitmentDiscountId,CommitmentDiscountType,"
    "CommitmentDiscountStatus,CommitmentDiscountQuantity,CommitmentDiscountUnit,RegionId,ProviderName,"
    "CapacityReservationId,CapacityReservationStatus,ConsumedQuantity"
)
RI = "arn:aws:ec2:us-east-1:1:reserved-instances/r1"


def row(
    status: str, quantity: str, cost: str, day: str = "2026-10-01T00:00:00Z", category: str = "Usage", name: str = RI
) -> str:
    return f"USD,{category},{day},{cost},{name},Reserved Instance,{status},{quantity},Hours,us-east-1,AWS,,,"


def posted(*rows: str, head: str = HEAD) -> PostedFile:
    return PostedFile.from_bytes("focus.csv", "\n".join((head, *rows, "")).encode())


def read(*rows: str) -> Export:
    return read_export(posted(*rows))


def test_used_and_unused_by_month() -> None:
    export = read(
        row("Used", "600", "7500"),
        row("Unused", "144", "1800"),
        row("Used", "300", "3750", "2026-11-01T00:00:00Z"),
        row("", "8760", "0", category="Purchase"),
        "USD,Usage,2026-10-01T00:00:00Z,99,,,,,,us-east-1,AWS,,,",
    )
    assert export.problems == []
    october, november = export.uses
    assert (october.month, october.used, october.unused, october.purchased) == ("2026-10", 600, 144, 8760)
    assert (october.cost_used, october.cost_unused) == (7500, 1800)
    assert october.share == pytest.approx(600 / 744)
    assert (november.month, november.share, november.regions) == ("2026-11", 1.0, {"us-east-1"})


def test_without_quantities_the_share_is_of_cost() -> None:
    (use,) = read(row("Used", "", "75"), row("Unused", "", "25")).uses
    assert use.share == 0.75


def test_capacity_reservations() -> None:
    rows = [
        f"USD,Usage,2026-10-01T00:00:00Z,{c},,,,,,us-east-1,AWS,cr-1,{s},{q}"
        for s, q, c in (("Used", 30, 9), ("Unused", 10, 3))
    ]
    (use,) = read(*rows).uses
    assert (use.id, use.type, use.used, use.unused) == ("cr-1", "capacity reservation", 30, 10)


def test_what_an_export_does_not_say_is_asked() -> None:
    export = read(row("Used", "600", "7500"), row("Unused", "144", "1800"))
    fact, asked = told(export)
    assert (fact.code, fact.found) == ("commitment-use", f"{RI}: 2026-10 80.6% used, 1800.00 USD unused")
    assert (asked.code, asked.severity) == ("commitment-term-unknown", Severity.QUESTION)
    assert asked.found == f"{RI} (AWS, Reserved Instance, us-east-1)"
    assert "last day" in str(asked.expected)
    assert [p.code for p in told(export, {RI})] == ["commitment-use"]


def test_an_export_is_no_contract_book() -> None:
    contracts, problems = read_contracts(posted(row("Used", "600", "7500")))
    assert contracts == ()
    assert "commitment-term-unknown" in [p.code for p in problems]


BAD = [
    ("ChargePeriodStart", row("Used", "1", "1", day="October")),
    ("ChargePeriodStart", row("Used", "1", "1", day="2026-13-01")),
    ("CommitmentDiscountQuantity", row("Used", "=1+1", "1")),
    ("CommitmentDiscountQuantity", row("Used", "NaN", "1")),
    ("EffectiveCost", row("Used", "1", "1e999")),
    ("EffectiveCost", row("Used", "1", "9" * 400)),
    ("CommitmentDiscountStatus", row("Perhaps", "1", "1")),
]


@pytest.mark.parametrize(("column", "bad"), BAD)
def test_a_bad_row_is_told_and_the_others_count(column: str, bad: str) -> None:
    export = read(bad, row("Used", "5", "5"))
    assert [(p.code, p.row, p.column) for p in export.problems] == [("focus-cell-invalid", 2, column)]
    assert sum(use.used for use in export.uses) == Decimal(5)


def test_two_currencies() -> None:
    export = read(row("Used", "1", "1"), row("Used", "1", "1").replace("USD", "EUR"))
    assert [(p.row, p.column) for p in export.problems] == [(3, "BillingCurrency")]


def test_a_line_without_end() -> None:
    export = read_export(posted("x" * 2_000_000))
    assert [p.code for p in export.problems] == ["csv-syntax"]


def test_short_rows_and_open_quotes() -> None:
    assert read("USD", "", '"').uses == []


@pytest.mark.parametrize(
    ("wanted", "head"), [(True, HEAD), (False, "id,kind,starts_on"), (False, "ChargePeriodStart,EffectiveCost")]
)
def test_recognised(wanted: bool, head: str) -> None:
    assert is_export(posted(head=head)) is wanted
