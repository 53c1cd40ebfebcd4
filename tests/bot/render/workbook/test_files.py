"""Every sample's workbook as other programs open it: values everywhere, no error, nothing from elsewhere."""

import io
import json
import re
import zipfile
from functools import cache
from typing import Any

import openpyxl
import pandas
import pytest
from python_calamine import CalamineWorkbook

from bot.render.record import render_record
from bot.render.workbook import render_workbook
from tests.bot.render.workbook.test_live import same
from tests.samples import NAMES, STORIES, decision

EVERYWHERE = frozenset(
    "ABS AND AVERAGE AVERAGEIFS BETAINV CHOOSE COUNT COUNTIF COUNTIFS DATE DAY DEVSQ EDATE EXP IF IFERROR INDEX "
    "ISBLANK ISNUMBER LARGE LEN LN MATCH MAX MIN N NOT OR ROUND SQRT SUM SUMIFS SUMPRODUCT SUMSQ TRIM VAR "
    "WORKDAY".split()
)
"""Functions that Excel 2010, LibreOffice 7.4 and Google Sheets have; a new one is added after it was tried there."""
FUNCTION = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*)\(")
STRING = re.compile(r'"[^"]*"|\'[^\']*\'')
ALL = [*NAMES, *STORIES]


@cache
def data(name: str) -> bytes:
    return render_workbook(decision(name))


@pytest.mark.parametrize("name", ALL)
def test_formulas_have_values_and_functions_that_every_program_has(name: str) -> None:
    formulas, values = (openpyxl.load_workbook(io.BytesIO(data(name)), data_only=only) for only in (False, True))
    used, without, errors = set(), [], []
    for sheet in formulas.worksheets:
        for cell in (c for row in sheet.iter_rows() for c in row if c.value is not None):
            value = values[sheet.title][cell.coordinate]
            if cell.data_type == "f":
                used |= set(FUNCTION.findall(STRING.sub('""', cell.value)))
                without += [] if value.value is not None or value.data_type == "s" else [cell.coordinate]
            errors += [cell.coordinate] if value.data_type == "e" else []
    assert used <= EVERYWHERE
    assert errors == []
    assert [c for c in without if not _is_empty_text(name, c)] == []


def _is_empty_text(name: str, coordinate: str) -> bool:
    """openpyxl reads an empty text as no value; the file has it."""
    cell = re.compile(rf'<c r="{coordinate}"[^>]* t="str"[^>]*><f>.*?</f><v></v></c>'.encode(), re.DOTALL)
    with zipfile.ZipFile(io.BytesIO(data(name))) as archive:
        return any(cell.search(archive.read(part)) for part in archive.namelist() if "worksheets/sheet" in part)


@pytest.mark.parametrize("name", ALL)
def test_a_memo_links_nowhere_and_holds_no_macro(name: str) -> None:
    with zipfile.ZipFile(io.BytesIO(data(name))) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    assert not [p for p in parts if "externalLink" in p or "vba" in p.lower() or "connections" in p or "macro" in p]
    assert not [p for p, text in parts.items() if b'TargetMode="External"' in text or b"macroEnabled" in text]


@pytest.mark.parametrize("name", ALL)
def test_every_reader_sees_the_figures_of_the_record(name: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(data(name)), data_only=True)
    calamine = CalamineWorkbook.from_filelike(io.BytesIO(data(name)))
    frames = pandas.read_excel(io.BytesIO(data(name)), sheet_name=None, header=None, engine="openpyxl")
    figures = _of_record(json.loads(render_record(decision(name))))
    names = [n for n in figures if n in book.defined_names]
    assert len(names) >= 1
    for figure in names:
        ((title, coordinate),) = book.defined_names[figure].destinations
        cell = book[title][coordinate.replace("$", "")]
        rows = calamine.get_sheet_by_name(title).to_python(skip_empty_area=False)
        seen = (cell.value, rows[cell.row - 1][cell.column - 1], frames[title].iat[cell.row - 1, cell.column - 1])
        for found in seen:
            assert same(figures[figure], found.item() if hasattr(found, "item") else found), figure


def _of_record(record: dict[str, Any]) -> dict[str, Any]:
    """Figures of decision.json by the names of their cells, those alone that it has."""
    theta, economics = (record.get("cost") or {}).get("theta") or {}, record["economics"]
    best, walk = economics.get("best") or {}, economics.get("walk_away") or {}
    found = {
        "verdict": record["verdict"].get("word"),
        "theta": theta.get("point"),
        "theta_lo": theta.get("lo"),
        "theta_hi": theta.get("hi"),
        "stay_npv": economics.get("stay_npv"),
        "plan_npv": best.get("npv"),
        "plan_start": best.get("starts_at"),
        "walk_away_b": (walk.get("candidate_price") or {}).get("point"),
    }
    return {name: value for name, value in found.items() if value is not None}
