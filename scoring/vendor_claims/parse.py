"""A statement in English or Spanish as a ratio of cost or time per unit of work; what leaves a choice is asked back."""

import math
import re
from dataclasses import dataclass

from scoring.vendor_claims import words
from scoring.vendor_claims.figures import THOUSANDS, Figure, figures_in, is_cut_off
from scoring.vendor_claims.values import Metric, Reading, Statement, Unclear

LONGEST = 300
MOST = 1000.0
"""A ratio further from 1 than this is a slip of the pen."""
_OF_WORK = re.compile(
    r"\s*(?:million|thousand|billion|millon(?:es)? de|mil|hours? of|horas? de|minutes? of|minutos? de|\d+[km]?)\s+"
)
_SMALL = frozenset(
    "a an the of de del el la los las un una as much many in en on by x is are delivers costs cuesta da ciento".split()
)


class _Ask(Exception):
    """Why the statement cannot be read as one ratio."""

    def __init__(self, code: str, *readings: Reading) -> None:
        super().__init__(code)
        self.code, self.readings = code, readings


@dataclass(frozen=True)
class _Quantity:
    """What a figure multiplies: `inverse` where more of it is less cost or time per unit of work."""

    metric: Metric
    inverse: bool

    def reading(self, factor: float) -> Reading:
        return Reading(metric=self.metric, ratio=1 / factor if self.inverse else factor)


@dataclass(frozen=True)
class _Change:
    """The factor that a number stands for; `rises` is whether a larger number is a larger factor."""

    factor: float
    rises: bool


def parse(text: str) -> Statement | Unclear:
    """The ratio that a statement claims, or the question that it leaves open."""
    shown = " ".join(text.split())[:LONGEST]
    plain = words.normalised(text)
    try:
        return _read(shown, plain)
    except _Ask as asked:
        is_limit = asked.code != "up-to-part" and any(
            words.UP_TO.search(plain[: figure.start]) for figure in (figures_in(plain) if asked.readings else ())
        )
        return Unclear(text=shown, code=asked.code, readings=asked.readings, is_limit=is_limit)


def _read(shown: str, plain: str) -> Statement:
    if not plain:
        raise _Ask("empty")
    if len(plain) > LONGEST:
        raise _Ask("long")
    if words.NEGATED.search(plain):
        raise _Ask("negated")
    if THOUSANDS.search(plain):
        raise _Ask("thousands")
    subject, reference = _sides(plain)
    figures = figures_in(plain)
    other = _other_metric(plain)
    if other is not None and len(figures) == 1:
        return Statement(text=shown, metric=other, subject=subject, reference=reference)
    if len(figures) != 1:
        raise _Ask("several" if figures else _without_figure(plain))
    figure = figures[0]
    if is_cut_off(plain, figure):
        raise _Ask("cut-off")
    if figure.is_percent and words.SHARE_OF_OTHER.match(plain, figure.end):
        raise _Ask("no-figure")
    quantity = _quantity(plain, figure)
    low, high, change, is_limit = _bounds(plain, figure, quantity)
    ratio = quantity.reading(change.factor).ratio
    return Statement(
        text=shown,
        metric=quantity.metric,
        ratio=ratio,
        low=low,
        high=high,
        is_limit=is_limit,
        unit=_unit(plain, figure),
        subject=subject,
        reference=reference,
        notes=tuple(_notes(plain, figure)),
    )


def _without_figure(plain: str) -> str:
    """Whether it speaks of cost or time at all."""
    known = (words.COST, words.TIME, words.SPEED, words.PER_MONEY, words.SAVING, words.ASKED_EFFICIENCY)
    spoken = "$" in plain or "€" in plain or any(pattern.search(plain) for pattern in known)
    return "no-figure" if spoken else "nonsense"


def _sides(plain: str) -> tuple[str, str]:
    leading = words.LEADING.match(plain)
    if leading is not None:
        return plain[leading.end() :], leading[1]
    match = words.THAN.search(plain)
    return (plain, "") if match is None else (plain[: match.start()], plain[match.end() :])


def _other_metric(plain: str) -> Metric | None:
    """A metric that is none of cost and time, where the statement names neither of them."""
    told = words.HELD.sub(" ", plain)
    if words.ENERGY_BILL.search(told):
        return Metric.ENERGY
    if words.PER_MONEY.search(told) or words.COST.search(told):
        return None
    return next((Metric(name) for name, pattern in words.OTHERS if pattern.search(told)), None)


