"""What is calibrated: a row of claims, its cells (worlds with a known truth), and how a cell's draws are summed up."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bot.calibrate.judgement import Bar, Measured

Array = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Array]
"""Replicates of a cell: an array of that many rows; its columns are what the row's measures read."""


@dataclass(frozen=True)
class Cell:
    """One world. `draw` is sent to other processes: a frozen dataclass or a function of a module.

    `bars` replace those of the row's measures where a claim differs from world to world; `known` holds, for each
    measure that is known to fall short here, the code of the sentence that says why.
    """

    name: str
    draw: Draw
    bars: dict[str, Bar] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Measure:
    """A figure of a cell. Without a bar it is told and not judged."""

    name: str
    of: Callable[[Array], Measured]
    bar: Bar | None = None


@dataclass(frozen=True)
class Row:
    """Claims that share their simulations. `key` is what `--only` takes, and the code of its sentences.

    `share` of the replicates asked for is drawn, `most` at most: for rules that take long, and for timings.
    """

    key: str
    cells: tuple[Cell, ...]
    measures: tuple[Measure, ...]
    share: float = 1.0
    most: int | None = None

    def replicates(self, asked: int) -> int:
        """How many replicates each cell gets."""
        wanted = max(round(asked * self.share), 1)
        return wanted if self.most is None else min(wanted, self.most)
