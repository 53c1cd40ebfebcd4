"""Pools and offers of `workloads.yml` in the plan: as cheap as the cheapest of all plans, and each mistake named."""

import random
from calendar import monthrange
from collections.abc import Iterator
from datetime import date
from itertools import product
from typing import Any

import pytest
import yaml

from scoring.model.problem import Severity
from scoring.quarter.answer import BarredReason, BindingCode, Contradiction, MoveKind, OfferFate, QuarterPlan
from scoring.quarter.values import Search
from scoring.reading.posted import PostedFile
from scoring.review.assemble import review
from scoring.review.given import ReviewInput
from scoring.review.planned import planned
from scoring.review.quarter import Quarter
from scoring.review.workload_book import read_workloads
from tests.scoring.quarter.brute_force import Bought, cheapest

TODAY, QUARTER = date(2026, 12, 15), Quarter(year=2027, number=1)
FIRSTS = [date(2027, m, 1) for m in (1, 2, 3)]
HOURS = [24.0 * monthrange(2027, m)[1] for m in (1, 2, 3)]
EUR = 1.25


class Plain(yaml.SafeDumper):
    """Without aliases, which a book may not hold."""

    def ignore_aliases(self, data: object) -> bool:
        """All of them."""
        return True


def book_of(told: dict[str, Any], **settings: Any) -> ReviewInput:
    """Written as YAML and read back."""
    text = yaml.dump(told, Dumper=Plain)
    book, problems = read_workloads(PostedFile.from_bytes("workloads.yml", text.encode()))
    assert [p for p in problems if p.severity is Severity.ERROR] == []
    given = {"horizon_months": len(FIRSTS), **settings}
    return ReviewInput.model_validate({**{name: getattr(book, name) for name in WORK}, "settings": given})


WORK = ("workloads", "pools", "offers")


def last_month(until: date | None) -> int:
    return sum(until is None or first <= until for first in FIRSTS) - 1


def random_book(seed: int) -> tuple[ReviewInput, float | None]:
    """Two workloads on two or three options, pools and offers of every kind; and the least cost of any plan."""
    rng = random.Random(seed)
    count = rng.choice((2, 3))
    prices = [float(rng.randint(5, 20)) for _ in range(count)]
    own = [f"pool-{o}" if rng.random() < 0.5 else None for o in range(count)]
    works, needs, moving = [], [], []
    for w in range(2):
        levels = [float(rng.randint(0, 900)) for _ in FIRSTS]
        hours = [rng.choice((0.5, 1.0, 2.0)) for _ in range(count)]
        once = [0.0] + [float(rng.randint(0, 2_000)) for _ in range(count - 1)]
        steps = [{"from": d, "units_per_month": u} for d, u in zip(FIRSTS, levels, strict=True)]
        options = [
            {
                "id": f"o{o}", "instance_type": f"type-{o}", "region": "here" if o == 0 else "there", "pool": own[o],
                "on_demand_price": prices[o], "hours_per_unit": hours[o], "migration_cost": once[o],
            }
            for o in range(count)
        ]  # fmt: skip
        works.append(
            {
                "name": f"w{w}",
                "demand": {"units_per_month": 1, "changes": steps},
                "runs_on": "o0",
                "options": options,
            }
        )
        needs.append([[u * h for u in levels] for h in hours])
        moving.append(once)
    pools, caps, last = [], [], dict[int, int]()
    for o, name in enumerate(own):
        if name is not None:
            low, high = float(rng.randint(300, 1_500)), float(rng.randint(300, 1_500))
            until = rng.choice((None, None, date(2027, 1, 31), date(2027, 2, 1)))
            change = {"from": FIRSTS[1], "hours_per_month": high}
            confirmed = {"confirmed_by": "ops", "confirmed_until": until} if until else {}
            pools.append({"id": name, "hours_per_month": low, "changes": [change], **confirmed})
            caps.append((frozenset({o}), [low, high, high]))
            last[o] = last_month(until)
    settings: dict[str, Any] = {"rates": [{"source": "EUR", "target": "USD", "rate": EUR, "on": "2026-12-01"}]}
    if rng.random() < 0.5:
        free = frozenset(o for o in range(1, count) if own[o] is None)
        hours_a_month, until = float(rng.randint(300, 2_000)), rng.choice((date(2027, 1, 31), date(2027, 9, 1)))
        settings["capacity"] = {
            "hours_per_month": hours_a_month, "region": "there", "confirmed_by": "ops", "confirmed_until": until,
        }  # fmt: skip
        caps.append((free, [hours_a_month] * 3))
        last |= dict.fromkeys(free, last_month(until))
    offers, ways = [], []
    for number in range(rng.randint(0, 2)):
        o, term, size = rng.randrange(count), rng.randint(1, 3), rng.choice((1, 1, 2))
        rate, upfront, most = rng.randint(1, 8), float(rng.choice((0, 300))), rng.randint(1, 2)
        currency = rng.choice((None, "EUR"))
        ends = rng.choice((None, date(2027, 1, 15), date(2027, 2, 1)))
        offers.append(
            {
                "id": f"offer-{number}", "term_months": term, "rate": rate, "upfront": upfront, "currency": currency,
                "instances": size if size > 1 else None, "most_instances": most * size, "expires_on": ends,
                "covers": {"instance_types": [f"type-{o}"]},
            }
        )  # fmt: skip
        starts = [s for s in range(3 - term + 1) if ends is None or FIRSTS[s] <= ends]
        worth = EUR if currency else 1.0
        ways.append((frozenset({o}), list(bought(starts, term, most, size, rate * worth, upfront * worth))))
    told = {"workloads": works, "pools": pools, "offers": offers}
    least = cheapest(needs, prices, moving, [], [], caps, ways, last)
    return book_of(told, **settings), least


