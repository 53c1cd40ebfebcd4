"""All plans at once where a move takes months, or both arms run for some: a month's cost hangs on what came before.

Until u the months of the plan (s, u) hang on s and the month alone. From u on they hang on both, but only while the
moves begun by then last: after that everything that capacity allows has moved, whatever the plan was.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.contracts.further import Further, PlanOfBoth, Tranches
from scoring.contracts.migration import Matrix
from scoring.contracts.months import Grid, Others
from scoring.contracts.true_ups import SpendPeriod

Index = NDArray[np.int64]
Amount = Callable[[Grid, Matrix, Matrix], Matrix]


def npv_of_all(grid: Grid, migration_cost: float) -> Matrix:
    """NPV of the plan (s, u) at [..., s, u], infinite where none is, for each draw of the grid.

    The second move begins with the first, or when that is complete, or never. A move that the horizon's end cuts off
    stays as far as it came.
    """
    months = len(grid.factor)
    npv: Matrix = _totals(grid, lambda part, share, gone: part.factor * part.cost(share, gone), None)
    npv = npv + np.append(grid.factor * migration_cost, 0.0)[:, None]
    for period in grid.spending:
        spent = _totals(grid, lambda part, share, gone: part.counted(part.spending[0], share, gone), period)
        npv = npv + grid.factor[period.month] * period.charge(spent)
    npv[..., _impossible(months, len(grid.migration.ramp))] = np.inf
    return npv


def _totals(grid: Grid, amount: Amount, period: SpendPeriod | None) -> Matrix:
    """An amount of each month, summed over the months of the plan (s, u) at [..., s, u].

    `amount` is of months, the share on the candidate and the share gone; their `spending` is the period alone.
    """
    grid = replace(grid, spending=() if period is None else (period,))
    months = len(grid.factor)
    rows = _picked(grid, np.arange(months))
    none = np.zeros_like(rows.need_a)
    started = np.atleast_2d(_sums(amount(rows, none, none))).swapaxes(-1, -2)
    not_begun = np.tri(months, k=-1, dtype=bool)
    highest = np.maximum.accumulate(np.where(not_begun, 0.0, rows.partial_share), axis=-1)
    partial = amount(rows, *grid.migration.shares(rows.partial_share, highest))
    until = _sums(np.where(not_begun, 0.0, partial))
    after = _after(grid, rows, highest, amount)
    draws = np.broadcast_shapes(started.shape[:-2], until.shape[:-2], after.shape[:-2])
    totals: Matrix = np.broadcast_to(started, (*draws, months + 1, months + 1)).copy()
    totals[..., :months, :] += until
    totals[..., :months, :months] += after
    return totals


def _impossible(months: int, ramp: int) -> NDArray[np.bool_]:
    s, u = np.indices((months + 1, months + 1))
    return (u < s) | ((u > s) & (u < s + ramp) & (u < months))


def _after(grid: Grid, rows: Grid, highest: Matrix, amount: Amount) -> Matrix:
    """The amounts of the months from u on, at [..., s, u].

    `highest` is, at [..., s, month], the highest partial level since s.
    """
    months, back = len(grid.factor), grid.migration.settles_after
    rises_later = bool((np.diff(grid.full_share, axis=-1) > 0).any())
    length = months if rises_later else min(back, months)
    u = np.arange(months)[:, None]
    at, past = u + np.arange(length), u + np.arange(-back, 0)
    inside = at < months
    there = _picked(grid, np.minimum(at, months - 1))
    before = np.where(past >= 0, highest[..., np.maximum(past, 0)], 0.0)
    reached = np.where(u > 0, highest[..., np.maximum(u - 1, 0)], 0.0)
    since = np.maximum(reached, np.maximum.accumulate(there.full_share, axis=-1))
    plans = np.broadcast_shapes(before.shape[:-1], since.shape[:-1])
    so_far = np.concatenate([np.broadcast_to(x, (*plans, x.shape[-1])) for x in (before, since)], axis=-1)
    found = amount(there, *grid.migration.shares(there.full_share, so_far))
    settled = _sums(amount(rows, rows.full_share, rows.full_share))
    rest = settled[..., -1:] - settled[..., np.minimum(u[:, 0] + length, months)]
    amounts: Matrix = np.where(inside, found, 0.0).sum(axis=-1) + rest
    return amounts


def _sums(values: Matrix) -> Matrix:
    """Sums of the first 0, 1, … values of the last axis."""
    sums: Matrix = np.zeros((*values.shape[:-1], values.shape[-1] + 1))
    np.cumsum(values, axis=-1, out=sums[..., 1:])
    return sums


def _picked(grid: Grid, months: Index) -> Grid:
    """The grid with its months picked by a table, behind an axis for plans; draws stay the first axis."""
    picked: Grid = _pick(grid, months, len(grid.factor))
    return picked


def _pick(of: Any, months: Index, count: int) -> Any:
    if isinstance(of, Tranches):
        return Tranches(of.hours[:, months], of.rates[:, months])
    if isinstance(of, tuple):
        return tuple(_pick(one, months, count) for one in of)
    if isinstance(of, (Grid, Others, Further, PlanOfBoth, SpendPeriod)):
        return replace(of, **{field.name: _pick(getattr(of, field.name), months, count) for field in fields(of)})
    return _column(of, months, count) if isinstance(of, np.ndarray) else of


def _column(column: Matrix, months: Index, count: int) -> Matrix:
    if column.ndim == 1:
        return column[months]
    if column.shape[-1] == count:
        return column[..., None, :][..., months]
    return column.reshape(-1, *[1] * (months.ndim + 1))
