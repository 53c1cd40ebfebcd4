"""The engine's value of further runs against drawing them: within a tenth of nested Monte Carlo."""

from dataclasses import dataclass

import numpy as np

from bot.calibrate.judgement import Bar
from bot.calibrate.measures import ratio
from bot.calibrate.nested import Pilot, draw_values
from bot.calibrate.row import Array, Cell, Measure, Row
from scoring.statistics.evsi import value_of_runs

K = 0.95


@dataclass(frozen=True)
class Values:
    """Columns: the engine's value and the drawn one, both times the draw's weight."""

    pilot: Pilot

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a draw."""
        p = self.pilot
        told = value_of_runs(p.ratio, p.se, float(p.nu), p.k, 2 * p.cv**2, np.array([float(p.more)]))[0]
        weights, values = draw_values(p, rng, size)
        return np.column_stack([weights * told, weights * values])


PILOTS = tuple(
    Pilot(measured, runs, cv, more, K)
    for measured, runs, cv, more in (
        (0.93, 3, 0.05, 3), (0.93, 3, 0.05, 1), (0.97, 3, 0.05, 3), (0.95, 3, 0.01, 3), (0.90, 3, 0.10, 5),
        (0.93, 5, 0.05, 3), (1.00, 5, 0.10, 5), (0.90, 5, 0.20, 10), (0.93, 10, 0.05, 5), (0.97, 10, 0.10, 20),
    )
)  # fmt: skip
EVSI = Row(
    key="evsi",
    cells=tuple(Cell(f"ratio {p.ratio:g} after n = {p.runs} at {p.cv:.0%}; {p.more} more", Values(p)) for p in PILOTS),
    measures=(Measure("value-against-nested", ratio(0, 1), Bar(0.9, 1.1)),),
    share=10,
)
