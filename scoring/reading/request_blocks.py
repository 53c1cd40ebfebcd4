"""Megabytes of request rows at once: columns cut out of the bytes by their delimiters, without a text per cell."""

import codecs
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from scoring.reading.limits import MAX_FILE_BYTES

BLOCK_BYTES = 2**21
LONGEST_CELL = 64
TOO_LONG = 1e12
NEWLINE = 10
Bytes = NDArray[np.uint8]
Keys = list[tuple[str, ...]]
_ASCII_LIKE = ("utf-8", "utf-8-sig", "ascii", "cp1252")


def blocks_of(stream: BinaryIO, encoding: str) -> Iterator[bytes]:
    """Whole lines by the megabyte, each ended by one newline, as UTF-8 or in an encoding whose ASCII is ASCII."""
    decoder = None if encoding in _ASCII_LIKE else codecs.getincrementaldecoder(encoding)("replace")
    kept, left = b"", MAX_FILE_BYTES
    while data := stream.read(min(BLOCK_BYTES, left)):
        left -= len(data)
        if decoder is not None:
            data = decoder.decode(data).encode("utf-8", "replace")
        kept += data
        end = kept.rfind(b"\n") + 1
        if end:
            yield _plain_newlines(kept[:end])
            kept = kept[end:]
    if kept:
        yield _plain_newlines(kept + b"\n")


def _plain_newlines(block: bytes) -> bytes:
    return block.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in block else block


def columns_of(
    block: bytes, delimiter: str, width: int, numbers: list[int], keys: list[int]
) -> tuple[list[NDArray[np.float64]], list[list[bytes]], NDArray[np.intp]] | None:
    """Number columns, the distinct key tuples in the order of their rows, and each row's key.

    None when not every row is sound: other numbers of cells, quotes, numbers that are none or out of range.
    """
    if b'"' in block:
        return None
    data = np.frombuffer(block, dtype=np.uint8)
    marks = np.flatnonzero((data == ord(delimiter)) | (data == NEWLINE))
    if len(marks) % width:
        return None
    ends = marks.reshape(-1, width)
    if not (data[ends[:, -1]] == NEWLINE).all() or (data[ends[:, :-1]] == NEWLINE).any():
        return None
    starts = np.empty_like(ends)
    starts[:, 1:] = ends[:, :-1] + 1
    starts[1:, 0], starts[0, 0] = ends[:-1, -1] + 1, 0
    values = [_floats(_cells(data, starts[:, i], ends[:, i])) for i in numbers]
    texts = [_cells(data, starts[:, i], ends[:, i]) for i in keys]
    if any(v is None for v in values) or any(t is None for t in texts):
        return None
    named, of_row = _distinct([t for t in texts if t is not None], len(ends))
    return [v for v in values if v is not None], named, of_row


def _cells(data: Bytes, starts: NDArray[np.intp], ends: NDArray[np.intp]) -> NDArray[np.bytes_] | None:
    """The cells of a column as fixed-width bytes; None for a column with an empty or a very long cell."""
    lengths = ends - starts
    longest = int(lengths.max())
    if lengths.min() < 1 or longest > LONGEST_CELL:
        return None
    at = starts[:, None] + np.arange(longest)
    cut = np.where(np.arange(longest) < lengths[:, None], data[np.minimum(at, len(data) - 1)], 0).astype(np.uint8)
    return np.ascontiguousarray(cut).view(f"S{longest}").ravel()


def _floats(cells: NDArray[np.bytes_] | None) -> NDArray[np.float64] | None:
    if cells is None:
        return None
    try:
        values: NDArray[np.float64] = cells.astype(np.float64)
    except ValueError:
        return None
    sound = np.isfinite(values).all() and values.min() >= 0 and values.max() < TOO_LONG
    return values if sound else None


def _distinct(texts: list[NDArray[np.bytes_]], rows: int) -> tuple[list[list[bytes]], NDArray[np.intp]]:
    """Distinct combinations of the key columns in the order in which they first appear, and each row's."""
    code = np.zeros(rows, dtype=np.intp)
    for column in texts:
        names, inverse = np.unique(column, return_inverse=True)
        code = code * len(names) + inverse
    _, first, of_row = np.unique(code, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return [[bytes(column[i]) for column in texts] for i in first[order]], rank[of_row]
