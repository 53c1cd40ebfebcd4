"""The solver: HiGHS through SciPy, for linear programs with their duals and for mixed-integer ones."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

Floats = NDArray[np.float64]
INFEASIBLE, TIME_IS_UP, OTHER = 2, 1, 4
NODES_ARE_UP = "Solution limit reached"
"""SciPy has no status of its own for it."""


@dataclass(frozen=True)
class Rows:
    """equal · x = b_equal and upper · x ≤ b_upper; both matrices are sparse."""

    equal: Any
    b_equal: Floats
    upper: Any
    b_upper: Floats

    def only(self, columns: NDArray[np.intp]) -> "Rows":
        """The same rows for some of the columns."""
        return Rows(self.equal[:, columns], self.b_equal, self.upper[:, columns], self.b_upper)


@dataclass(frozen=True)
class Linear:
    """An optimum with its duals: what one more unit of each right-hand side adds to the cost."""

    x: Floats
    cost: float
    equal: Floats
    upper: Floats


@dataclass(frozen=True)
class Integer:
    """The best found, if anything was, and what nothing can cost less than.

    `in_time`: the gap was reached. `timed_out`: it is the time that ended the search, so that another run may find
    more.
    """

    x: Floats | None
    cost: float
    bound: float
    in_time: bool
    timed_out: bool = False


def linear(cost: Floats, rows: Rows, most: Floats | None = None, method: str = "highs") -> Linear | None:
    """The cheapest x ≥ 0; None where there is none. Raises RuntimeError if the solver fails."""
    found: Any = linprog(  # type: ignore[call-overload]  # the stubs know no sparse matrices
        cost,
        A_ub=rows.upper,
        b_ub=rows.b_upper,
        A_eq=rows.equal,
        b_eq=rows.b_equal,
        bounds=(0, None) if most is None else np.column_stack([np.zeros(len(most)), most]),
        method=method,
    )
    if found.status == INFEASIBLE:
        return None
    if found.status != 0:
        raise RuntimeError(f"linear program: {found.message}")
    return Linear(found.x, float(found.fun), found.eqlin.marginals, found.ineqlin.marginals)


def integer(
    cost: Floats,
    rows: Rows,
    most: Floats,
    whole: NDArray[np.bool_],
    gap: float,
    seconds: float,
    nodes: int | None = None,
) -> Integer:
    """The cheapest 0 ≤ x ≤ most with whole numbers where asked; after `nodes` the best so far.

    `in_time` is false also where the nodes end the search. Raises RuntimeError if the solver fails.
    """
    found = milp(
        cost,
        integrality=whole.astype(np.int64),
        bounds=Bounds(np.zeros(len(most)), most),
        constraints=[
            LinearConstraint(rows.equal, rows.b_equal, rows.b_equal),
            LinearConstraint(rows.upper, -np.inf, rows.b_upper),
        ],
        options={"mip_rel_gap": gap, "time_limit": seconds, **({} if nodes is None else {"node_limit": nodes})},
    )
    nodes_up = found.status == OTHER and NODES_ARE_UP in found.message
    if found.status not in (0, INFEASIBLE, TIME_IS_UP) and not nodes_up:
        raise RuntimeError(f"integer program: {found.message}")
    timed_out = found.status == TIME_IS_UP
    in_time = not nodes_up and not timed_out
    if found.x is None:
        return Integer(None, np.inf, np.inf, in_time, timed_out)
    bound = found.mip_dual_bound
    if bound is None:  # nothing was left to decide
        bound = found.fun if in_time else -np.inf
    return Integer(found.x, float(found.fun), float(bound), in_time, timed_out)
