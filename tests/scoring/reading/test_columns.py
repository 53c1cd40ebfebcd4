"""Which column means what, what is asked about it, and how each reading is shown."""

import pytest

from scoring.model.estimates import Direction
from scoring.model.settings import Margin, Settings
from scoring.reading.columns import Layout, layout_of
from scoring.reading.rows_to_table import tables_from
from tests.scoring.reading.read import codes


def layout(text: str, settings: Settings | None = None) -> Layout:
    rows = [(n, line.split("|")) for n, line in enumerate(text.split("\n"), start=1)]
    (table,), _ = tables_from(rows, "p.csv", [])
    return layout_of(table, settings or Settings())


@pytest.mark.parametrize(
    ("meaning", "unit", "note", "header", "cell"),
    [
        ("duration", "minutes", None, "train_time(min)", "5"),
        ("duration", "seconds", "decimal comma", "tiempo (s)", "5,5"),
        ("price per hour", "EUR", None, "Precio (€/h)", "5"),
        ("work done token", None, None, "tokens", "5"),
        ("quality wer (lower is better)", "per cent", None, "WER (%)", "5"),
        ("latency ttft p99", "milliseconds", None, "ttft_p99_ms", "5"),
        ("number of runs", None, None, "runs", "5"),
    ],
)
def test_every_mapping_can_be_shown(meaning: str, unit: str | None, note: str | None, header: str, cell: str) -> None:
    reading = next(r for r in layout(f"arm|{header}\na|{cell}").readings if r.column == header)
    assert (reading.meaning, reading.unit, reading.note) == (meaning, unit, note)


def test_the_marks_of_other_columns_settle_what_is_ambiguous() -> None:
    found = layout("arm|duration_s|cost\na|1,234|3,5\nb|2,345|4,5")
    assert ([c.convention.decimal for c in found.columns[1:]], found.problems) == ([",", ","], ())
    found = layout("arm|duration_s|cost\na|1,234|3.5\nb|2,345|4.5")
    assert ([c.convention.decimal for c in found.columns[1:]], found.problems) == ([".", "."], ())


def test_of_two_columns_with_one_meaning_the_first_counts() -> None:
    found = layout("arm|duration_s|duration_min\na|60|1")
    assert [c.meaning.field for c in found.columns] == ["arm", "duration", "other"]
    assert [(p.code, p.found) for p in found.problems] == [("columns-kept-unread", "duration_min")]


def test_a_second_column_of_the_same_name_is_kept_unread() -> None:
    found = layout("arm|cost|cost\na|60|1")
    assert [c.meaning.field for c in found.columns] == ["arm", "cost", "other"]


@pytest.mark.parametrize(
    ("field", "scale", "source"),
    [
        ("duration", 1.0, "lap"), ("duration", 1e-3, "lap/1000"), ("duration", 60.0, "Lap * 60"), 
        ("other", 1.0, "gone"),
        ("other", 1.0, "lap/x"),
    ],
)  # fmt: skip
def test_mapping_by_the_settings(field: str, scale: float, source: str) -> None:
    column = layout("arm|Lap\na|5", Settings(map={"duration_s": source})).columns[1]
    assert (column.meaning.field, column.meaning.scale) == (field, pytest.approx(scale))


def test_a_divisor_of_zero_maps_nothing() -> None:
    assert layout("arm|lap\na|5", Settings(map={"duration_s": "lap/0"})).columns[1].meaning.field == "other"


def test_a_configured_metric_is_a_quality_column() -> None:
    margins = {"Zorp": Margin(relative=0.01, direction=Direction.HIGHER)}
    found = layout("arm|cost|zorp\na|5|1", Settings(margins=margins))
    assert found.directions == {"zorp": Direction.HIGHER}


def test_cells_of_other_columns_raise_no_question() -> None:
    assert codes(list(layout("arm|cost|time zone\na|5|12:30\nb|6|1,234").problems)) == ["columns-kept-unread"]
