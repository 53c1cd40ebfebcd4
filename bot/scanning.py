"""A tree scanned on two processors where it is large; a file that ends the process that reads it is a finding."""

import gc
import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from pathlib import Path

from bot.source_tree import Bounds, source_of
from scoring.model.portability import Finding
from scoring.portability.scan import Found, Scan, SourceFile, found_in, scan

SMALL = 100
"""Files that are read at once sooner than another process starts."""
PROCESSES, BATCH, AHEAD = 2, 20, 6


def scanned(path: Path, ref: str | None, bounds: Bounds | None = None) -> Scan:
    """What a folder, tarball, file or commit holds. Raises OSError."""
    bounds = bounds or Bounds()
    return scan(source_of(path, ref, bounds), bounds.stopped, _each)


def _each(files: Iterable[SourceFile]) -> Iterator[Found]:
    """Batches are read ahead of their answers, a few at most, so that a large tree never lies in memory."""
    source = iter(files)
    first = [*islice(source, SMALL)]
    if len(first) < SMALL:
        yield from ((file, found_in(file)) for file in first)
        return
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(PROCESSES, mp_context=context, initializer=gc.disable) as pool:
        waiting: deque[tuple[list[SourceFile], Future[list[list[Finding]]]]] = deque()
        every = chain(first, source)
        while batch := [*islice(every, BATCH)]:
            try:
                waiting.append((batch, pool.submit(_batch, batch)))
            except BrokenProcessPool:
                yield from _lost(batch)
            if len(waiting) >= AHEAD:
                yield from _answered(*waiting.popleft())
        while waiting:
            yield from _answered(*waiting.popleft())


def _batch(files: Sequence[SourceFile]) -> list[list[Finding]]:
    return [found_in(file) for file in files]


def _answered(batch: Sequence[SourceFile], answer: "Future[list[list[Finding]]]") -> Iterator[Found]:
    try:
        yield from zip(batch, answer.result(), strict=True)
    except BrokenProcessPool:
        yield from _lost(batch)


def _lost(batch: Sequence[SourceFile]) -> Iterator[Found]:
    """The process that read it has ended."""
    return ((file, found_in(SourceFile(file.path, None, "not-read"))) for file in batch)
