"""Calendar quarters and their names: `2027Q1` is January to March 2027."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from pydantic import Field

from scoring.model.base import Value
from scoring.model.problem import Problem
from scoring.problems import error

FIRST_YEAR, LAST_YEAR = 2000, 2199
FORM = "YYYYQN, such as 2027Q1"
SHOWN = 40
_NAME = re.compile(r"([0-9]{4})[Qq]([1-4])\Z")


class Quarter(Value):
    """Three calendar months; `number` is 1 to 4."""

    year: int = Field(ge=FIRST_YEAR, le=LAST_YEAR)
    number: int = Field(ge=1, le=4)

    @property
    def name(self) -> str:
        """`2027Q1`."""
        return f"{self.year}Q{self.number}"

    @property
    def first(self) -> date:
        """Its first day."""
        return date(self.year, 3 * self.number - 2, 1)

    @property
    def last(self) -> date:
        """Its last day."""
        return self.after().first - timedelta(days=1)

    def after(self, count: int = 1) -> "Quarter":
        """The quarter so many later; a negative count goes back."""
        year, number = divmod(4 * self.year + self.number - 1 + count, 4)
        return Quarter.model_construct(year=year, number=number + 1)

    def with_next(self, count: int) -> tuple["Quarter", ...]:
        """This one and the next `count`."""
        return tuple(self.after(i) for i in range(count + 1))


def quarter_of(day: date) -> Quarter:
    """The quarter that a day is in."""
    return Quarter.model_construct(year=day.year, number=(day.month + 2) // 3)


def quarter_named(text: str, column: str = "quarter") -> Quarter | Problem:
    """The quarter, or the problem with the form that is expected; `column` is the problem's place."""
    found = _NAME.match(text.strip())
    if found is None or not FIRST_YEAR <= int(found[1]) <= LAST_YEAR:
        return error("quarter-unknown", column=column, found=text.strip()[:SHOWN] or "nothing", expected=FORM)
    return Quarter(year=int(found[1]), number=int(found[2]))


def quarters_between(first: date, last: date) -> Iterator[Quarter]:
    """All quarters that have a day in the span."""
    quarter = quarter_of(first)
    while quarter.first <= last:
        yield quarter
        quarter = quarter.after()
