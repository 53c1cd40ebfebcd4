"""What would change the answer, and how many more runs would settle it."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from scoring.comparison import cost_comparison
from scoring.flips import flips_of, runs_to_settle
from scoring.looks import Plan, looks_at, with_bounds
from scoring.model.decision import Reason, Verdict, Word
from scoring.model.economics import Band, Economics, WalkAway
from scoring.model.estimates import Direction
from scoring.model.pilot import Run
from tests.scoring.scenes import TODAY, Posted, arms, run, settings, summary
from tests.scoring.test_guardrails import quality, scored

SWITCH, SPLIT, STAY = Verdict(word=Word.SWITCH), Verdict(word=Word.SPLIT), Verdict(word=Word.STAY)
EXTEND, BLOCKED, NONE = Verdict(word=Word.EXTEND), Verdict(word=Word.BLOCKED), Verdict(word=None)


def economics(candidate: bool = True, incumbent: bool = True) -> Economics:
    band = Band(point=42.0)
    return Economics(
        currency="USD",
        horizon_months=12,
        starts_on=TODAY,
        annual_discount_rate=0,
        migration_cost=0,
        walk_away=WalkAway(candidate_price=band if candidate else None, incumbent_price=band if incumbent else None),
    )


@pytest.mark.parametrize(
    ("wanted", "verdict", "money"),
    [
        (["candidate-price-above", "incumbent-price-below"], SWITCH, economics()),
        (["candidate-price-above", "incumbent-price-below"], SPLIT, economics()),
        (["candidate-price-below", "incumbent-price-above"], STAY, economics()),
        (["walk-away-only"], EXTEND, economics()),
        (["walk-away-only"], BLOCKED, economics()),
        (["walk-away-only"], NONE, economics()),
        (["incumbent-price-below"], SWITCH, economics(candidate=False)),
        (["candidate-price-below"], STAY, economics(incumbent=False)),
        ([], SWITCH, economics(False, False)),
        ([], BLOCKED, economics(False)),
    ],
)
def test_prices_at_which_the_verdict_changes(wanted: list[str], verdict: Verdict, money: Economics) -> None:
    assert [f.code for f in flips_of(verdict, money, ())] == wanted


def test_quality_beyond_its_margin_would_undo_a_move_alone() -> None:
    wer = quality("wer", Direction.LOWER, scored("gpu", "wer", 7, 7.1), scored("trn2", "wer", 7, 7.1))
    assert [(f.code, f.arguments) for f in flips_of(SWITCH, economics(False, False), (wer,))] == [
        ("quality-beyond-margin", {"metric": "wer"})
    ]
    assert flips_of(STAY, economics(False, False), (wer,)) == ()


@pytest.mark.parametrize(
    ("code", "reason"), [("quality-within-margin", "quality-inferior"), ("latency-within-limit", "latency-too-high")]
)
def test_no_price_undoes_a_failed_guardrail(code: str, reason: str) -> None:
    failed = Verdict(word=Word.STAY, reasons=(Reason(code=reason, arguments={"metric": "wer"}),))
    assert [(f.code, f.arguments) for f in flips_of(failed, economics(), ())] == [(code, {"metric": "wer"})]


def priced(arm: str, *costs: float, **fields: Any) -> list[Run]:
    return [run(arm, duration_s=None, stated_cost=Decimal(str(c)), **fields) for c in costs]


NEAR = priced("gpu", 100, 110, 90), priced("trn2", 97, 107, 88)


def more(
    both: tuple[Posted, Posted], verdict: Verdict = EXTEND, k: float = 1.0, limit: int = 1000
) -> tuple[int | None, int | None] | None:
    of = arms(*both)
    cost = cost_comparison(of, 0.95)
    runs = of.incumbent.n, of.candidate.n
    looks = with_bounds(looks_at("", runs, (), Plan(limit, True, 0.05)), cost.theta if cost else None)
    known = looks if min(runs) > 2 else None
    found = runs_to_settle(of, cost, k, verdict, settings(planned_runs_per_arm=limit), known)
    return (found.likely, found.safe) if found else None


@pytest.mark.parametrize("verdict", [SWITCH, SPLIT, STAY])
def test_a_settled_verdict_needs_no_more_runs(verdict: Verdict) -> None:
    assert more(NEAR, verdict) == (0, 0)


@pytest.mark.parametrize(
    ("wanted", "both", "k"),
    [
        ((0, 0), (priced("gpu", 100, 101, 99), priced("trn2", 50, 51, 49)), 1.0),
        ((2, None), (priced("gpu", 100, 110), priced("trn2", 97)), 1.0),
        ((2, None), (priced("gpu", 100), priced("trn2", 97)), 1.0),
        (None, (priced("gpu", 100, 100, 100), priced("trn2", 97, 97, 97)), 1.0),
        (None, (priced("gpu", 100, 110), [run("trn2"), run("trn2")]), 1.0),
    ],
)
def test_runs_until_there_is_an_interval(wanted: Any, both: tuple[Posted, Posted], k: float) -> None:
    assert more(both, EXTEND, k) == wanted


def goal(both: tuple[Posted, Posted], *codes: str) -> tuple[str, int | None] | None:
    of, asked = arms(*both), Verdict(word=Word.EXTEND, reasons=tuple(Reason(code=code) for code in codes))
    found = runs_to_settle(of, cost_comparison(of, 0.95), 1.0, asked, settings())
    return (found.goal, found.likely) if found else None


@pytest.mark.parametrize(
    ("wanted", "both", "code"),
    [
        (("least", 2), (priced("gpu", 100, 110, 90), priced("trn2", 97)), "refused-one-run"),
        (
            ("blocks", 3),
            (priced("gpu", 100, 110, 90, block="mon"), priced("trn2", 97, 99, 95, block="tue")),
            "refused-confounded",
        ),
        (
            ("blocks", 1),
            tuple(
                [*priced(arm, 100, 110, block="mon"), *priced(arm, x, 99, block="tue")]
                for arm, x in (("gpu", 97), ("trn2", 91))
            ),
            "screening-blocks",
        ),
        (
            ("blocks", 2),
            (
                [*priced("gpu", 100, 110, block="mon"), *priced("gpu", 99, 98, block="tue")],
                [*priced("trn2", 97, 95, block="mon"), *priced("trn2", 5, 5, block="tue", status="failed")],
            ),
            "refused-one-run",
        ),
        (None, (priced("gpu", 100, 100, 100), priced("trn2", 97, 97, 97)), "refused-no-spread"),
        (
            None,
            (summary("gpu", n=5, cost=(100, None)), summary("trn2", n=5, cost=(90, None))),
            "refused-summary-without-sd",
        ),
        (None, (summary("gpu", cost=(100, 3)), summary("trn2", cost=(90, 3))), "refused-summary-without-n"),
    ],
)
def test_what_is_asked_for_is_what_is_missing(wanted: Any, both: Any, code: str) -> None:
    """Three more runs settle neither arms on days of their own nor identical values nor a summary without a spread."""
    assert goal(both, code) == wanted


def test_days_are_asked_for_though_a_bound_by_runs_would_lie_beyond_the_break_even() -> None:
    """By their times alone each arm ran on a day of its own: that is a screening, whatever its bounds are."""
    apart = replace(arms(priced("gpu", 100, 101, 99), priced("trn2", 50, 51, 49)), days_apart=True)
    cost = cost_comparison(apart, 0.95)
    assert cost is not None
    looks = with_bounds(looks_at("", (3, 3), (), Plan(30, True, 0.05)), cost.theta)
    assert looks.theta_upper is not None and looks.theta_upper < 1
    screening = Verdict(word=Word.EXTEND, reasons=(Reason(code="screening-blocks"),))
    found = runs_to_settle(apart, cost, 1.0, screening, settings(), looks)
    assert found is not None and (found.goal, found.likely) == ("blocks", 2)


def test_nearer_to_the_break_even_needs_more_runs_and_safe_is_never_fewer() -> None:
    far, near = more(NEAR, k=1.1), more(NEAR, k=1.0)
    assert far is not None
    assert near is not None
    assert (far[0] or 0) < (near[0] or 0) <= (near[1] or 0)


def test_what_the_plan_cannot_reach_is_none() -> None:
    assert more(NEAR, limit=5) == (None, None)


def test_without_a_verdict_no_runs_are_asked_for() -> None:
    assert more(NEAR, NONE) is None


def test_pairs_that_move_together_need_fewer_runs() -> None:
    days = ("mon", "tue", "wed")
    paired = tuple(
        [run(arm, duration_s=None, stated_cost=Decimal(c), block=d) for c, d in zip(costs, days, strict=True)]
        for arm, costs in (("gpu", (100, 120, 80)), ("trn2", (98, 119, 77)))
    )
    apart = priced("gpu", 100, 120, 80), priced("trn2", 98, 119, 77)
    of_pairs, of_apart = more((paired[0], paired[1])), more(apart)
    assert of_pairs is not None
    assert of_apart is not None
    assert of_pairs[0] is not None
    assert of_apart[0] is None or of_pairs[0] < of_apart[0]
