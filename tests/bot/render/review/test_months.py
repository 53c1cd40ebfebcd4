"""Months in a sentence: those that follow each other by the first and the last."""

from datetime import date

import pytest

from bot.render.review.plan import _months


@pytest.mark.parametrize(
    ("months", "told"),
    [
        ([], "–"),
        ([(2027, 2)], "2027-02"),
        ([(2027, 2), (2027, 3)], "2027-02 – 2027-03"),
        ([(2027, 11), (2027, 12), (2028, 1)], "2027-11 – 2028-01"),
        ([(2027, 1), (2027, 2), (2027, 4), (2028, 4)], "2027-01 – 2027-02, 2027-04, 2028-04"),
    ],
)
def test_months_that_follow_each_other_are_one_span(months: list[tuple[int, int]], told: str) -> None:
    assert _months([date(year, month, 1) for year, month in months]) == told
