"""Letters from bytes: marks, zero bytes, UTF-8, and the code pages that people use."""

import pytest

from scoring.reading.charset import charset_of, decode, lines_of

SPANISH = "Acelerador;Ejecución;Pérdida;Precio (€/h);Región\nGPU;1;1,84;50,60;Málaga\nTrainium;1;1,85;19,75;Cádiz\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_text_is_read_in_whatever_it_was_written(encoding: str) -> None:
    text, _, guessed = decode(SPANISH.encode(encoding))
    assert (text, guessed) == (SPANISH, encoding == "cp1252")


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_utf_16_by_its_mark(mark: bytes) -> None:
    encoding = "utf-16-le" if mark == b"\xff\xfe" else "utf-16-be"
    assert decode(mark + SPANISH.encode(encoding))[0] == SPANISH


@pytest.mark.parametrize(
    ("want", "data"),
    [
        (("utf-8", False), b"plain"),
        (("utf-8", False), b""),
        (("utf-8", False), "é".encode()[:1]),
        (("cp1252", True), b"caf\xe9, precio 3 \x80, a\xf1o"),
        (("utf-8-sig", False), b"\xef\xbb\xbfarm"),
        (("utf-16", False), b"\xff\xfea\x00"),
    ],
)
def test_charset(want: tuple[str, bool], data: bytes) -> None:
    assert charset_of(data) == want


def test_a_letter_cut_at_the_end_is_a_flaw_of_a_whole_file_only() -> None:
    data = "arm,é".encode()[:-1]
    assert (charset_of(data), charset_of(data, whole=True)[1]) == (("utf-8", False), True)


def test_letters_far_behind_the_first_bytes_matter() -> None:
    data = b"arm,cost\n" * 20_000 + "Málaga,1\nCádiz,2\nPérdida,3\n".encode("cp1252")
    text, encoding, guessed = decode(data)
    assert (text.endswith("Pérdida,3\n"), encoding, guessed) == (True, "cp1252", True)


@pytest.mark.parametrize("data", [bytes(range(256)), b"\xff" * 1000, b"\xff\xfe\x00", b"\x00" * 99, b"\xed\xa0\x80"])
def test_any_bytes_become_text(data: bytes) -> None:
    decode(data)[0].encode()


@pytest.mark.parametrize(
    ("want", "text"),
    [
        (["a", "b"], "a\nb\n"),
        (["a", "b"], "a\r\nb"),
        (["a", "b"], "a\rb\r"),
        (["a", "", "b"], "a\n\nb"),
        (["a\u2028\x0b\x85b"], "a\u2028\x0b\x85b"),
        ([""], ""),
    ],
)
def test_lines_as_editors_count_them(want: list[str], text: str) -> None:
    assert lines_of(text) == want
