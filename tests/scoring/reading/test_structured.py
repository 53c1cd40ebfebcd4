"""JSON, JSON lines and YAML: records become rows that know their lines."""

import json

import pytest

from scoring.reading.limits import MAX_COLUMNS, MAX_ROWS
from scoring.reading.structured import read_json, read_json_lines, read_yaml
from scoring.reading.table import Table
from tests.scoring.reading.read import codes, places

Row = tuple[int, dict[str, str]]


def rows(tables: list[Table]) -> list[Row]:
    return [(r.row, dict(zip(t.header, (c.text for c in r.cells), strict=True))) for t in tables for r in t.rows]


A, B = {"arm": "a", "cost": "1"}, {"arm": "b", "cost": "2"}


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ((1, 1), '[{"arm": "a", "cost": 1}, {"arm": "b", "cost": 2}]'),
        ((2, 3), '[\n{"arm": "a", "cost": 1},\n{"arm": "b", "cost": 2}\n]'),
        ((2, 6), '[\n {\n  "arm": "a",\n  "cost": 1\n },\n {\n  "arm": "b",\n  "cost": 2\n }\n]'),
        ((3, 4), '{"note": "[",\n "runs": [\n  {"arm": "a", "cost": 1},\n  {"arm": "b", "cost": 2}]}'),
        ((1, 2), '{"arm": ["a", "b"], "cost": [1, 2]}'),
        ((1, 2), '\ufeff[{"arm": "a", "cost": 1},\n{"arm": "b", "cost": 2}]'),
    ],
)
def test_json(lines: tuple[int, int], text: str) -> None:
    tables, problems = read_json(text, "p.json")
    assert (rows(tables), problems) == (list(zip(lines, (A, B), strict=True)), [])


def test_several_lists_are_a_table_each_and_name_the_arm() -> None:
    tables, _ = read_json('{"region": "x",\n"gpu": [{"cost": 1}],\n"trn2": [{"cost": 2},\n{"cost": 3}]}', "p.json")
    assert rows(tables) == [(2, {"cost": "1"}), (3, {"cost": "2"}), (4, {"cost": "3"})]
    assert [t.preamble for t in tables] == [{"arm": "gpu", "region": "x"}, {"arm": "trn2", "region": "x"}]


def test_very_many_lists_are_refused() -> None:
    text = json.dumps({f"k{i}": [{"cost": 1}] for i in range(51)})
    assert codes(read_json(text, "p.json")[1]) == ["file-too-large"]


def test_json_in_a_block_counts_from_the_block() -> None:
    tables, _ = read_json('[\n{"arm": "a", "cost": 1}]', "c.md#block-1.json", first_line=10)
    assert rows(tables) == [(11, A)]


def test_one_object_is_one_row() -> None:
    assert rows(read_json('{"arm": "a", "cost": 1}', "p.json")[0]) == [(1, A)]


def test_nested_objects_have_dotted_names() -> None:
    text = '[{"arm": "a", "metrics": {"loss": {"last": 0.9}}, "list": [1]}]'
    assert rows(read_json(text, "p.json")[0]) == [(1, {"arm": "a", "metrics.loss.last": "0.9"})]


def test_what_stands_beside_the_list_is_its_preamble() -> None:
    (table,), _ = read_json('{"region": "eu-west-1", "price": 3.5, "runs": [{"arm": "a"}]}', "p.json")
    assert table.preamble == {"region": "eu-west-1", "price": "3.5"}


def test_nan_and_infinity_stay_texts() -> None:
    (table,), _ = read_json('[{"a": NaN, "b": Infinity, "c": -Infinity, "d": null, "e": true}]', "p.json")
    (row,) = table.rows
    assert [(c.text, c.value) for c in row.cells] == [
        ("NaN", None), ("Infinity", None), ("-Infinity", None), ("", None), ("true", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (1, "{"), (1, '{"a": 1,}'), (3, '[\n{"a": 1},\n{"a": }]'), (None, "[" * 100_000), (None, '{"a":' * 100_000),
        (None, f"[{'9' * 5000}]"),
    ],
)  # fmt: skip
def test_no_json(line: int | None, text: str) -> None:
    assert (read_json(text, "p.json")[0], places(read_json(text, "p.json")[1])) == ([], [("json-syntax", line)])


