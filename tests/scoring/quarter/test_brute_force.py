"""The optimal plan costs what the cheapest of all plans costs, found by trying them one by one."""

import random
from calendar import monthrange
from datetime import date
from decimal import Decimal

import pytest

from scoring.contracts.notices import add_months
from scoring.model.contract import Coverage
from scoring.model.settings import CommitmentOption
from scoring.quarter.answer import Contradiction, QuarterPlan
from scoring.quarter.plan import plan_of
from scoring.quarter.values import CapacityPool, CommitmentOffer, QuarterInput, Search
from tests.scoring.quarter.brute_force import cheapest
from tests.scoring.quarter.scenes import FIRST, option, quarter, renewing, take_or_pay, workload

INSTANCES = 220
MONTHS = 3


def instance(seed: int) -> tuple[QuarterInput, float | None]:
    """Two or three workloads, two or three options, contracts that end or renew, caps, an offer; and its least cost."""
    rng = random.Random(seed)
    works, options = rng.choice(((1, 3), (2, 2), (2, 3), (3, 2)))
    months = 2 if (works, options) == (2, 3) else MONTHS
    names, prices = [f"o{o}" for o in range(options)], [float(rng.randint(2, 20)) for _ in range(options)]
    needs = [[[0.0] * months for _ in range(options)] for _ in range(works)]
    moving = [[0.0] + [float(rng.randint(0, 900)) for _ in range(options - 1)] for _ in range(works)]
    capped = rng.random() < 0.4
    given = []
    for w in range(works):
        units = [float(rng.randint(0, 60)) for _ in range(months)]
        hours = [rng.choice((0.5, 1.0, 2.0)) for _ in range(options)]
        needs[w] = [[u * h for u in units] for h in hours]
        ways = [
            option(n, p, hours_per_unit=h, migration_cost=m, pool=n if capped else None)
            for n, p, h, m in zip(names, prices, hours, moving[w], strict=True)
        ]
        given.append(workload(f"w{w}", 0, *ways, months=months).model_copy(update={"units_per_month": tuple(units)}))
    caps = {o: [float(rng.randint(40, 160)) for _ in range(months)] for o in range(options)} if capped else {}
    contracts, held, renewed = [], [], []
    for number in range(rng.randint(0, 2)):
        served = frozenset(rng.sample(range(options), rng.randint(1, options)))
        lasts, amount, rate = rng.randint(1, months), float(rng.randint(10, 70)), float(rng.randint(1, 9))
        paid = [amount * rate if t < lasts else 0.0 for t in range(months)]
        held.append((served, [amount if t < lasts else 0.0 for t in range(months)], paid))
        terms = {}
        if rng.random() < 0.5 and lasts > 1:
            rate = float(rng.randint(1, 9))
            terms = renewing(rate, kind=rng.choice(("automatic", "on_request")))
            later = [amount if t >= lasts else 0.0 for t in range(months)]
            renewed.append((served, later, [hours * rate for hours in later]))
        ends = date.fromordinal(add_months(FIRST, lasts).toordinal() - 1)
        types = [names[o] for o in sorted(served)]
        contracts.append(take_or_pay(f"c{number}", amount, held[-1][2][0] / amount, ends, *types, **terms))
    offers, ways = (), []
    if rng.random() < 0.3:
        o, rate = rng.randrange(options), rng.randint(1, 9) / 100
        hours = [24.0 * monthrange(2027, t + 1)[1] for t in range(months)]
        ways = [(frozenset({o}), [(hours, [h * rate for h in hours])])]
        taken = CommitmentOption(id="offer", term_months=months, rate=Decimal(str(rate)))
        offers = (CommitmentOffer(option=taken, covers=Coverage(instance_types=(names[o],)), most_instances=1),)
    pools = tuple(CapacityPool(id=names[o], hours_per_month=tuple(cap)) for o, cap in caps.items())
    limits = [(frozenset({o}), cap) for o, cap in caps.items()]
    least = cheapest(needs, prices, moving, held, renewed, limits, ways)
    return quarter(*given, months=months, contracts=tuple(contracts), pools=pools, offers=offers), least


@pytest.mark.parametrize("block", range(11))
def test_no_plan_is_cheaper_and_the_cost_is_what_the_plan_costs(block: int) -> None:
    for seed in range(block * 20, block * 20 + 20):
        given, least = instance(seed)
        found = plan_of(given)
        if least is None:
            assert isinstance(found, Contradiction), seed
            continue
        assert isinstance(found, QuarterPlan), seed
        assert found.optimal.cost == pytest.approx(least, rel=1e-7, abs=1e-5), seed
        assert sum(found.optimal.cost_by_month) == pytest.approx(found.optimal.cost)
        assert found.bound == pytest.approx(least, rel=1e-7, abs=1e-5)


def test_within_a_gap_the_bound_lies_below_the_least_cost() -> None:
    for seed in range(0, INSTANCES, 10):
        given, least = instance(seed)
        found = plan_of(given.model_copy(update={"search": Search(gap=0.05)}))
        if least is not None:
            assert isinstance(found, QuarterPlan)
            assert found.bound <= least + 1e-5
            assert found.gap <= 0.05 + 1e-9
            assert least <= found.optimal.cost + 1e-5
