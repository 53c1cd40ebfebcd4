"""Price books as tables: each row a type in a region; one that holds no price is told with its line."""

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from scoring.model.contract import PriceBook, PriceRow, Source
from scoring.model.problem import Problem, Severity
from scoring.problems import error
from scoring.reading.charset import decode
from scoring.reading.headers import normalised
from scoring.reading.numbers import CURRENCIES, Convention, convention_of, evidence, is_missing, parse_number
from scoring.reading.posted import PostedFile
from scoring.reading.table import Table, TableRow
from scoring.reading.tables import tables_of

NAMES = {
    "cloud": ("cloud", "provider", "proveedor"),
    "region": ("region", "availability_zone"),
    "instance_type": ("instance_type", "instancetype", "instance", "sku"),
    "accelerator": ("accelerator", "accelerator_name", "acceleratorname", "gpu"),
    "accelerator_count": ("accelerator_count", "acceleratorcount", "gpus"),
    "currency": ("currency", "moneda"),
    "source": ("source", "fuente"),
    "date": ("date", "as_of", "retrieved", "retrieved_on", "effective_date", "effective_on", "fecha"),
    "note": ("note", "notes", "nota"),
}
NEEDED = "instance_type, on_demand_usd_per_hour"
ABOVE_0 = "above 0"
MAX_PRICE = 10**7
MAX_PROBLEMS = 50
MAX_HEADER_BYTES = 4096
_PRICE = re.compile(
    r"(?P<term>on_demand|ondemand|list|spot)?_?(?P<word>price|precio|hourly_price|hourly)?"
    r"_?(?P<currency>(?!per)[a-z]{3}(?=_|/|\Z)|us\$|[$€£])?_?(?:(?:per_|/_?)(?:hour|hr|h)|hourly|hour)?(?:_min)?\Z"
)
_DAY = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)", re.ASCII)
_CODE = re.compile(r"[A-Z]{3}\Z")


@dataclass(frozen=True)
class PriceColumn:
    """A column of prices: its place, its header as posted, the currency in it, and how it writes numbers."""

    index: int
    header: str
    currency: str | None
    convention: Convention


@dataclass(frozen=True)
class Columns:
    """Where a table keeps what: `texts` by field, and its columns of prices."""

    file: str
    texts: dict[str, int]
    on_demand: PriceColumn | None
    spot: PriceColumn | None

    def text(self, row: TableRow, field: str) -> str:
        """The text of a field; empty where the table has no such column."""
        return row.cell(self.texts[field]).text.strip() if field in self.texts else ""


class _Refused(Exception):
    """A row that holds no price."""

    def __init__(self, column: str, found: str, expected: str) -> None:
        self.details: dict[str, Any] = {"column": column, "found": found[:100], "expected": expected}


def read_csv_book(posted: PostedFile) -> tuple[PriceBook, list[Problem]]:
    """The price book of a CSV file; a row whose price is no positive number is an error with its line.

    The currency is in the header (`on_demand_usd_per_hour`), in the cell, or in a column of its own; else USD.
    """
    held = tables_of(posted)
    unfilled = [] if held.tables else _header_alone(posted)
    problems = [p for p in held.problems if p.severity in (Severity.ERROR, Severity.QUESTION)]
    problems = [p for p in problems if not (unfilled and p.code == "header-only")]
    rows: list[PriceRow] = []
    tables = held.tables or unfilled
    for table in tables:
        found, more = _rows(table)
        rows += found
        problems += more
    if not tables and not problems:
        problems.append(error("prices-without-rows", file=posted.name, expected=NEEDED))
    return PriceBook(rows=tuple(rows)), problems[:MAX_PROBLEMS]


def _header_alone(posted: PostedFile) -> list[Table]:
    """A price book that nobody has filled in yet prices nothing, and is no mistake."""
    text, _, _ = decode(posted.read(MAX_HEADER_BYTES))
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) != 1:
        return []
    header = tuple(name.strip('" ') for name in re.split("[,;\t]", lines[0]))
    return [Table(file=posted.name, header=header, header_row=1, rows=())]


