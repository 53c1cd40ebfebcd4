"""Rows and columns of a sparse linear program, put together piece by piece."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

Floats = NDArray[np.float64]
Entry = tuple[int, int, float]


@dataclass
class Sheet:
    """The entries of one matrix while it is built."""

    rows: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def put(self, row: int, column: int, value: float) -> None:
        """Add one entry; zero is none."""
        if value:
            self.rows.append(row)
            self.columns.append(column)
            self.values.append(value)

    def built(self, shape: tuple[int, int]) -> "csc_array[np.float64]":
        """The matrix, entries of one place added."""
        places = (np.array(self.rows, dtype=np.int32), np.array(self.columns, dtype=np.int32))
        return csc_array((np.array(self.values, dtype=float), places), shape=shape)


@dataclass
class Columns:
    """Variables from 0 to `most`, each with its undiscounted cost in its month."""

    cost: list[float] = field(default_factory=list)
    month: list[int] = field(default_factory=list)

    def add(self, cost: float, month: int) -> int:
        """The number of a new variable without a limit of its own."""
        self.cost.append(cost)
        self.month.append(month)
        return len(self.cost) - 1