def _quantity(plain: str, figure: Figure) -> _Quantity:
    cost, time = _Quantity(Metric.COST, False), _Quantity(Metric.TIME, False)
    work_per_money = _Quantity(Metric.COST, True)
    held = words.HELD.sub(" ", plain)
    if words.PER_MONEY.search(plain):
        return work_per_money
    if words.ASKED_EFFICIENCY.search(held):
        return _efficiency(figure)
    of_speed = bool(words.SPEED.search(held) or words.PER_TIME.search(held)) and not words.HOUR_PRICE.search(held)
    of_cost, of_time = bool(words.COST.search(held) or words.MONEY_PER.search(held)), bool(words.TIME.search(held))
    if words.SAME_MONEY.search(plain) and not (of_speed or of_cost or of_time):
        return work_per_money
    if of_cost and words.HOUR_PRICE.search(held):
        raise _Ask("hour-price")
    of_time = of_time and not (of_cost and re.search(r"\b(?:hours?|horas?) (?:of|de)\b|\baudio hours\b", held))
    if of_cost and (of_speed or of_time):
        raise _Ask("cost-or-time")
    if of_cost:
        return cost
    if of_speed:
        return _speed(held, figure)
    if of_time and "audio" not in held:
        return time
    if words.SAVING.search(held):
        return cost
    raise _Ask("no-metric", *_either(plain, figure, cost, time))


def _either(plain: str, figure: Figure, *quantities: _Quantity) -> list[Reading]:
    try:
        change = _change(plain, figure, _Quantity(Metric.COST, True))
    except _Ask:
        return []
    if figure.is_percent and change.factor > 1:
        return [_Quantity(q.metric, True).reading(change.factor) for q in quantities]
    return [q.reading(change.factor if change.factor < 1 else 1 / change.factor) for q in quantities]


def _efficiency(figure: Figure) -> _Quantity:
    """A multiple of price-performance is work per money; a per cent may also be taken off the price of the work."""
    if figure.is_percent:
        share = figure.value
        less = [Reading(metric=Metric.COST, ratio=1 - share)] if share < 1 else []
        raise _Ask("efficiency", Reading(metric=Metric.COST, ratio=1 / (1 + share)), *less)
    return _Quantity(Metric.COST, True)


def _speed(held: str, figure: Figure) -> _Quantity:
    """A per cent of "faster" may be of the speed or of the time; a rate or a multiple leaves no choice."""
    if words.PER_DEVICE.search(held):
        raise _Ask("per-device")
    named = words.PER_TIME.search(held) or re.search(r"\b(?:throughput|velocidad|speed|caudal)\b", held)
    if figure.is_percent and not named and (words.FASTER.search(held) or words.SLOWER.search(held)):
        share, slower = figure.value, words.SLOWER.search(held) is not None
        factors = (1 / (1 - share) if share < 1 else None, 1 + share) if slower else (1 / (1 + share), 1 - share)
        raise _Ask("faster", *(Reading(metric=Metric.TIME, ratio=f) for f in factors if f is not None and f > 0))
    return _Quantity(Metric.TIME, True)


def _change(plain: str, figure: Figure, quantity: _Quantity) -> _Change:
    """The factor on the quantity: from a direction (more, less), from "of" or "to", or from a bare multiple."""
    direction = _direction(plain, figure, quantity)
    before, after = plain[: figure.start], plain[figure.end :]
    value = figure.value
    if figure.is_percent:
        part = words.TO.search(before) or (direction is None and words.OF_AFTER.match(after))
        if part:
            return _Change(value, True)
        if direction is None:
            less = [quantity.reading(1 - value)] if value < 1 else []
            raise _Ask("no-direction", quantity.reading(1 + value), *less)
        if direction < 0 and value >= 1:
            raise _Ask("beyond-all")
        return _Change(1 + direction * value, direction > 0)
    if figure.is_word or direction is None:
        return _word(value, direction, plain, figure, quantity)
    if value < 1:
        raise _Ask("part-of", quantity.reading(value), *([quantity.reading(1 / value)] if value > 0 else []))
    return _Change(1 / value, False) if direction < 0 else _Change(value, True)


def _word(value: float, direction: int | None, plain: str, figure: Figure, quantity: _Quantity) -> _Change:
    """Half, twice, from 10 to 6, 0.6x: the factor itself, except in "twice as cheap" and "cut by half"."""
    as_adjective = words.CHEAPER.search(plain) is not None and value > 1
    if as_adjective or (direction == -1 and value > 1 and not re.search(r"\bfrom\b|\bde\b.* \ba\b", plain)):
        return _Change(1 / value, False)
    if value < 1 and words.DEARER.search(plain):
        raise _Ask("part-of", quantity.reading(value), quantity.reading(1 + value))
    if (
        direction == 1
        and value < 1
        and figure.is_word
        and not re.search(r"\b(?:from|de)\b", plain[figure.start : figure.end])
    ):
        raise _Ask("part-of", quantity.reading(value), quantity.reading(1 + value))
    if (
        direction == -1
        and value < 1
        and value != 0.5
        and words.TO.search(plain[: figure.start]) is None
        and not re.match(r"(?:from|de)\b", plain[figure.start : figure.end])
    ):
        raise _Ask("part-of", quantity.reading(value), quantity.reading(1 - value))
    return _Change(value, True)