def _rows(table: Table) -> tuple[list[PriceRow], list[Problem]]:
    columns = _columns(table)
    if "instance_type" not in columns.texts or not (columns.on_demand or columns.spot):
        return [], [error("prices-without-rows", file=table.file, row=table.header_row, expected=NEEDED)]
    rows: dict[tuple[str | None, ...], PriceRow] = {}
    problems = []
    for posted in table.rows:
        try:
            row = _row(posted, columns)
            key = (row.cloud, row.instance_type.casefold(), row.region and row.region.casefold())
            before = rows.setdefault(key, row)
            if before.on_demand_price != row.on_demand_price or before.currency != row.currency:
                header = columns.on_demand.header if columns.on_demand else ""
                other = f"as on line {before.source.row}, {before.on_demand_price} {before.currency}"
                raise _Refused(header, f"{row.on_demand_price} {row.currency}", other)
        except _Refused as refused:
            problems.append(error("price-invalid", file=table.file, row=posted.row, **refused.details))
    return list(rows.values()), problems


def _columns(table: Table) -> Columns:
    header = [normalised(h) for h in table.header]
    texts = {field: header.index(n) for field, names in NAMES.items() for n in reversed(names) if n in header}
    prices: dict[bool, PriceColumn] = {}
    for index, name in enumerate(header):
        match = _PRICE.match(name)
        if match is None or not (match["term"] or match["word"]):
            continue
        is_spot, code = match["term"] == "spot", match["currency"]
        if is_spot in prices and match["term"] not in ("on_demand", "ondemand"):
            continue
        convention = convention_of(cell.text for cell in table.column(index))
        currency = CURRENCIES.get(code, code.upper()) if code else None
        prices[is_spot] = PriceColumn(index, table.header[index], currency, convention)
    return Columns(table.file, texts, prices.get(False), prices.get(True))


def _row(row: TableRow, columns: Columns) -> PriceRow:
    if not columns.text(row, "instance_type"):
        raise _Refused("instance_type", "a row without an instance type", "with its instance type")
    named = _currency(columns.text(row, "currency"))
    on_demand, currency = _price(row, columns.on_demand, named)
    spot, of_spot = _price(row, columns.spot, named)
    if columns.spot and of_spot and currency and of_spot != currency:
        raise _Refused(columns.spot.header, of_spot, f"in {currency}")
    return PriceRow(
        cloud=columns.text(row, "cloud") or None,
        region=columns.text(row, "region") or None,
        instance_type=columns.text(row, "instance_type"),
        accelerator=columns.text(row, "accelerator") or None,
        accelerator_count=_count(columns.text(row, "accelerator_count")),
        on_demand_price=on_demand,
        spot_price_min=spot,
        currency=currency or of_spot or named or "USD",
        note=columns.text(row, "note") or None,
        source=_source(row, columns),
    )


def _source(row: TableRow, columns: Columns) -> Source:
    """Where the price came from, and when: the day of its own column, else the one day that the source names."""
    origin = columns.text(row, "source")
    days = set(_DAY.findall(columns.text(row, "date"))) or set(_DAY.findall(origin))
    try:
        on = date.fromisoformat(days.pop()) if len(days) == 1 else None
    except ValueError:
        on = None
    return Source(file=columns.file, row=row.row, origin=origin or None, on=on)


def _currency(text: str) -> str | None:
    code = CURRENCIES.get(text.casefold(), text.upper()) if text else None
    if code is not None and not _CODE.match(code):
        raise _Refused("currency", text, "with a currency of three letters such as USD")
    return code


def _price(row: TableRow, column: PriceColumn | None, named: str | None) -> tuple[Decimal | None, str | None]:
    """A cell's price and currency; both None where there is no price."""
    text = row.cell(column.index).text.strip() if column else ""
    if column is None or is_missing(text):
        return None, None
    number = parse_number(text, column.convention)
    if number is None or number.percent or number.spread or number.factor != 1:
        raise _Refused(column.header, text, ABOVE_0)
    price = Decimal(number.digits)
    if not 0 < price < MAX_PRICE:
        raise _Refused(column.header, text, ABOVE_0)
    if column.convention.ambiguous and evidence(text):
        raise _Refused(column.header, text, f"{ABOVE_0}, with a decimal point")
    told = {c for c in (number.currency, column.currency, named) if c}
    if len(told) > 1:
        raise _Refused(column.header, f"{text} in {' and '.join(sorted(told))}", "in one currency")
    return price, next(iter(told), "USD")


def _count(text: str) -> int | None:
    return int(text.removesuffix(".0")) if re.fullmatch(r"[0-9]{1,6}(\.0)?", text) else None
