"""Walk-away prices by formula where they have a closed form: a cost is a straight line in a price, and a gain too.

A contract with a price of its own for hours above its promise bends that line, and other ways to hold the contracts
add lines that the sheet does not have; there the cell stays empty and the record's figure is shown.
"""

from bot.render.workbook import styles
from bot.render.workbook.cells import Book, Value
from bot.render.workbook.columns import cell, span
from bot.render.workbook.followed import bends, drawn_on, has_overage, is_linear_in_ratio
from scoring.model.decision import Decision

NEVER = "-1E+299"
Row = tuple[str, str, str]
Stay = tuple[str, float, float]
"""Its name, what it costs more than the plan shown, and the on-demand hours that it pays more."""


def _overage_cells(book: Book, arm: str) -> str:
    """How many of an arm's contracts name a price for the hours above."""
    cells = [name for number, _ in drawn_on(book.decision, arm) if (name := f"contract{number}_overage") in book.names]
    return f"COUNT({','.join(cells)})" if cells else "0"


def rows(book: Book, end: int, price_a: str, price_b: str) -> list[Row]:
    """The candidate's price with its ends, then the incumbent's with the straight lines that it comes from."""
    return [*_candidate(book, end, price_b), *_incumbent(book, end, price_a)]


def _candidate(book: Book, end: int, price: str) -> list[Row]:
    """Of the plan that moves; where staying is best, of whichever plan pays at the highest price."""
    p = styles.PRICE
    names = ("pays_above", "walk_away_b", "walk_away_b_lo", "walk_away_b_hi")
    if bends(book.decision, "b"):
        return [(name, '""', p) for name in names]
    of_plan = 'IF(shown_hours<=0,"",(stay_npv-shown_npv)/shown_hours)'
    of_any = f'IF(MAX({span("pays-below", end - 1)})<={NEVER},"",MAX({span("pays-below", end - 1)}))'
    more = f'IF({_overage_cells(book, "b")}>0,"",IF(plan_start<horizon,{of_plan},{of_any}))'
    ends = [(name, _at_end(book, end, price, x), p) for name, x in zip(names[2:], ("hi", "lo"), strict=True)]
    return [
        (names[0], more, p),
        (names[1], f'IF(pays_above="","",IF({price}+pays_above>0,{price}+pays_above,""))', p),
        *ends,
    ]


def _at_end(book: Book, end: int, price: str, x: str) -> str:
    """The same at an end of the ratio's interval; of a plan that stays only where costs are straight in the ratio."""
    partial, full = f"sum-hours-partial-{x}", f"sum-hours-full-{x}"
    hours = f"({planned(partial, full, end)})"
    moved = f"{price}+(stay_npv-shown_at_{x})/{hours}"
    moving = f'IF({hours}<=0,"",IF({moved}>0,{moved},""))'
    staying = f"walk_away_b*hours_ratio/ratio_{x}" if is_linear_in_ratio(book.decision) else '""'
    return f'IF(OR(walk_away_b="",theta_{x}=""),"",IF(plan_start<horizon,{moving},{staying}))'


def planned(partial: str, full: str, end: int) -> str:
    """The sum over the months of the plan shown: of `partial` until all is moved, of `full` from then on."""
    return (
        f"INDEX({span(partial, end)},shown_full+1)-INDEX({span(partial, end)},shown_start+1)"
        f"+{cell(full, end)}-INDEX({span(full, end)},shown_full+1)"
    )


