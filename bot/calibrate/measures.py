"""Figures of a cell with their Monte Carlo standard errors, from the columns of its replicates."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from bot.calibrate.judgement import Measured
from bot.calibrate.row import Array

Of = Callable[[Array], Measured]


def share(column: int) -> Of:
    """The share of replicates with a 1 in the column; a NaN is a replicate that does not count."""
    return partial(_share, column)


def average(column: int) -> Of:
    """The mean of a column."""
    return partial(_average, column)


def ratio(over: int, under: int) -> Of:
    """The ratio of two columns' means; its standard error is that of the linearised ratio."""
    return partial(_ratio, over, under)


def share_of(over: int, under: int) -> Of:
    """Of the replicates with a 1 in `under`, the share with a 1 in `over`."""
    return partial(_share_of, over, under)


def median(column: int) -> Of:
    """The median of a column; its standard error from the order statistics around it."""
    return partial(_median, column)


def _share(column: int, drawn: Array) -> Measured:
    values = drawn[:, column]
    return _proportion(values[~np.isnan(values)])


def _share_of(over: int, under: int, drawn: Array) -> Measured:
    return _proportion(drawn[drawn[:, under] == 1, over])


def _proportion(values: Array) -> Measured:
    """The standard error keeps away from 0 where every replicate or none has it (Agresti and Coull's centre)."""
    n = len(values)
    if n == 0:
        return Measured(math.nan, math.nan)
    centre = (values.sum() + 2) / (n + 4)
    return Measured(float(values.mean()), math.sqrt(centre * (1 - centre) / (n + 4)))


def _average(column: int, drawn: Array) -> Measured:
    values = drawn[:, column]
    return Measured(float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values)))


def _ratio(over: int, under: int, drawn: Array) -> Measured:
    above, below = drawn[:, over], drawn[:, under]
    value = above.mean() / below.mean()
    residuals = (above - value * below) / below.mean()
    return Measured(float(value), float(residuals.std(ddof=1)) / math.sqrt(len(above)))


def _median(column: int, drawn: Array) -> Measured:
    values = np.sort(drawn[:, column])
    n = len(values)
    half = math.sqrt(n) / 2
    low, high = values[max(int(n / 2 - half), 0)], values[min(int(n / 2 + half), n - 1)]
    return Measured(float(np.median(values)), float(high - low) / 2)
