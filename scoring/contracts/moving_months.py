"""The months of one plan where moves take months or both arms run: how much has moved, and what running both costs."""

from collections.abc import Sequence

from scoring.contracts.months import Grid
from scoring.contracts.plans import shares_of
from scoring.model.economics import Month, Plan


def with_plan(months: Sequence[Month], grid: Grid, plan: Plan) -> tuple[tuple[Month, ...], float | None]:
    """The months with the plan's shares, hours and costs, and what its parallel hours cost, discounted.

    Unchanged and None where all work moves at once.
    """
    if grid.migration.at_once:
        return tuple(months), None
    moved, gone = shares_of(grid, plan.starts_at, plan.full_at)
    cost = grid.cost(moved, gone)
    parallel = cost - grid.cost(moved)
    columns = {
        "moved_share": moved,
        "gone_share": gone,
        "plan_cost": cost,
        "parallel_hours": grid.need_a * (moved - gone),
        "parallel_cost": parallel,
    }
    told = {name: column.tolist() for name, column in columns.items()}
    rows = (m.model_copy(update={name: of[i] for name, of in told.items()}) for i, m in enumerate(months))
    return tuple(rows), float((grid.factor * parallel).sum())
