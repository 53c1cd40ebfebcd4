"""What people post stays text in LibreOffice, and a memo of any size recalculates to the engine's values."""

import io
from pathlib import Path

import openpyxl
import pytest

from bot.render.workbook import render_workbook
from bot.render.workbook.cells import LONGEST, storable
from scoring.model.decision import Decision
from tests.bot.render.workbook.libreoffice import needs_libreoffice, recalculated
from tests.bot.render.workbook.test_live import NOTHING_OF_MONEY, formulas, spoiled, wrong_cells
from tests.bot.render.workbook.test_workbook import posted_names
from tests.scoring.helpers import decide

ROUNDING = 1e-13
"""Of an amount: what sums of amounts of its size may differ by."""
pytestmark = needs_libreoffice
TEXTS = {
    "command": "=cmd|'/c calc'!A1",
    "sum": "@SUM(1+1)",
    "plus": "+1",
    "minus": "-2+3",
    "tab": "\t=1+1",
    "link": '=HYPERLINK("https://e.example","x")',
    "control": "a\x01b\x0bc",
    "right-to-left": "‏שלום עולם ‮abc",
    "emoji": "🚀👩‍💻",
    "sheet-name": "[Memo]:*?/\\'Inputs'!A1",
    "wildcards": "~*?<>=5",
    "longest": "x" * 40_000,
    "error": "#REF!",
    "markup": "]]><f>1+1</f>&amp;",
}

ALIKE = ("sum", "minus", "link", "error", "markup")
"""Texts that take the way of one of the others; that they open is told below."""
UNREAD = ("control", "longest")
"""Texts with which the file is not read at all."""


def test_posted_text_stays_text_in_every_field(tmp_path: Path) -> None:
    texts = {name: text for name, text in TEXTS.items() if name not in ALIKE}
    books = {name: render_workbook(posted_names(text)) for name, text in texts.items()}
    found = recalculated(books, tmp_path)
    for name, text in texts.items():
        converted = openpyxl.load_workbook(tmp_path / "out" / f"{name}.xlsx")
        ours = set(formulas(books[name]))
        after = {(s.title, c.coordinate) for s in converted for row in s.iter_rows() for c in row if c.data_type == "f"}
        assert after <= ours, name
        assert wrong_cells(books[name], found[name]) == [], name
        shown = [v for sheet in found[name].values() for v in sheet.values() if isinstance(v, str)]
        assert max(map(len, shown)) <= LONGEST
        told = storable(text.strip())[:8]
        assert name in UNREAD or any(told in value for value in shown), name


def sized(runs: int, contracts: int, price: str, rate: str) -> Decision:
    """A pilot with so many runs an arm, and so many contracts of the incumbent's type, one after the other."""
    rows = [f"gpu,{i},p5,{3600 + 7 * (i % 5)},{price},{7 + (i % 3) / 100}" for i in range(runs)]
    rows += [f"trn2,{i},trn2,{4000 + 9 * (i % 4)},{price},{7 + (i % 4) / 100}" for i in range(runs)]
    book = "contracts:\n" + "".join(
        f"  - {{id: c{i}, kind: take_or_pay, starts_on: 2026-{1 + i % 12:02}-01, ends_on: 2027-{1 + i % 12:02}-15,"
        f" covers: {{instance_types: [p5]}}, commitment: {{instance_hours_per_month: {1 + i}}}, rate: {rate}}}\n"
        for i in range(contracts)
    )
    head = "arm,run,instance_type,duration_s,price_usd_per_hour,wer\n"
    return decide(
        ("pilot.csv", head + "\n".join(rows)), settings="margins: {wer: 0.3}\n", contracts=book,
        demand="1000", migration_cost="1000000000" if rate != "0.01" else "0.01",
    )  # fmt: skip


SIZES = {
    "smallest": (2, 1, "0.01", "0.01"),
    "cents": (5, 3, "0.07", "0.03"),
    "many-contracts": (3, 40, "55", "20"),
    "most": (200, 40, "1000000", "900000"),
}


def test_a_memo_of_any_size_recalculates_to_the_engines_values(tmp_path: Path) -> None:
    decisions = {name: sized(*size) for name, size in SIZES.items()}
    assert all(d.economics.months and len(d.economics.incumbent_contracts) == SIZES[n][1] for n, d in decisions.items())
    assert (decisions["most"].economics.stay_npv or 0) > 1e9
    books = {name: render_workbook(d) for name, d in decisions.items()}
    found = recalculated({name: spoiled(data) for name, data in books.items()}, tmp_path)
    for name, data in books.items():
        rounding = max(NOTHING_OF_MONEY, ROUNDING * (decisions[name].economics.stay_npv or 0.0))
        assert wrong_cells(data, found[name], rounding) == [], name


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_a_memo_opens_whatever_was_posted(text: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(render_workbook(posted_names(text))))
    assert all(len(title) <= 31 and not set(title) & set("[]:*?/\\") for title in book.sheetnames)


def test_no_text_turns_the_letters_beside_it_around() -> None:
    assert storable("a\u202egpj.exe\u2066") == "a\ufffdgpj.exe\ufffd"
