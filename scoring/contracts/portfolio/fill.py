"""The one move of the timeline: a contract's units go to the rows that it covers, group after group."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = slice | NDArray[np.intp]

TINY = 1e-30
"""Stands for no need at all where a share of it is asked for."""


@dataclass(frozen=True)
class Piece:
    """Some groups of rows, served in their order. `starts` is where each begins, `of_row` the group of each row.

    `weights`: units that an instance-hour of a row takes, [rows, 1]; None: one. `starts` None: each row is a group.
    """

    rows: Rows
    weights: Floats | None
    starts: NDArray[np.intp] | None
    of_row: NDArray[np.intp]


@dataclass(frozen=True)
class Step:
    """One contract's units in a month, spread over its stretches of days: each stretch with its share of them.

    Rows of the need are served piece by piece, within a piece group by group, within a group in proportion to what is
    left of it. `price`: what a used unit costs beside the commitment. `inside`: the row that takes what an open
    capacity reservation holds, and the row of what it holds unused.
    """

    contract: int
    spread: tuple[tuple[int, float], ...]
    capacity: float
    pieces: tuple[Piece, ...]
    price: float = 0.0
    inside: tuple[int, int] | None = None


def fill(need: Floats, step: Step) -> Floats:
    """Take what the step covers from the need [rows, draws], in place; the units used, [draws].

    Most contracts are used up long before their last piece.
    """
    used = np.zeros(need.shape[1])
    for piece in step.pieces:
        if len(piece.of_row) > 1 and piece.starts is not None and len(piece.starts) == 1:
            _in_proportion(need, piece, step.capacity, used)
        else:
            _in_order(need, piece, step.capacity, used)
        if used.min() >= step.capacity:
            break
    if step.inside is not None:
        inside, idle = step.inside
        need[inside], need[idle] = used, step.capacity - used
    return used


def _in_proportion(need: Floats, piece: Piece, capacity: float, used: Floats) -> None:
    before = need[piece.rows]
    total = np.add.reduce(before if piece.weights is None else before * piece.weights, axis=0)
    taken = np.minimum(total, capacity - used)
    used += taken
    np.maximum(total, TINY, out=total)
    np.divide(taken, total, out=total)
    need[piece.rows] = before * np.subtract(1.0, total, out=total)


def _in_order(need: Floats, piece: Piece, capacity: float, used: Floats) -> None:
    before = need[piece.rows]
    totals = before if piece.weights is None else before * piece.weights
    if piece.starts is not None:
        totals = np.add.reduceat(totals, piece.starts, axis=0)
    keep = np.add.accumulate(totals, axis=0)
    keep += used
    np.minimum(keep[-1], capacity, out=used)
    keep -= capacity
    keep /= np.maximum(totals, TINY)
    np.maximum(keep, 0.0, out=keep)
    np.minimum(keep, 1.0, out=keep)
    need[piece.rows] = before * (keep if piece.starts is None else keep[piece.of_row])