@pytest.mark.parametrize("text", ["[]", "{}", "[1, 2]", '"text"', "3", "null", "[[]]", "[{}]", '{"a": [{}]}'])
def test_json_without_records(text: str) -> None:
    assert read_json(text, "p.json") == ([], [])


def test_big_integers_and_deep_objects_are_harmless() -> None:
    text = json.dumps([{"a": 10**400, "b": 1e308}])
    assert rows(read_json(text, "p.json")[0])[0][1]["b"] == "1e+308"
    deep = '{"a":' * 90 + "1" + "}" * 90
    assert read_json(f"[{deep}]", "p.json") == ([], [])


def test_halves_of_letters_are_replaced() -> None:
    assert rows(read_json('[{"a\\ud800": "x\\udfff\\ud83d\\ude42"}]', "p.json")[0]) == [(1, {"a\ufffd": "x\ufffd🙂"})]


def test_limits() -> None:
    wide = json.dumps([{f"c{i}": 1 for i in range(MAX_COLUMNS + 1)}])
    assert codes(read_json(wide, "p.json")[1]) == ["too-many-columns"]
    long = "[" + ",".join(['{"a":1}'] * (MAX_ROWS + 1)) + "]"
    assert codes(read_json(long, "p.json")[1]) == ["too-many-rows"]
    large = json.dumps([{f"c{i}": 1 for i in range(1000)}, *({"c0": 1} for _ in range(3000))])
    assert codes(read_json(large, "p.json")[1]) == ["file-too-large"]


def test_json_lines() -> None:
    text = '{"arm": "a", "cost": 1}\n\nbroken\n{"arm": "b", "cost": 2}\n[1]\n'
    tables, problems = read_json_lines(text, "p.jsonl")
    assert (rows(tables), places(problems)) == ([(1, A), (4, B)], [("json-syntax", 3)])


def test_of_many_broken_lines_the_first_are_named_and_the_rest_counted() -> None:
    _, problems = read_json_lines('{"arm": "a", "cost": 1}\n' + "broken\n" * 1000, "p.jsonl")
    assert [p.row for p in problems] == [*range(2, 22), None]
    assert problems[-1].found == "980 more lines"


def test_json_lines_end_at_line_feeds_only() -> None:
    text = '{"arm": "a\u2028b", "cost": 1}\r\n{"arm": "b", "cost": 2}\r\n'
    assert rows(read_json_lines(text, "p.jsonl")[0]) == [(1, {"arm": "a\u2028b", "cost": "1"}), (2, B)]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ((1, 3), "- arm: a\n  cost: 1\n- arm: b\n  cost: 2\n"),
        ((3, 5), "region: x\nruns:\n  - arm: a\n    cost: 1\n  - arm: b\n    cost: 2\n"),
        ((2, 3), "# note\n- {arm: a, cost: 1}\n- {arm: b, cost: 2}\n"),
    ],
)
def test_yaml(lines: tuple[int, int], text: str) -> None:
    tables, problems = read_yaml(text, "p.yml")
    assert (rows(tables), problems) == (list(zip(lines, (A, B), strict=True)), [])


def test_yaml_in_a_block_counts_from_the_block() -> None:
    assert rows(read_yaml("runs:\n- arm: a\n  cost: 1\n", "c.md#block-1.yaml", first_line=10)[0]) == [(11, A)]
    assert places(read_yaml("a: 1\nb: &x 2\n", "c.md#block-1.yaml", first_line=10)[1]) == [("yaml-alias", 11)]
