"""`outcomes.csv` as people and spreadsheets write it: what is read, and what is refused with its line."""

import pytest

from scoring.reading.posted import PostedFile
from scoring.review.given import Outcome
from scoring.review.outcomes_file import MOST, read_outcomes

HEAD = "issue,seq,period,cost_per_unit,monthly_cost,quality.wer"
ROW = "1,1,2026-11,0.138,36417.5,7.4"


def read(data: bytes | str) -> tuple[tuple[Outcome, ...], list[tuple[int | None, str | None]]]:
    """Outcomes, and where something is wrong: line and column."""
    raw = data.encode() if isinstance(data, str) else data
    found, problems = read_outcomes(PostedFile.from_bytes("outcomes.csv", raw))
    return found, [(p.row, p.column) for p in problems]


@pytest.mark.parametrize(
    "data",
    [
        f"{HEAD}\n{ROW}\n",
        f"\ufeff{HEAD}\n{ROW}\n".replace(",", ";").replace("\n", "\r\n"),
        f"{HEAD}\n{ROW}\n".encode("utf-16"),
        f"{HEAD}\n{ROW}\n".replace(",", "\t").encode("utf-16"),
        f"Outcomes of 2026\n\n{HEAD.upper()}\n{ROW}\n",
    ],
    ids=["plain", "a spreadsheet's semicolons", "UTF-16", "UTF-16 with tabs", "a title above, capitals"],
)
def test_forms_that_are_read(data: bytes | str) -> None:
    (outcome,), problems = read(data)
    assert (outcome.issue, outcome.seq, f"{outcome.starts_on:%Y-%m}") == (1, 1, "2026-11")
    assert (outcome.cost_per_unit, outcome.monthly_cost) == (0.138, 36417.5)
    assert {name.casefold(): value for name, value in outcome.quality.items()} == {"wer": 7.4}
    assert problems == []


@pytest.mark.parametrize(
    ("row", "columns"),
    [
        ('1,1,2026-11,"0,138","36.417,50","7,4"', ["cost_per_unit", "monthly_cost", "quality.wer"]),
        ("1,1,2026-11,nan,inf,NaN", ["cost_per_unit", "monthly_cost", "quality.wer"]),
        ("1,1,2026-11,1e300,-5,1e300", ["cost_per_unit", "monthly_cost", "quality.wer"]),
        ('1,1,2026-11,0,"36,417",€7', ["cost_per_unit", "monthly_cost", "quality.wer"]),
        ("0,0,2026-13,,,", ["issue", "seq", "period"]),
        ("\u0661,1,2026-02-30..2026-03-01,,1,", ["issue", "period"]),
        ("#1,1.0,2026-12..2026-11,,1,", ["issue", "seq", "period"]),
        (",,,,1,", ["issue", "period"]),
    ],
    ids=["decimal commas", "no numbers", "too large, below zero", "zero, thousands, a sign", "out of range", "no day",
         "other signs", "lacking"],
)  # fmt: skip
def test_a_row_that_could_be_read_wrong_is_refused(row: str, columns: list[str]) -> None:
    assert read(f"{HEAD}\n{row}\n") == ((), [(2, column) for column in columns])


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (HEAD, []),
        (f"{HEAD}\n", []),
        (f"{ROW}\n{ROW}\n", [(1, "issue")]),
        ("hello\n", [(1, "issue")]),
        ("issue,period,monthly cost\n1,2026-11,5\n", [(1, "monthly cost")]),
        ("issue,period,period\n1,2026-11,2026-12\n", [(1, "period (2)")]),
        (f"{HEAD}\n1,1,2026-11,0,138,36417,7.4\n", [(2, "issue")]),
        (f"{HEAD}\n{ROW}\n1,1,2026-12,0,138,36417,7.4\n", [(3, None)]),
    ],
    ids=["a header alone", "with its line's end", "no header", "no table", "an unknown column", "a column twice",
         "a cell too many", "in one of two rows"],
)  # fmt: skip
def test_what_has_no_rows_of_outcomes_is_told_unless_it_has_none_yet(
    text: str, problems: list[tuple[int | None, str | None]]
) -> None:
    assert read(text)[1] == problems


def test_too_many_rows_are_refused_whole() -> None:
    found, problems = read(f"{HEAD}\n" + f"{ROW}\n" * (MOST + 1))
    assert (found, len(problems)) == ((), 1)
