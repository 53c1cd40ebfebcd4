"""Which terms of a contract a review counts, and what is paid at their start, by hand."""

from datetime import date
from typing import Any

import pytest

from scoring.model.contract import Contract
from scoring.review.assemble import review
from scoring.review.given import ReviewInput
from scoring.review.quarter import Quarter
from scoring.review.values import Review

QUARTER = Quarter(year=2027, number=1)
NOTICE, MONTHLY = {"days": 10}, {"kind": "automatic", "months": 1, "rate": 2}


def reviewed(today: date, **more: Any) -> Review:
    """One instance at 1.00 an hour from 20 January to 19 February 2027, 500 paid at its start."""
    book = Contract.model_validate(
        {
            "id": "c", "kind": "take_or_pay", "starts_on": "2027-01-20", "ends_on": "2027-02-19",
            "commitment": {"instances": 1}, "rate": 1, "payment": {"kind": "partial_upfront", "upfront": 500}, **more,
        }
    )  # fmt: skip
    settings = {"currency": "USD"}
    asked = ReviewInput.model_validate({"contracts": (book,), "settings": settings})
    return review(asked, QUARTER, today, with_plan=False)


@pytest.mark.parametrize(
    ("today", "march"),
    [(date(2027, 2, 1), 0), (date(2027, 2, 12), 19 * 24 * 2), (date(2027, 9, 1), 31 * 24 * 2)],
    ids=["notice can be given", "notice was missed", "has renewed since, again and again"],
)
def test_what_is_paid_at_the_start_stays_in_its_month(today: date, march: float) -> None:
    (found,) = reviewed(today, notice=NOTICE, renewal=MONTHLY).contracts
    renewed = 9 * 24 * 2 if march else 0
    assert found.cost[:3] == pytest.approx((12 * 24 + 500, 19 * 24 + renewed, march))


@pytest.mark.parametrize(
    ("more", "column"),
    [
        ({"rate": 0, "payment": {"kind": "all_upfront"}}, "payment.upfront"),
        ({"notice": NOTICE, "renewal": {"kind": "automatic", "months": 12}}, "renewal.rate"),
        ({"notice": NOTICE, "renewal": MONTHLY}, None),
        ({}, None),
    ],
    ids=["all upfront without its amount", "renewed after an upfront payment", "the renewal's rate is told", "ends"],
)
def test_a_cost_that_the_book_leaves_open_is_told(more: dict[str, Any], column: str | None) -> None:
    told = [p.column for p in reviewed(date(2027, 1, 11), **more).problems if p.code == "review-cost-not-told"]
    assert told == ([column] if column else [])
