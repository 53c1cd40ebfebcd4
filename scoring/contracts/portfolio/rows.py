"""Where a contract's usages stand among the rows of a month, and which of them share."""

from collections.abc import Iterable, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from scoring.contracts.portfolio.fill import Piece, Rows, Step
from scoring.contracts.portfolio.matching import Served

RANKS_OF_A_PIECE = 24
Placed = tuple[int, Served]
"""A row and the usage that stands there."""


def step_over(
    placed: Iterable[Placed],
    contract: int,
    spread: tuple[tuple[int, float], ...],
    capacity: float,
    price: float = 0.0,
    inside: tuple[int, int] | None = None,
) -> Step:
    """The step that serves these rows, rank by rank."""
    ordered = sorted(placed, key=lambda p: (p[1].rank, p[0]))
    ranks = [list(group) for _, group in groupby(ordered, key=lambda p: p[1].rank)]
    some = (ranks[first : first + RANKS_OF_A_PIECE] for first in range(0, len(ranks), RANKS_OF_A_PIECE))
    return Step(contract, spread, capacity, tuple(_piece(ranks) for ranks in some), price, inside)


def _piece(ranks: Sequence[Sequence[Placed]]) -> Piece:
    placed = [p for rank in ranks for p in rank]
    sizes = [len(rank) for rank in ranks]
    rows = np.array([row for row, _ in placed], dtype=np.intp)
    units = [served.units for _, served in placed]
    weights = None if all(u == 1.0 for u in units) else np.array(units)[:, None]
    starts = None if len(placed) == len(ranks) else np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp)
    return Piece(_slice(rows), weights, starts, np.repeat(np.arange(len(sizes), dtype=np.intp), sizes))


def _slice(rows: NDArray[np.intp]) -> Rows:
    """The same rows as a slice where they follow each other, which spares a copy."""
    first, count = int(rows[0]), len(rows)
    return slice(first, first + count) if np.array_equal(rows, np.arange(first, first + count)) else rows
