"""The timeline shared by all workloads: what each contract serves, what is wasted, and what everything costs."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date

import numpy as np

from scoring.contracts.months import months_from
from scoring.contracts.portfolio.agreement import Agreement
from scoring.contracts.portfolio.engine import Block, Compiled, run
from scoring.contracts.portfolio.facts import facts_of
from scoring.contracts.portfolio.fill import Floats
from scoring.contracts.portfolio.layout import layout
from scoring.contracts.portfolio.record import Detail, record
from scoring.contracts.portfolio.spending import counted, periods
from scoring.contracts.portfolio.values import Gap, Question, SharedTimeline, Workload

CELLS_OF_A_BLOCK = 100_000
"""Workloads × draws that are worked on at once: larger blocks leave the cache, smaller ones are all overhead."""


@dataclass(frozen=True)
class SharedDraws:
    """The same months for many draws of the hours. Costs are undiscounted.

    `cost`, `overage_hours` and `overage_cost` are [draws, months]; `used` [contracts, draws, months] in the unit of
    what the contract promises; means over the draws: `contract_cost` [contracts, months], `workload_overage_hours`
    and `workload_overage_cost` [workloads, months]. Contracts and workloads are in the order of the input.
    """

    months: tuple[date, ...]
    contract_ids: tuple[str, ...]
    workloads: tuple[str, ...]
    cost: Floats
    overage_hours: Floats
    overage_cost: Floats
    used: Floats
    promised: Floats
    contract_cost: Floats
    workload_overage_hours: Floats
    workload_overage_cost: Floats
    questions: tuple[Question, ...]


class Portfolio:
    """Workloads and contracts, worked out once for as many sets of hours as are asked for.

    Prices, rates and commitments are in one currency. `first_month` is the first day of the first of `months` months.
    `agreements` gives a book's contracts, with the renewals that come. Raises ValueError for two contracts of one id,
    two workloads of one name, and months that are not whole.
    """

    def __init__(
        self,
        workloads: Sequence[Workload],
        contracts: Sequence[Agreement],
        first_month: date,
        months: int,
    ) -> None:
        _unique("contract", [contract.id for contract in contracts])
        _unique("workload", [work.name for work in workloads])
        if first_month.day != 1 or months < 1:
            raise ValueError("the timeline is of whole months, at least one")
        self.workloads, self.contracts = tuple(workloads), tuple(contracts)
        self._order = sorted(range(len(workloads)), key=lambda i: _alike(workloads[i]))
        self.months = months_from(first_month, months)
        asked: set[Question] = set()
        facts = facts_of([workloads[i] for i in self._order], contracts, asked.add)
        layouts = tuple(layout(facts, *month) for month in self.months)
        found = periods(facts.contracts, self.months)
        for period in found:
            for gap, is_open in ((Gap.SPENT_BEFORE, period.before), (Gap.PERIOD_OPEN, period.closes is None)):
                if is_open:
                    asked.add(Question(gap=gap, contract_id=contracts[period.contract].id))
        self._compiled = Compiled(facts, layouts, found, tuple(counted(facts, month, found) for month in layouts))
        self.questions = tuple(sorted(asked, key=lambda q: (q.gap, q.contract_id, q.workload or "")))

    def timeline(self) -> SharedTimeline:
        """The months with the workloads' own hours. Raises ValueError where a workload has not one for each month."""
        if any(len(work.hours_per_month) != len(self.months) for work in self.workloads):
            raise ValueError("a workload has not one figure of hours for each month")
        hours = np.array([self.workloads[i].hours_per_month for i in self._order], dtype=float)
        hours = hours.reshape(len(self.workloads), len(self.months))
        detail = Detail.of(self._compiled)
        block = run(self._compiled, hours.T[:, :, None], detail.watch)
        return record(self._compiled, hours, block, detail, np.argsort(self._order).astype(np.intp), self.questions)

    def draws(self, hours: Floats, threads: int = 2) -> SharedDraws:
        """The months for drawn hours, [workloads, draws, months] in the order of the workloads.

        The answer hangs on neither the number of threads nor the size of a block, beyond rounding in the means.
        """
        expected = (len(self.workloads), len(self.months))
        if (hours.shape[0], *hours.shape[2:]) != expected:
            raise ValueError("hours are [workloads, draws, months]")
        count = hours.shape[1]
        cuts = _cuts(count, len(self.workloads))
        with ThreadPoolExecutor(max_workers=max(1, threads)) as pool:
            found = list(pool.map(lambda cut: run(self._compiled, self._by_month(hours[:, cut])), cuts))
        return self._joined(found, count)

    def _by_month(self, hours: Floats) -> Floats:
        """The hours of some draws as [months, workloads, draws], workloads in the engine's order."""
        order = np.array(self._order, dtype=np.intp)
        turned: Floats = np.ascontiguousarray(hours.transpose(2, 0, 1)[:, order])
        return turned

    def _joined(self, found: Sequence[Block], count: int) -> SharedDraws:
        back = np.argsort(self._order).astype(np.intp)
        by_workload = np.sum([block.left_by_workload for block in found], axis=0)[:, back] / count
        return SharedDraws(
            months=tuple(first for first, _ in self.months),
            contract_ids=tuple(contract.id for contract in self.contracts),
            workloads=tuple(work.name for work in self.workloads),
            cost=np.concatenate([block.cost for block in found], axis=1).T,
            overage_hours=np.concatenate([block.left for block in found], axis=1).T,
            overage_cost=np.concatenate([block.left_cost for block in found], axis=1).T,
            used=np.concatenate([block.used for block in found], axis=2).swapaxes(1, 2),
            promised=np.stack([month.promised for month in self._compiled.months], axis=1),
            contract_cost=np.sum([block.contract_cost.sum(axis=2) for block in found], axis=0) / count,
            workload_overage_hours=by_workload[0],
            workload_overage_cost=by_workload[1],
            questions=self.questions,
        )


def _unique(what: str, names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        raise ValueError(f"two of the {what}s have one name")


def _alike(work: Workload) -> tuple[str, ...]:
    """Workloads that the same contracts serve stand beside each other: their rows are then taken without a copy."""
    places = (work.cloud, work.region, work.family_name, work.instance_type, work.zone, work.owner, work.name)
    return tuple((place or "").casefold() for place in places)


def _cuts(draws: int, workloads: int) -> list[slice]:
    size = max(1, CELLS_OF_A_BLOCK // max(1, workloads))
    return [slice(start, min(start + size, draws)) for start in range(0, draws, size)]
