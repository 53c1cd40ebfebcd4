"""A decision holds everything that any renderer shows: renderers compute nothing, they lay out."""

from datetime import date
from enum import StrEnum

from scoring.model.base import Value
from scoring.model.contract import Contract
from scoring.model.economics import Economics
from scoring.model.estimates import DifferenceEstimate, Direction, RatioEstimate, SampleSize
from scoring.model.pilot import Phase, Pilot, Run
from scoring.model.problem import Problem
from scoring.model.settings import Settings


class Word(StrEnum):
    """The five answers."""

    SWITCH = "SWITCH"
    STAY = "STAY"
    SPLIT = "SPLIT"
    EXTEND = "EXTEND"
    BLOCKED = "BLOCKED"


class Basis(StrEnum):
    """What an answer rests on: an interval, money without proof, or a rule of the house."""

    PROVEN = "proven"
    ECONOMIC = "economic"
    POLICY = "policy"


class Reason(Value):
    """Why, as a code with arguments; its sentence stands in `templates/comments/<lang>/reasons.yml`."""

    code: str
    arguments: dict[str, str | int | float] = {}


class Verdict(Value):
    """The answer. `word` None: the input gives none, and the problems say why.

    `on` is the day on which the first work moves (SWITCH, SPLIT), `full_on` the day from which everything does.
    """

    word: Word | None
    on: date | None = None
    full_on: date | None = None
    basis: Basis | None = None
    reasons: tuple[Reason, ...] = ()


class CostedRun(Value):
    """A run that counts, with what it cost and the work it did; the memo's table of the pilot.

    `cost` is in the comparison's currency (None where the price is not known); `hours` are instance-hours.
    """

    run: Run
    hours: float | None
    cost: float | None
    work: float
    price_per_hour: float | None = None
    note: str | None = None


class ArmResult(Value):
    """One arm's totals. Per-unit figures are totals over totals: the bill over the work, failed runs included."""

    arm: str
    n: int
    n_failed: int = 0
    cost_per_unit: float | None = None
    duration_per_unit_s: float | None = None
    hours_per_unit: float | None = None
    price_per_hour: float | None = None
    price_source: str | None = None
    cv: float | None = None
    error_rate: float | None = None
    work: float = 0.0
    instance_type: str | None = None
    accelerator: str | None = None
    region: str | None = None
    initialisation_first_s: float | None = None
    initialisation_mean_s: float | None = None
    slow_run_bound: float | None = None


class Comparison(Value):
    """A cost or time comparison for the same work, with the arms by name."""

    unit: str
    currency: str | None = None
    theta: RatioEstimate
    arms: dict[str, ArmResult]
    sensitivity: dict[str, RatioEstimate] = {}


class QualityArm(Value):
    """One arm's quality: the values that were compared, in run order."""

    mean: float | None
    n: int
    sd: float | None = None
    values: tuple[float, ...] = ()


class QualityComparison(Value):
    """Non-inferiority of one metric; `margin_is_default` when the team has not set one.

    `in_percent`: posted as per cent and held as fractions; an absolute margin was given in points and is held alike.
    """

    metric: str
    direction: Direction
    margin: float
    margin_is_relative: bool
    margin_is_default: bool
    in_percent: bool = False
    difference: DifferenceEstimate
    non_inferior: bool | None
    inferior: bool | None
    paired: bool
    arms: dict[str, QualityArm]


class LatencyComparison(Value):
    """One latency metric (such as `ttft_p99`), seconds; `passes` None where the data cannot tell.

    `is_guardrail` is False for metrics that are shown only. `limit_s` None: judged against the incumbent within
    `margin` (a ratio of 1 + margin).
    """

    metric: str
    ratio: RatioEstimate
    arms: dict[str, float]
    repetitions: dict[str, tuple[float, ...]] = {}
    limit_s: float | None = None
    margin: float
    candidate_upper_s: float | None = None
    is_guardrail: bool
    passes: bool | None
    fails: bool | None


class Flip(Value):
    """What would change the answer, as a code with arguments."""

    code: str
    arguments: dict[str, str | int | float] = {}


class Decision(Value):
    """The engine's answer to one posting: schema `steelyard/decision/1` is made from it.

    `others` are the decisions for further workloads or phases of the same posting, each with its own verdict.
    """

    decided_on: date
    workload: str | None = None
    phase: Phase | None = None
    incumbent: str | None = None
    candidate: str | None = None
    verdict: Verdict
    cost: Comparison | None = None
    time: Comparison | None = None
    with_first_run_left_out: RatioEstimate | None = None
    with_initialisation: RatioEstimate | None = None
    quality: tuple[QualityComparison, ...] = ()
    latency: tuple[LatencyComparison, ...] = ()
    economics: Economics
    next_runs: SampleSize | None = None
    flips: tuple[Flip, ...] = ()
    problems: tuple[Problem, ...] = ()
    pilot: Pilot
    runs: tuple[CostedRun, ...] = ()
    contracts: tuple[Contract, ...] = ()
    settings: Settings
    settings_given: tuple[str, ...] = ()
    others: tuple["Decision", ...] = ()
