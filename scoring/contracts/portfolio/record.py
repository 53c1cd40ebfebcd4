"""The months of one set of hours as a record: by contract, by workload, and who used what."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.contracts.portfolio.engine import Block, Compiled
from scoring.contracts.portfolio.fill import TINY, Floats, Step
from scoring.contracts.portfolio.promises import PLANS, Layer, layer_of
from scoring.contracts.portfolio.values import ContractUse, Question, SharedTimeline, Unit, Use, WorkloadUse


@dataclass(frozen=True)
class Detail:
    """Instance-hours and units that each contract took of each usage, [contracts, usages, months]."""

    compiled: Compiled
    hours: Floats
    units: Floats

    @classmethod
    def of(cls, compiled: Compiled) -> "Detail":
        """Nothing taken yet."""
        facts = compiled.facts
        shape = (len(facts.contracts), len(facts.usages), len(compiled.months))
        return cls(compiled, np.zeros(shape), np.zeros(shape))

    def watch(self, month: int, step: Step, before: Floats, after: Floats) -> None:
        """Add what a step took."""
        usages = len(self.compiled.facts.usages)
        for piece in step.pieces:
            taken = (before[piece.rows] - after[piece.rows])[:, 0]
            weights = 1.0 if piece.weights is None else piece.weights[:, 0]
            at = np.arange(len(before))[piece.rows] % usages
            np.add.at(self.hours[step.contract, :, month], at, taken)
            np.add.at(self.units[step.contract, :, month], at, taken * weights)


def record(
    compiled: Compiled,
    hours: Floats,
    block: Block,
    detail: Detail,
    back: NDArray[np.intp],
    questions: Sequence[Question],
) -> SharedTimeline:
    """The record of one draw; `hours` [workloads, months] and `back` to the order of the input."""
    facts, count = compiled.facts, compiled.facts.workloads
    names = [usage.work.name for usage in facts.usages[:count]]
    covered = detail.hours[:, :count]
    left, left_cost = block.left_by_workload
    charged = _charged(compiled, block, detail)
    contracts = tuple(_contract(compiled, block, detail, number) for number in range(len(facts.contracts)))
    workloads = tuple(
        WorkloadUse(
            workload=names[w],
            hours=_row(hours[w]),
            covered_hours=_row(hours[w] - left[w]),
            overage_hours=_row(left[w]),
            overage_cost=_row(left_cost[w]),
            contract_cost=_row(charged[w]),
            coverage=_share(hours[w].sum() - left[w].sum(), hours[w].sum()),
        )
        for w in back
    )
    uses = tuple(
        Use(contract_id=contract.id, workload=names[w], hours=_row(covered[c, w]))
        for c, contract in enumerate(facts.contracts)
        for w in back
        if covered[c, w].any()
    )
    promised = [c for c in contracts if c.unit is Unit.INSTANCE_HOURS]
    return SharedTimeline(
        months=tuple(month.first for month in compiled.months),
        calendar_hours=tuple(month.hours for month in compiled.months),
        contracts=contracts,
        workloads=workloads,
        uses=uses,
        cost=_row(block.cost[:, 0]),
        utilisation=_share(sum(sum(c.used) for c in promised), sum(sum(c.promised) for c in promised)),
        coverage=_share(hours.sum() - left.sum(), hours.sum()),
        questions=tuple(questions),
    )


def _contract(compiled: Compiled, block: Block, detail: Detail, number: int) -> ContractUse:
    facts = compiled.facts
    contract = facts.contracts[number]
    layer = layer_of(contract)
    used, wasted = block.used[number, :, 0], block.wasted[number, :, 0]
    return ContractUse(
        contract_id=contract.id,
        kind=contract.kind,
        unit=Unit.CURRENCY if layer in PLANS or layer is Layer.SPENDING else Unit.INSTANCE_HOURS,
        promised=_row(used + wasted),
        used=_row(used),
        wasted=_row(wasted),
        cost=_row(block.contract_cost[number, :, 0]),
        covered_hours=_row(detail.hours[number, : facts.workloads].sum(axis=0)),
        through_capacity_hours=_row(detail.hours[number, facts.workloads :].sum(axis=0)),
        utilisation=_share(used.sum(), (used + wasted).sum()),
    )


def _charged(compiled: Compiled, block: Block, detail: Detail) -> Floats:
    """Each workload's part of the contracts' cost, [workloads, months].

    A contract's cost falls on its units that are paid, used or not; a workload bears that of the units it used. What
    lowers the rate of an open capacity reservation is borne by those whose work runs in it.
    """
    facts = compiled.facts
    paid = np.stack([month.paid for month in compiled.months], axis=1)
    unit_cost = block.contract_cost[:, :, 0] / np.maximum(np.maximum(paid, block.used[:, :, 0]), TINY)
    spending = [n for n, contract in enumerate(facts.contracts) if layer_of(contract) is Layer.SPENDING]
    unit_cost[spending] = 0.0
    units = detail.units[:, : facts.workloads].copy()
    for contract, inside in facts.inside.items():
        runs = detail.hours[contract, : facts.workloads]
        part = runs / np.maximum(runs.sum(axis=0), TINY)
        units += detail.units[:, inside][:, None, :] * part
    charged: Floats = (units * unit_cost[:, None, :]).sum(axis=0)
    return charged


def _row(values: Floats) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _share(part: float, whole: float) -> float | None:
    return float(part / whole) if whole > 0 else None
