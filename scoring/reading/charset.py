"""Which letters the bytes are: mark, zero bytes, strict UTF-8, then a guess among the code pages people use."""

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
ZERO_SHARE = 0.2


def charset_of(head: bytes) -> tuple[str, bool]:
    """The encoding of a file by its first bytes, and whether it was guessed."""
    for mark, name in MARKS:
        if head.startswith(mark):
            return name, False
    if head.count(0) > len(head) * ZERO_SHARE:
        return ("utf-16-le" if head[1::2].count(0) > head[0::2].count(0) else "utf-16-be"), False
    if _is_utf8(head):
        return "utf-8", False
    best = from_bytes(head[:HEAD_BYTES], cp_isolation=CODE_PAGES).best()
    return (best.encoding if best else "cp1252"), True


def _is_utf8(head: bytes) -> bool:
    """A letter that the cut of the head divides does not count against it."""
    for cut in range(4):
        try:
            head[: len(head) - cut].decode("utf-8")
        except UnicodeDecodeError as failure:
            if failure.start < len(head) - 4:
                return False
        else:
            return True
    return False


def decode(data: bytes) -> tuple[str, str, bool]:
    """Text, encoding, and whether the encoding was guessed. Never fails: what cannot be read becomes U+FFFD."""
    encoding, guessed = charset_of(data)
    return data.decode(encoding, errors="replace"), encoding, guessed
