"""The answer: today's plan, the optimal one, its moves with what each saves, what binds, or what contradicts."""

from datetime import date
from enum import StrEnum

from pydantic import Field

from scoring.contracts.portfolio.values import Question
from scoring.model.base import Value
from scoring.model.money import Currency


class BarredReason(StrEnum):
    """Why no plan may take an option. `OVER_CAP` of today's option: it cannot hold the work to the last month.

    `CAPACITY_NOT_CONFIRMED`: of the pool that it draws on nothing is confirmed on any day on which a move could begin.
    """

    REGION_NOT_APPROVED = "region-not-approved"
    REGION_UNKNOWN = "region-unknown"
    NOT_PROVEN = "not-proven"
    CAPACITY_NOT_CONFIRMED = "capacity-not-confirmed"
    TOO_LATE = "too-late"
    OVER_CAP = "over-cap"


class Barred(Value):
    """An option that no plan may take. `worth`: what allowing it could save at most beside the optimal plan.

    None where it could save nothing. It is the plan's own prices that value it, so that the true saving is no larger.
    """

    workload: str
    option: str
    reason: BarredReason
    worth: float | None = None


class MoveKind(StrEnum):
    """What is done: work moves, a contract is let renew, cancelled or left early, a commitment is bought."""

    MOVE = "move"
    RENEW = "renew"
    CANCEL = "cancel"
    LEAVE = "leave"
    BUY = "buy"


class Move(Value):
    """One difference of the optimal plan from today's.

    `subject` is a workload, a contract or an offer. `on` is the day from which it holds, `month` that day's index;
    `deadline` the last day to decide: of a notice, or the day itself. `saving` is what the plan costs more without
    this one move and with all others: savings of moves do not add up. `unproven`: no pilot has shown its figures.
    `subject_to`: codes of what must be true as well. `until`: the last day of what is bought. `beyond`: what is owed
    after the last month, undiscounted and in no cost of the plan. `pays_in`: the share of scenarios in which it saves,
    None where none were drawn.
    """

    kind: MoveKind
    subject: str
    from_option: str | None = None
    to_option: str | None = None
    instances: int | None = None
    month: int
    on: date
    deadline: date
    saving: float
    unproven: bool = False
    subject_to: tuple[str, ...] = ()
    until: date | None = None
    beyond: float = 0.0
    pays_in: float | None = None


class Assignment(Value):
    """Where a workload runs: on `option` from `month` on, before that on today's option."""

    workload: str
    option: str
    month: int


class ContractUse(Value):
    """What a contract or an offer promises and what of it is used in each month.

    In instance-hours; of a plan in currency an hour and of a spend commitment in currency.
    """

    contract: str
    promised: tuple[float, ...]
    used: tuple[float, ...]


class Course(Value):
    """A plan and what it costs: `cost` discounted, `cost_by_month` undiscounted. Commitments are in both."""

    cost: float
    cost_by_month: tuple[float, ...]
    assignments: tuple[Assignment, ...]
    uses: tuple[ContractUse, ...]


class BindingCode(StrEnum):
    """What keeps the optimal plan from saving more, or today's plan from holding."""

    CONTRACT_EXHAUSTED = "contract-exhausted"
    POOL_FULL = "pool-full"
    CONFIRMATION_ENDS = "confirmation-ends"
    POOL_OVER_TODAY = "pool-over-today"
    OPTION_OVER_TODAY = "option-over-today"
    REGION_TODAY = "region-today"


class Binding(Value):
    """Something that binds, in a month where it is about one.

    `contract-exhausted`: `worth` is what one more unit of it would save that month, undiscounted. `pool-full`:
    `workload` would move to `option` and finds no room, worth at most `worth`; `hours` are what it lacks of the pool
    from that month on, so that each of them is worth at most `worth` / `hours`. `confirmation-ends`: it would move
    later than what is confirmed of the pool allows, worth at most `worth`. `pool-over-today`,
    `option-over-today`: today's plan needs more hours than can be had. `region-today`: the workload runs in a region
    that is not approved, or not known.
    """

    code: BindingCode
    subject: str
    month: int | None = None
    workload: str | None = None
    option: str | None = None
    worth: float | None = None
    hours: float | None = None


class OfferFate(StrEnum):
    """What a plan makes of an offer: bought, not worth its price, or not weighed at all and why."""

    BOUGHT = "bought"
    NOT_WORTH = "not-worth"
    NO_USE = "no-use"
    EXPIRED = "expired"
    BEYOND_HORIZON = "beyond-horizon"


class WeighedOffer(Value):
    """An offer and what became of it; `no-use`: nothing that the plan may choose runs on what it covers."""

    offer: str
    fate: OfferFate


class Robustness(Value):
    """The plan over scenarios. Amounts are discounted; regrets are means over the scenarios.

    `saves_in`: share in which it costs less than today's plan. `regret`: what the plan costs more than today's plan,
    0 where it costs less; `regret_of_today` the reverse. `breaches`: for each pool that the plan overfills in some
    scenario, the share in which it does; the hours above are not priced.
    """

    scenarios: int
    saves_in: float
    saving_mean: float
    saving_lo: float
    saving_hi: float
    level: float
    regret: float
    regret_of_today: float
    breaches: dict[str, float] = Field(default_factory=dict)
    solves: int


class QuarterPlan(Value):
    """The answer. `gap` is relative: (optimal.cost − bound) / optimal.cost; no plan costs less than `bound`.

    `in_time` False: the time was up before the gap was reached.
    """

    currency: Currency
    months: tuple[date, ...]
    today: Course
    optimal: Course
    saving: float
    moves: tuple[Move, ...]
    bound: float
    gap: float
    in_time: bool = True
    binding: tuple[Binding, ...] = ()
    offers: tuple[WeighedOffer, ...] = ()
    barred: tuple[Barred, ...] = ()
    questions: tuple[Question, ...] = ()
    robustness: Robustness | None = None


class ConflictKind(StrEnum):
    """Whether it is work that has to run, a pool's cap in a month, or the caps of an option alone."""

    DEMAND = "demand"
    CAP = "cap"


class Conflict(Value):
    """One of the demands and caps that contradict each other: a workload, or a pool in a month."""

    kind: ConflictKind
    subject: str
    month: int | None = None


class Contradiction(Value):
    """Why there is no plan: demands and caps that cannot all hold, and could were any one of them left out.

    `smallest` False: the time was up before each of them was shown to be needed.
    """

    conflicts: tuple[Conflict, ...]
    barred: tuple[Barred, ...] = ()
    smallest: bool = True
