"""Where the header is, and what stands above, below and beside a table."""

import pytest

from scoring.reading.rows_to_table import tables_from, unique_header
from scoring.reading.table import Table
from tests.scoring.reading.read import codes, places


def table_of(text: str) -> tuple[Table | None, list[tuple[str, int | None]]]:
    """Rows written as lines of cells between bars."""
    rows = [(n, [c.strip() for c in line.split("|")]) for n, line in enumerate(text.strip().split("\n"), start=1)]
    tables, problems = tables_from(rows, "p.csv", [])
    return (tables[0] if tables else None), places(problems)


@pytest.mark.parametrize(
    ("header_row", "rows", "text"),
    [
        (1, [2, 3], "arm|cost\na|1\nb|2"),
        (2, [3, 4], "Pilot Q4|\narm|cost\na|1\nb|2"),
        (3, [4, 5], "Pilot Q4\nprepared by platform team\narm|run|cost\na|1|2\nb|1|3"),
        (3, [4, 5], "Date: 2026-11-02\nPrice: 55.04\narm|run|cost\na|1|2\nb|1|3"),
        (1, [3, 4], "arm|time|price\n|(min)|($/h)\na|1|2\nb|1|3"),
        (1, [2, 3, 5], "arm|run|cost\na|1|2\nb|1|3\narm|run|cost\nb|2|4"),
    ],
)
def test_header_and_rows(header_row: int, rows: list[int], text: str) -> None:
    table, _ = table_of(text)
    assert table is not None
    assert (table.header_row, [r.row for r in table.rows]) == (header_row, rows)


def test_titles_are_notes_and_pairs_are_a_preamble() -> None:
    table, _ = table_of("Pilot Q4\nregion: eu-central-1\nprice_usd_per_hour:|55.04\narm|run|cost\na|1|2\nb|1|3")
    assert table is not None
    assert table.preamble == {"region": "eu-central-1", "price_usd_per_hour": "55.04"}
    assert table.notes == ("Pilot Q4", "region: eu-central-1", "price_usd_per_hour: 55.04")


def test_units_in_a_second_header_row() -> None:
    table, _ = table_of("arm|time|price|run\n|min|[$/h]|-\na|1|2|1\nb|1|3|2")
    assert table is not None
    assert table.header == ("arm", "time (min)", "price ($/h)", "run")


@pytest.mark.parametrize("name", ["Total", "TOTAL:", "Grand total", "Sub-total", "Suma", "Average", "Promedio", "Mean"])
def test_totals_are_set_aside(name: str) -> None:
    table, problems = table_of(f"arm|run|cost\na|1|2\nb|1|3\n{name}||5")
    assert table is not None
    assert ([r.row for r in table.rows], [r.row for r in table.totals]) == ([2, 3], [4])
    assert problems == [("totals-row-left-out", 4)]


def test_a_total_where_the_run_should_stand() -> None:
    table, problems = table_of("arm|run|cost\na|1|2\na|mean|2\nb|1|3")
    assert table is not None
    assert ([r.row for r in table.rows], problems) == ([2, 4], [("totals-row-left-out", 3)])


@pytest.mark.parametrize("arm", ["Total Energies", "sum-gpu", "meanwhile", "average-joe"])
def test_an_arm_may_begin_like_a_total(arm: str) -> None:
    table, problems = table_of(f"arm|run|cost\na|1|2\n{arm}|1|3")
    assert table is not None
    assert (len(table.rows), problems) == (2, [])


@pytest.mark.parametrize("note", ["Note: without tax", "* measured twice", "# comment", "Fuente: x", "just a line"])
def test_notes_below_the_table(note: str) -> None:
    table, problems = table_of(f"arm|run|cost\na|1|2\nb|1|3\n{note}||")
    assert table is not None
    assert (len(table.rows), table.notes, problems) == (2, (note,), [("note-beside-table", 4)])


def test_a_row_of_numbers_is_no_note() -> None:
    table, problems = table_of("arm|run|cost\na|1|2\n|2|3\n#3|3|4")
    assert table is not None
    assert ([r.row for r in table.rows], problems) == ([2, 3, 4], [])


@pytest.mark.parametrize("text", ["arm|run|cost", "arm|run|cost\nNote: nothing yet||"])
def test_header_only(text: str) -> None:
    table, problems = table_of(text)
    assert table is None
    assert ("header-only", 1) in problems


@pytest.mark.parametrize("text", ["", "a line\nanother line", "1|2|3\n4|5|6"])
def test_no_table(text: str) -> None:
    assert table_of(text) == (None, [])


def test_empty_names_at_the_end_are_no_columns() -> None:
    table, problems = table_of("arm|cost||\na|1||\nb|2||")
    assert table is not None
    assert (table.header, problems) == (("arm", "cost"), [])


def test_a_cell_beside_the_header_is_ragged() -> None:
    assert table_of("arm|cost|\na|1|9\nb|2|")[1] == [("ragged-row", 2)]


@pytest.mark.parametrize(
    ("want", "names"),
    [
        (["arm", "cost"], ["arm", "cost"]),
        (["x", "x (2)", "x (3)"], ["x", "x", "x"]),
        (["x", "X (2)"], ["x", "X"]),
        (["x", "x (2)", "x (3)"], ["x", "x (2)", "x"]),
        (["column 1", "column 2"], ["", " "]),
        (["two lines"], ["two\nlines"]),
    ],
)
def test_names_are_unique(want: list[str], names: list[str]) -> None:
    header, problems = unique_header(names, "p.csv", 1)
    assert header == want
    assert len(codes(problems)) == len([n for n in want if "(" in n and n not in names])