def bought(starts: list[int], term: int, most: int, size: int, rate: float, upfront: float) -> Iterator[Bought]:
    """So many units from each of the months, at most `most` in all."""
    for counts in product(range(most + 1), repeat=len(starts)):
        if 0 < sum(counts) <= most:
            hours, cost = [0.0] * 3, [0.0] * 3
            for count, start in zip(counts, starts, strict=True):
                cost[start] += count * size * upfront
                for t in range(start, start + term):
                    hours[t] += count * size * HOURS[t]
                    cost[t] += count * size * HOURS[t] * rate
            yield hours, cost


@pytest.mark.parametrize("block", range(4))
def test_no_plan_of_a_book_is_cheaper(block: int) -> None:
    for seed in range(block * 10, block * 10 + 10):
        given, least = random_book(seed)
        found = planned(given, QUARTER, TODAY, Search(gap=0))
        if least is None:
            assert isinstance(found, Contradiction), seed
            continue
        assert isinstance(found, QuarterPlan), seed
        assert found.optimal.cost == pytest.approx(least, rel=1e-7, abs=1e-4), seed


def test_the_random_books_buy_move_and_fail() -> None:
    """Else they would prove nothing."""
    found = [planned(random_book(seed)[0], QUARTER, TODAY, Search(gap=0)) for seed in range(0, 40, 2)]
    plans = [plan for plan in found if isinstance(plan, QuarterPlan)]
    kinds = {move.kind for plan in plans for move in plan.moves}
    assert kinds == {MoveKind.MOVE, MoveKind.BUY}
    assert {b.code for plan in plans for b in plan.binding} >= {BindingCode.POOL_FULL, BindingCode.POOL_OVER_TODAY}


