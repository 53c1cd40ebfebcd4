"""How much runs differ, as measured, given or assumed; and what a number of runs can tell at that spread."""

import math
from collections.abc import Sequence
from typing import Literal

from scoring.decide import ENOUGH_RUNS
from scoring.model.base import Value
from scoring.model.decision import Comparison, Decision
from scoring.statistics.sample_size import paired_power_of, power_of, upper_spread
from scoring.statistics.samples import t_quantile, welch_nu

ASSUMED_CV = 0.05
"""Of an arm's runs where nothing was measured: published training runs lie between 1 and 10 %."""


class Spread(Value):
    """How much runs differ: relative standard deviations of either arm's cost per unit, or of pairs within blocks.

    `pairs` is that of the relative difference of one run of each arm inside a block; None where runs are not blocked.
    `nu` are the degrees of freedom behind either arm's figure, or twice those of the pairs; None for an assumption.
    """

    source: Literal["pilot", "given", "assumed"]
    incumbent: float
    candidate: float
    pairs: float | None
    nu: tuple[float, float] | None = None

    @classmethod
    def of_cv(cls, cv: float, source: Literal["given", "assumed"]) -> "Spread":
        """Both arms alike, one run of each in a block, and nothing gained by the block."""
        return cls(source=source, incumbent=cv, candidate=cv, pairs=math.sqrt(2) * cv)

    def cautious(self) -> "Spread | None":
        """What the true spread stays below with 80 % confidence; None where nothing was measured."""
        if self.nu is None:
            return None
        a, b = self.nu
        return self.model_copy(
            update={
                "incumbent": upper_spread(self.incumbent, a),
                "candidate": upper_spread(self.candidate, b),
                "pairs": None if self.pairs is None else upper_spread(self.pairs, a),
            }
        )

    def power(self, effect: float, runs: int, alpha: float, per_block: int = 1) -> float:
        """Power to tell a log ratio from none with that many runs an arm, one-sided at alpha.

        Several runs a block count by their mean: the blocks are the observations, and too few of them are a
        screening that proves nothing.
        """
        if self.pairs is None:
            return power_of(self.incumbent, self.candidate, effect, runs, alpha)
        blocks = math.ceil(runs / per_block)
        if blocks < ENOUGH_RUNS:
            return 0.0
        return paired_power_of(self.pairs / math.sqrt(runs / blocks), effect, blocks, alpha)

    def half_width(self, runs: int, confidence: float, per_block: int = 1) -> float:
        """Half of the two-sided interval of the log ratio that such a pilot is expected to give; ∞ for one block."""
        quantile = (1 + confidence) / 2
        if self.pairs is not None:
            blocks = math.ceil(runs / per_block)
            return t_quantile(quantile, blocks - 1) * self.pairs / math.sqrt(runs) if blocks > 1 else math.inf
        a, b = self.incumbent**2 / runs, self.candidate**2 / runs
        return t_quantile(quantile, welch_nu(a, runs, b, runs)) * math.sqrt(a + b)


def spread_of(decision: Decision, cv: float | None) -> Spread:
    """As given, else that of the runs so far (cost before time), else the assumption."""
    if cv is not None:
        return Spread.of_cv(cv, "given")
    measured = (_measured(decision, c) for c in (decision.cost, decision.time) if c is not None)
    return next((spread for spread in measured if spread is not None), Spread.of_cv(ASSUMED_CV, "assumed"))


def _measured(decision: Decision, comparison: Comparison) -> Spread | None:
    """The spread of the runs so far; None where they tell none.

    A failed run spreads the bill over less work, and runs of blocks that the arms do not share are no observations of
    their own: there it is that of the whole ratio.
    """
    theta = comparison.theta
    if not theta.se_log or theta.nu is None or decision.incumbent is None or decision.candidate is None:
        return None
    arms = [comparison.arms[name] for name in (decision.incumbent, decision.candidate)]
    fewest = min(arm.n_worked for arm in arms)
    own_blocks = 0 < theta.units < fewest and not theta.paired
    if own_blocks or any(arm.n_failed or arm.cv is None for arm in arms):
        each = theta.se_log * math.sqrt(fewest / 2)
        cvs: Sequence[float] = (each, each)
    else:
        cvs = [arm.cv or 0.0 for arm in arms]
    pairs = theta.se_log * math.sqrt(max(theta.nu + 1, fewest)) if theta.paired else None
    nu = (theta.nu, theta.nu) if theta.paired else (max(arms[0].n_worked - 1.0, 1.0), max(arms[1].n_worked - 1.0, 1.0))
    return Spread(source="pilot", incumbent=cvs[0], candidate=cvs[1], pairs=pairs, nu=nu)