def _incumbent(book: Book, end: int, price: str) -> list[Row]:
    """The nearest on-demand price at which the cheapest way to stay costs what the plan shown does.

    Where every way to stay costs more, the highest lower price at which one of them does not; else the lowest
    higher price from which none costs less.
    """
    h = styles.HOURS
    names = [f"{kind}_{stay}" for stay in ("lapse", "renewed") for kind in ("gain", "hours")]
    if bends(book.decision, "a"):
        return [*((name, '""', h) for name in names), ("walk_away_a", '""', styles.PRICE)]
    lines = [
        ("gain_lapse", f"{cell('sum-stay', end)}-shown_npv", styles.MONEY),
        ("hours_lapse", f"{cell('sum-over-a-stay', end)}-shown_over_a", h),
        ("gain_renewed", f"{cell('sum-renewed', end)}-shown_npv", styles.MONEY),
        ("hours_renewed", f"{cell('sum-over-a-renewed', end)}-shown_over_a", h),
    ]
    roots = [_root(stay, price) for stay in ("lapse", "renewed")]
    below = (
        f"MAX({','.join(_at_zero(stay, price, root) for stay, root in zip(('lapse', 'renewed'), roots, strict=True))})"
    )
    above = (
        f"MAX({','.join(_behind(stay, price, root) for stay, root in zip(('lapse', 'renewed'), roots, strict=True))})"
    )
    holds = ",".join(f"gain_{stay}+hours_{stay}*({above}-{price})>=-1E-9*MAX(ABS(gain_lapse),ABS(gain_renewed))"
                     for stay in ("lapse", "renewed"))  # fmt: skip
    fixed = ",".join(f"AND(gain_{stay}<0,hours_{stay}<=0)" for stay in ("lapse", "renewed"))
    upward = f'IF(OR({fixed}),"",IF(AND({holds}),{above},""))'
    formula = f'IF(MIN(gain_lapse,gain_renewed)>0,IF({below}>0,{below},""),{upward})'
    overage = _overage_cells(book, "a")
    return [*lines, ("walk_away_a", f'IF({overage}>0,"",{formula})', styles.PRICE)]


def _root(stay: str, price: str) -> str:
    return f"{price}-gain_{stay}/hours_{stay}"


def _at_zero(stay: str, price: str, root: str) -> str:
    """Where this way to stay costs what the plan does, if it does so at a lower price; else 0."""
    return f"IF(AND(hours_{stay}>0,gain_{stay}-{price}*hours_{stay}<=0),{root},0)"


def _behind(stay: str, price: str, root: str) -> str:
    """From where this way to stay, cheaper now than the plan, costs as much; today's price if it is not cheaper."""
    return f"IF(AND(gain_{stay}<0,hours_{stay}>0),{root},{price})"


def values(
    decision: Decision,
    stays: tuple[Stay, ...],
    price_a: float,
    price_b: float,
    more: float | None,
    ends: dict[str, float],
) -> dict[str, Value]:
    """The same from the record: what the candidate's price may rise by, and its prices at the ratio's ends."""
    found: dict[str, Value] = {}
    candidate = None if more is None or price_b + more <= 0 else price_b + more
    found["pays_above"] = "" if more is None else more
    found["walk_away_b"] = "" if candidate is None else candidate
    for name, x in (("walk_away_b_lo", "hi"), ("walk_away_b_hi", "lo")):
        found[name] = ends.get(x, "")
    if bends(decision, "a"):
        return found | dict.fromkeys(("gain_lapse", "hours_lapse", "gain_renewed", "hours_renewed", "walk_away_a"), "")
    for name, gain, hours in stays:
        found |= {f"gain_{name}": gain, f"hours_{name}": hours}
    price = None if has_overage(decision, "a") else _incumbent_price(stays, price_a)
    return found | {"walk_away_a": "" if price is None else price}


def is_open(decision: Decision) -> bool:
    """Whether the candidate's price has its closed form in the record."""
    return not bends(decision, "b") and not has_overage(decision, "b")


def _incumbent_price(stays: tuple[Stay, ...], price: float) -> float | None:
    if min(gain for _, gain, _ in stays) > 0:
        roots = [price - g / h for _, g, h in stays if h > 0 and g - price * h <= 0]
        return best if (best := max(roots, default=0.0)) > 0 else None
    if any(g < 0 and h <= 0 for _, g, h in stays):
        return None
    at = max(price - g / h if g < 0 else price for _, g, h in stays)
    slack = 1e-9 * max(abs(g) for _, g, _ in stays)
    return at if all(g + h * (at - price) >= -slack for _, g, h in stays) else None
