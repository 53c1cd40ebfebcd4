"""Staying with renewals one after another, by hand: 600 hours a month, 50 an hour on demand, to June 2027."""

from datetime import date
from typing import Any

import pytest

from tests.scoring.contracts.test_cuts import economics

MONTH = 600 * 50
JANUARY = 31 * 24 * 30
NOTICE = {"ends_on": "2027-01-31", "notice": {"days": 10}}


def renewing(months: int, rate: str) -> dict[str, Any]:
    return {"renewal": {"kind": "automatic", "months": months, "rate": rate}}


CASES: dict[str, tuple[list[dict[str, Any]], float, tuple[tuple[str, date], ...]]] = {
    "every month that renews is cheaper than on demand: it renews three times": (
        [{**NOTICE, **renewing(2, "40")}], JANUARY + 150 * 24 * 40, (("c1", date(2027, 7, 31)),),
    ),
    "February and March pay, April and May cost more than June would bring: it renews once": (
        [{**NOTICE, **renewing(2, "41.5")}], JANUARY + 59 * 24 * 41.5 + 3 * MONTH, (),
    ),
    "it ends within a month, and so does each renewal": (
        [{**NOTICE, "ends_on": "2027-01-15", **renewing(2, "40")}],
        15 * 24 * 30 + 16 * 24 * 40 + 150 * 24 * 40, (("c1", date(2027, 7, 15)),),
    ),
    "of a missed notice the next renewals are still open": (
        [{"ends_on": "2026-12-31", "notice": {"days": 30}, **renewing(2, "40")}],
        181 * 24 * 40, (("c1", date(2027, 6, 30)),),
    ),
    "a missed notice binds once where the renewal is dear": (
        [{"ends_on": "2026-12-31", "notice": {"days": 30}, **renewing(2, "60")}], 59 * 24 * 60 + 4 * MONTH, (),
    ),
    "of two with half of a node each, the second would stand idle for a third of its hours": (
        [{**NOTICE, "id": name, "commitment": {"instances": "0.5"}, **renewing(2, "40")} for name in ("c1", "c2")],
        JANUARY + 150 * 12 * 40 + (5 * 600 - 150 * 12) * 50, (("c1", date(2027, 7, 31)),),
    ),
    "of two missed notices the second contract finds no work that the first leaves": (
        [{"ends_on": "2026-12-31", "notice": {"days": 30}, "id": name, **renewing(2, "40")} for name in ("c1", "c2")],
        181 * 24 * 40 + 59 * 24 * 40, (("c1", date(2027, 6, 30)),),
    ),
    "a renewal that reaches the horizon's end is one": (
        [{**NOTICE, **renewing(5, "40")}], JANUARY + 150 * 24 * 40, (),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_staying_renews_as_often_as_is_cheapest(name: str) -> None:
    held, cost, again = CASES[name]
    found = economics(*held, horizon=6)
    assert found.stay_npv == pytest.approx(cost)
    assert found.stay_renews_again == again
    assert set(found.contracts_by_month) == {contract_id for contract_id, _ in again}
    assert sum(month.stay_renewed_cost for month in found.months) == pytest.approx(cost)


def test_a_plan_that_moves_lets_every_renewal_go() -> None:
    """300 hours of the candidate a month at 40 from January on, beside what is promised to the end of the month."""
    found = economics({**NOTICE, **renewing(2, "40")}, horizon=6)
    assert found.best is not None
    assert found.best.npv == pytest.approx(min(JANUARY + 5 * 300 * 40, JANUARY + 6 * 300 * 40))
