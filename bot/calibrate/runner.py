"""Draws the cells in pieces over processes. The seed of a piece hangs on its row, cell and number alone."""

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from bot.calibrate.judgement import Bar, Measured, Result, judge
from bot.calibrate.row import Array, Cell, Measure, Row

PIECE = 250
BAR_LENGTH = 30


@dataclass(frozen=True)
class Finding:
    """One measure of one cell. `known` is the code of the sentence why it falls short, where that is known."""

    row: str
    measure: str
    cell: str
    measured: Measured
    bar: Bar | None
    replicates: int
    known: str | None = None

    @property
    def result(self) -> Result:
        """How the value stands to its bar."""
        return judge(self.measured, self.bar)


@dataclass(frozen=True)
class Piece:
    """Some replicates of a cell."""

    row: Row
    cell: Cell
    number: int
    size: int
    seed: int

    def drawn(self) -> Array:
        """The replicates; the same wherever they are drawn."""
        key = crc32(f"{self.row.key}/{self.cell.name}".encode())
        return self.cell.draw(np.random.default_rng([self.seed, key, self.number]), self.size)


def pieces_of(row: Row, replicates: int, seed: int) -> list[Piece]:
    """All replicates of a row, cell by cell."""
    wanted = row.replicates(replicates)
    sizes = [min(PIECE, wanted - begun) for begun in range(0, wanted, PIECE)]
    return [Piece(row, cell, number, size, seed) for cell in row.cells for number, size in enumerate(sizes)]


def run_rows(rows: Sequence[Row], replicates: int, seed: int, jobs: int) -> Iterator[list[Finding]]:
    """The findings of one row after the other."""
    progress = Progress(sum(len(pieces_of(row, replicates, seed)) for row in rows))
    if jobs == 1:
        for row in rows:
            pieces = pieces_of(row, replicates, seed)
            yield _found(row, pieces, [progress.after(row, piece.drawn()) for piece in pieces])
        return
    with ProcessPoolExecutor(jobs) as pool:
        for row in rows:
            pieces = pieces_of(row, replicates, seed)
            futures: list[Future[Array]] = [pool.submit(piece.drawn) for piece in pieces]
            for done in as_completed(futures):
                progress.after(row, done.result())
            yield _found(row, pieces, [future.result() for future in futures])


def _found(row: Row, pieces: Sequence[Piece], drawn: Sequence[Array]) -> list[Finding]:
    findings = []
    for cell in row.cells:
        replicates = np.concatenate([array for piece, array in zip(pieces, drawn, strict=True) if piece.cell is cell])
        findings += [_finding(row, cell, measure, replicates) for measure in row.measures]
    return findings


def _finding(row: Row, cell: Cell, measure: Measure, replicates: Array) -> Finding:
    bar = cell.bars.get(measure.name, measure.bar)
    known = cell.known.get(measure.name)
    return Finding(row.key, measure.name, cell.name, measure.of(replicates), bar, len(replicates), known)


class Progress:
    """A line on standard error that is drawn again, and only on a terminal."""

    def __init__(self, total: int) -> None:
        self._total, self._done, self._shown = max(total, 1), 0, sys.stderr.isatty()

    def after(self, row: Row, drawn: Array) -> Array:
        """One piece more is done; what it drew is handed on."""
        self._done += 1
        if self._shown:
            filled = BAR_LENGTH * self._done // self._total
            end = "\r\033[K" if self._done == self._total else ""
            line = f"\r\033[K[{'#' * filled:<{BAR_LENGTH}}] {self._done / self._total:4.0%} {row.key}{end}"
            print(line, end="", file=sys.stderr, flush=True)
        return drawn
