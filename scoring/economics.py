"""From the comparison to money: what each arm needs and pays, handed to the timeline of the contracts."""

from datetime import date

from scoring.arms import ArmData, Arms
from scoring.contracts.coverage import covers
from scoring.contracts.demand import units_by_month
from scoring.contracts.exchange import contracts_without_rate, currencies_taken, old_rates
from scoring.contracts.months import first_month, months_from
from scoring.contracts.notices import renews_automatically
from scoring.contracts.timeline import build_timeline
from scoring.contracts.uncertainty import Spread
from scoring.contracts.weighed import not_beside_spending, not_shared, not_weighed
from scoring.costing import configured_price
from scoring.model.contract import Contract
from scoring.model.decision import Comparison, Verdict
from scoring.model.economics import ArmFlow, Band, Economics
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import error, info, question, warning
from scoring.setup import Setup
from scoring.statistics.posterior import posterior_of_estimate


def capacity_at_move(economics: Economics, arm: str, settings: Settings) -> list[Problem]:
    """Capacity that is confirmed only until a day before the recommended plan begins to use it."""
    until, plan = settings.capacity.confirmed_until, economics.best
    if until is None or plan is None or plan.starts_at >= len(economics.months):
        return []
    begins = economics.months[plan.starts_at].starts_on
    if until >= begins:
        return []
    return [error("capacity-ends-before-move", arm=arm, found=until.isoformat(), expected=begins.isoformat())]


def offers_at_move(verdict: Verdict, arm: ArmData, settings: Settings, today: date) -> list[Problem]:
    """Offers of a price or a commitment for the candidate that end before the day on which its first work moves."""
    if verdict.on is None:
        return []
    ends = [(o.id, o.expires_on) for o in settings.commitment_options if o.expires_on and o.expires_on >= today]
    moves = verdict.on.isoformat()
    return [
        *_price_at_move(verdict.on, arm, settings),
        *(
            warning("option-expires-before-move", id=option, found=day.isoformat(), expected=moves)
            for option, day in ends
            if day < verdict.on
        ),
    ]


def _price_at_move(moves: date, arm: ArmData, settings: Settings) -> list[Problem]:
    if arm.first is None or (arm.runs and not any(costed.note for costed in arm.runs)):
        return []
    price = configured_price(arm.first, settings)
    if price is None or price.expires_on is None or price.expires_on >= moves:
        return []
    days = {"found": price.expires_on.isoformat(), "expected": moves.isoformat()}
    return [warning("offer-expires-before-move", arm=arm.name, **days)]


def no_economics(settings: Settings, today: date, reason: str) -> Economics:
    """An economics that says why there is none."""
    return Economics(
        currency=settings.currency,
        horizon_months=settings.horizon_months,
        starts_on=today,
        annual_discount_rate=settings.annual_discount_rate,
        migration_cost=float(settings.migration_cost),
        reason=reason,
    )


def economics_of(
    arms: Arms, cost: Comparison | None, time: Comparison | None, setup: Setup, today: date, several: bool
) -> tuple[Economics, list[Problem]]:
    """The timeline's answer, or the reason why there is none."""
    settings = setup.settings
    flows = [_flow(arm, cost, time) for arm in arms.both]
    problems = _demand_problems(arms, settings)
    drawn_on = [c for c in setup.contracts if any(covers(c, flow) for flow in flows if flow)]
    named = [_named(arm) for arm in arms.both]
    types = [flow.instance_type or flow.arm for flow in named]
    of_both = [c for c in drawn_on if all(covers(c, flow) for flow in named)]
    problems += [_shared_by_both(c, why) for c in of_both if (why := not_shared(c, drawn_on, types, settings))]
    if found := not_beside_spending(drawn_on, settings):
        problems.append(_spending_with(*found))
    if several and drawn_on and settings.demand:
        problems.append(question("contracts-shared", expected="one workload and phase at a time"))
    elif several and settings.demand:
        problems.append(question("demand-shared", expected="one workload and phase at a time"))
    matched, notes = _matched(arms, setup, today)
    problems += matched
    problems += [_not_weighed(c, term) for c in drawn_on for f in flows if f and (term := _term_left(c, f, today))]
    problems += contracts_without_rate(drawn_on, settings, today)
    notes = [*notes, *currencies_taken(drawn_on, settings), *old_rates(drawn_on, settings, today)]
    if settings.demand is None and (drawn_on or settings.migration_cost):
        problems.append(question("demand-missing", expected="demand: units of work a month"))
    if problems:
        return no_economics(settings, today, "question"), [*problems, *notes]
    if flows[0] is None or flows[1] is None:
        economics, more = _by_cost_alone(cost, settings, today)
        return economics, [*more, *notes]
    timeline = build_timeline(
        incumbent=flows[0],
        candidate=flows[1],
        contracts=setup.contracts,
        settings=settings,
        today=today,
        hours_ratio=hours_ratio(flows[0], flows[1], cost, time),
        spread=_spread(cost, settings),
    )
    return timeline, notes


