"""How a reply speaks of one decision: its language, names, units and currency."""

from dataclasses import dataclass
from typing import Protocol

from bot.render import figures
from bot.render.locales import speaking, spoken
from bot.render.messages import Messages, catalogue
from bot.render.phrases import unit_name, unit_names
from bot.render.safe_text import literal
from scoring.model.decision import Basis, Decision, Word

UNPROVEN = frozenset({
    "economic-switch", "economic-stay", "point-switch", "point-stay", "guardrail-undecidable", "guardrail-not-judged",
})  # fmt: skip
_SCALES = ((1.0, ""), (1e3, "thousand"), (1e6, "million"), (1e9, "billion"))


class Speaks(Protocol):
    """Whoever tells sentences of the catalogue `comment` in a language."""

    @property
    def language(self) -> str:
        """Of all sentences."""
        ...

    def __call__(self, code: str, **arguments: object) -> str:
        """One sentence."""
        ...


@dataclass(frozen=True)
class Voice:
    """Sentences of the reply with the decision's own words filled in."""

    language: str
    messages: Messages
    reasons: Messages
    incumbent: str
    candidate: str
    currency: str
    confidence_level: float
    unit_scale: float
    unit_name: str
    in_thread: bool = False
    """Whether it speaks on GitHub, where a next step is a slash command."""

    @classmethod
    def of(cls, decision: Decision, in_thread: bool = False) -> "Voice":
        """The voice for one decision."""
        language = decision.settings.language
        messages = catalogue(language, "comment")
        with speaking(language):
            scale, unit = unit_of(decision)
        return cls(
            language=language,
            messages=messages,
            reasons=catalogue(language, "reasons"),
            incumbent=literal(decision.incumbent or messages("nameless-incumbent")),
            candidate=literal(decision.candidate or messages("nameless-candidate")),
            currency=decision.settings.currency,
            confidence_level=decision.settings.confidence,
            unit_scale=scale,
            unit_name=unit,
            in_thread=in_thread,
        )

    def __call__(self, code: str, **arguments: object) -> str:
        names = {"incumbent": self.incumbent, "candidate": self.candidate, "unit": self.unit_name}
        names["confidence"] = self.confidence
        return self.messages(code, **{**names, **arguments})

    def money(self, amount: float, digits: int | None = None) -> str:
        """An amount in the decision's currency."""
        return figures.money(amount, self.currency, digits)

    def rate(self, per_unit: float) -> str:
        """What one unit costs, in the decision's currency."""
        return figures.rate(per_unit, self.currency)

    @property
    def confidence(self) -> str:
        """The level as per cent, with every digit that was given."""
        return figures.level(self.confidence_level)

    def price(self, per_hour: float) -> str:
        """An hourly price, to the cent; below one to three significant digits."""
        return figures.price(per_hour, self.currency)

    def word(self, word: Word) -> str:
        """A verdict as people read it; its code stands in it."""
        return self.messages(f"word.{word.value}")


def is_economic(decision: Decision) -> bool:
    """Whether the answer rests on expected losses, or on a guardrail that the runs cannot settle: nothing is proven."""
    return decision.verdict.basis is Basis.ECONOMIC and any(r.code in UNPROVEN for r in decision.verdict.reasons)


def unit_of(decision: Decision) -> tuple[float, str]:
    """How many units a cost is shown for and their name: one run, or a million tokens."""
    comparison = decision.cost or decision.time
    if comparison is None:
        return 1.0, unit_name("run")
    costs = [arm.cost_per_unit for arm in comparison.arms.values() if arm.cost_per_unit]
    times = [arm.duration_per_unit_s for arm in comparison.arms.values() if arm.duration_per_unit_s]
    smallest = min(costs or times or [1.0])
    scale, word = next(((s, w) for s, w in _SCALES if smallest * s >= 0.01), _SCALES[-1])
    if scale == 1.0:
        return scale, unit_name(comparison.unit)
    return scale, catalogue(spoken(), "figures")(word, units=unit_names(comparison.unit))
