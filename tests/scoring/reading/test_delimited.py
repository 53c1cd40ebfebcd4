"""Delimited text: rows with their lines, whatever the quotes, marks and endings."""

import pytest

from scoring.reading.delimited import read_delimited, rows_of
from scoring.reading.limits import MAX_COLUMNS, MAX_LINE_CHARACTERS
from scoring.reading.table import Table
from tests.scoring.reading.read import places

Row = tuple[int, tuple[str, ...]]


def rows(text: str, first_line: int = 1) -> tuple[list[Row], list[tuple[str, int | None]]]:
    tables, problems = read_delimited(text, "p.csv", first_line)
    return [row for table in tables for row in texts(table)], places(problems)


def texts(table: Table) -> list[Row]:
    return [(r.row, tuple(c.text for c in r.cells)) for r in table.rows]


@pytest.mark.parametrize(
    "text",
    [
        "arm,run,cost\na,1,2\nb,2,3\n",
        "arm;run;cost\na;1;2\nb;2;3\n",
        "arm\trun\tcost\na\t1\t2\nb\t2\t3\n",
        "arm|run|cost\na|1|2\nb|2|3\n",
        "arm,run,cost\r\na,1,2\r\nb,2,3\r\n",
        "arm,run,cost\ra,1,2\rb,2,3",
        '"arm","run","cost"\n"a","1","2"\n"b","2","3"\n',
        "arm , run , cost\n a , 1 , 2\n b, 2 ,3",
    ],
)
def test_one_table_however_it_is_written(text: str) -> None:
    assert rows(text) == ([(2, ("a", "1", "2")), (3, ("b", "2", "3"))], [])


def test_sep_line_is_obeyed_and_counted() -> None:
    assert rows("sep=;\narm;cost\na;1,5\nb;2,5\n")[0] == [(3, ("a", "1,5")), (4, ("b", "2,5"))]


def test_semicolons_win_over_decimal_commas() -> None:
    assert rows("arm;s\na;1,5\nb;2,5\n")[0] == [(2, ("a", "1,5")), (3, ("b", "2,5"))]


def test_a_delimiter_inside_quotes_is_text() -> None:
    assert rows('arm,tokens\na,"1,048"\nb,"2,048"\n')[0] == [(2, ("a", "1,048")), (3, ("b", "2,048"))]


def test_blank_lines_count_as_lines() -> None:
    assert rows("\n\narm,cost\n\na,1\n,,\n  \nb,2\n")[0] == [(5, ("a", "1")), (8, ("b", "2"))]


def test_lines_are_counted_from_the_line_where_the_text_begins() -> None:
    assert rows("arm,cost\na,1\nb,2\n", first_line=10)[0] == [(11, ("a", "1")), (12, ("b", "2"))]


def test_a_quoted_cell_of_several_lines_is_one_cell() -> None:
    assert rows('arm,cost,note\na,1,"one\ntwo"\nb,2,x\n')[0] == [(2, ("a", "1", "one\ntwo")), (4, ("b", "2", "x"))]


def test_a_single_column_is_a_table() -> None:
    assert rows("cost\n12,5\n13,5\n")[0] == [(2, ("12,5",)), (3, ("13,5",))]


@pytest.mark.parametrize(
    ("kept", "line", "text"),
    [
        ([3, 4], 2, 'arm,run,cost\na,1,"1\na,2,2\nb,1,3\n'),
        ([2, 4], 3, 'arm,run,cost\na,1,1\n"a,2,2\nb,1,3\n'),
        ([2, 3], 4, 'arm,run,cost\na,1,1\na,2,2\nb,1,"3'),
        ([3, 4, 5], 2, 'arm,run,cost\na,1,"1\na,2,2\na,3,3\nb,1,3"\n'),
    ],
)
def test_a_lone_quote_costs_its_own_row_only(kept: list[int], line: int, text: str) -> None:
    found, problems = rows(text)
    assert ([row for row, _ in found][: len(kept)], problems[0]) == (kept, ("unclosed-quote", line))


def test_many_lone_quotes_end_the_reading() -> None:
    _, problems = rows("arm,cost\n" + '"a,1\n' * 50)
    assert [code for code, _ in problems].count("unclosed-quote") == 5


def test_an_inch_mark_within_a_cell_is_text() -> None:
    assert rows('arm,cost\n19" rack,1\nb,2\n') == ([(2, ('19" rack', "1")), (3, ("b", "2"))], [])


def test_ragged_and_short_rows_are_named() -> None:
    found, problems = rows("arm,run,cost\na,1,1,9\na,2\nb,1,3\nb,2,4,,\n")
    assert found == [(3, ("a", "2")), (4, ("b", "1", "3")), (5, ("b", "2", "4", "", ""))]
    assert problems == [("ragged-row", 2), ("short-row", 3)]


def test_mixed_delimiters_never_move_a_number_into_another_column() -> None:
    found, problems = rows("arm,run,cost\na,1,10\nb;1;20\nb,2,30\n")
    assert (2, ("a", "1", "10")) in found
    assert (4, ("b", "2", "30")) in found
    assert ("ragged-row", 3) in problems


def test_a_huge_line_is_named() -> None:
    found, problems = rows("arm,cost\na,1\nb," + "9" * (MAX_LINE_CHARACTERS + 1) + "\n")
    assert (found, problems) == ([(2, ("a", "1"))], [("csv-syntax", 3)])


def test_a_long_cell_is_no_burden() -> None:
    found, problems = rows("arm,cost\na,1\nb," + "9 " * 100_000 + "x\n")
    assert ([row for row, _ in found], problems) == ([2, 3], [])


def test_ten_thousand_columns_are_too_many() -> None:
    names = ",".join(f"c{i}" for i in range(10_000))
    assert rows(f"{names}\n{','.join('1' * 10_000)}\n") == ([], [("too-many-columns", 1)])


def test_empty_columns_are_no_burden() -> None:
    assert rows("arm,cost" + "," * 100_000 + "\na,1\n") == ([(2, ("a", "1"))], [])


def test_as_many_columns_as_are_allowed() -> None:
    names = ",".join(f"c{i}" for i in range(MAX_COLUMNS))
    found, problems = rows(f"{names}\n{','.join('1' * MAX_COLUMNS)}\n")
    assert (len(found[0][1]), problems) == (MAX_COLUMNS, [])


def test_too_many_rows_are_refused() -> None:
    assert rows("arm,cost\n" + "a,1\n" * 60_000)[1][0][0] == "too-many-rows"


def test_rows_keep_the_cells_they_have() -> None:
    assert rows_of(["a,b", "c"], ",", "p.csv", 5) == ([(5, ["a", "b"]), (6, ["c"])], [])


@pytest.mark.parametrize("text", ["", "\n\n", ",", ";;;\n;;;", '"', '""', "\ufeff", "\x00"])
def test_nothing_in_nothing(text: str) -> None:
    assert read_delimited(text, "p.csv")[0] == []