def _spread(cost: Comparison | None, settings: Settings) -> Spread | None:
    """What is not known of the cost ratio, the same posterior that the expected losses rest on."""
    posterior = posterior_of_estimate(cost.theta, settings.drift_sd) if cost else None
    return Spread(posterior, cost.theta.point) if cost and posterior and cost.theta.point else None


def _demand_problems(arms: Arms, settings: Settings) -> list[Problem]:
    demand = settings.demand
    if demand is None or demand.unit is None or _unit(demand.unit) == _unit(arms.unit):
        return []
    return [question("demand-unit-differs", found=demand.unit, expected=arms.unit)]


def _matched(arms: Arms, setup: Setup, today: date) -> tuple[list[Problem], list[Problem]]:
    """Contracts that neither arm draws on: asked where an arm does not say what it is, else said."""
    unknown = [arm.name for arm in arms.both if arm.one("instance_type") is None]
    asked, notes = [], []
    for contract in setup.contracts:
        if contract.ends_on < today and not renews_automatically(contract):
            continue
        if any(covers(contract, _named(arm)) for arm in arms.both):
            continue
        details = {"id": contract.id, "found": ", ".join((*contract.covers.instance_types, *contract.covers.regions))}
        place = {"file": contract.source.file, "row": contract.source.row}
        if unknown and not any(arm.values("instance_type") for arm in arms.both if arm.name in unknown):
            asked.append(question("contract-not-matched", **place, **details, expected=", ".join(unknown)))
        else:
            notes.append(info("contract-not-drawn", **place, **details))
    return asked, notes


def _term_left(contract: Contract, flow: ArmFlow, today: date) -> tuple[str, str] | None:
    return not_weighed(contract, flow, today) if covers(contract, flow) else None


def _not_weighed(contract: Contract, term: tuple[str, str]) -> Problem:
    place = {"file": contract.source.file, "row": contract.source.row, "column": term[0]}
    return question("contract-term-not-supported", **place, found=term[1], expected="a term that this version models")


def _shared_by_both(contract: Contract, why: str) -> Problem:
    """Hours that either arm could use are no cost of staying or of moving alone."""
    place = {"file": contract.source.file, "row": contract.source.row}
    covered = ", ".join(contract.covers.instance_types) or "everything"
    if why == "alone":
        return question("contract-covers-both", **place, id=contract.id, found=covered)
    return question("plan-of-both-with", **place, id=contract.id, found=covered, term=why)


def _spending_with(contract: Contract, term: str) -> Problem:
    place = {"file": contract.source.file, "row": contract.source.row}
    return question("spend-commitment-with", **place, id=contract.id, term=term)


def _named(arm: ArmData) -> ArmFlow:
    """The arm as a contract sees it: its name, instance type and region."""
    types, regions = arm.one("instance_type"), arm.one("region")
    return ArmFlow(arm=arm.name, hours_per_unit=1.0, price_per_hour=None, instance_type=types, region=regions)


def _unit(name: str) -> str:
    return name.casefold().replace(" ", "_").replace("-", "_").removesuffix("s")


def _flow(arm: ArmData, cost: Comparison | None, time: Comparison | None) -> ArmFlow | None:
    comparison = cost or time
    result = comparison.arms[arm.name] if comparison else None
    if result is None or not result.hours_per_unit:
        return None
    return ArmFlow(
        arm=arm.name,
        hours_per_unit=result.hours_per_unit,
        price_per_hour=result.price_per_hour or None,  # a stated cost of zero names no price
        instance_type=result.instance_type,
        region=result.region,
    )


def hours_ratio(a: ArmFlow, b: ArmFlow, cost: Comparison | None, time: Comparison | None) -> Band:
    """Instance-hours of the candidate for an incumbent's, with the relative interval of the cost or time ratio."""
    point = b.hours_per_unit / a.hours_per_unit
    known = [c.theta for c in (cost, time) if c is not None and c.theta.point and c.theta.has_interval]
    if not known or known[0].lo is None or known[0].hi is None or not known[0].point:
        return Band(point=point)
    lo, hi, centre = known[0].lo, known[0].hi, known[0].point
    return Band(point=point, lo=point * lo / centre, hi=point * hi / centre)


def _by_cost_alone(cost: Comparison | None, settings: Settings, today: date) -> tuple[Economics, list[Problem]]:
    """Costs without hours: contracts cannot be applied, and the break-even is k = 1 − M/S."""
    economics = no_economics(settings, today, "no-hours")
    if cost is None or settings.demand is None:
        return economics, []
    incumbent = next(iter(cost.arms.values()))
    months = months_from(first_month(today), settings.horizon_months)
    spend = (incumbent.cost_per_unit or 0.0) * sum(units_by_month(settings.demand, months))
    if spend <= 0:
        return economics, []
    break_even = 1 - float(settings.migration_cost) / spend
    return economics.model_copy(update={"break_even_theta": break_even, "value_per_theta": spend}), []
