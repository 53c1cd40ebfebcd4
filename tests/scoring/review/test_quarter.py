"""Calendar quarters: their names, days and neighbours."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.model.problem import Problem
from scoring.review.quarter import Quarter, quarter_named, quarter_of, quarters_between


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2027Q1", date(2027, 1, 1), date(2027, 3, 31)),
        (" 2028q4 ", date(2028, 10, 1), date(2028, 12, 31)),
    ],
)
def test_a_quarter_has_its_days(text: str, first: date, last: date) -> None:
    quarter = quarter_named(text)
    assert isinstance(quarter, Quarter)
    assert (quarter.first, quarter.last, quarter.name) == (first, last, text.strip().upper())


@pytest.mark.parametrize("text", ["", "2027", "2027Q0", "2027Q5", "27Q1", "Q1 2027", "2027-Q1", "1999Q4", "2027Q1x"])
def test_anything_else_is_refused_with_the_form(text: str) -> None:
    problem = quarter_named(text)
    assert isinstance(problem, Problem)
    assert (problem.code, problem.column) == ("quarter-unknown", "quarter")
    assert "2027Q1" in (problem.expected or "")


@given(st.dates(date(2001, 1, 1), date(2198, 12, 31)), st.integers(-4, 4))
def test_quarters_follow_each_other_without_a_gap(day: date, count: int) -> None:
    quarter = quarter_of(day)
    assert quarter.first <= day <= quarter.last
    assert quarter.after(count).after(-count) == quarter
    assert quarter.after().first == quarter.last + timedelta(days=1)


def test_the_quarters_of_a_span() -> None:
    names = [q.name for q in quarters_between(date(2026, 12, 31), date(2027, 4, 1))]
    assert names == ["2026Q4", "2027Q1", "2027Q2"]
