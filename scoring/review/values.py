"""The review: schema `steelyard/review/1` is made from it, and every figure of comment, workbook and calendar."""

from datetime import date
from enum import StrEnum

from pydantic import Field

from scoring.contracts.portfolio.values import Question, Unit
from scoring.model.base import Value
from scoring.model.deadline import DueDate
from scoring.model.economics import DeadlineStatus
from scoring.model.money import Currency
from scoring.model.problem import Problem
from scoring.quarter.answer import Contradiction, QuarterPlan
from scoring.review.given import DecisionFact, DecisionKey, Outcome
from scoring.sign_off import State


class Position(Value):
    """One contract in one quarter; `promised`, `used`, `wasted` are in the contract's unit, used + wasted = promised.

    `cost` is paid whatever is used, and what used hours beyond a paid minimum cost; `wasted_cost` the part of it that
    nothing uses. In the review's currency, undiscounted.
    """

    quarter: str
    promised: float
    used: float
    wasted: float
    cost: float
    wasted_cost: float
    utilisation: float | None


class ContractPosition(Value):
    """One contract in the term that runs on the review's day, quarter by quarter; months have their own figures."""

    contract_id: str
    kind: str
    provider: str | None
    owner: str | None
    unit: Unit
    starts_on: date
    ends_on: date
    notice_deadline: date | None
    notice_status: DeadlineStatus
    renewal: str
    quarters: tuple[Position, ...]
    promised: tuple[float, ...]
    used: tuple[float, ...]
    wasted: tuple[float, ...]
    cost: tuple[float, ...]


class WorkPosition(Value):
    """One workload in one quarter: covered + overage = hours. `contract_cost` is its part of the contracts' cost."""

    workload: str
    quarter: str
    hours: float
    covered_hours: float
    overage_hours: float
    overage_cost: float
    contract_cost: float


class QuarterTotal(Value):
    """All contracts and workloads of a quarter. `cost` = `commitment_cost` + `overage_cost`.

    `used_share` is the part of the commitments' cost that something uses, None where nothing is paid.
    """

    quarter: str
    commitment_cost: float
    wasted_cost: float
    overage_cost: float
    cost: float
    used_share: float | None
    hours: float
    covered_hours: float


class Unassigned(Value):
    """What a contract promises in a quarter and nothing uses; `average_per_month` in its unit."""

    contract_id: str
    quarter: str
    unit: Unit
    amount: float
    average_per_month: float
    cost: float


class QuarterDate(Value):
    """A day of the book or the settings, with the quarter that it falls in; a missed notice has that of its day."""

    quarter: str
    due: DueDate


class DecisionRow(Value):
    """One decision of the ledger. `is_latest` of its issue and comparison; `is_new` since the last review.

    `state` None: nobody has to sign. `missing` are the roles whose approval is.
    """

    fact: DecisionFact
    is_latest: bool
    is_new: bool
    state: State | None = None
    missing: tuple[str, ...] = ()


class Check(Value):
    """A forecast with its interval against what happened. `what` is `cost` (a ratio) or a quality metric.

    `inside` None: there was no interval. `keeps_margin` of a quality: whether the loss is within the margin. `counted`
    in the calibration: the decision's last one of this figure.
    """

    what: str
    forecast: float | None
    lo: float | None
    hi: float | None
    level: float
    actual: float
    inside: bool | None
    keeps_margin: bool | None = None
    counted: bool = False


class OutcomeRow(Value):
    """What happened to one decision in one period, against what it said.

    `stay_cost` and `planned_cost` are the forecast of an average month of the period, `saved` what staying would have
    cost by that forecast less the actual month, and `saved_months` in how many of its months: each month of a work
    counts once, by the row of the fewest days, of equal ones by the last. `after_move` is False where the work had not
    all moved by then: its costs then say nothing about the ratio. `repository` is whose issue it is, None for the
    home's.
    """

    outcome: Outcome
    repository: str | None = None
    issue: int
    seq: int
    part: int
    workload: str | None
    currency: Currency
    after_move: bool
    checks: tuple[Check, ...] = ()
    stay_cost: float | None = None
    planned_cost: float | None = None
    saved: float | None = None
    saved_months: int = Field(default=0, ge=0)

    @property
    def key(self) -> DecisionKey:
        """That of its decision."""
        return self.repository or "", self.issue, self.seq, self.part


class CalibrationStep(Value):
    """All outcomes until the end of a quarter: how many, and how many inside their interval."""

    quarter: str
    n: int
    inside: int


