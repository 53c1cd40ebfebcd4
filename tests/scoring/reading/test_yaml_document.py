"""YAML without its surprises: texts stay texts, anchors, depth and doubled keys are refused with their line."""

import pytest

from scoring.reading.limits import MAX_YAML_BYTES
from scoring.reading.yaml_document import load_yaml
from tests.scoring.reading.read import places


@pytest.mark.parametrize(
    ("want", "text"),
    [
        ({"a": "1", "b": "no", "c": "1e3", "d": "2026-11-02"}, "a: 1\nb: no\nc: 1e3\nd: 2026-11-02\n"),
        ({"a": None, "b": None, "c": "", "d": "null"}, "a:\nb: ~\nc: ''\nd: 'null'\n"),
        (["1", ["2"], {"a": "3"}], "- 1\n- [2]\n- {a: 3}\n"),
        ({"a": "x\ny\n"}, "a: |\n  x\n  y\n"),
        ({"?": "1"}, "[a, b]: 1\n"),
        (None, ""),
        (None, "# only a comment\n"),
        ({"a": "1"}, "a: !!python/object/apply:os.system 1\n"),
    ],
)
def test_values(want: object, text: str) -> None:
    document, problems = load_yaml(text, "p.yml")
    assert (document.value, problems) == (want, [])


def test_lines() -> None:
    document, _ = load_yaml("a:\n  - x: 1\n  - y: 2\nb: 3\n", "p.yml")
    paths = ((), ("a",), ("a", 0, "x"), ("a", 1), ("b",), ("b", "gone"), ("a", 1, "y", 5))
    assert [document.line(path) for path in paths] == [1, 1, 2, 3, 4, 4, 3]


BOMB = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))


@pytest.mark.parametrize(
    ("code", "line", "text"),
    [
        ("yaml-alias", 2, "a: 1\nb: &x 2\n"),
        ("yaml-alias", 1, "a: *x\n"),
        ("yaml-alias", 1, BOMB),
        ("yaml-alias", 1, "a: &a\n  <<: *a\n"),
        ("yaml-duplicate-key", 2, "a: 1\na: 2\n"),
        ("yaml-duplicate-key", 3, "x:\n  a: 1\n  a: 2\n"),
        ("yaml-too-deep", 1, "[" * 1000),
        ("yaml-too-deep", 1, "{a: " * 1000),
        ("yaml-syntax", 2, "a: 1\n\tb: 2\n"),
        ("yaml-syntax", 2, "a: [1\n"),
        ("yaml-syntax", 2, "a: 'x\n"),
        ("yaml-syntax", 2, "a: 1\n--- \nb: 2\n"),
        ("file-too-large", None, "a" * (MAX_YAML_BYTES + 1)),
    ],
)
def test_refused(code: str, line: int | None, text: str) -> None:
    document, problems = load_yaml(text, "p.yml")
    assert document.value is None
    assert places(problems) == [(code, line)]


@pytest.mark.parametrize("text", ["\x00", "a: \x07", "\ud800", "%YAML 9.9\n---\na: 1", "? ", "- - - -", "!", "|", "@"])
def test_odd_texts_are_named_or_read(text: str) -> None:
    document, problems = load_yaml(text, "p.yml")
    assert document.value is None or not problems
