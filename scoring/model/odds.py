"""How likely the recommended plan is to beat staying, and what could be negotiated: values that a decision hands on."""

from datetime import date
from enum import StrEnum

from scoring.model.base import Value


class Odds(Value):
    """The recommended plan against the cheapest stay, in `draws` of the cost ratio and, where given, of demand.

    Where staying is recommended it is the plan that pays first were the ratio lower, and `recommended` is False.
    `p_saves` is the share of draws in which the plan costs less than staying. `regret_move` and `regret_stay` are
    what moving and what staying cost more than the other on average, 0 in draws in which they do not. `saving_mean`,
    `saving_lo` and `saving_hi` are the mean and the ends of `level` of the draws. The three shares tell in which
    draws the best plan of all would begin in the plan's month, in another one, or never; they add up to 1.
    """

    draws: int
    seed: int
    level: float
    demand_low: float | None = None
    demand_high: float | None = None
    recommended: bool
    starts_at: int
    full_at: int
    p_saves: float
    regret_move: float
    regret_stay: float
    saving_mean: float
    saving_lo: float
    saving_hi: float
    share_same_month: float
    share_other_month: float
    share_never: float


class Ask(StrEnum):
    """What could be agreed otherwise: a lever of the negotiation."""

    RATE = "rate"
    COMMITMENT = "commitment"
    ENDS_EARLIER = "ends-earlier"
    RENEWAL_SHORTER = "renewal-shorter"
    RELEASE = "release"
    NOTICE_LATER = "notice-later"
    CAPACITY = "capacity"
    CANDIDATE_PRICE = "candidate-price"
    INCUMBENT_PRICE = "incumbent-price"
    MONTH_EARLIER = "month-earlier"
    EARLIEST_MONTH = "earliest-month"


class Side(StrEnum):
    """Whose provider must agree."""

    INCUMBENT = "incumbent"
    CANDIDATE = "candidate"


class Lever(Value):
    """One fact agreed otherwise, and what that is worth: what the best plan, or staying, costs less over the horizon.

    `now` and `then` are the figure before and after, a rate or price per hour, hours a month, instances or a currency
    amount by what the ask is; `day_now` and `day_then` the last day of a term or of notice. `starts_on` is the month
    in which the best plan then begins, None where staying is best then. `worth` is in the decision's currency.
    `only_if_missed`: it is worth that where notice is not given by `day_now`, and nothing where it is.
    """

    ask: Ask
    side: Side
    provider: str | None = None
    contract_id: str | None = None
    now: float | None = None
    then: float | None = None
    day_now: date | None = None
    day_then: date | None = None
    worth: float
    starts_on: date | None = None
    only_if_missed: bool = False


class Negotiation(Value):
    """Levers by what they are worth, the greatest first; `contracts_left_out` were too many to weigh."""

    levers: tuple[Lever, ...] = ()
    contracts_left_out: int = 0
