"""What other work saves with committed hours that are not needed: the formula, and its value from the record.

V(h) = Σ max(0, min(h − hours of the dearer work, hours)) × price; a month costs V(free now) − V(free then) more.
"""

from scoring.model.economics import Economics, Month


def formula(economics: Economics, index: int, free: str, need: str, held: str, renewed: bool = False) -> str:
    """To add to a month's cost: `free`, `need` and `held` are formulas of hours; empty without other work.

    Where other work may use all that is promised and nothing is left early, the hours are the sheet's own, so that a
    contract's end or size moves them too.
    """
    if not economics.other_work:
        return ""
    live, month = all_reusable(economics), economics.months[index]
    reusable = month.renewed_reusable_hours if renewed else month.reusable_hours
    then = f"MIN({free},{reusable!r})" if not live else free
    idle = f"MIN(MAX(0,{month.held_hours!r}-{need}),{month.held_reusable_hours!r})"
    now = f"MAX(0,{held}-{need})" if live else idle
    return f"-({_worth(economics, f'MAX(0,{then})')})+({_worth(economics, now)})"


def value(economics: Economics, month: Month, share: float) -> float:
    """The same from the record, with a share of the demand on the candidate."""
    need = month.need_incumbent_hours
    free = month.committed_incumbent_hours - need * (1 - share)
    then = max(0.0, min(free, month.reusable_hours))
    now = min(max(0.0, month.held_hours - need), month.held_reusable_hours)
    return _saved(economics, now) - _saved(economics, then)


def value_renewed(economics: Economics, month: Month, need: float) -> float:
    """The same for staying with contracts renewed, at some need of the incumbent's hours."""
    free = month.renewed_committed_hours - need
    then = max(0.0, min(free, month.renewed_reusable_hours))
    now = min(max(0.0, month.held_hours - need), month.held_reusable_hours)
    return _saved(economics, now) - _saved(economics, then)


def all_reusable(economics: Economics) -> bool:
    """Whether other work may use all that is promised and nothing is left early, so that the hours are the sheet's."""
    same = all(m.reusable_hours == m.held_reusable_hours == m.committed_incumbent_hours for m in economics.months)
    return same and not economics.move_releases


def _worth(economics: Economics, hours: str) -> str:
    parts, before = [], 0.0
    for work in economics.other_work:
        parts.append(f"MAX(0,MIN({hours}-{before!r},{work.hours_per_month!r}))*{work.price_per_hour!r}")
        before += work.hours_per_month
    return "+".join(parts)


def _saved(economics: Economics, hours: float) -> float:
    saved = before = 0.0
    for work in economics.other_work:
        saved += max(0.0, min(hours - before, work.hours_per_month)) * work.price_per_hour
        before += work.hours_per_month
    return saved