class Calibration(Value):
    """How many outcomes fell into the interval that was given for them; each decision counts once, by its last period.

    `lo` and `hi` are the exact binomial interval of the share, of 95 %. `is_enough`: at least ten outcomes; with fewer
    the share says little. `agrees`: the level of the intervals lies in it. `what` is `cost` or `quality`.
    """

    what: str
    level: float
    n: int
    inside: int
    share: float | None
    lo: float
    hi: float
    is_enough: bool
    agrees: bool
    steps: tuple[CalibrationStep, ...] = ()


class OpenWhy(StrEnum):
    """Why a pilot is open."""

    MORE_RUNS = "more-runs"
    BLOCKED = "blocked"
    UNSIGNED = "unsigned"
    REJECTED = "rejected"


class WorthOf(StrEnum):
    """What the worth of an open pilot is: of more runs, net of their cost, or of carrying its recommendation out."""

    RUNS = "runs"
    SAVING = "saving"


class OpenPilot(Value):
    """A pilot that waits for something, by what it is worth in the review's currency; `rank` is 1 for the most.

    `worth` None: nobody can tell. `lo` and `hi` are the ends of a saving's range. `repository` is whose issue it is,
    None for the home's.
    """

    rank: int
    repository: str | None = None
    issue: int
    seq: int
    part: int
    workload: str | None
    verdict: str
    why: OpenWhy
    since: date
    worth: float | None
    worth_of: WorthOf | None
    lo: float | None = None
    hi: float | None = None
    further_runs: int | None = None
    missing: tuple[str, ...] = ()

    @property
    def place(self) -> tuple[str, int, int]:
        """Repository, issue and comparison."""
        return self.repository or "", self.issue, self.part


class RiskCode(StrEnum):
    """What may go wrong, or has."""

    NOTICE_MISSED = "notice-missed"
    QUOTE_EXPIRES = "quote-expires"
    QUOTE_EXPIRED = "quote-expired"
    OPTION_EXPIRES = "option-expires"
    CAPACITY_EXPIRES = "capacity-expires"
    CAPACITY_EXPIRED = "capacity-expired"
    NOT_CARRIED_OUT = "not-carried-out"
    NOT_SIGNED_IN_TIME = "not-signed-in-time"
    OUTCOME_OUTSIDE = "outcome-outside"
    QUALITY_LOST = "quality-lost"
    UNDER_USED = "under-used"


class Risk(Value):
    """One risk; `subject` is a contract, a price, a region or a workload, `amount` what it is about, where known.

    `issue` is the decision's, in `repository`, None for the home. `what` is the metric of an outcome.
    """

    code: RiskCode
    subject: str
    day: date | None = None
    amount: float | None = None
    currency: Currency | None = None
    repository: str | None = None
    issue: int | None = None
    share: float | None = None
    what: str | None = None


class ReviewChange(Value):
    """What is otherwise than in the last review: `before` and `after` are plain words or figures as text."""

    code: str
    subject: str
    before: str | None = None
    after: str | None = None


class Review(Value):
    """One quarter as it looks on the day `on`. Amounts are in `currency`, undiscounted.

    `months` are the first days of the months of this and the next two quarters. `since` is the day from which
    decisions are new: the day after the last review, else the first day of the quarter before. `plan` is None without
    work. `problems` are what could not be read or counted. `repositories` are the others whose ledgers and books are
    in it, `lacking` those that the home lists and that are in no figure.
    """

    quarter: str
    quarters: tuple[str, ...]
    on: date
    currency: Currency
    language: str
    previous: str | None
    since: date
    months: tuple[date, ...]
    totals: tuple[QuarterTotal, ...] = ()
    contracts: tuple[ContractPosition, ...] = ()
    work: tuple[WorkPosition, ...] = ()
    unassigned: tuple[Unassigned, ...] = ()
    dates: tuple[QuarterDate, ...] = ()
    decisions: tuple[DecisionRow, ...] = ()
    outcomes: tuple[OutcomeRow, ...] = ()
    calibration: tuple[Calibration, ...] = ()
    pilots: tuple[OpenPilot, ...] = ()
    risks: tuple[Risk, ...] = ()
    changes: tuple[ReviewChange, ...] = ()
    plan: QuarterPlan | Contradiction | None = None
    questions: tuple[Question, ...] = ()
    problems: tuple[Problem, ...] = ()
    repositories: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
