"""FOCUS 1.0–1.2 cost exports (CSV): what of each commitment was used by month; streamed, an export has any length.

An export shows what was charged. It does not show when a term ends, so a commitment that no book holds is asked about.
"""

import csv
import io
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from scoring.model.problem import Problem
from scoring.problems import error, info, question
from scoring.reading.charset import decode
from scoring.reading.limits import MAX_FILE_BYTES
from scoring.reading.posted import PostedFile

PAGE = "https://focus.finops.org/focus-specification/v1-2/"
NEEDED = ("ChargePeriodStart", "ChargeCategory", "EffectiveCost")
IDS = ("CommitmentDiscountId", "CapacityReservationId")
OPTIONAL = (
    "CommitmentDiscountStatus", "CommitmentDiscountQuantity", "CommitmentDiscountUnit", "CommitmentDiscountType",
    "CommitmentDiscountCategory", "CommitmentDiscountName", "CapacityReservationStatus", "BilledCost",
    "BillingCurrency", "RegionId", "ServiceProviderName", "ProviderName", "ConsumedQuantity", "ConsumedUnit",
)  # fmt: skip
MAX_LINE = 2**20
MAX_USES = 20_000
MAX_PROBLEMS = 50
MAX_REGIONS = 6
HEADER_BYTES = 16_384
UNKNOWN = "its last day, its rate, what it covers, how it ends"
_MONTH = re.compile(r"(\d{4}-(?:0[1-9]|1[0-2]))-\d{2}(?:[T ]|\Z)", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d{1,18}(?:\.\d{1,30})?|\.\d{1,30})(?:[eE][-+]?\d{1,2})?\Z", re.ASCII)


@dataclass
class Use:
    """One commitment in one month: quantities in its unit, costs in the billing currency.

    `used` and `unused` are what the usage rows say; `purchased` is what purchase rows say, which must not be added.
    """

    id: str
    month: str
    provider: str = ""
    type: str = ""
    unit: str = ""
    currency: str = ""
    used: Decimal = Decimal(0)
    unused: Decimal = Decimal(0)
    purchased: Decimal = Decimal(0)
    cost_used: Decimal = Decimal(0)
    cost_unused: Decimal = Decimal(0)
    regions: set[str] = field(default_factory=set)

    @property
    def share(self) -> float | None:
        """Share that was used, by quantity where the export has quantities, else by cost."""
        total, cost = self.used + self.unused, self.cost_used + self.cost_unused
        if total > 0:
            return float(self.used / total)
        return float(self.cost_used / cost) if cost > 0 else None


@dataclass
class Export:
    """Uses by commitment and month, in order, and what could not be read."""

    file: str
    uses: list[Use] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class _Odd(Exception):
    """A cell that holds no such value."""


def is_export(posted: PostedFile) -> bool:
    """Whether the first line is the header of an export with commitments or capacity reservations."""
    names = _names(decode(posted.read(HEADER_BYTES))[0].split("\n", 1)[0])
    return set(NEEDED) <= names and bool(set(IDS) & names)


def _names(line: str) -> set[str]:
    return {name.strip().strip('"').lstrip("\ufeff") for name in line.split(",")}


def read_export(posted: PostedFile) -> Export:
    """The uses of an export. Memory grows with commitments × months, never with rows; a bad row is told by its line."""
    export = Export(posted.name)
    if posted.size > MAX_FILE_BYTES:
        details = {"found": f"{posted.size:,} bytes", "expected": f"{MAX_FILE_BYTES:,} bytes"}
        export.problems.append(error("file-too-large", file=posted.name, **details))
        return export
    uses: dict[tuple[str, str], Use] = {}
    with posted.open() as stream:
        reader = csv.reader(_lines(io.TextIOWrapper(stream, "utf-8-sig", errors="replace", newline="")))
        try:
            header = [name.strip() for name in next(reader)]
            places = {name: header.index(name) for name in (*NEEDED, *IDS, *OPTIONAL) if name in header}
            for cells in reader:
                _row(cells, places, reader.line_num, uses, export)
                if len(uses) > MAX_USES:
                    raise ValueError(f"over {MAX_USES:,} commitments and months")
        except (csv.Error, ValueError) as failure:
            place = {"file": posted.name, "row": reader.line_num}
            export.problems.append(error("csv-syntax", **place, found=str(failure)[:200]))
    export.uses = sorted(uses.values(), key=lambda use: (use.id, use.month))
    return export


