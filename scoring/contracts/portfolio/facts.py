"""From workloads and contracts to what holds in every month: the usages, and which contract serves which."""

from collections.abc import Sequence

from scoring.contracts.portfolio.agreement import Agreement
from scoring.contracts.portfolio.layout import Facts
from scoring.contracts.portfolio.matching import Asked, Served, Usage, by_hours, by_money
from scoring.contracts.portfolio.promises import PLANS, Layer, layer_of
from scoring.contracts.portfolio.values import Gap, Question, Workload


def facts_of(workloads: Sequence[Workload], contracts: Sequence[Agreement], asked: Asked) -> Facts:
    """Workloads and contracts in the given order."""
    usages = [Usage(work) for work in workloads]
    inside = {}
    for number, contract in enumerate(contracts):
        if layer_of(contract) is Layer.OPEN_CAPACITY:
            inside[number] = len(usages)
            work = _of_capacity(contract, workloads)
            usages += [Usage(work, number), Usage(work, number, idle=True)]
    served = tuple(_served(contract, usages, asked) for contract in contracts)
    return Facts(tuple(contracts), tuple(usages), len(workloads), served, inside)


def _served(contract: Agreement, usages: Sequence[Usage], asked: Asked) -> tuple[Served, ...]:
    if contract.kind == "spot":
        asked(Question(gap=Gap.SPOT, contract_id=contract.id))
    if layer_of(contract) is Layer.SPENDING:
        contract = contract.model_copy(update={"cloud": contract.cloud or contract.provider})
    if layer_of(contract) in PLANS:
        return tuple(by_money(contract, usages, asked))
    return tuple(by_hours(contract, usages, asked))


def _of_capacity(contract: Agreement, workloads: Sequence[Workload]) -> Workload:
    """An open capacity reservation as usage of its own: its type, place and rate.

    Its savings-plan rates are those that a workload of the same type and region has.
    """
    kind = contract.instance_types[0] if contract.instance_types else contract.id
    region = contract.regions[0] if contract.regions else None
    like = [w for w in workloads if w.instance_type.casefold() == kind.casefold() and w.region == region]
    return Workload(
        name=contract.id,
        instance_type=kind,
        hours_per_month=(),
        on_demand_price=contract.terms[0].rate,
        family=like[0].family if like else None,
        cloud=contract.cloud,
        region=region,
        zone=contract.zones[0] if contract.zones else None,
        owner=contract.owner,
        savings_plan_rates=min((w.savings_plan_rates for w in like), key=lambda r: sorted(r.items()), default={}),
    )