def _direction(plain: str, figure: Figure, quantity: _Quantity) -> int | None:
    """+1 for more of the quantity, -1 for less of it, None where nothing says so."""
    before, after = plain[: figure.start], plain[figure.end :]
    before = words.AT_LEAST.sub(" ", words.AT_MOST.sub(" ", words.UP_TO.sub(" ", before)))
    after = words.AT_LEAST_AFTER.sub(" ", words.AT_MOST_AFTER.sub(" ", after))
    text = words.THAN.sub(" ", f"{before} # {after}")
    found = set[int]()
    pairs = (
        (words.CHEAPER, 1 if quantity.inverse else -1),
        (words.DEARER, -1 if quantity.inverse else 1),
        (words.FASTER, 1 if quantity.inverse else -1),
        (words.SLOWER, -1 if quantity.inverse else 1),
        (words.BETTER, 1 if quantity.inverse else -1),
        (words.SAVING, -1),
        (words.UP, 1),
        (words.DOWN, -1),
    )
    for pattern, sign in pairs:
        if pattern.search(text):
            found.add(sign)
            text = pattern.sub(" ", text)
    signed = re.search(r"(?:\A|\s)([+-])\s*\Z", plain[: figure.start])
    if signed:
        found.add(1 if signed[1] == "+" else -1)
    if len(found) > 1:
        raise _Ask("two-directions")
    return found.pop() if found else None


def _bounds(plain: str, figure: Figure, quantity: _Quantity) -> tuple[float | None, float | None, _Change, bool]:
    """Where the claimed ratio lies: beyond its figure as seen from 1, within a range, or short of an "up to"."""
    change = _change(plain, figure, quantity)
    if not 1 / MOST <= change.factor <= MOST:
        raise _Ask("beyond-all")
    if figure.upto is not None:
        other = _change(plain, Figure(figure.upto, figure.is_percent, figure.start, figure.end), quantity)
        if not 1 / MOST <= other.factor <= MOST:
            raise _Ask("beyond-all")
        ends = sorted(quantity.reading(c.factor).ratio for c in (change, other))
        if words.UP_TO.search(plain[: figure.start]):
            return _up_to_range(ends, change, other)
        return ends[0], ends[1], change, False
    before, after = plain[: figure.start], plain[figure.end :]
    ratio = quantity.reading(change.factor).ratio
    up_to = words.UP_TO.search(before) is not None
    most = up_to or words.AT_MOST.search(before) or words.AT_MOST_AFTER.search(after)
    least = words.AT_LEAST.search(before) or words.AT_LEAST_AFTER.search(after)
    if up_to and change.rises and change.factor < 1:
        raise _Ask("up-to-part", quantity.reading(change.factor))
    if not most and not least:
        if ratio == 1:
            raise _Ask("nonsense")
        return (None, ratio, change, False) if ratio < 1 else (ratio, None, change, False)
    factor_is_capped = change.rises == bool(most)
    ratio_is_capped = factor_is_capped != quantity.inverse
    is_limit = ratio < 1 and not ratio_is_capped
    return (None, ratio, change, is_limit) if ratio_is_capped else (ratio, None, change, is_limit)


def _up_to_range(
    ends: list[float], change: _Change, other: _Change
) -> tuple[float | None, float | None, _Change, bool]:
    """ "Up to 30-40 % cheaper": an upper limit of the effect, at the further end of the range."""
    further = max((change, other), key=lambda one: abs(math.log(one.factor)))
    return (ends[0], None, further, True) if ends[1] <= 1 else (None, ends[1], further, False)


def _notes(plain: str, figure: Figure) -> list[str]:
    notes = []
    if words.ABOUT.search(plain[: figure.start]):
        notes.append("about")
    nearby = plain[figure.end : figure.end + 40]
    if (
        not figure.is_percent
        and figure.value > 1
        and re.match(r"\s*(?:more|faster|mas|higher|mayor|as cheap|cheaper|less|menos|lower)\b", nearby)
    ):
        notes.append("times-more")
    return notes


def _unit(plain: str, figure: Figure) -> str | None:
    """The work that is spoken of: before "per dollar" or "per second", or after "cost per"."""
    per = words.PER_MONEY.search(plain) or words.PER_TIME.search(plain)
    if per is not None and per.start() >= figure.end:
        return _noun(plain[figure.end : per.start()])
    if per is not None:
        return next((words.UNITS[w] for w in reversed(plain[: per.start()].split()) if w in words.UNITS), None)
    match = re.search(r"(?:\bper\b|/|\bpor\b(?! ciento)|\bof (?:a|an|one)|\bcada)\s*(.{1,40})", plain)
    return None if match is None else _noun(_OF_WORK.sub("", match[1]).split(" than ")[0], first=True)


def _noun(text: str, first: bool = False) -> str | None:
    plain = text
    for pattern in (words.UP, words.DOWN, words.BETTER, words.THAN):
        plain = pattern.sub(" ", plain)
    named = [w for w in re.findall(r"[a-z][\w-]*", plain) if w not in _SMALL]
    for word in named:
        if word in words.UNITS:
            return words.UNITS[word]
    kept = [w for w in named if w not in words.GENERIC]
    if not kept or len(kept) < len(named) or not (first or len(kept) <= 2):
        return None
    return kept[0] if first else " ".join(kept)
