"""The review's workbook: LibreOffice recalculates every formula to the value that stands beside it."""

import io
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest

from bot.render.review.workbook import render_workbook
from tests.bot.render.workbook.libreoffice import needs_libreoffice, recalculated
from tests.quarter_sample import reviewed_sample

ERRORS = ("#", "Err:")


@needs_libreoffice
def test_every_formula_is_what_libreoffice_makes_of_it(tmp_path: Path) -> None:
    data = render_workbook(reviewed_sample())
    live = recalculated({"review": data}, tmp_path)["review"]
    told = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    formulas = 0
    for sheet in openpyxl.load_workbook(io.BytesIO(data)).worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type != "f":
                    continue
                formulas += 1
                ours, theirs = told[sheet.title][cell.coordinate].value, live[sheet.title].get(cell.coordinate)
                place = f"{sheet.title}!{cell.coordinate} {cell.value}"
                if isinstance(ours, (int, float)):
                    assert theirs == pytest.approx(ours, rel=1e-9, abs=1e-6), place
                else:
                    assert (theirs or "") == (ours or ""), place
    assert formulas > 150


def test_the_same_review_gives_the_same_bytes_in_both_languages() -> None:
    review = reviewed_sample()
    spanish = review.model_copy(update={"language": "es"})
    assert render_workbook(review) == render_workbook(review)
    titles = [openpyxl.load_workbook(io.BytesIO(render_workbook(r))).sheetnames for r in (review, spanish)]
    assert titles[0][0] == "Overview" and titles[1][0] == "Resumen"
    assert len(titles[0]) == len(set(titles[0])) == 9


def test_a_day_of_the_review_is_an_input_that_the_days_left_hang_on() -> None:
    book = openpyxl.load_workbook(io.BytesIO(render_workbook(reviewed_sample())))
    assert book.defined_names["review_day"].attr_text == "'Overview'!$B$3"
    day = book["Overview"]["B3"].value
    assert (day.date() if isinstance(day, datetime) else day) == date(2027, 1, 11)
    assert book["Deadlines"]["C4"].value == "=B4-review_day"


@pytest.mark.parametrize(("language", "sheet", "yes"), [("en", "Decisions", "yes"), ("es", "Decisiones", "sí")])
def test_marks_read_as_words_and_count_as_numbers(language: str, sheet: str, yes: str) -> None:
    review = reviewed_sample().model_copy(update={"language": language})
    book = openpyxl.load_workbook(io.BytesIO(render_workbook(review)))
    marks = [book[sheet].cell(row, 11) for row in range(4, 4 + len(review.decisions))]
    assert {mark.number_format for mark in marks} == {f'"{yes}";"{yes}";"no"'}
    assert [mark.value for mark in marks] == [int(one.is_new) for one in review.decisions]