def _lines(stream: io.TextIOWrapper) -> Iterator[str]:
    while line := stream.readline(MAX_LINE):
        if len(line) == MAX_LINE and not line.endswith("\n"):
            raise ValueError(f"a line of over {MAX_LINE:,} characters")
        yield line


def _row(cells: list[str], places: dict[str, int], line: int, uses: dict[tuple[str, str], Use], export: Export) -> None:
    last = len(cells)

    def cell(name: str) -> str:
        at = places.get(name, last)
        return cells[at].strip() if at < last else ""

    commitment, capacity = cell(IDS[0]), cell(IDS[1])
    if not (commitment or capacity):
        return
    try:
        month = _month(cell("ChargePeriodStart"))
        for name, prefix in ((commitment, "CommitmentDiscount"), (capacity, "CapacityReservation")):
            if name:
                use = uses.get((name[:200], month)) or Use(name[:200], month)
                _add(use, prefix, cell)
                uses[use.id, month] = use
    except _Odd as odd:
        if len(export.problems) < MAX_PROBLEMS:
            column, found = odd.args
            details = {"file": export.file, "row": line, "column": column, "found": found[:60]}
            export.problems.append(error("focus-cell-invalid", **details))


def _month(text: str) -> str:
    match = _MONTH.match(text)
    if match is None:
        raise _Odd("ChargePeriodStart", text)
    return match[1]


def _add(use: Use, prefix: str, cell: Callable[[str], str]) -> None:
    """Purchase rows say what was bought, usage rows what became of it; the two must not be added up."""
    is_discount = prefix == "CommitmentDiscount"
    quantity_name = "CommitmentDiscountQuantity" if is_discount else "ConsumedQuantity"
    quantity, cost = _number(quantity_name, cell(quantity_name)), _number("EffectiveCost", cell("EffectiveCost"))
    use.provider = use.provider or cell("ServiceProviderName") or cell("ProviderName")
    use.type = use.type or (cell("CommitmentDiscountType") if is_discount else "capacity reservation")
    use.unit = use.unit or cell("CommitmentDiscountUnit" if is_discount else "ConsumedUnit")
    currency = cell("BillingCurrency")
    if use.currency and currency and currency != use.currency:
        raise _Odd("BillingCurrency", f"{currency} beside {use.currency}")
    use.currency = use.currency or currency
    if len(use.regions) < MAX_REGIONS and cell("RegionId"):
        use.regions.add(cell("RegionId")[:60])
    status = cell(f"{prefix}Status")
    if cell("ChargeCategory") == "Purchase":
        use.purchased += quantity
    elif status == "Unused":
        use.unused += quantity
        use.cost_unused += cost
    elif status == "Used":
        use.used += quantity
        use.cost_used += cost
    elif cell("ChargeCategory") == "Usage":
        raise _Odd(f"{prefix}Status", status or "nothing")


def _number(name: str, text: str) -> Decimal:
    if not text:
        return Decimal(0)
    if not _NUMBER.match(text):
        raise _Odd(name, text)
    return Decimal(text)


def told(export: Export, known: Collection[str] = ()) -> list[Problem]:
    """Facts on each commitment, and the question for what the export does not say of those in no book.

    `known` are the ids and origins of the contracts of a book.
    """
    problems: list[Problem] = []
    by_id: dict[str, list[Use]] = {}
    for use in export.uses:
        by_id.setdefault(use.id, []).append(use)
    for name, uses in list(by_id.items())[:MAX_PROBLEMS]:
        problems.append(info("commitment-use", file=export.file, found=_facts(name, uses)))
        if name not in known:
            kind = ", ".join(part for part in (uses[0].provider, uses[0].type, *sorted(uses[0].regions)) if part)
            found = f"{name} ({kind})" if kind else name
            problems.append(question("commitment-term-unknown", file=export.file, found=found, expected=UNKNOWN))
    return [*export.problems, *problems]


def _facts(name: str, uses: Sequence[Use]) -> str:
    months = "; ".join(_month_facts(use) for use in uses[-12:])
    return f"{name}: {months}"


def _month_facts(use: Use) -> str:
    share = "no usage rows" if use.share is None else f"{use.share:.1%} used"
    cost = f", {use.cost_unused.quantize(Decimal('0.01'))} {use.currency} unused" if use.cost_unused else ""
    return f"{use.month} {share}{cost}"
