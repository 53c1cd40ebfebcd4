"""What would change the answer, and how many more runs would settle it."""

from decimal import Decimal
from typing import Any

import pytest

from scoring.comparison import cost_comparison
from scoring.flips import flips_of, runs_to_settle
from scoring.model.decision import Reason, Verdict, Word
from scoring.model.economics import Band, Economics, WalkAway
from scoring.model.estimates import Direction
from scoring.model.pilot import Run
from tests.scoring.scenes import TODAY, Posted, arms, run, settings
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
    found = runs_to_settle(of, cost_comparison(of, 0.95), k, verdict, settings(planned_runs_per_arm=limit))
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
        ((1, None), (priced("gpu", 100, 100, 100), priced("trn2", 97, 97, 97)), 1.0),
        (None, (priced("gpu", 100, 110), [run("trn2"), run("trn2")]), 1.0),
    ],
)
def test_runs_until_there_is_an_interval(wanted: Any, both: tuple[Posted, Posted], k: float) -> None:
    assert more(both, EXTEND, k) == wanted


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
