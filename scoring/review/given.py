"""What a review rests on: decisions of the ledger, what really happened, work, contracts and settings."""

from datetime import date
from typing import Annotated

from pydantic import AwareDatetime, Field

from scoring.model.base import Value
from scoring.model.contract import Contract
from scoring.model.decision import Basis, Word
from scoring.model.economics import Band
from scoring.model.estimates import Direction
from scoring.model.money import Currency
from scoring.model.settings import Demand, Settings
from scoring.model.signing import Signature, Signing
from scoring.review.given_supply import ReviewedOffer, ReviewedPool

DecisionKey = tuple[str, int, int, int]
"""Repository (empty for the home), issue, decision and comparison: issue numbers alone are those of a repository."""


def issue_name(repository: str | None, issue: int) -> str:
    """`#7` in the home, `train#7` in another repository of the same owner."""
    return f"{(repository or '').rpartition('/')[2]}#{issue}"


class QualityForecast(Value):
    """What a pilot says of one metric: the incumbent's mean, and the candidate's difference with its interval."""

    metric: str
    direction: Direction
    incumbent_mean: float | None
    difference: float | None
    lo: float | None = None
    hi: float | None = None
    margin: float
    margin_is_relative: bool
    in_percent: bool = False


class MonthForecast(Value):
    """What a month costs at staying and in the recommended plan, undiscounted; without the one-off cost of moving.

    `gone_share` is the part of the work that has left the incumbent by then, given where a move takes months.
    """

    starts_on: date
    stay_cost: float
    planned_cost: float
    gone_share: float | None = None


class DecisionFact(Value):
    """One comparison of a decision on the ledger, with the figures that a review asks for.

    Amounts are in `currency`. `saving` is the recommended plan's over its horizon; `theta` the ratio of the cost of a
    unit of work, candidate by incumbent, with its interval at `level`. `runs_worth` is the net value of the best number
    of further runs, `evpi` what knowing the ratio exactly would be worth. `seq` counts the issue's decisions and
    `part` the comparisons of one decision, from 1. `repository` is whose issue it is, None for the home's.
    """

    repository: str | None = None
    issue: int = Field(ge=1)
    seq: int = Field(ge=1)
    part: int = 1
    url: str | None = None
    decided_on: date
    workload: str | None = None
    incumbent: str | None = None
    candidate: str | None = None
    verdict: Word | None
    basis: Basis | None = None
    on: date | None = None
    full_on: date | None = None
    reasons: tuple[str, ...] = ()
    currency: Currency
    horizon_months: int
    saving: Band | None = None
    theta: Band | None = None
    level: float = 0.95
    unit: str | None = None
    incumbent_cost_per_unit: float | None = None
    candidate_cost_per_unit: float | None = None
    quality: tuple[QualityForecast, ...] = ()
    months: tuple[MonthForecast, ...] = ()
    runs_worth: float | None = None
    further_runs: int | None = None
    evpi: float | None = None
    document: str | None = None
    memo_sha256: str | None = None

    @property
    def key(self) -> DecisionKey:
        """Which decision, and which of its comparisons."""
        return self.repository or "", self.issue, self.seq, self.part

    @property
    def moves(self) -> bool:
        """Whether work is to move."""
        return self.verdict in (Word.SWITCH, Word.SPLIT)


class Outcome(Value):
    """What really happened to a decision's work from `starts_on` to `ends_on`.

    `cost_per_unit` is of a unit of the decision's work where it runs now; `incumbent_cost_per_unit` the same on the
    incumbent in that time, where somebody knows it. `monthly_cost` is what a month cost with its commitments. Both in
    the decision's currency. `seq` None: the issue's last decision before `ends_on`. A quality of
    `quality_in_percent` was written in per cent and is held as a fraction. `repository` is whose decisions it may be
    of, None for the home's.
    """

    repository: str | None = None
    issue: int = Field(ge=1)
    seq: int | None = None
    workload: str | None = None
    starts_on: date
    ends_on: date
    cost_per_unit: float | None = Field(default=None, gt=0)
    incumbent_cost_per_unit: float | None = Field(default=None, gt=0)
    monthly_cost: float | None = Field(default=None, ge=0)
    quality: dict[str, float] = Field(default_factory=dict)
    quality_in_percent: tuple[str, ...] = ()
    by: str | None = None
    at: AwareDatetime | None = None
    place: str | None = None
    source: str | None = None
    row: int | None = None


class WorkOption(Value):
    """One way to run a workload. Prices are per instance-hour in the settings' currency.

    `pool` is the id of the capacity whose hours it takes.
    """

    id: str = Field(min_length=1, max_length=100)
    instance_type: str = Field(min_length=1, max_length=100)
    on_demand_price: float = Field(gt=0, le=1e7)
    hours_per_unit: float = Field(gt=0, le=1e12)
    accelerator: str | None = None
    cloud: str | None = None
    region: str | None = None
    zone: str | None = None
    migration_cost: float = Field(default=0.0, ge=0, le=1e12)
    pool: str | None = Field(default=None, min_length=1, max_length=100)
    hours_cap: float | None = Field(default=None, ge=0)
    proven: bool = True
    earliest_on: date | None = None
    savings_plan_rates: dict[str, Annotated[float, Field(gt=0, le=1e7)]] = Field(default_factory=dict)


class ReviewedWorkload(Value):
    """Work with its demand and the ways to run it; `runs_on` is the id of the option that it runs on today."""

    name: str = Field(min_length=1, max_length=100)
    demand: Demand
    runs_on: str
    options: tuple[WorkOption, ...] = Field(min_length=1, max_length=50)
    owner: str | None = None

    @property
    def today(self) -> WorkOption:
        """Where it runs. Raises StopIteration where `runs_on` names no option: the reader refuses that."""
        return next(option for option in self.options if option.id == self.runs_on)


class Signed(Value):
    """Who signs in one repository, and what was signed there. Without signers nobody has to, and nothing is open."""

    signing: Signing = Signing()
    signatures: tuple[Signature, ...] = ()


class ReviewInput(Value):
    """All that a review rests on. `signing` without signers: nobody has to sign, and no decision is open for it.

    `signing` and `signatures` are the home's; `elsewhere` are those of the other repositories, by name: two may hold
    the very same record, and a signature counts where it was given.
    """

    decisions: tuple[DecisionFact, ...] = ()
    signatures: tuple[Signature, ...] = ()
    signing: Signing = Signing()
    outcomes: tuple[Outcome, ...] = ()
    contracts: tuple[Contract, ...] = ()
    workloads: tuple[ReviewedWorkload, ...] = ()
    pools: tuple[ReviewedPool, ...] = ()
    offers: tuple[ReviewedOffer, ...] = ()
    settings: Settings = Settings()
    elsewhere: dict[str, Signed] = Field(default_factory=dict)

    def signed_in(self, repository: str | None) -> Signed:
        """Of a decision's own repository."""
        if repository is None:
            return Signed(signing=self.signing, signatures=self.signatures)
        return self.elsewhere.get(repository, Signed())
