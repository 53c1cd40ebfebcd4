"""Days by which something must be said, confirmed or ordered: of every contract, price and capacity of a book."""

from datetime import date
from enum import StrEnum

from scoring.model.base import Value
from scoring.model.contract import Source
from scoring.model.economics import DeadlineStatus
from scoring.model.money import Currency


class DueKind(StrEnum):
    """What the day is."""

    NOTICE = "notice"
    TERM_END = "term-end"
    RAMP_STEP = "ramp-step"
    TRUE_UP = "true-up"
    EXTENSION = "extension"
    QUOTE = "quote"
    OPTION = "option"
    CAPACITY = "capacity"
    EARLY_NOTICE = "early-notice"
    EARLY_END = "early-end"


class Advice(StrEnum):
    """What the recommendation asks of a notice."""

    GIVE = "give"
    LET_RENEW = "let-renew"
    NONE = "none"


class DueDate(Value):
    """One day of one contract, quoted price, offered commitment or confirmed capacity.

    `subject` is the contract's or offer's id, what the price is of, or the capacity's region; `number` counts several
    of a kind from 1, so that subject, kind and number name the day whatever date it has. `status` is `missed` for a
    notice whose day has passed while the term still runs. `renewed_until` and `obligation` (in `currency`, the
    contract's own, over the whole renewed term, undiscounted) are what a missed notice leads to, or would lead to.
    `cost_of_missing` is what the recommended plan then costs more, in the decision's currency, `cost_of_having_missed`
    what it costs more since the notice was missed; None where that is not known. `opens_on` is the
    first day on which an extension can be asked for. `matters`: within the horizon of this decision, and of a
    contract, price or capacity that it rests on. `in_command`: given with one command and not by the repository's
    files. Of a contract that the recommended plan leaves before its end, `early-end` is the day, `early-notice` the
    last one on which to say so.
    """

    kind: DueKind
    subject: str
    number: int = 1
    day: date
    days_left: int
    status: DeadlineStatus = DeadlineStatus.DUE
    owner: str | None = None
    provider: str | None = None
    opens_on: date | None = None
    renewal: str = "none"
    renewal_months: int = 0
    renewed_until: date | None = None
    obligation: float | None = None
    currency: Currency | None = None
    cost_of_missing: float | None = None
    cost_of_having_missed: float | None = None
    advice: Advice = Advice.NONE
    matters: bool = False
    in_command: bool = False
    source: Source = Source()
