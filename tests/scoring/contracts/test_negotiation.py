"""A lever is worth what two runs of the engine differ by, one of them on a book that the test changes itself."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.contracts.notices import add_months, deadline_of
from scoring.model.contract import Commitment, Contract, Notice, Renewal
from scoring.model.economics import Economics
from scoring.model.odds import Ask, Lever
from tests.scoring.contracts.simulator import World
from tests.scoring.contracts.worlds import cases, engine

Case = tuple[World, list[Contract]]
many = settings(max_examples=40, deadline=None)
CENT = 0.005


def npv(e: Economics) -> float:
    assert e.best is not None
    return e.best.npv


def levers(e: Economics) -> tuple[Lever, ...]:
    assert e.negotiation is not None
    return e.negotiation.levers


def changed(lever: Lever, world: World, held: list[Contract]) -> tuple[World, list[Contract]]:
    """The facts were the lever agreed, made from the lever's own words."""
    if lever.ask in (Ask.CANDIDATE_PRICE, Ask.MONTH_EARLIER, Ask.EARLIEST_MONTH):
        return replace(world, price_b=lever.then or 0.0), held
    if lever.ask is Ask.INCUMBENT_PRICE:
        return replace(world, price_a=lever.then or 0.0), held
    if lever.ask is Ask.CAPACITY:
        return replace(world, capacity=lever.then), held
    return world, [_agreed(lever, c) if c.id == lever.contract_id else c for c in held]


def _agreed(lever: Lever, c: Contract) -> Contract:
    if lever.ask is Ask.RATE:
        rate = c.renewal.rate
        renewal = c.renewal.model_copy(update={"rate": None if rate is None else rate * Decimal("0.99")})
        return c.model_copy(update={"rate": c.rate * Decimal("0.99"), "renewal": renewal})
    if lever.ask is Ask.COMMITMENT:
        of = "instances" if c.commitment.instances is not None else "instance_hours_per_month"
        return c.model_copy(update={"commitment": Commitment(**{of: Decimal(str(lever.then))})})
    if lever.ask is Ask.RELEASE:
        return c.model_copy(update={"renewal": Renewal()})
    if lever.ask is Ask.RENEWAL_SHORTER:
        return c.model_copy(update={"renewal": c.renewal.model_copy(update={"months": c.renewal.months - 1})})
    assert lever.day_then is not None
    if lever.ask is Ask.NOTICE_LATER:
        return c.model_copy(update={"notice": Notice(days=(c.ends_on - lever.day_then).days)})
    assert lever.ask is Ask.ENDS_EARLIER
    deadline = deadline_of(c)
    days = None if deadline is None else max(0, (lever.day_then - deadline).days)
    notice = None if days is None else Notice(days=days)
    return c.model_copy(update={"ends_on": lever.day_then, "notice": notice})


@many
@given(cases())
def test_each_lever_is_the_difference_of_two_engine_runs(case: Case) -> None:
    world, held = case
    before = engine(world, held)
    for lever in levers(before):
        if lever.only_if_missed:
            late = [c.model_copy(update={"notice": Notice(days=3_000)}) if c.id == lever.contract_id else c
                    for c in held]  # fmt: skip
            assert lever.worth == pytest.approx(npv(engine(world, late)) - npv(before), abs=2 * CENT)
            continue
        after = engine(*changed(lever, world, held))
        assert lever.worth == pytest.approx(npv(before) - npv(after), abs=2 * CENT)
        begins = after.best.starts_at if after.best else 0
        assert lever.starts_on == (after.months[begins].starts_on if begins < world.horizon else None)


@many
@given(cases(), st.floats(0.5, 0.99))
def test_a_price_above_the_one_told_does_not_move_it_earlier(case: Case, share: float) -> None:
    world, held = case
    before = engine(world, held)
    assert before.best is not None
    earlier = [lever for lever in levers(before) if lever.ask is Ask.MONTH_EARLIER]
    for lever in earlier:
        assert lever.then is not None and lever.starts_on is not None
        assert lever.starts_on < before.months[before.best.starts_at].starts_on
        gap = world.price_b - lever.then
        dearer = engine(replace(world, price_b=lever.then + max(gap * share, gap * 1e-3)), held)
        assert dearer.best is not None
        assert dearer.best.starts_at >= before.best.starts_at


@many
@given(cases())
def test_levers_are_worth_something_ranked_and_at_most_a_dozen(case: Case) -> None:
    world, held = case
    told = levers(engine(world, held))
    assert [lever.worth for lever in told] == sorted((lever.worth for lever in told), reverse=True)
    assert all(lever.worth > 0 for lever in told)
    assert len(told) <= 12


def contract(**more: object) -> Contract:
    fields = {
        "id": "c", "kind": "take_or_pay", "provider": "p", "starts_on": "2026-01-01", "ends_on": "2027-06-30",
        "rate": "40", "covers": {"instance_types": ["a"]}, "commitment": {"instances": "1"}, **more,
    }  # fmt: skip
    return Contract.model_validate(fields)


WORLD = World(
    contracts=(), today=date(2026, 12, 1), horizon=12, discount=0.0, demand=744.0, hours_a=1.0, ratio=0.5,
    price_a=50.0, price_b=40.0, migration=0.0,
)  # fmt: skip
AUTOMATIC = {"kind": "automatic", "months": 12}


def test_a_missed_deadline_is_worth_a_release_and_a_notice_still_taken() -> None:
    """The renewal begins on 1 July at 40 an hour, used or not, while the candidate would cost 20 for the same work."""
    held = [contract(notice={"days": 220}, renewal=AUTOMATIC)]
    told = {lever.ask: lever for lever in levers(engine(WORLD, held))}
    hours = (date(2027, 11, 30) - date(2027, 6, 30)).days * 24
    assert told[Ask.RELEASE].worth == pytest.approx(hours * 40 - 5 * 744 * 20, rel=0.02)
    assert told[Ask.RELEASE].provider == "p"
    deadline = date(2027, 6, 30) - timedelta(days=220)
    assert told[Ask.NOTICE_LATER].day_then == add_months(deadline, 1)
    assert told[Ask.NOTICE_LATER].worth == pytest.approx(told[Ask.RELEASE].worth)


def test_a_deadline_that_is_near_is_worth_a_month_only_if_it_is_missed() -> None:
    held = [contract(notice={"days": 190}, renewal=AUTOMATIC)]
    e = engine(WORLD, held)
    told = [lever for lever in levers(e) if lever.ask is Ask.NOTICE_LATER]
    assert [lever.only_if_missed for lever in told] == [True]
    assert told[0].worth == e.deadlines[0].cost_of_missing


@pytest.mark.parametrize("more", [{"rate": "20"}, {"commitment": {"instances": "0.5"}}, {"ends_on": "2027-05-31"}])
def test_cheaper_terms_leave_less_to_negotiate_at_the_same_contract(more: dict[str, object]) -> None:
    """A rate 1 % lower is worth less of a contract that costs less."""
    dear, cheap = (levers(engine(WORLD, [contract(**of)])) for of in ({}, more))
    of_rate = [next(lever.worth for lever in told if lever.ask is Ask.RATE) for told in (dear, cheap)]
    assert of_rate[1] < of_rate[0]


def test_without_a_price_of_the_candidate_nothing_is_weighed() -> None:
    assert engine(WORLD, [contract()], priced=False).negotiation is None
