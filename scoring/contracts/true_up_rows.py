"""The periods of spend commitments as the record tells them: what is spent and charged at staying and in the plan."""

from scoring.contracts.months import Grid
from scoring.contracts.plans import shares_of
from scoring.contracts.true_ups import SpendPeriod
from scoring.contracts.walk_away import Question
from scoring.model.economics import Plan
from scoring.model.switching import TrueUp


def true_up_rows(question: Question, best: Plan | None) -> tuple[TrueUp, ...]:
    """A row a period, against the cheapest stay; `best` is the recommended plan, staying itself where that is best."""
    stay = min(question.stays, key=lambda grid: grid.stay_npv)
    months = len(stay.factor)
    moves = best is not None and best.starts_at < months
    rows = []
    for at_stay, of_plan in zip(stay.spending, question.grid.spending, strict=True):
        spent, charged = _told(stay, at_stay, months, months)
        then: tuple[float | None, float | None] = (None, None)
        if best is not None:
            then = _told(question.grid, of_plan, best.starts_at, best.full_at) if moves else (spent, charged)
        rows.append(
            TrueUp(
                contract_id=at_stay.contract_id,
                first=at_stay.first,
                last=at_stay.last,
                month=at_stay.month,
                committed=at_stay.committed,
                other_spend_per_month=at_stay.other,
                stay_spent=spent,
                stay_charged=charged,
                plan_spent=then[0],
                plan_charged=then[1],
                before=at_stay.before,
                after=at_stay.after,
            )
        )
    return tuple(rows)


def _told(grid: Grid, period: SpendPeriod, s: int, u: int) -> tuple[float, float]:
    spent = grid.counted(period, *shares_of(grid, s, u)).sum()
    return float(spent), float(period.charge(spent))
