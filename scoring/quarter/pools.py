"""Usages that the same contracts serve at the same price are one pool of hours: what keeps the program small."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring.contracts.portfolio.facts import facts_of
from scoring.contracts.portfolio.layout import Facts
from scoring.contracts.portfolio.values import Question, Workload
from scoring.quarter.options import Scene
from scoring.quarter.supplies import Supply
from scoring.quarter.values import PlannedWorkload, WorkloadOption

Usage = tuple[int, int]
"""A workload on an option."""


@dataclass(frozen=True)
class Pool:
    """Hours that are alike. `served`: the supplies that serve them, with the units that an hour takes of each.

    `capacity`: the supply whose open capacity these hours are, paid whether anything runs in it; their price is its
    rate, and contracts may lower it.
    """

    name: str
    price: float
    served: tuple[tuple[int, float], ...]
    capacity: int | None = None


@dataclass(frozen=True)
class Pools:
    """All pools; `of` names the one of each usage. `facts` are those of the shared timeline, supplies for contracts."""

    pools: tuple[Pool, ...]
    of: dict[Usage, int]
    facts: Facts
    members: tuple[tuple[int, ...], ...]
    """Of each pool the usages of `facts` that are in it."""
    questions: tuple[Question, ...]


def pools_of(scene: Scene, supplies: Sequence[Supply]) -> Pools:
    """Every workload on every option falls into one pool."""
    alike: dict[tuple[Any, ...], Workload] = {}
    key_of: dict[Usage, tuple[Any, ...]] = {}
    for w, work in enumerate(scene.workloads):
        for o, option in enumerate(work.options):
            key = _key(work, option)
            key_of[w, o] = key
            alike.setdefault(key, _usage(work, option))
    asked: set[Question] = set()
    facts = facts_of(list(alike.values()), [s.agreement for s in supplies], asked.add)
    served: list[list[tuple[int, float]]] = [[] for _ in facts.usages]
    for k, found in enumerate(facts.served):
        for one in found:
            served[one.usage].append((k, one.units))
    merged: dict[tuple[Any, ...], list[int]] = {}
    for number in (*range(facts.workloads), *facts.inside.values()):
        usage = facts.usages[number]
        merged.setdefault((usage.work.on_demand_price, usage.capacity, tuple(served[number])), []).append(number)
    pools = tuple(
        Pool(facts.usages[numbers[0]].work.name, price, by, capacity)
        for (price, capacity, by), numbers in merged.items()
    )
    pool_of = {number: p for p, numbers in enumerate(merged.values()) for number in numbers}
    row = {key: number for number, key in enumerate(alike)}
    names = {c.agreement.id for c in supplies}
    return Pools(
        pools=pools,
        of={usage: pool_of[row[key]] for usage, key in key_of.items()},
        facts=facts,
        members=tuple(tuple(numbers) for numbers in merged.values()),
        questions=tuple(sorted((q for q in asked if q.contract_id in names), key=_order)),
    )


def _key(work: PlannedWorkload, option: WorkloadOption) -> tuple[Any, ...]:
    places = (option.instance_type, option.cloud, option.region, option.zone, work.owner)
    return (*places, option.on_demand_price, tuple(sorted(option.savings_plan_rates.items())))


def _usage(work: PlannedWorkload, option: WorkloadOption) -> Workload:
    place = option.region or option.zone or option.cloud
    return Workload(
        name=f"{option.instance_type} {place}" if place else option.instance_type,
        instance_type=option.instance_type,
        hours_per_month=(),
        on_demand_price=option.on_demand_price,
        cloud=option.cloud,
        region=option.region,
        zone=option.zone,
        owner=work.owner,
        savings_plan_rates=option.savings_plan_rates,
    )


def _order(question: Question) -> tuple[str, str, str]:
    return question.gap, question.contract_id, question.workload or ""
