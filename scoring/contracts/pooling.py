"""From promises to the hours that an arm has paid in any case, and to what contracts make cheaper beyond them."""

from collections.abc import Iterator

import numpy as np

from scoring.contracts.coverage import Column, Promised, Term
from scoring.contracts.further import Further, PlanOfBoth, Tranches
from scoring.contracts.kinds import kind_named
from scoring.contracts.kinds.promise import plan_rate


def is_plan(term: Term) -> bool:
    """Whether its promise is an amount an hour."""
    return term.contract.commitment.currency_per_hour is not None


def plans_of_both(a: Promised, b: Promised, both: frozenset[str], types: tuple[str, str]) -> tuple[PlanOfBoth, ...]:
    """Every plan in the order in which AWS applies them, where one covers both arms; none where each is one arm's.

    Plans of a family come before compute plans, of each the one that ends first. `types` are the arms' names.
    """
    if not both:
        return ()
    plans = [*_plans(a, types, both, of_a=True), *_plans(b, types, both, of_a=False)]
    return tuple(plan for _, plan in sorted(plans, key=lambda plan: plan[0]))


def _plans(
    promised: Promised, types: tuple[str, str], both: frozenset[str], of_a: bool
) -> Iterator[tuple[tuple[object, ...], PlanOfBoth]]:
    for row, term in enumerate(promised.terms):
        if not is_plan(term):
            continue
        contract = term.contract
        kind = kind_named(contract.kind)
        rates = [plan_rate(contract, float(contract.rate), named) for named in types]
        own = rates[0] if of_a else rates[1]
        held = {"rate_a": rates[0], "rate_b": rates[1]}
        if contract.id not in both:
            held["rate_b" if of_a else "rate_a"] = None
        order = (kind is None or kind.name != "savings_plan_instance", term.ends_on, contract.id)
        yield order, PlanOfBoth(id=contract.id, amount=promised.hours[row] * (own or 0.0), **held)


def paid_hours(promised: Promised, plans: tuple[PlanOfBoth, ...]) -> Column:
    """Hours of each month that the arm has paid in any case; those of plans that are told apart are not among them."""
    if not plans:
        total: Column = promised.hours.sum(axis=0)
        return total
    rest: Column = promised.hours[[not is_plan(term) for term in promised.terms]].sum(axis=0)
    return rest


def further_of(a: Promised, b: Promised, plans: tuple[PlanOfBoth, ...], ratio: float, price_b: float) -> Further | None:
    """None where every promise is hours of one arm that are paid in any case."""
    above_a, above_b = _tranches(a), _tranches(b)
    if not (plans or above_a.hours.size or above_b.hours.size):
        return None
    candidate = ratio * np.minimum(b.cheapest_overage, price_b)
    kept = paid_hours(a, plans) + above_a.below(candidate)
    for plan in plans:
        kept = kept + (plan.amount / plan.rate_a if plan.rate_a else 0.0)
    return Further(above_a, above_b, plans, kept)


def _tranches(promised: Promised) -> Tranches:
    count = promised.hours.shape[1]
    hours, rates = promised.above.reshape(2, -1, count)
    return Tranches.of(hours, rates)
