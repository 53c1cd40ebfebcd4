"""Price books: what an instance type costs by the hour, in which region, by which source; a missing price stays one."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from scoring.model.contract import PriceBook, PriceRow, Source
from scoring.model.problem import Problem
from scoring.problems import error, question
from scoring.reading.headers import normalised
from scoring.reading.posted import PostedFile
from scoring.reading.table import Table, TableRow
from scoring.reading.tables import tables_of

NAMES = {
    "cloud": ("cloud", "provider", "proveedor"),
    "region": ("region", "availability_zone"),
    "instance_type": ("instance_type", "instancetype", "instance", "sku"),
    "accelerator": ("accelerator", "accelerator_name", "gpu"),
    "accelerator_count": ("accelerator_count", "acceleratorcount", "gpus"),
    "on_demand": ("on_demand_usd_per_hour", "on_demand_price", "price", "price_usd_per_hour", "on_demand_eur_per_hour"),
    "spot": ("spot_usd_per_hour_min", "spot_price", "spotprice"),
    "currency": ("currency",),
    "source": ("source",),
    "note": ("note", "notes"),
}


@dataclass(frozen=True)
class FoundPrice:
    """An hourly list price with its currency and where it came from."""

    price: Decimal
    currency: str
    source: str


def read_prices(posted: PostedFile) -> tuple[PriceBook, list[Problem]]:
    """The price book of a CSV file; a row whose price is no positive number is an error with its line."""
    held = tables_of(posted)
    problems = [p for p in held.problems if p.severity.value in ("error", "question")]
    rows: list[PriceRow] = []
    for table in held.tables:
        found, more = _rows(table)
        rows += found
        problems += more
    if not rows and not problems:
        problems.append(
            error("prices-without-rows", file=posted.name, expected="instance_type, on_demand_usd_per_hour")
        )
    return PriceBook(rows=tuple(rows)), problems


def _rows(table: Table) -> tuple[list[PriceRow], list[Problem]]:
    header = [normalised(h) for h in table.header]
    columns = {field: header.index(n) for field, names in NAMES.items() for n in names[::-1] if n in header}
    if "instance_type" not in columns:
        expected = "a column instance_type"
        return [], [error("prices-without-rows", file=table.file, row=table.header_row, expected=expected)]
    named = header[columns["on_demand"]] if "on_demand" in columns else ""
    currency = "EUR" if "_eur_" in named else "USD"
    rows, problems = [], []
    for row in table.rows:
        found, problem = _row(row, columns, currency, table.file)
        rows += [found] if found else []
        problems += [problem] if problem else []
    return rows, problems


def _row(row: TableRow, columns: dict[str, int], currency: str, file: str) -> tuple[PriceRow | None, Problem | None]:
    texts = {field: row.cell(i).text for field, i in columns.items()}
    prices: dict[str, Decimal | None] = {}
    for field in ("on_demand", "spot"):
        text = texts.get(field, "")
        try:
            prices[field] = Decimal(text) if text else None
        except InvalidOperation:
            return None, error("price-invalid", file=file, row=row.row, column=field, found=text, expected="above 0")
        price = prices[field]
        if price is not None and not (price.is_finite() and 0 < price < 10**7):
            return None, error("price-invalid", file=file, row=row.row, column=field, found=text, expected="above 0")
    count = texts.get("accelerator_count", "")
    return PriceRow(
        cloud=texts.get("cloud") or None,
        region=texts.get("region") or None,
        instance_type=texts["instance_type"],
        accelerator=texts.get("accelerator") or None,
        accelerator_count=int(float(count)) if count.replace(".", "", 1).isdigit() else None,
        on_demand_price=prices["on_demand"],
        spot_price_min=prices["spot"],
        currency=(texts.get("currency") or currency).upper()[:3],
        note=texts.get("note") or None,
        source=Source(file=file, row=row.row, origin=texts.get("source") or None),
    ), None


def find_price(book: PriceBook, instance_type: str, region: str | None) -> tuple[FoundPrice | None, list[Problem]]:
    """The on-demand price; `price-missing` where none is public, `price-ambiguous` where regions differ."""
    rows = book.find(instance_type, region)
    priced = [r for r in rows if r.on_demand_price is not None]
    if not priced:
        note = next((r.note for r in rows if r.note), None) or "no price in the price book"
        where = region or "any region"
        found = f"{instance_type} in {where}: {note}"
        return None, [question("price-missing", found=found, expected="a price per hour")]
    if len({(r.on_demand_price, r.currency) for r in priced}) > 1:
        return None, [question("price-ambiguous", found=_choices(priced), expected="a region")]
    row = priced[0]
    assert row.on_demand_price is not None  # noqa: S101 - filtered above
    source = row.source.origin or f"{row.source.file}, line {row.source.row}"
    return FoundPrice(row.on_demand_price, row.currency, f"list: {source}"), []


def _choices(rows: Sequence[PriceRow]) -> str:
    return ", ".join(f"{r.region}: {r.on_demand_price} {r.currency}" for r in rows[:6])
