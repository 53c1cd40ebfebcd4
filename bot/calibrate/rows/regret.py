"""Money lost over many buyers: following the engine against the best number of runs that could have been fixed."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from bot.calibrate.adaptive import follow
from bot.calibrate.judgement import Bar, Measured
from bot.calibrate.market import MOST, K, Pilot, draw_pilot
from bot.calibrate.measures import average, ratio
from bot.calibrate.row import Array, Cell, Measure, Row
from bot.calibrate.rules import Flags, bootstrap, compare_means, mann_whitney, welch

FIXED = range(1, MOST + 1)
FEW, MANY = 3, 10


@dataclass(frozen=True)
class Buyers:
    """Columns: regret of the engine, its runs, then that of comparing means after 1, 2, … 30 runs."""

    spread: float

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a buyer."""
        pilots = [draw_pilot(rng, self.spread) for _ in range(size)]
        a, b = _runs(pilots)
        fixed = [_regrets(pilots, compare_means(a[:, :n], b[:, :n], K), n) for n in FIXED]
        return np.column_stack([_followed(pilots), *fixed])


def _runs(pilots: list[Pilot]) -> tuple[Array, Array]:
    return np.array([p.a for p in pilots]), np.array([p.b for p in pilots])


def _followed(pilots: list[Pilot]) -> Array:
    ends = [follow(p) for p in pilots]
    return np.array([(p.regret(e.switches, e.runs), e.runs) for p, e in zip(pilots, ends, strict=True)])


def _regrets(pilots: list[Pilot], moved: Flags, runs: int) -> Array:
    return np.array([p.regret(bool(m), runs) for p, m in zip(pilots, moved, strict=True)])


def _against_best(first: int, drawn: Array) -> Measured:
    """The engine's mean over that of the number of runs which was best in these very worlds."""
    return ratio(0, first + int(drawn[:, first:].mean(axis=0).argmin()))(drawn)


def _best_number(first: int, drawn: Array) -> Measured:
    return Measured(float(FIXED[int(drawn[:, first:].mean(axis=0).argmin())]), 0.0)


REGRET = Row(
    key="regret",
    cells=tuple(Cell(f"log theta ~ N(0, {spread:g}²), CV 1 – 30%", Buyers(spread)) for spread in (0.15, 0.3, 0.5)),
    measures=(
        Measure("regret-against-best", partial(_against_best, 2), Bar(high=0.75)),
        Measure("regret-engine", average(0)),
        Measure("runs-engine", average(1)),
        Measure("best-fixed", partial(_best_number, 2)),
    ),
)


@dataclass(frozen=True)
class SameBuyers:
    """Columns: regret of the engine, its runs, then that of the other rules."""

    spread: float

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a buyer."""
        pilots = [draw_pilot(rng, self.spread) for _ in range(size)]
        a, b = _runs(pilots)
        few, many = (a[:, :FEW], b[:, :FEW], K), (a[:, :MANY], b[:, :MANY], K)
        others = [
            _regrets(pilots, compare_means(*few), FEW),
            _regrets(pilots, welch(*many), MANY),
            _regrets(pilots, mann_whitney(*many), MANY),
            _regrets(pilots, bootstrap(*many, rng), MANY),
        ]
        return np.column_stack([_followed(pilots), *others])


SAME_BUYERS = Row(
    key="side-by-side-regret",
    cells=(Cell("log theta ~ N(0, 0.3²), CV 1 – 30%", SameBuyers(0.3)),),
    measures=(
        Measure("by-engine", average(0)),
        Measure("by-means", average(2)),
        Measure("by-welch", average(3)),
        Measure("by-mann-whitney", average(4)),
        Measure("by-bootstrap", average(5)),
    ),
    share=0.5,
)
