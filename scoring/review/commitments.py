"""Commitments and their use in this quarter and the next two, on the timeline that all workloads share."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import date, timedelta

from scoring.contracts.current_term import current_term
from scoring.contracts.demand import units_by_month
from scoring.contracts.exchange import in_currency
from scoring.contracts.months import months_from
from scoring.contracts.notices import deadline_of, status_on
from scoring.contracts.portfolio.agreement import AgreedTerm, Agreement, agreements
from scoring.contracts.portfolio.spending import periods
from scoring.contracts.portfolio.timeline import Portfolio
from scoring.contracts.portfolio.values import ContractUse, Question, SharedTimeline, Workload, WorkloadUse
from scoring.model.contract import Contract
from scoring.review.given import ReviewedWorkload, ReviewInput
from scoring.review.quarter import Quarter
from scoring.review.values import ContractPosition, Position, QuarterTotal, Unassigned, WorkPosition

MONTHS_OF_A_QUARTER = 3
LEAST_UNUSED = 1e-6
"""Of what is promised: rounding is no capacity."""


@dataclass(frozen=True)
class Committed:
    """What the timeline gives to a review."""

    months: tuple[date, ...]
    contracts: tuple[ContractPosition, ...]
    work: tuple[WorkPosition, ...]
    totals: tuple[QuarterTotal, ...]
    unassigned: tuple[Unassigned, ...]
    questions: tuple[Question, ...]


def committed(given: ReviewInput, quarters: Sequence[Quarter], today: date) -> Committed:
    """Contracts whose currency has no rate, and those that are over or begin later, are in none of the figures.

    A contract that renews by itself is in the term of the first quarter's first day or of today, the earlier; of
    later terms those whose notice was missed. What can still be let lapse lapses.
    """
    as_of = min(today, quarters[0].first)
    priced = [(c, told) for c in given.contracts if (told := in_currency(c, given.settings, today)) is not None]
    months = months_from(quarters[0].first, MONTHS_OF_A_QUARTER * len(quarters))
    agreed = [_agreed(told, as_of, today) for _, told in priced]
    closing = {(period.contract, period.closes) for period in periods(agreed, months)}
    works = [_workload(work, months) for work in given.workloads]
    timeline = Portfolio(works, agreed, quarters[0].first, len(months)).timeline()
    contracts = tuple(
        _contract(current_term(contract, today)[0], use, quarters, today, {m for n, m in closing if n == number})
        for number, ((contract, _), agreement, use) in enumerate(zip(priced, agreed, timeline.contracts, strict=True))
        if agreement.terms[0].starts_on <= months[-1][1] and agreement.terms[-1].ends_on >= months[0][0]
    )
    return Committed(
        months=timeline.months,
        contracts=tuple(sorted(contracts, key=lambda c: (c.ends_on, c.contract_id))),
        work=tuple(row for use in timeline.workloads for row in _work(use, quarters)),
        totals=tuple(_total(number, quarter, timeline, contracts) for number, quarter in enumerate(quarters)),
        unassigned=tuple(sorted(_unassigned(contracts, quarters), key=lambda u: (u.quarter, -u.cost, u.contract_id))),
        questions=timeline.questions,
    )


def _agreed(contract: Contract, as_of: date, today: date) -> Agreement:
    """The contract with every term from the day's on that has begun by today, and what follows by a missed notice.

    What is paid at the start belongs to the first of these terms, whichever runs today.
    """
    now = current_term(contract, today)[0]
    agreed, terms = agreements([now], today)[0], list[AgreedTerm]()
    first = term = current_term(contract, as_of)[0]
    while term.ends_on < now.starts_on:
        terms += agreements([term], term.starts_on)[0].terms[:1]
        term = current_term(contract, term.ends_on + timedelta(days=1))[0]
    paid = agreements([first], first.starts_on)[0]
    return agreed.model_copy(update={"terms": (*terms, *agreed.terms), "upfront": paid.upfront, "due": paid.due})


def _workload(work: ReviewedWorkload, months: Sequence[tuple[date, date]]) -> Workload:
    option = work.today
    return Workload(
        name=work.name,
        instance_type=option.instance_type,
        hours_per_month=tuple(units * option.hours_per_unit for units in units_by_month(work.demand, months)),
        on_demand_price=option.on_demand_price,
        cloud=option.cloud,
        region=option.region,
        zone=option.zone,
        owner=work.owner,
        savings_plan_rates=option.savings_plan_rates,
    )


def _contract(
    contract: Contract, use: ContractUse, quarters: Sequence[Quarter], today: date, closing: Set[int | None]
) -> ContractPosition:
    return ContractPosition(
        contract_id=contract.id,
        kind=use.kind,
        provider=contract.provider,
        owner=contract.owner,
        unit=use.unit,
        starts_on=contract.starts_on,
        ends_on=contract.ends_on,
        notice_deadline=deadline_of(contract),
        notice_status=status_on(contract, today),
        renewal=contract.renewal.kind.value,
        quarters=tuple(_position(contract, use, number, quarter, closing) for number, quarter in enumerate(quarters)),
        promised=use.promised,
        used=use.used,
        wasted=use.wasted,
        cost=use.cost,
    )


def _position(
    contract: Contract, use: ContractUse, number: int, quarter: Quarter, closing: Set[int | None]
) -> Position:
    """A spend commitment has no utilisation before its period closes: until then nothing of it is lost."""
    promised, used, wasted, cost = (_sum(values, number) for values in (use.promised, use.used, use.wasted, use.cost))
    unused = sum(_wasted_cost(contract, use, month) for month in _months(number))
    is_told = contract.commitment.currency_total is None or any(month in closing for month in _months(number))
    return Position(
        quarter=quarter.name,
        promised=promised,
        used=used,
        wasted=wasted,
        cost=cost,
        wasted_cost=unused,
        utilisation=used / promised if promised > 0 and is_told else None,
    )


def _wasted_cost(contract: Contract, use: ContractUse, month: int) -> float:
    """In proportion to what is paid and not used; a spend commitment costs nothing but its shortfall."""
    if contract.commitment.currency_total is not None:
        return use.cost[month]
    paid = use.promised[month] * float(contract.minimum_utilisation)
    unused = max(0.0, paid - use.used[month])
    return use.cost[month] * unused / max(paid, use.used[month]) if unused > 0 else 0.0


def _work(use: WorkloadUse, quarters: Sequence[Quarter]) -> Iterator[WorkPosition]:
    for number, quarter in enumerate(quarters):
        yield WorkPosition(
            workload=use.workload,
            quarter=quarter.name,
            hours=_sum(use.hours, number),
            covered_hours=_sum(use.covered_hours, number),
            overage_hours=_sum(use.overage_hours, number),
            overage_cost=_sum(use.overage_cost, number),
            contract_cost=_sum(use.contract_cost, number),
        )


def _total(
    number: int, quarter: Quarter, timeline: SharedTimeline, contracts: Sequence[ContractPosition]
) -> QuarterTotal:
    cost = sum(c.quarters[number].cost for c in contracts)
    wasted = sum(c.quarters[number].wasted_cost for c in contracts)
    overage = sum(_sum(use.overage_cost, number) for use in timeline.workloads)
    return QuarterTotal(
        quarter=quarter.name,
        commitment_cost=cost,
        wasted_cost=wasted,
        overage_cost=overage,
        cost=cost + overage,
        used_share=1 - wasted / cost if cost > 0 else None,
        hours=sum(_sum(use.hours, number) for use in timeline.workloads),
        covered_hours=sum(_sum(use.covered_hours, number) for use in timeline.workloads),
    )


def _unassigned(contracts: Sequence[ContractPosition], quarters: Sequence[Quarter]) -> Iterator[Unassigned]:
    for contract in contracts:
        for position in contract.quarters:
            if position.wasted > LEAST_UNUSED * position.promised:
                yield Unassigned(
                    contract_id=contract.contract_id,
                    quarter=position.quarter,
                    unit=contract.unit,
                    amount=position.wasted,
                    average_per_month=position.wasted / MONTHS_OF_A_QUARTER,
                    cost=position.wasted_cost,
                )


def _months(number: int) -> range:
    return range(MONTHS_OF_A_QUARTER * number, MONTHS_OF_A_QUARTER * (number + 1))


def _sum(values: Sequence[float], number: int) -> float:
    return float(sum(values[month] for month in _months(number)))
