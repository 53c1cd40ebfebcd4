"""Which letters the bytes are: mark, zero bytes, strict UTF-8, then a guess among the code pages people use."""

import codecs

from charset_normalizer import from_bytes

from scoring.reading.limits import HEAD_BYTES

MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
CODE_PAGES = ["cp1252", "cp1251", "cp932", "gb18030", "big5", "euc_kr", "mac_roman"]
FALLBACK = "cp1252"
ZERO_SHARE = 0.2
BEFORE_BYTES = 4_096
"""What the guess sees before the first byte that is not UTF-8."""


def charset_of(data: bytes, whole: bool = False) -> tuple[str, bool]:
    """The encoding of bytes, and whether it was guessed. A letter cut at the end is no flaw unless they are `whole`."""
    for mark, name in MARKS:
        if data.startswith(mark):
            return name, False
    head = data[:HEAD_BYTES]
    if head.count(0) > len(head) * ZERO_SHARE:
        return ("utf-16-le" if head[1::2].count(0) > head[0::2].count(0) else "utf-16-be"), False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data, final=whole)
    except UnicodeDecodeError as failure:
        return _guessed(_around(data, failure.start)), True
    return "utf-8", False


def _around(data: bytes, at: int) -> bytes:
    """64 KiB of whole lines about a place: the letters that matter may stand far behind the first ones."""
    start = max(at - BEFORE_BYTES, 0)
    if start:
        newline = data.find(b"\n", start, at)
        start = newline + 1 if newline >= 0 else start
    end = start + HEAD_BYTES
    newline = data.rfind(b"\n", at, end) if end < len(data) else -1
    return data[start : newline + 1 if newline >= 0 else end]


def _guessed(sample: bytes) -> str:
    best = from_bytes(sample, cp_isolation=CODE_PAGES).best()
    return best.encoding if best and best.encoding in CODE_PAGES else FALLBACK


def plain_head(data: bytes) -> bytes:
    """The first bytes of a file as UTF-8 without mark, by which it is recognised."""
    encoding, _ = charset_of(data) if data[:4].count(0) or data[:1] >= b"\x80" else ("utf-8", False)
    return data.decode(encoding, errors="replace").encode() if encoding.startswith("utf-") else data


def lines_of(text: str) -> list[str]:
    """Lines as editors count them; other separators, such as U+2028 in a JSON text, stand within a line."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")


def decode(data: bytes) -> tuple[str, str, bool]:
    """Text, encoding, and whether the encoding was guessed. Never fails: what cannot be read becomes U+FFFD."""
    encoding, guessed = charset_of(data, whole=True)
    return data.decode(encoding, errors="replace"), encoding, guessed
