"""What a file is by its bytes, and what divides its cells."""

import gzip
import io
import tarfile
import zipfile

import pytest

from scoring.reading.sniff import Content, content_of, delimiter_of, magic_of, text_kind, without_sep_line


def archive(first: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr(first, "x")
    return stream.getvalue()


def tar() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as made:
        made.addfile(tarfile.TarInfo("a.csv"))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("want", "head"),
    [
        (Content.EMPTY, b""),
        (Content.EMPTY, b" \r\n\t"),
        (Content.EMPTY, b"\xef\xbb\xbf\n"),
        (Content.EMPTY, b"\x00" * 100),
        (Content.ZIP, archive("a.csv")),
        (Content.ZIP, b"PK\x05\x06" + b"\x00" * 18),
        (Content.WORKBOOK, archive("[Content_Types].xml")),
        (Content.WORKBOOK, archive("xl/workbook.xml")),
        (Content.GZIP, gzip.compress(b"x", mtime=0)),
        (Content.TAR, tar()),
        (Content.OLD_WORKBOOK, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        (Content.BINARY, b"\x89PNG\r\n"),
        (Content.BINARY, b"%PDF-1.7 text"),
        (Content.BINARY, bytes(range(256))),
        (Content.BINARY, b"\x01\x02\x03 text"),
        (Content.TEXT, b"arm,cost\n"),
        (Content.TEXT, "arm;ñ\n".encode("utf-16")),
        (Content.TEXT, "arm;ñ\n".encode("utf-16-le")),
        (Content.TEXT, b"\x1b[32mgreen\x1b[0m step 1 loss 2\n"),
        (Content.TEXT, b"arm,cost\n" * 50 + b"\x00"),
    ],
)
def test_content(want: Content, head: bytes) -> None:
    assert content_of(head) is want


@pytest.mark.parametrize(
    ("want", "head"), [("pdf", b"%PDF-"), ("parquet", b"PAR1"), ("7z", b"7z\xbc\xaf"), (None, b"arm")]
)
def test_names_of_binary_forms(want: str | None, head: bytes) -> None:
    assert magic_of(head) == want


@pytest.mark.parametrize(
    ("want", "name", "text"),
    [
        (Content.JSON, "", '{"a": 1}'),
        (Content.JSON, "", '\ufeff\n [{"a": 1},\n {"a": 2}]'),
        (Content.JSON, "", '{\n "a": 1\n}'),
        (Content.JSON_LINES, "", '{"a": 1}\n{"a": 2}\n'),
        (Content.YAML, "", "runs:\n  - arm: a\n    cost: 1\n"),
        (Content.YAML, "p.yml", "anything"),
        (Content.YAML, "", "# pilot\n- arm: a\n- arm: b\n"),
        (Content.MARKDOWN, "c.md", "anything"),
        (Content.MARKDOWN, "c.md", "[results.csv](https://github.com/x)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"),
        (Content.MARKDOWN, "", "text\n\n```csv\na,b\n```\n"),
        (Content.MARKDOWN, "", "| a | b |\n|---|---|\n| 1 | 2 |\n"),
        (Content.TEXT, "", "arm,cost\na,1\n"),
        (Content.TEXT, "", "Date: 2026-11-02\narm;cost\na;1\nb;2\nc;3\n"),
        (Content.TEXT, "", "Hello there.\nWe ran it: twice.\n"),
        (Content.TEXT, "", ""),
    ],
)
def test_kind_of_text(want: Content, name: str, text: str) -> None:
    assert text_kind(text, name) is want


@pytest.mark.parametrize(
    ("want", "text"),
    [
        (",", "arm,cost\na,1\n"),
        (";", "arm;cost\na;1,5\nb;2,5\n"),
        (";", "arm;tokens;cost\na;1,048;1,5\nb;2,048;2,5\n"),
        ("\t", "arm\tcost\na\t1,5\n"),
        ("|", "arm|cost\na|1\n"),
        (",", 'arm,note\na,"x;y;z"\nb,"x;y;z"\n'),
        (",", "Pilot of November\narm,run,cost\na,1,2\nb,1,3\n"),
        (",", "arm,run,cost\na,1,1,9\na,2\nb,1,3\nb,2,4,,\n"),
        ("^", "sep=^\narm^cost\n"),
        (None, "cost\n12,5\n13,5\n"),
        (None, "one\ntwo\n"),
        (None, ""),
    ],
)
def test_delimiter(want: str | None, text: str) -> None:
    assert delimiter_of(text) == want


@pytest.mark.parametrize(
    ("want", "text"),
    [
        (("a;b\n", ";"), "sep=;\na;b\n"),
        (("a;b", ";"), "SEP=;\r\na;b"),
        (("a\tb", "\t"), "sep=\t\na\tb"),
        (("sep=;", None), "sep=;"),
        (("sep=;;\na", None), "sep=;;\na"),
        (("sep=\n\n", None), "sep=\n\n"),
        (("separator\n", None), "separator\n"),
    ],
)
def test_sep_line(want: tuple[str, str | None], text: str) -> None:
    assert without_sep_line(text) == want
