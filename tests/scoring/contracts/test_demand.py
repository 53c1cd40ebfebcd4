"""Work that changes on a day: by the days of its month, through the timeline, and in the settings file."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from scoring.contracts.demand import units_by_month
from scoring.contracts.months import months_from
from scoring.contracts.timeline import build_timeline
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, Band, Economics
from scoring.model.settings import Demand, Settings
from scoring.reading.posted import PostedFile
from scoring.settings_file import apply_overrides, read_settings
from tests.scoring.contracts.simulator import plan_npv
from tests.scoring.contracts.worlds import World, plain

MONTHS = months_from(date(2027, 1, 1), 4)
APRIL, MID_FEBRUARY = {"from": "2027-04-01", "units_per_month": 300}, {"from": "2027-02-15", "units_per_month": 200}


@pytest.mark.parametrize(
    ("changes", "units"),
    [
        ([], [100, 100, 100, 100]),
        ([APRIL], [100, 100, 100, 300]),
        ([{"from": "2026-06-01", "units_per_month": 50}, APRIL], [50, 50, 50, 300]),
        ([APRIL, MID_FEBRUARY], [100, 150, 200, 300]),
        ([MID_FEBRUARY, {"from": "2027-02-22", "units_per_month": 0}], [100, 100, 0, 0]),
        ([{"from": "2028-01-01", "units_per_month": 9}], [100, 100, 100, 100]),
    ],
)
def test_units_of_each_month(changes: list[dict[str, Any]], units: list[float]) -> None:
    demand = Demand.model_validate({"units_per_month": 100, "changes": changes})
    assert units_by_month(demand, MONTHS) == pytest.approx(units)


def test_no_demand_is_no_work() -> None:
    assert units_by_month(None, MONTHS) == [0.0] * 4


def economics(**settings: Any) -> Economics:
    held = [Contract.model_validate({
        "id": "c", "kind": "take_or_pay", "starts_on": "2026-01-01", "ends_on": "2027-06-30", "rate": "8",
        "covers": {"instance_types": ["a"]}, "commitment": {"instances": 1}, "overage_rate": "30",
    })]  # fmt: skip
    return build_timeline(
        ArmFlow(arm="a", hours_per_unit=3.0, price_per_hour=20.0),
        ArmFlow(arm="b", hours_per_unit=4.0, price_per_hour=9.0),
        held,
        Settings.model_validate({"split_minimum_gain": 0.0, "migration_cost": Decimal(500), **settings}),
        date(2027, 1, 1),
        Band(point=4 / 3),
    )


def test_a_change_between_two_months_is_each_part_under_its_own_demand() -> None:
    """The simulator knows one demand: each month of the timeline equals that month of a world that has its demand."""
    steps = [MID_FEBRUARY, {"from": "2027-08-01", "units_per_month": 700}]
    changed = economics(demand={"units_per_month": 400, "changes": steps})
    for month in changed.months:
        alike = economics(demand={"units_per_month": month.demand_units}).months[month.index]
        assert month == alike
    assert changed.best is not None
    s, u = changed.best.starts_at, changed.best.full_at
    paid = sum(
        m.factor * (m.stay_cost if m.index < s else m.partial_cost if m.index < u else m.full_cost)
        for m in changed.months
    )
    assert changed.best.npv == pytest.approx(paid + 500 * changed.months[s].factor)


def test_the_first_months_equal_the_second_engine() -> None:
    steady = economics(demand={"units_per_month": 400, "changes": [{"from": "2027-01-01", "units_per_month": 150}]})
    held = Contract.model_validate({
        "id": "c", "kind": "take_or_pay", "starts_on": "2026-01-01", "ends_on": "2027-06-30", "rate": "8",
        "covers": {"instance_types": ["a"]}, "commitment": {"instances": 1}, "overage_rate": "30",
    })  # fmt: skip
    world = World(
        contracts=(plain(held),), today=date(2027, 1, 1), horizon=12, discount=0.0, demand=150.0, hours_a=3.0,
        ratio=4 / 3, price_a=20.0, price_b=9.0, migration=500.0,
    )  # fmt: skip
    for s, npv in enumerate(steady.switch_npv_by_month):
        assert npv == pytest.approx(plan_npv(world, s, s), abs=0.005)


def test_steps_are_read_from_the_file_and_survive_an_override() -> None:
    text = b"demand:\n  units_per_month: 10\n  changes:\n    - {from: 2027-04-01, units_per_month: 30}\n"
    settings, problems = read_settings(PostedFile.from_bytes("steelyard.yml", text))
    assert problems == []
    changed, problems = apply_overrides(settings, ["demand=20", "horizon=18m"])
    assert problems == []
    assert changed.demand is not None
    assert [c.units_per_month for c in changed.demand.changes] == [30]
    assert changed.demand.units_per_month == 20


def test_two_steps_on_one_day_are_told_with_their_line() -> None:
    text = b"demand:\n  units_per_month: 10\n  changes:\n" + b"    - {from: 2027-04-01, units_per_month: 30}\n" * 2
    _, problems = read_settings(PostedFile.from_bytes("steelyard.yml", text))
    assert [(p.code, p.row) for p in problems] == [("setting-invalid", 3)]
