"""Whole programs asked in another form: not "it moves in month s" but "it has moved by month s".

With z[w,o,s] = Σ x[w,o,r] over the months r ≤ s that are in the program, x[w,o,s] = z[w,o,s] − z[w,o,s−1]. The
relaxation is the same. But an hour stands in one column a month instead of in one for each earlier month, so that rows
are shorter; cuts of a month's hours have one binary for a workload on an option; and a branch parts the months in two
instead of taking one of them out. In scheduling they are the step variables of time-indexed programs.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, vstack

from scoring.quarter.options import Choice
from scoring.quarter.solver import Integer, Rows, integer

Floats = NDArray[np.float64]


def cumulative(
    cost: Floats,
    rows: Rows,
    most: Floats,
    whole: NDArray[np.bool_],
    choices: Sequence[Choice],
    gap: float,
    seconds: float,
    nodes: int | None = None,
) -> Integer:
    """As `integer`, for columns of which the first ones are `choices`; what is found is told of those columns."""
    before = _before(choices)
    earlier, later = before[:, 0], before[:, 1]
    count, pairs = len(cost), len(before)
    ends = np.concatenate([np.arange(count), later]), np.concatenate([np.arange(count), earlier])
    apart = csc_array((np.concatenate([np.ones(count), -np.ones(pairs)]), ends), shape=(count, count))
    places = np.repeat(np.arange(pairs), 2), before.reshape(-1)
    ordered = csc_array((np.tile([1.0, -1.0], pairs), places), shape=(pairs, count))
    stepped = Rows(
        _short(rows.equal @ apart),
        rows.b_equal,
        vstack([_short(rows.upper @ apart), ordered], format="csc"),
        np.concatenate([rows.b_upper, np.zeros(pairs)]),
    )
    found = integer(apart.T @ cost, stepped, most, whole, gap, seconds, nodes)
    if found.x is None:
        return found
    return replace(found, x=apart @ found.x)


def _before(choices: Sequence[Choice]) -> NDArray[np.intp]:
    """Pairs of columns that follow each other in the months of one workload's option."""
    order = sorted(range(len(choices)), key=lambda j: (choices[j].workload, choices[j].option, choices[j].month))
    found = [
        (a, b)
        for a, b in pairwise(order)
        if (choices[a].workload, choices[a].option) == (choices[b].workload, choices[b].option)
    ]
    return np.array(found, dtype=np.intp).reshape(-1, 2)


def _short(matrix: "csc_array[np.float64]") -> "csc_array[np.float64]":
    """Without what has become zero: the same figures are taken from each other, so that it is exactly zero."""
    built = csc_array(matrix)
    built.eliminate_zeros()
    return built
