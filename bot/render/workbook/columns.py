"""Columns of the Cash flow sheet: their names in their order, their letters, and which of them are discounted sums."""

from openpyxl.utils import get_column_letter

HEAD = 6
FIRST = HEAD + 1
PROVEN = ("lower", "upper")
"""Ends that hold however often one looks: the verdict's."""
ENDS = ("lo", "hi", *PROVEN)
COLUMNS = (
    "month", "index", "hours", "factor", "need-a", "need-b", "committed-a", "committed-b", "commitment",
    "overage-rate", "rate-b", "partial-share", "full-share", "stay", "partial", "full", "stay-renewed",
    "full-npv", "plan-npv",
    "over-b-partial", "over-b-full", "pays-below",
    "sum-stay", "sum-partial", "sum-full", "sum-renewed", "moving", "switch-gain", "cheapest-switch",
    "start-flag", "full-flag", "sum-hours-partial", "sum-hours-full", "hours-gain",
    "over-a-stay", "over-a-renewed", "over-a-partial", "over-a-full",
    "sum-over-a-stay", "sum-over-a-renewed", "sum-over-a-partial", "sum-over-a-full",
    *(f"{name}-{x}" for x in ENDS for name in ("partial", "full", "sum-partial", "sum-full")),
    *(f"{name}-{x}" for x in ENDS[:2]
      for name in ("over-b-partial", "over-b-full", "sum-hours-partial", "sum-hours-full")),
    *(f"{name}-{x}" for x in PROVEN for name in ("switch-gain", "cheapest-switch", "plan")),
)  # fmt: skip
SHOWN = COLUMNS[: COLUMNS.index("plan-npv") + 1]
LETTER = {name: get_column_letter(number) for number, name in enumerate(COLUMNS, start=1)}
SUMMED = {
    "sum-stay": "stay", "sum-partial": "partial", "sum-full": "full", "sum-renewed": "stay-renewed",
    "sum-hours-partial": "over-b-partial", "sum-hours-full": "over-b-full", "sum-over-a-stay": "over-a-stay",
    "sum-over-a-renewed": "over-a-renewed",
    "sum-over-a-partial": "over-a-partial", "sum-over-a-full": "over-a-full",
    **{f"sum-{name}-{x}": f"{name}-{x}" for x in ENDS for name in ("partial", "full")},
    **{f"sum-hours-{name}-{x}": f"over-b-{name}-{x}" for x in ENDS[:2] for name in ("partial", "full")},
}  # fmt: skip


def cell(name: str, row: int) -> str:
    """A column's cell in a row of the same sheet."""
    return f"${LETTER[name]}{row}"


def span(name: str, last: int) -> str:
    """A column's cells from the first month to a row of the same sheet."""
    return f"${LETTER[name]}${FIRST}:${LETTER[name]}${last}"
