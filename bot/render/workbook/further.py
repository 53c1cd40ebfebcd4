"""Hours above a minimum in the Cash flow sheet: the formula of what they cost less, and its value from the record.

The hours above the paid ones go to a contract's own rates, the cheapest first, where those are below the price.
"""

from collections.abc import Sequence

from scoring.model.switching import FurtherMonth, HoursAtRate


def formula(tranches: Sequence[HoursAtRate], over: str, price: str) -> str:
    """To add to a month's cost: `over` and `price` are formulas; empty without any."""
    parts, before = [], 0.0
    for tranche in tranches:
        hours = f"MAX(0,MIN({over}-{before!r},{tranche.hours!r}))"
        parts.append(f"-{hours}*MAX(0,{price}-{tranche.rate!r})")
        before += tranche.hours
    return "".join(parts)


def value(tranches: Sequence[HoursAtRate], over: float, price: float) -> float:
    """The same from figures."""
    saved = before = 0.0
    for tranche in tranches:
        saved += max(0.0, min(over - before, tranche.hours)) * max(0.0, price - tranche.rate)
        before += tranche.hours
    return -saved


def kept(further: FurtherMonth | None, held: str, price: str, known: str) -> str:
    """Hours of the incumbent that a plan leaves it which moves a part first, while the candidate's price is known."""
    if further is None:
        return held
    parts = [f"IF({t.rate!r}<N(hours_ratio)*{price},{t.hours!r},0)" for t in further.above_incumbent]
    return f'({held}+IF({known}="",0,{"+".join(parts)}))' if parts else held
