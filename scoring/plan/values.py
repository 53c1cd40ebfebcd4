"""What a plan is asked and what it answers: values that renderers lay out and that `--json` prints."""

import math
from typing import Literal

from scoring.decide import ENOUGH_RUNS
from scoring.model.base import Value
from scoring.plan.spread import Spread


class PlanRequest(Value):
    """What is asked: a number of runs an arm, a saving to be told from none, or an interval's half width (a share).

    `cost_per_run` is of the incumbent and of the candidate. `per_block` is how many runs of each arm a block (a day,
    an instance) takes. What is not asked comes from the pilot so far, or from defaults that are named.
    """

    runs: int | None = None
    detect: float | None = None
    half_width: float | None = None
    cost_per_run: tuple[float, float] | None = None
    cv: float | None = None
    per_block: int = 1
    seed: int


class Aim(Value):
    """Runs an arm that tell a saving from none with power .8: at the spread as it is, and at its cautious bound.

    None where it takes more than the plan's limit, or where there is no cautious bound.
    """

    detect: float
    likely: int | None
    safe: int | None


class GuardrailNeed(Value):
    """Runs an arm with which a guardrail passes with power .8 where the candidate is truly as good as the incumbent.

    Against `limit_s` (seconds) the candidate is taken to be as fast as it was measured. `margin` is held as in the
    decision. `spread` is the standard deviation between runs on the scale of the margin (of logs for a relative one
    and for latency), None where nothing was measured: then `tolerated` is the widest with which the planned runs pass.
    `holds` where the runs so far already show it. `likely` and `safe` are None above the plan's limit, or where
    nothing was measured.
    """

    kind: Literal["quality", "latency"]
    metric: str
    margin: float
    margin_is_relative: bool
    in_percent: bool = False
    limit_s: float | None = None
    holds: bool = False
    spread: float | None = None
    tolerated: float | None = None
    likely: int | None = None
    safe: int | None = None


class Allocation(Value):
    """A hint where one arm's runs cost much more: so many `cheap` runs for each `dear` one tell the same for less.

    `ratio` is √(cost of the dear / cost of the cheap); `saved` the share of the pilot's cost (Cochran 1977, 5.5).
    """

    cheap: str
    dear: str
    ratio: float
    saved: float


class Stake(Value):
    """What the decision is about: `spend` is what staying costs over the horizon, in the plan's currency.

    `seen` is the smallest saving that the plan can see as an amount; `pays_from` the saving, as a share of `spend`,
    that the pilot itself costs.
    """

    spend: float
    months: int
    seen: float | None
    pays_from: float | None


class Worth(Value):
    """Further `runs` of each arm, from now, at which their expected value exceeds their `cost` most; 0 where none do.

    `delay` is the part of the cost that waiting makes up.

    `value` is the expected value of sample information (EVSI), of the best number even where it does not pay.
    """

    runs: int
    value: float
    cost: float
    delay: float = 0.0


class PlannedRun(Value):
    """One line of the run sheet, in the order of running."""

    arm: str
    run: int
    block: str


class RunPlan(Value):
    """The plan. `runs` an arm in all, `done` of them already posted; costs are of one run, in `currency`.

    `settled` says that the runs so far give a verdict and more were not asked for. `smallest_saving` is what is told
    from none with power .8, None where nothing below 95 % is; `half_width` is the expected half interval as a share,
    None for a single block. `reached` is False where the aim takes more runs than `limit`, the declared most runs an
    arm. `decided_by` names what took most runs: `cost`, a guardrail's metric, `half-width`, `asked`, or `settle` for
    what settles the pilot so far. `spent` is
    what all looks up to `runs` may be wrong in. `runs_if_every` is what the saving takes where
    somebody compares after every run, None where it was not what decided, or above the limit. `declare` is the limit
    to declare, None where `limit_is_set`, and `runs_if_declared` what the saving then takes. `sheet_of` is what every
    line of the sheet says (workload, phase); `columns` are those to fill in.
    """

    incumbent: str
    candidate: str
    runs: int
    done: int
    limit: int
    limit_is_set: bool
    declare: int | None
    runs_if_declared: int | None
    runs_if_every: int | None
    reached: bool
    settled: bool
    detect: float | None
    asked_half_width: float | None
    decided_by: str
    spread: Spread
    smallest_saving: float | None
    half_width: float | None
    power: float
    spent: float
    confidence: float
    aims: tuple[Aim, ...]
    guardrails: tuple[GuardrailNeed, ...]
    currency: str
    cost_incumbent: float | None
    cost_candidate: float | None
    allocation: Allocation | None
    stake: Stake | None
    worth: Worth | None
    seed: int
    per_block: int
    sheet: tuple[PlannedRun, ...]
    sheet_of: dict[str, str]
    columns: tuple[str, ...]

    @property
    def more(self) -> int:
        """Runs an arm that are still to be made."""
        return max(self.runs - self.done, 0)

    @property
    def too_few_blocks(self) -> bool:
        """Whether the planned runs stand in so few blocks that nothing is proven."""
        return self.spread.pairs is not None and math.ceil(self.runs / self.per_block) < ENOUGH_RUNS

    @property
    def blocks(self) -> int:
        """Blocks of the run sheet."""
        return len({run.block for run in self.sheet})

    def cost_of(self, runs: int) -> float | None:
        """What that many runs of each arm cost together; None where a run's cost is not known."""
        if self.cost_incumbent is None or self.cost_candidate is None:
            return None
        return runs * (self.cost_incumbent + self.cost_candidate)
