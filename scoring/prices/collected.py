"""Rows of a price book as they are found: one of each type and region, and the contradictions among them."""

from scoring.model.contract import PriceBook, PriceRow
from scoring.model.problem import Problem
from scoring.problems import error, question

MAX_ROWS = 200_000
MAX_PROBLEMS = 50


class Collected:
    """Prices by type and region. Spot prices of several zones become their minimum; they never touch the other."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self._rows: dict[tuple[str, str], PriceRow] = {}
        self._contradicted: dict[tuple[str, str], str] = {}

    @property
    def full(self) -> bool:
        """Whether more rows than a book may have were found."""
        return len(self._rows) > MAX_ROWS

    def tell(self, problem: Problem) -> None:
        """Remember a problem, up to a bound."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)

    def add(self, row: PriceRow) -> None:
        """A row; where another price of the same type and region is known already, the two are asked about."""
        key = (row.instance_type.casefold(), (row.region or "").casefold())
        before = self._rows.setdefault(key, row)
        if before is row:
            return
        told, again = (before.on_demand_price, before.currency), (row.on_demand_price, row.currency)
        if told != again and None not in (told[0], again[0]):
            self._contradicted.setdefault(key, f"{told[0]} {told[1]} and {again[0]} {again[1]}")
            return
        priced = before if before.on_demand_price is not None else row
        spots = [r.spot_price_min for r in (before, row) if r.spot_price_min is not None]
        if priced is not before or (spots and min(spots) != before.spot_price_min):
            self._rows[key] = priced.model_copy(update={"spot_price_min": min(spots, default=None)})

    def book(self) -> tuple[PriceBook, list[Problem]]:
        """The rows without those of two prices, and all problems."""
        if self.full:
            expected = f"{MAX_ROWS:,} prices"
            return PriceBook(), [error("file-too-large", file=self.file, found="more prices", expected=expected)]
        for key, prices in self._contradicted.items():
            row = self._rows.pop(key)
            found = f"{row.instance_type} in {row.region}: {prices}"
            self.tell(question("price-contradictory", file=self.file, row=row.source.row, found=found))
        return PriceBook(rows=tuple(self._rows.values())), self.problems
