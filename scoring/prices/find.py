"""The list price of an instance type by the hour: one that is public and clear, else the question for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from scoring.model.contract import PriceBook, PriceRow
from scoring.model.problem import Problem
from scoring.problems import question


@dataclass(frozen=True)
class FoundPrice:
    """An hourly list price with its currency and where it came from."""

    price: Decimal
    currency: str
    source: str


def find_price(book: PriceBook, instance_type: str, region: str | None) -> tuple[FoundPrice | None, list[Problem]]:
    """The on-demand price; `price-missing` where none is public, `price-ambiguous` where regions differ."""
    listed = book.find(instance_type, None)
    rows = [r for r in listed if region is None or (r.region or "").casefold() == region.casefold()]
    priced = [r for r in rows if r.on_demand_price is not None]
    if not priced:
        found = f"{instance_type} in {region or 'any region'}: {_why_none(listed, rows)}"
        return None, [question("price-missing", found=found, expected="a price per hour")]
    if len({(r.on_demand_price, r.currency) for r in priced}) > 1:
        return None, [question("price-ambiguous", found=_choices(priced), expected="a region")]
    row = priced[0]
    assert row.on_demand_price is not None  # noqa: S101 - filtered above
    source = row.source.origin or f"{row.source.file}, line {row.source.row}"
    return FoundPrice(row.on_demand_price, row.currency, f"list: {source}"), []


def _why_none(listed: Sequence[PriceRow], rows: Sequence[PriceRow]) -> str:
    note = next((r.note for r in rows if r.note), None)
    elsewhere = ", ".join(sorted({r.region for r in listed if r.region and r.on_demand_price is not None})[:6])
    return note or (f"listed only in {elsewhere}" if elsewhere else "no price in the price book")


def _choices(rows: Sequence[PriceRow]) -> str:
    return ", ".join(f"{r.region or 'no region'}: {r.on_demand_price} {r.currency}" for r in rows[:6])