def small(pools: list[dict[str, Any]] | None = None, offers: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """1,000 h a month at 10.00 on a; the same on b at 6.00."""
    options = [
        {"id": "a", "instance_type": "gpu", "on_demand_price": 10, "hours_per_unit": 1, "region": "r1"},
        {"id": "b", "instance_type": "trn", "on_demand_price": 6, "hours_per_unit": 1, "region": "r2"},
    ]
    if pools:
        options[1]["pool"] = pools[0]["id"]
    work = {"name": "w", "demand": {"units_per_month": 1_000}, "runs_on": "a", "options": options}
    return {"workloads": [work], "pools": pools or [], "offers": offers or []}


def offer(**more: Any) -> dict[str, Any]:
    told = {"id": "one", "term_months": 3, "rate": 4, "covers": {"instance_types": "gpu"}, "most_instances": 1}
    return {**told, **more}


def plan_of_book(told: dict[str, Any], today: date = TODAY, **settings: Any) -> QuarterPlan:
    found = planned(book_of(told, **settings), QUARTER, today)
    assert isinstance(found, QuarterPlan)
    return found


def test_an_offer_is_bought_for_what_it_saves_by_hand() -> None:
    told = small(offers=[offer(covers={"instance_types": ["trn"]}, upfront=100)])
    told["workloads"][0]["runs_on"] = "b"
    (move,) = plan_of_book(told).moves
    assert (move.kind, move.subject, move.instances) == (MoveKind.BUY, "one", 1)
    assert (move.on, move.until, move.deadline) == (FIRSTS[0], date(2027, 3, 31), FIRSTS[0])
    assert move.saving == pytest.approx(sum(HOURS) * (6 - 4) - 100)


@pytest.mark.parametrize(
    ("pool", "moves_in", "barred"),
    [
        ({}, [], []),
        ({"hours_per_month": 1_000}, [0], []),
        ({"hours_per_month": 999}, [], []),
        ({"hours_per_month": 0, "changes": [{"from": "2027-02-01", "hours_per_month": 1_000}]}, [1], []),
        ({"hours_per_month": 0, "changes": [{"from": "2027-02-02", "hours_per_month": 1_000}]}, [2], []),
        ({"confirmed_by": "ops", "confirmed_until": "2027-01-01"}, [0], []),
        ({"confirmed_by": "ops", "confirmed_until": "2026-12-31"}, [], ["w"]),
        ({"confirmed_until": "2027-06-30"}, [], ["w"]),
        ({"confirmed_by": "ops"}, [], ["w"]),
        (
            {
                "hours_per_month": 0,
                "changes": [{"from": "2027-02-01", "hours_per_month": 1_000}],
                "confirmed_by": "ops",
                "confirmed_until": "2027-01-31",
            },
            [],
            [],
        ),
    ],
)
def test_work_moves_when_its_pool_has_room_and_is_confirmed(
    pool: dict[str, Any], moves_in: list[int], barred: list[str]
) -> None:
    if not pool:
        pool = {"hours_per_month": 1}
    found = plan_of_book(small(pools=[{"id": "p", **pool}]))
    assert [move.month for move in found.moves] == moves_in
    assert [b.workload for b in found.barred] == barred
    for one in found.barred:
        assert one.reason is BarredReason.CAPACITY_NOT_CONFIRMED
        assert one.worth == pytest.approx(3 * 1_000 * 4)


def test_a_full_pool_says_what_an_hour_more_is_worth() -> None:
    (bound,) = plan_of_book(small(pools=[{"id": "p", "hours_per_month": 900}])).binding
    assert (bound.code, bound.subject, bound.workload, bound.option) == (BindingCode.POOL_FULL, "p", "w", "b")
    assert bound.hours == pytest.approx(3 * 100)
    assert bound.worth == pytest.approx(3 * 1_000 * 4)


def test_a_confirmation_that_ends_too_early_is_told() -> None:
    pool = {"id": "p", "hours_per_month": 5_000, "confirmed_by": "ops", "confirmed_until": "2027-01-31"}
    told = small(pools=[pool])
    assert [b.code for b in plan_of_book(told).binding] == []
    told["offers"] = [offer(term_months=2, rate=1, expires_on="2027-01-02")]
    told["workloads"][0]["demand"] = {"units_per_month": 600}
    found = plan_of_book(told)
    assert [m.kind for m in found.moves] == [MoveKind.BUY]
    (bound,) = [b for b in found.binding if b.code is BindingCode.CONFIRMATION_ENDS]
    assert (bound.subject, bound.workload, bound.option, bound.month) == ("p", "w", "b", 2)
    assert bound.worth == pytest.approx(600 * (10 - 6))


@pytest.mark.parametrize(
    ("capacity", "candidate", "moves"),
    [
        ({"region": "r2", "confirmed_by": "ops", "confirmed_until": "2027-06-30"}, None, 1),
        ({"region": "R2", "confirmed_by": "ops", "confirmed_until": "2026-12-14"}, None, 0),
        ({"region": "r2", "confirmed_by": "ops"}, None, 0),
        ({"region": "r1", "confirmed_by": "ops"}, None, 1),
        ({"region": "r2", "confirmed_by": "ops"}, "other", 1),
        ({"hours_per_month": 999}, None, 0),
        ({"hours_per_month": 999}, "B", 0),
        ({"hours_per_month": 999}, "c", 1),
        ({"hours_per_month": 1_000}, None, 1),
    ],
)
def test_capacity_of_the_settings_holds_for_work_that_moves(
    capacity: dict[str, Any], candidate: str | None, moves: int
) -> None:
    found = plan_of_book(small(), capacity=capacity, candidate=candidate)
    assert len(found.moves) == moves
    told = small()
    told["workloads"][0]["runs_on"] = "b"
    assert plan_of_book(told, capacity=capacity, candidate=candidate).binding == ()


def test_a_pool_that_an_option_names_goes_before_the_capacity_of_the_settings() -> None:
    told = small(pools=[{"id": "p", "hours_per_month": 1_000}])
    assert len(plan_of_book(told, capacity={"hours_per_month": 1}).moves) == 1


@pytest.mark.parametrize(
    ("change", "settings", "fate", "code"),
    [
        ({}, {}, OfferFate.BOUGHT, None),
        ({"rate": 11}, {}, OfferFate.NOT_WORTH, None),
        ({"covers": {"instance_types": ["tpu"]}}, {}, OfferFate.NO_USE, "offer-without-use"),
        ({"covers": {"instance_types": ["gpu"], "regions": ["r9"]}}, {}, OfferFate.NO_USE, "offer-without-use"),
        ({"covers": {"instance_types": ["trn"]}}, {"approved_regions": ["r1"]}, OfferFate.NO_USE, "offer-without-use"),
        ({"expires_on": "2026-12-14"}, {}, OfferFate.EXPIRED, "offer-expired"),
        ({"term_months": 4}, {}, OfferFate.BEYOND_HORIZON, "offer-beyond-horizon"),
        ({"currency": "EUR"}, {"rates": [["EUR", "USD", 1.25]]}, OfferFate.BOUGHT, None),
        ({"currency": "EUR"}, {"rates": [["EUR", "USD", 5]]}, OfferFate.NOT_WORTH, None),
        ({"currency": "GBP"}, {}, None, "currency-rate-missing"),
        ({}, {"commitment_options": [{"id": "one", "term_months": 3, "rate": 4}]}, OfferFate.BOUGHT, None),
        ({}, {"commitment_options": [{"id": "one", "term_months": 3, "rate": 3}]}, OfferFate.BOUGHT, "offer-differs"),
    ],
)
def test_what_becomes_of_an_offer_is_told_with_its_line(
    change: dict[str, Any], settings: dict[str, Any], fate: OfferFate | None, code: str | None
) -> None:
    rates = [{"source": s, "target": t, "rate": r, "on": "2026-12-01"} for s, t, r in settings.pop("rates", [])]
    given = book_of(small(offers=[offer(**change)]), **settings, rates=rates, capacity={"hours_per_month": 1})
    found = review(given, QUARTER, TODAY)
    assert isinstance(found.plan, QuarterPlan)
    assert [one.fate for one in found.plan.offers] == ([fate] if fate else [])
    assert [(p.code, p.file, p.row) for p in found.problems] == ([(code, "workloads.yml", 2)] if code else [])


def test_options_of_the_settings_are_of_their_candidate() -> None:
    options = [{"id": "held", "term_months": 3, "rate": 4, "instances": 1}]
    unnamed = review(book_of(small(), commitment_options=options), QUARTER, TODAY)
    assert [p.code for p in unnamed.problems] == ["option-without-coverage"]
    found = plan_of_book(small(), commitment_options=options, candidate="b")
    assert {(m.kind, m.subject) for m in found.moves} == {(MoveKind.BUY, "held"), (MoveKind.MOVE, "w")}


def test_days_of_offers_and_pools_are_among_the_dates() -> None:
    pool = {"id": "p", "hours_per_month": 1, "confirmed_by": "ops", "confirmed_until": "2027-06-30"}
    found = review(book_of(small([pool], [offer(expires_on="2027-02-01")])), QUARTER, TODAY, with_plan=False)
    told = [(d.due.kind.value, d.due.subject, d.due.day.isoformat(), d.due.owner) for d in found.dates]
    assert told == [("option", "one", "2027-02-01", None), ("capacity", "p", "2027-06-30", "ops")]
