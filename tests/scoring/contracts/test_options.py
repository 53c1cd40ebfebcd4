"""Commitments of the candidate: by hand, and against trying every month and size with the engine that counts by day."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.contracts.timeline import build_timeline
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, Band, Economics
from scoring.model.settings import Settings
from tests.scoring.contracts.simulator import Held, World, month_days, plan_npv
from tests.scoring.contracts.worlds import contracts, plain

TODAY = date(2026, 12, 1)
CENT = 0.005


def economics(world: World, held: list[Contract], options: list[dict[str, Any]]) -> Economics:
    return build_timeline(
        incumbent=ArmFlow(arm="a", hours_per_unit=world.hours_a, price_per_hour=world.price_a),
        candidate=ArmFlow(arm="b", hours_per_unit=world.hours_a * world.ratio, price_per_hour=world.price_b),
        contracts=held,
        settings=Settings.model_validate({
            "horizon_months": world.horizon, "annual_discount_rate": world.discount, "split_minimum_gain": 0.0,
            "migration_cost": Decimal(str(world.migration)), "demand": {"units_per_month": world.demand},
            "capacity": {"hours_per_month": world.capacity}, "commitment_options": options,
        }),
        today=world.today,
        hours_ratio=Band(point=world.ratio),
    )  # fmt: skip


PLAIN = World(
    contracts=(), today=TODAY, horizon=6, discount=0.0, demand=1000.0, hours_a=1.0, ratio=1.0, price_a=30.0,
    price_b=20.0, migration=0.0,
)  # fmt: skip


def test_one_instance_of_a_commitment_takes_what_it_can_and_the_rest_is_on_demand() -> None:
    """1,000 h a month; one instance gives 744 h in December for 10 an hour, a second would be half idle at 10."""
    e = economics(PLAIN, [], [{"id": "half-year", "term_months": 6, "rate": "10"}])
    assert e.option is not None and e.best is not None
    assert (e.option.option, e.option.instances, e.option.month) == ("half-year", 1, 0)
    hours = [744, 744, 672, 744, 720, 744]
    assert e.best.npv == pytest.approx(sum(h * 10 + (1000 - h) * 20 for h in hours))
    (row,) = e.options
    assert row.gain == pytest.approx(sum(h * 10 for h in hours)) and row.chosen


def test_two_instances_where_idle_hours_cost_less_than_hours_on_demand() -> None:
    e = economics(PLAIN, [], [{"id": "cheap", "term_months": 6, "rate": "5", "upfront": "100"}])
    assert e.option is not None and e.best is not None
    assert e.option.instances == 2
    assert e.best.npv == pytest.approx(sum([744, 744, 672, 744, 720, 744]) * 2 * 5 + 200)


@pytest.mark.parametrize(
    ("option", "reason", "horizon"),
    [
        ({"id": "year", "term_months": 12, "rate": "1"}, "beyond-horizon", 12),
        ({"id": "old", "term_months": 3, "rate": "1", "expires_on": "2026-11-30"}, "expired", None),
    ],
)
def test_what_cannot_be_weighed_says_why(option: dict[str, Any], reason: str, horizon: int | None) -> None:
    e = economics(PLAIN, [], [option])
    assert e.option is None
    assert [(o.reason, o.horizon_months, o.gain) for o in e.options] == [(reason, horizon, None)]


def test_an_offer_that_ends_before_the_reservation_does_is_taken_in_time_or_not_at_all() -> None:
    """The reservation covers A to the end of January; the offer stands until 1 January."""
    held = Contract.model_validate({
        "id": "c", "kind": "take_or_pay", "starts_on": "2026-06-01", "ends_on": "2027-01-31", "rate": "20",
        "covers": {"instance_types": ["a"]}, "commitment": {"instances": 2},
    })  # fmt: skip
    world = replace(PLAIN, contracts=(plain(held),))
    free = economics(world, [held], [{"id": "o", "term_months": 4, "rate": "8"}])
    ends = economics(world, [held], [{"id": "o", "term_months": 4, "rate": "8", "expires_on": "2027-01-01"}])
    assert free.option is not None and free.option.month == 2
    assert ends.option is None or ends.option.month <= 1
    assert free.best is not None and ends.best is not None and free.best.npv < ends.best.npv


@st.composite
def cases(draw: st.DrawFn) -> tuple[World, list[Contract], dict[str, Any]]:
    held = [Contract.model_validate(draw(contracts(i))) for i in range(draw(st.integers(0, 2)))]
    held = [c.model_copy(update={"notice": None, "renewal": type(c.renewal)()}) for c in held]
    world = World(
        contracts=tuple(plain(c) for c in held), today=TODAY, horizon=6, discount=draw(st.sampled_from([0.0, 0.3])),
        demand=draw(st.sampled_from([400.0, 1500.0])), hours_a=1.0, ratio=draw(st.sampled_from([0.5, 1.0, 1.7])),
        price_a=draw(st.sampled_from([15.0, 40.0])), price_b=draw(st.sampled_from([10.0, 25.0, 60.0])),
        migration=draw(st.sampled_from([0.0, 4000.0])), capacity=draw(st.sampled_from([None, 700.0])),
    )  # fmt: skip
    option = {"id": "o", "term_months": draw(st.integers(1, 6)), "rate": draw(st.sampled_from(["4", "9", "30"])),
              "upfront": draw(st.sampled_from(["0", "500"]))}  # fmt: skip
    return world, held, option


def best_by_hand(world: World, option: dict[str, Any]) -> float:
    """Every month, up to six instances, every plan: the option is one more contract of B, its upfront beside it."""
    h, found = world.horizon, []
    for month in range(h - option["term_months"] + 1):
        starts = month_days(world.today, month)[0]
        ends = month_days(world.today, month + option["term_months"] - 1)[-1]
        factor = (1 + world.discount) ** (-month / 12)
        for size in range(1, 7):
            one = Held("o", "b", starts, ends, rate=float(option["rate"]), instances=float(size))
            there = replace(world, contracts=(*world.contracts, one))
            paid = size * float(option["upfront"]) * factor
            found.append(paid + min(plan_npv(there, s, u) for s in range(h) for u in range(s, h + 1)))
    plain_best = min(plan_npv(world, s, u) for s in range(h + 1) for u in range(s, h + 1))
    return min([plain_best, *found])


@settings(max_examples=12, deadline=None)
@given(cases())
def test_the_best_plan_is_the_best_of_every_month_and_size(case: tuple[World, list[Contract], dict[str, Any]]) -> None:
    world, held, option = case
    e = economics(world, held, [option])
    assert e.best is not None
    assert e.best.npv == pytest.approx(best_by_hand(world, option), abs=CENT)
    assert e.best.npv <= (e.stay_npv or 0.0) + CENT
    assert timedelta(0) <= (e.option.on - TODAY if e.option else timedelta(0))
