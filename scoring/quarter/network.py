"""The flows of hours from supplies to pools, month by month: what a plan costs once all is decided.

For pool p, supply k and month t, in hours and the plan's currency:
    Σ_k f[k,p,t] + above[k,p,t] + v[p,t] = need[p,t]         every hour is served, or paid above or on demand
    Σ_p units·f[k,p,t] ≤ amount[k,t]                         a promise is shared by all that it covers
    Σ_p units·f[k,p,t] − q[k,t] ≤ paid[k,t]                  units above the minimum cost their rate
    committed[i] − Σ spending counted ≤ short[i]             a spend commitment's shortfall is paid at its end
Amounts are constants plus a multiple of each lever.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from scoring.contracts.portfolio.promises import HOURS, PLANS, Layer
from scoring.quarter.matrix import Columns, Sheet
from scoring.quarter.pools import Pools
from scoring.quarter.solver import Rows, linear
from scoring.quarter.supplies import Lever, Supply

Floats = NDArray[np.float64]
SERVING = HOURS | PLANS | {Layer.OPEN_CAPACITY}


@dataclass(frozen=True)
class Flows:
    """The cheapest flows. `price`: what one more hour of each pool would cost, [pools, months], discounted.

    `worth`: what one more unit of each supply would save, [supplies, months], discounted; `*_rows`: all duals.
    """

    cost: float
    by_month: Floats
    price: Floats
    worth: Floats
    used: Floats
    equal_rows: Floats
    upper_rows: Floats


@dataclass
class Network:
    """The program of the flows. Rows `equal` are pools × months, then `upper` ones; levers stand beside the columns.

    `b_upper` and `constant` hold what is there whatever is decided. `lever_cost` is [levers, months], undiscounted.
    """

    pools: Pools
    supplies: tuple[Supply, ...]
    factor: Floats
    columns: Columns = field(default_factory=Columns)
    equal: Sheet = field(default_factory=Sheet)
    upper: Sheet = field(default_factory=Sheet)
    lever_equal: Sheet = field(default_factory=Sheet)
    lever_upper: Sheet = field(default_factory=Sheet)
    b_upper: list[float] = field(default_factory=list)
    promise_row: dict[tuple[int, int], int] = field(default_factory=dict)
    flow: dict[tuple[int, int, int], int] = field(default_factory=dict)
    on_demand: dict[tuple[int, int], int] = field(default_factory=dict)
    above: list[tuple[int, int, int]] = field(default_factory=list)
    optional: dict[tuple[int, int], int] = field(default_factory=dict)

    @property
    def months(self) -> int:
        """How many."""
        return len(self.factor)

    @property
    def shape(self) -> tuple[int, int]:
        """Equal rows and upper rows."""
        return len(self.pools.pools) * self.months, len(self.b_upper)

    @cached_property
    def levers(self) -> tuple[Lever, ...]:
        """All decisions about contracts and offers, supply after supply."""
        return tuple(lever for supply in self.supplies for lever, _ in supply.levers)

    @cached_property
    def lever_cost(self) -> Floats:
        """What a unit of each lever costs in each month, undiscounted."""
        rows = [profile.cost for supply in self.supplies for _, profile in supply.levers]
        return np.array(rows).reshape(len(rows), self.months)

    @cached_property
    def constant(self) -> Floats:
        """What is paid whatever is decided, month by month, undiscounted."""
        total: Floats = (
            np.sum([s.always.cost for s in self.supplies], axis=0) if self.supplies else np.zeros(self.months)
        )
        return total

    @cached_property
    def cost(self) -> Floats:
        """Of the columns, discounted."""
        cost: Floats = np.array(self.columns.cost) * self.factor[np.array(self.columns.month, dtype=int)]
        return cost

    @cached_property
    def a_equal(self) -> "csc_array[np.float64]":
        """Balance of the pools."""
        return self.equal.built((self.shape[0], len(self.columns.cost)))

    @cached_property
    def a_upper(self) -> "csc_array[np.float64]":
        """Promises, minimums, prices above, shortfalls."""
        return self.upper.built((self.shape[1], len(self.columns.cost)))

    @cached_property
    def levers_equal(self) -> "csc_array[np.float64]":
        """What the levers do to the balances."""
        return self.lever_equal.built((self.shape[0], len(self.levers)))

    @cached_property
    def levers_upper(self) -> "csc_array[np.float64]":
        """What the levers do to the other rows."""
        return self.lever_upper.built((self.shape[1], len(self.levers)))

    @cached_property
    def b_equal(self) -> Floats:
        """Hours of open capacity that are there whatever is decided, in the rows of their pools."""
        b = np.zeros((len(self.pools.pools), self.months))
        for p, pool in enumerate(self.pools.pools):
            if pool.capacity is not None:
                b[p] = self.supplies[pool.capacity].always.amount
        return b.reshape(-1)

    def run(self, need: Floats, levers: Floats) -> Flows:
        """The cheapest flows for hours [pools, months] and decided levers. Raises RuntimeError if the solver fails."""
        b_equal = self.b_equal + need.reshape(-1) - self.levers_equal @ levers
        b_upper = np.array(self.b_upper) - self.levers_upper @ levers
        rows = Rows(self.a_equal, b_equal, self.a_upper, b_upper)
        found = linear(self.cost, rows, method="highs-ds")
        if found is None:
            raise RuntimeError("flows: nothing serves an hour")
        fixed = self.constant + levers @ self.lever_cost
        spent = np.bincount(np.array(self.columns.month), found.x * np.array(self.columns.cost), self.months)
        by_month = fixed + spent
        return Flows(
            cost=float(by_month @ self.factor),
            by_month=by_month,
            price=found.equal.reshape(-1, self.months),
            worth=self._by_supply(-found.upper),
            used=self._by_supply(np.asarray(self.a_upper @ found.x)),
            equal_rows=found.equal,
            upper_rows=found.upper,
        )

    def _by_supply(self, rows: Floats) -> Floats:
        out = np.zeros((len(self.supplies), self.months))
        for (k, t), row in self.promise_row.items():
            out[k, t] = rows[row]
        return out
