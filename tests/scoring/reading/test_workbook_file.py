"""Workbooks: cells as they are typed, per cents by their format, and sheets that would not fit refused unopened."""

import datetime as dt
import io
import zipfile
from collections.abc import Callable

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from scoring.model.problem import Problem
from scoring.reading.table import Cell, Table
from scoring.reading.workbook_file import read_workbook
from tests.scoring.reading.read import codes, counting, places, posted, read

ROWS = [("arm", "run", "cost"), ("a", 1, 2.5), ("b", 1, 3.5)]


def workbook(fill: Callable[[Worksheet], None], *, rows: list[tuple[object, ...]] | None = None) -> bytes:
    book = Workbook()
    assert book.active is not None
    for row in ROWS if rows is None else rows:
        book.active.append(row)
    fill(book.active)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def nothing(sheet: Worksheet) -> None:
    """Leave the rows as they are."""


def tables(data: bytes) -> tuple[list[Table], list[Problem]]:
    return read_workbook(posted("p.xlsx", data))


def changed(data: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The workbook with one part rewritten."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == part else old.read(name))
    return stream.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


def test_cells_are_typed() -> None:
    (table,), problems = tables(workbook(nothing))
    assert (table.part, table.header, problems) == ("Sheet", ("arm", "run", "cost"), [])
    assert [(r.row, r.cells) for r in table.rows] == [
        (2, (Cell("a"), Cell("1", 1.0), Cell("2.5", 2.5))),
        (3, (Cell("b"), Cell("1", 1.0), Cell("3.5", 3.5))),
    ]


def test_rows_are_those_of_the_sheet() -> None:
    def below(sheet: Worksheet) -> None:
        sheet.insert_rows(1, amount=3)
        sheet["B2"] = "a title"

    (table,), _ = tables(workbook(below))
    assert (table.header_row, [r.row for r in table.rows], table.notes) == (4, [5, 6], ("a title",))


def test_a_table_away_from_the_corner() -> None:
    def aside(sheet: Worksheet) -> None:
        sheet.insert_cols(1, amount=3)
        sheet.insert_rows(1, amount=9)

    (table,), _ = tables(workbook(aside))
    assert (table.header, [r.row for r in table.rows]) == (("arm", "run", "cost"), [11, 12])


@pytest.mark.parametrize("number_format", ["0%", "0.00%", "0.0 %", "0.0%;[Red]-0.0%"])
def test_per_cents_by_their_format(number_format: str) -> None:
    def per_cent(sheet: Worksheet) -> None:
        sheet["C2"].number_format = number_format

    (table,), _ = tables(workbook(per_cent))
    assert [r.cells[2].is_percent for r in table.rows] == [True, False]


def test_an_accuracy_shown_in_per_cent_is_its_fraction() -> None:
    rows: list[tuple[object, ...]] = [("arm", "run", "accuracy (%)"), ("a", 1, 0.712), ("b", 1, 71.2)]

    def per_cent(sheet: Worksheet) -> None:
        sheet["C2"].number_format = "0.0%"

    pilot, _ = read(("p.xlsx", workbook(per_cent, rows=rows)))
    assert [r.quality["accuracy"].value for r in pilot.runs] == [0.712, pytest.approx(0.712)]


@pytest.mark.parametrize(
    ("seconds", "value"),
    [(5025.0, dt.timedelta(seconds=5025)), (90_000.0, dt.timedelta(hours=25)), (5025.0, dt.time(1, 23, 45))],
)
def test_times_of_day_and_spans_are_durations(seconds: float, value: object) -> None:
    rows: list[tuple[object, ...]] = [("arm", "run", "time"), ("a", 1, value), ("b", 1, value)]
    pilot, problems = read(("p.xlsx", workbook(nothing, rows=rows)))
    assert ([r.duration_s for r in counting(pilot)], codes(problems)) == ([seconds, seconds], [])


def test_dates_are_moments() -> None:
    rows: list[tuple[object, ...]] = [
        ("arm", "cost", "date"), ("a", 1, dt.datetime(2026, 11, 2, 8, 30)), ("b", 2, dt.date(2026, 11, 3)),
    ]  # fmt: skip
    pilot, _ = read(("p.xlsx", workbook(nothing, rows=rows)))
    assert [r.started_at for r in pilot.runs] == [
        dt.datetime(2026, 11, 2, 8, 30, tzinfo=dt.UTC),
        dt.datetime(2026, 11, 3, tzinfo=dt.UTC),
    ]


def test_every_sheet_with_a_table() -> None:
    def more(sheet: Worksheet) -> None:
        assert sheet.parent is not None
        sheet.parent.create_sheet("Notes").append(["nothing here"])
        other = sheet.parent.create_sheet("Second")
        other.append(["arm", "cost"])
        other.append(["c", 9])

    found, problems = tables(workbook(more))
    assert ([t.part for t in found], problems) == (["Sheet", "Second"], [])


@pytest.mark.parametrize("text", ["yes", "5 or 6", "NaN", "#DIV/0!", "#REF!"])
def test_what_is_no_number_is_named(text: str) -> None:
    rows: list[tuple[object, ...]] = [("arm", "run", "cost"), ("a", 1, 5), ("b", 1, 6)]

    def spoil(sheet: Worksheet) -> None:
        sheet["C3"] = text

    pilot, problems = read(("p.xlsx", workbook(spoil, rows=rows)))
    assert ([r.left_out for r in pilot.runs], places(problems)) == ([None, "not-a-number"], [("not-a-number", 3)])


@pytest.mark.parametrize("cell", ["XFD1048576", "AZ200000", "XFD200"])
def test_one_far_cell_is_refused_before_anything_is_allocated(cell: str) -> None:
    def far(sheet: Worksheet) -> None:
        sheet[cell] = 1

    found, problems = tables(workbook(far))
    assert (found, codes(problems)) == ([], ["file-too-large"])


def test_a_far_cell_without_a_value_does_not_count() -> None:
    def far(sheet: Worksheet) -> None:
        sheet["XFD1048576"].number_format = "0%"

    (table,), problems = tables(workbook(far))
    assert (len(table.rows), problems) == (2, [])


@pytest.mark.parametrize(
    "row", [b'<row r="1048576"><c><v>1</v></c></row>', b'<x:c r="XFD999" xmlns:x="u"><x:v/></x:c>']
)
def test_a_cell_that_hides_its_place_counts(row: bytes) -> None:
    far = b'<row r="9"><c r="XFD9"><v>1</v></c></row>' + row
    data = changed(workbook(nothing), SHEET, lambda xml: xml.replace(b"</sheetData>", far + b"</sheetData>"))
    found, problems = tables(data)
    assert (found, codes(problems)) == ([], ["file-too-large"])


def test_a_note_far_below_is_no_burden() -> None:
    def below(sheet: Worksheet) -> None:
        sheet["A100000"] = "note"

    assert len(tables(workbook(below))[0]) == 1


BOMB = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>"""


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("workbook-damaged", workbook(nothing)[:-100]),
        ("workbook-damaged", workbook(nothing)[:2000]),
        ("workbook-damaged", changed(workbook(nothing), SHEET, lambda xml: xml[:-30])),
        ("workbook-damaged", changed(workbook(nothing), SHEET, lambda xml: BOMB + xml)),
        ("workbook-damaged", changed(workbook(nothing), "xl/workbook.xml", lambda xml: b"")),
        (
            "workbook-damaged",
            changed(workbook(nothing), "xl/_rels/workbook.xml.rels", lambda xml: xml.replace(b"sheet1.xml", b"s.bin")),
        ),
    ],
)
def test_damaged(code: str, data: bytes) -> None:
    found, problems = tables(data)
    assert (found, codes(problems)) == ([], [code])


def test_another_kind_of_office_file_is_named() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr("word/document.xml", "<x/>")
    assert codes(tables(stream.getvalue())[1]) == ["workbook-damaged"]


def test_an_empty_workbook_holds_no_table() -> None:
    assert tables(workbook(nothing, rows=[])) == ([], [])


@pytest.mark.parametrize(
    ("currency", "number_format"),
    [
        ("EUR", "#,##0.00 [$€-C0A]"),
        ("EUR", '#,##0.00\\ "€"'),
        ("USD", '"$"#,##0.00'),
        ("USD", '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\)'),
        ("GBP", "[$£-809]#,##0.00"),
        ("CHF", '"CHF" #,##0.00'),
        (None, "#,##0.00"),
        (None, "0.0%"),
    ],
)
def test_currencies_by_their_format(currency: str | None, number_format: str) -> None:
    def money(sheet: Worksheet) -> None:
        sheet["B2"].number_format = number_format

    (table,), _ = tables(workbook(money, rows=[("arm", "cost"), ("gpu", 30.2), ("trn2", 28.7)]))
    assert [row.cell(1).currency for row in table.rows] == [currency, None]


def test_a_cost_in_the_format_of_another_currency_is_not_compared_as_it_is() -> None:
    def money(sheet: Worksheet) -> None:
        sheet["B2"].number_format, sheet["B3"].number_format = '"$"#,##0.00', "#,##0.00 [$€-C0A]"

    pilot, _ = read(("p.xlsx", workbook(money, rows=[("arm", "cost"), ("gpu", 30.2), ("trn2", 28.7)])))
    assert [run.cost_currency for run in pilot.runs] == ["USD", "EUR"]


def test_an_arm_merged_downwards_holds_for_its_rows() -> None:
    rows = [("arm", "run", "cost"), ("gpu", 1, 10), (None, 2, 11), ("trn2", 1, 5), (None, 2, 6), (None, "note", None)]

    def merge(sheet: Worksheet) -> None:
        sheet.merge_cells("A2:A3")
        sheet.merge_cells("A4:A6")

    pilot, _ = read(("p.xlsx", workbook(merge, rows=rows)))
    assert [(run.arm, run.run) for run in counting(pilot)] == [("gpu", "1"), ("gpu", "2"), ("trn2", "1"), ("trn2", "2")]


def test_a_formula_that_was_never_computed_is_asked_about() -> None:
    rows = [("arm", "run", "cost"), ("gpu", 1, 10), ("trn2", 1, "=2*5")]
    _pilot, problems = read(("p.xlsx", workbook(nothing, rows=rows)))
    assert ("formulas-without-values", 3) in places(problems)
