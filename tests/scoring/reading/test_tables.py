"""Bytes to tables, by what they are and not by what they are called."""

import io
import zipfile

import pytest

from scoring.reading import tables
from scoring.reading.posted import PostedFile
from scoring.reading.tables import tables_of
from tests.scoring.reading.read import codes, posted

CSV = b"arm,cost\na,1\nb,2\n"
JSON = b'[{"arm": "a", "cost": 1}, {"arm": "b", "cost": 2}]'
YAML = b"- arm: a\n  cost: 1\n- arm: b\n  cost: 2\n"
MARKDOWN = b"| arm | cost |\n|---|---|\n| a | 1 |\n| b | 2 |\n"
JSON_LINES = b'{"arm": "a", "cost": 1}\n{"arm": "b", "cost": 2}\n'


def zipped(name: str, data: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, data)
    return stream.getvalue()


@pytest.mark.parametrize("name", ["p.csv", "p.json", "p.xlsx", "p.zip", "p", "p.txt"])
@pytest.mark.parametrize("data", [CSV, JSON, YAML, MARKDOWN, JSON_LINES, CSV.decode().encode("utf-16")])
def test_content_wins_over_the_name(name: str, data: bytes) -> None:
    held = tables_of(posted(name, data))
    assert [[c.text for c in r.cells] for t in held.tables for r in t.rows] == [["a", "1"], ["b", "2"]]
    assert held.problems == []


def test_a_zip_that_is_called_csv_is_opened() -> None:
    held = tables_of(posted("p.csv", zipped("gpu/a.csv", CSV)))
    assert ([f.name for f in held.nested], held.problems) == (["p.csv/gpu/a.csv"], [])


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("file-empty", b""),
        ("file-empty", b"\xef\xbb\xbf\r\n"),
        ("binary-file", b"\x89PNG\r\n\x1a\n" + b"\x00" * 30),
        ("binary-file", bytes(range(256)) * 4),
        ("binary-file", b"\xd0\xcf\x11\xe0" + b"x" * 600),
        ("binary-file", b"a\x00rm,co\x00st\na,1\n"),
        ("archive-unsafe", b"PK\x03\x04 no zip"),
        ("archive-unsafe", b"\x1f\x8b no gz"),
        ("workbook-damaged", zipped("[Content_Types].xml", b"<x/>")),
        ("json-syntax", b'{"a": '),
    ],
)
def test_what_holds_no_table_says_why(code: str, data: bytes) -> None:
    held = tables_of(posted("p.csv", data))
    assert (held.tables, held.nested, codes(held.problems)) == ([], [], [code])


def test_one_lone_zero_byte_is_text() -> None:
    held = tables_of(posted("p.csv", b"arm,cost\n" + b"a,1\n" * 40 + b"c\x00,3\n"))
    assert (held.problems, held.tables[0].rows[-1].cells[0].text) == ([], "c\x00")


def test_a_guessed_character_set_is_said() -> None:
    held = tables_of(posted("p.csv", "arm,pérdida\nMálaga,1\nCádiz,2\n".encode("cp1252")))
    assert (codes(held.problems), held.tables[0].header) == (["charset-guessed"], ("arm", "pérdida"))


def test_a_text_that_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_TABLE_BYTES", 10)
    assert codes(tables_of(posted("p.csv", CSV)).problems) == ["file-too-large"]


def test_pairs_that_were_posted_with_a_file_are_its_preamble() -> None:
    given = PostedFile.from_bytes(
        "p.csv", b"region: near\narm,run,cost\na,1,2\n", context=(("region", "far"), ("x", "1"))
    )
    assert tables_of(given).tables[0].preamble == {"region": "near", "x": "1"}
