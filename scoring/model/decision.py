"""A decision holds everything that any renderer shows: renderers compute nothing, they lay out."""

from datetime import date
from enum import StrEnum

from scoring.model.base import Value
from scoring.model.contract import Contract
from scoring.model.deadline import DueDate
from scoring.model.diagnostics import Diagnostics
from scoring.model.economics import Economics
from scoring.model.estimates import DifferenceEstimate, Direction, RatioEstimate, SampleSize
from scoring.model.history import History
from scoring.model.looks import EarlierLook, Looks
from scoring.model.pilot import Phase, Pilot, Run, WithinRun
from scoring.model.portability import PortingSummary
from scoring.model.problem import Problem
from scoring.model.records import ProcessingRecord
from scoring.model.regret import Regret
from scoring.model.settings import Settings
from scoring.model.signing import Signing


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

    `cost` is in the comparison's currency (None where the price is not known); `hours` are instance-hours. `weight`
    is how much it counts in its arm's totals: 1 but where blocks are shared and unevenly filled
    (`scoring/statistics/blocks.py`).
    """

    run: Run
    hours: float | None
    cost: float | None
    work: float
    price_per_hour: float | None = None
    note: str | None = None
    weight: float = 1.0


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

    @property
    def n_worked(self) -> int:
        """Runs that did work: the failed ones are on the bill and are no observations of what work costs."""
        return self.n - self.n_failed


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

    `proven_lower` and `proven_upper` are the one-sided bounds of the difference at the level of this look; they decide.
    `in_percent`: posted as per cent and held as fractions; an absolute margin was given in points and is held alike.
    """

    metric: str
    direction: Direction
    margin: float
    margin_is_relative: bool
    margin_is_default: bool
    in_percent: bool = False
    difference: DifferenceEstimate
    proven_lower: float | None = None
    proven_upper: float | None = None
    non_inferior: bool | None
    inferior: bool | None
    paired: bool
    arms: dict[str, QualityArm]


class LatencyComparison(Value):
    """One latency metric (such as `ttft_p99`), seconds; `passes` None where the data cannot tell.

    `is_guardrail` is False for metrics that are shown only. `limit_s` None: judged against the incumbent within
    `margin` (a ratio of 1 + margin). `within` holds, for arms with one repetition of posted requests, the quantile's
    bounds inside that run; a `ratio` qualified `within-one-run` speaks of those two runs only and decides nothing.
    `block_means` are what a limit is judged by where the candidate's repetitions share blocks. `proven_lower` and
    `proven_upper` are the one-sided bounds at the level of this look that decide: the candidate's seconds where there
    is a limit, else the ratio; None where the data cannot tell.
    """

    metric: str
    ratio: RatioEstimate
    arms: dict[str, float]
    within: dict[str, WithinRun] = {}
    repetitions: dict[str, tuple[float, ...]] = {}
    block_means: dict[str, tuple[float, ...]] = {}
    limit_s: float | None = None
    margin: float
    candidate_upper_s: float | None = None
    proven_lower: float | None = None
    proven_upper: float | None = None
    is_guardrail: bool
    passes: bool | None
    fails: bool | None


class Flip(Value):
    """What would change the answer, as a code with arguments."""

    code: str
    arguments: dict[str, str | int | float] = {}


class Claim(Value):
    """One comparison of a posting that holds several, and what is left of its answer when they are tested together.

    `alone` is the answer that it would get alone, `word` the one after the correction. `p_cost` tests that the cost
    ratio is not below `k`, `p_guardrails` that a guardrail does not hold, one-sided and over all looks; `p` is the
    largest of them, since each must pass. `p_adjusted` is Holm's and `p_triage` Benjamini and Hochberg's; all are None
    where no claim is possible (fewer than three runs, no interval, an unanswered question). `level` is what `p` had
    to reach. `rank` is the order to look at, 1 first. `is_chosen`: the candidate that its workload is answered with.
    `saving` is the recommended plan's in the decision's currency. `look` is what this look at it was.
    """

    workload: str | None = None
    phase: Phase | None = None
    incumbent: str
    candidate: str
    word: Word | None
    alone: Word | None
    basis: Basis | None = None
    is_chosen: bool = True
    theta: RatioEstimate | None = None
    k: float = 1.0
    p_cost: float | None = None
    p_guardrails: dict[str, float] = {}
    p: float | None = None
    p_adjusted: float | None = None
    p_triage: float | None = None
    level: float | None = None
    rank: int
    saving: float | None = None
    look: EarlierLook | None = None
    reasons: tuple[Reason, ...] = ()

    @property
    def is_proven(self) -> bool:
        """Whether moving is proven after the correction."""
        return self.word in (Word.SWITCH, Word.SPLIT) and self.basis is Basis.PROVEN

    @property
    def has_fallen(self) -> bool:
        """Whether moving is proven alone and not among the others."""
        return any(reason.code == "not-among-several" for reason in self.reasons)


class Multiplicity(Value):
    """All comparisons of a posting, in the order posted; `size` of them could be claimed and are counted."""

    method: str = "holm"
    alpha: float
    size: int
    claims: tuple[Claim, ...]


class Decision(Value):
    """The engine's answer to one posting: schema `steelyard/decision/1` is made from it.

    `others` are the decisions for further workloads or phases of the same posting, each with its own verdict.
    `multiplicity` is there where a posting holds several comparisons (workloads, phases or candidates); each of its
    decisions has it. `rivals` are the candidates of this workload that were not chosen. `dates` are the days of the
    whole book and the settings, with those marked that this decision rests on; None where a mistake in them hides some.
    `records` is the draft entry for the records of processing, for those who ask for one. `portability` is the summary
    of the porting map that was compared with, None without one.

    What the engine does not know is set by who asks it: `thread` is where it was asked (`owner/name#12`; None: on a
    command line), `history` what was decided there before, `signing` who has to sign. `document` is the hash of the
    record, once it was made.
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
    diagnostics: Diagnostics | None = None
    economics: Economics
    regret: Regret | None = None
    looks: Looks | None = None
    next_runs: SampleSize | None = None
    flips: tuple[Flip, ...] = ()
    problems: tuple[Problem, ...] = ()
    pilot: Pilot
    runs: tuple[CostedRun, ...] = ()
    contracts: tuple[Contract, ...] = ()
    dates: tuple[DueDate, ...] | None = None
    records: ProcessingRecord | None = None
    portability: PortingSummary | None = None
    settings: Settings
    settings_given: tuple[str, ...] = ()
    others: tuple["Decision", ...] = ()
    claim: Claim | None = None
    rivals: tuple[Claim, ...] = ()
    multiplicity: Multiplicity | None = None
    thread: str | None = None
    history: History | None = None
    signing: Signing | None = None
    document: str | None = None
