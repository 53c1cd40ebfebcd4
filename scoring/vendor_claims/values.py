"""What a statement claims, why one cannot be read, and how a pilot judges one."""

from enum import StrEnum

from scoring.model.base import Value
from scoring.model.estimates import SampleSize


class Metric(StrEnum):
    """Of what a ratio is claimed; the pilot's ratios are of cost and of time per unit of work, no other is tested."""

    COST = "cost"
    TIME = "time"
    ENERGY = "energy"
    LATENCY = "latency"
    QUALITY = "quality"
    MEMORY = "memory"


class Reading(Value):
    """A ratio of cost or time per unit of work, candidate over incumbent, that a statement may mean."""

    metric: Metric
    ratio: float


class Statement(Value):
    """A claim as read: the ratio (candidate / incumbent, per unit of work) is not below `low` nor above `high`.

    `ratio` is the figure itself. `is_limit`: an "up to", which promises no least effect. `unit` is the work that it
    speaks of, in the engine's word where that is known (None: any). `subject` and `reference` are the texts on
    either side of a "than". `notes` are codes of what was understood on the reader's behalf.
    """

    text: str
    metric: Metric
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    is_limit: bool = False
    unit: str | None = None
    subject: str = ""
    reference: str = ""
    notes: tuple[str, ...] = ()

    def inverted(self) -> "Statement":
        """The same claim of the incumbent against the candidate."""
        low, high = (None if x is None else 1 / x for x in (self.high, self.low))
        ratio = None if self.ratio is None else 1 / self.ratio
        return self.model_copy(update={"ratio": ratio, "low": low, "high": high})


class Unclear(Value):
    """A statement that is asked back: the code of the question and the readings between which it leaves the choice.

    `is_limit`: it says "up to", whichever reading is meant.
    """

    text: str
    code: str
    readings: tuple[Reading, ...] = ()
    is_limit: bool = False


class Word(StrEnum):
    """How a claim stands against a pilot."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not-supported"
    CONTRADICTED = "contradicted"
    NOT_TESTED = "not-tested"


class Judgement(Value):
    """A claim against one comparison. `lower` and `upper` bound the ratio however often it was looked at.

    `statement` is oriented as candidate over incumbent. `reason` says why nothing was tested. `as_least` judges an
    "up to" as if it promised at least its figure. `more` are further runs an arm that decide an open claim with
    power .8, None where runs do not.
    """

    statement: Statement
    word: Word
    incumbent: str | None = None
    candidate: str | None = None
    reason: str | None = None
    point: float | None = None
    lower: float | None = None
    upper: float | None = None
    alpha: float | None = None
    as_least: Word | None = None
    more: SampleSize | None = None
    inverted: bool = False
    notes: tuple[str, ...] = ()
