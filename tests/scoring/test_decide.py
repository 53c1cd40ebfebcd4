"""The verdict, rule by rule: each rule's answer, and that an earlier rule goes before a later one."""

from datetime import date
from itertools import combinations
from typing import Any, Literal

import pytest

from scoring.analysis import POLICY
from scoring.decide import BLOCKING, Case, decide
from scoring.model.decision import LatencyComparison, QualityComparison, Word
from scoring.model.economics import Economics, Month, Plan
from scoring.model.estimates import DifferenceEstimate, Direction, RatioEstimate
from scoring.model.looks import Look, Looks
from scoring.model.problem import Problem
from scoring.moving import is_split
from scoring.problems import error, info, question, warning

TODAY = date(2026, 12, 1)


def ratio(lo: float | None, point: float | None, hi: float | None, reason: str | None = None) -> RatioEstimate:
    return RatioEstimate(point=point, lo=lo, hi=hi, confidence=0.95, method="welch-log-ratio", reason=reason)


CHEAPER, DEARER, UNSURE = ratio(0.7, 0.8, 0.9), ratio(1.1, 1.2, 1.3), ratio(0.9, 1.0, 1.1)
CONFOUNDED, ALONE = ratio(None, 0.8, None, "confounded"), ratio(None, 0.8, None, "one-run")


def money(
    k: float = 1.0, starts: int | None = None, full: int | None = None, shares: tuple[float, ...] = ()
) -> Economics:
    """Economics of as many months as there are shares, with a plan where one is given."""
    plan = None if starts is None or full is None else Plan(starts_at=starts, full_at=full, npv=1.0, saving=1.0)
    return Economics(
        currency="USD",
        horizon_months=12,
        starts_on=TODAY,
        annual_discount_rate=0.0,
        migration_cost=0.0,
        break_even_theta=k,
        best=plan,
        months=tuple(month(i, share) for i, share in enumerate(shares)),
    )


def month(index: int, full_share: float) -> Month:
    zeros = dict.fromkeys((name for name, field in Month.model_fields.items() if field.is_required()), 0)
    starts_on = date(2027, 1 + index, 1)
    return Month.model_validate({**zeros, "index": index, "starts_on": starts_on, "full_share": full_share})


def quality(non_inferior: bool | None, inferior: bool | None, metric: str = "wer") -> QualityComparison:
    return QualityComparison(
        metric=metric,
        direction=Direction.LOWER,
        margin=0.2,
        margin_is_relative=False,
        margin_is_default=False,
        difference=DifferenceEstimate(point=0.0, confidence=0.95, method="welch-t"),
        non_inferior=non_inferior,
        inferior=inferior,
        paired=False,
        arms={},
    )


def latency(passes: bool | None, fails: bool | None, is_guardrail: bool = True) -> LatencyComparison:
    return LatencyComparison(
        metric="ttft_p99",
        ratio=UNSURE,
        arms={},
        margin=0.1,
        is_guardrail=is_guardrail,
        passes=passes,
        fails=fails,
    )


HOLDS, FAILS, OPEN, UNTOLD = (True, False), (False, True), (False, False), (None, None)


def looked(
    lower: float | None, upper: float | None, earlier: int = 0, state: Literal["open", "used-up"] = "open"
) -> Looks:
    """A look with these bounds of theta."""
    look = Look(runs_incumbent=3, runs_candidate=3, fraction=0.1, spent=0.01)
    return Looks(
        key="k",
        earlier=(look,) * earlier,
        now=look,
        planned=30,
        declared=False,
        alpha=0.05,
        level=0.01,
        theta_lower=lower,
        theta_upper=upper,
        state=state,
    )


def case(theta: RatioEstimate | None = CHEAPER, **other: Any) -> Case:
    """By default the bounds that hold for all looks are the ends of the interval."""
    known: dict[str, Any] = {"runs": (3, 3), "quality": (), "latency": (), "economics": money(), "problems": ()}
    known["looks"] = looked(theta.lo, theta.hi) if theta is not None else None
    return Case(theta=theta, **{**known, **other})


def answer(asked: Case) -> tuple[str | None, str | None, list[str]]:
    verdict = decide(asked)
    word = verdict.word.value if verdict.word else None
    return word, verdict.basis.value if verdict.basis else None, [r.code for r in verdict.reasons]


UNIT, PRICE, REGION = question("duration-unit-unknown"), question("price-missing"), error("region-not-approved")
BROKEN = error("setting-invalid")

TABLE: list[tuple[tuple[str | None, str | None, list[str]], Case]] = [
    # a question that is not a missing fact of policy, and a file that could not be read: no verdict
    ((None, None, ["duration-unit-unknown"]), case(problems=(UNIT,))),
    ((None, None, ["setting-invalid"]), case(unreadable=(BROKEN,))),
    ((None, None, ["setting-invalid", "duration-unit-unknown"]), case(problems=(UNIT,), unreadable=(BROKEN,))),
    # policy
    (("BLOCKED", "policy", ["region-not-approved"]), case(problems=(REGION,))),
    (("BLOCKED", "policy", ["price-missing"]), case(problems=(PRICE,))),
    (("BLOCKED", "policy", ["price-missing", "region-not-approved"]), case(problems=(PRICE, REGION, PRICE))),
    # nothing to compare
    ((None, None, ["refused-no-cost"]), case(None)),
    ((None, None, ["refused-no-price"]), case(ratio(None, None, None, "no-price"))),
    ((None, None, ["refused-no-cost"]), case(ratio(None, None, None))),
    # a guardrail shown to fail
    (("STAY", "proven", ["quality-inferior"]), case(quality=(quality(*FAILS),))),
    (("STAY", "proven", ["latency-too-high"]), case(latency=(latency(*FAILS),))),
    (("STAY", "proven", ["quality-inferior", "latency-too-high"]),
     case(quality=(quality(*FAILS),), latency=(latency(*FAILS),))),
    (("STAY", "proven", ["quality-inferior"]), case(quality=(quality(*HOLDS), quality(*FAILS)))),
    # too few runs, or no honest interval
    (("EXTEND", "economic", ["refused-confounded"]), case(CONFOUNDED)),
    (("EXTEND", "economic", ["refused-one-run"]), case(ALONE, runs=(1, 5))),
    (("EXTEND", "economic", ["refused-no-interval"]), case(ratio(None, 0.8, None))),
    (("EXTEND", "economic", ["screening"]), case(runs=(2, 9))),
    (("EXTEND", "economic", ["screening"]), case(DEARER, runs=(9, 2))),
    # a proven saving
    (("SWITCH", "proven", ["cheaper-proven"]), case()),
    (("SWITCH", "proven", ["cheaper-proven", "guardrails-hold"]), case(quality=(quality(*HOLDS),))),
    (("SWITCH", "proven", ["cheaper-proven", "guardrails-hold"]), case(latency=(latency(*HOLDS),))),
    (("SWITCH", "proven", ["cheaper-proven"]), case(latency=(latency(*FAILS, is_guardrail=False),))),
    (("SWITCH", "proven", ["cheaper-proven"]), case(DEARER, economics=money(k=1.31))),
    (("SWITCH", "proven", ["cheaper-proven", "move-now"]), case(economics=money(1, 0, 0, (1, 1)))),
    (("SWITCH", "proven", ["cheaper-proven", "move-when-commitment-ends"]), case(economics=money(1, 1, 1, (1, 1)))),
    (("SPLIT", "proven", ["cheaper-proven", "split-overflow-first"]), case(economics=money(1, 0, 1, (1, 1)))),
    (("SPLIT", "proven", ["cheaper-proven", "split-overflow-first"]), case(economics=money(1, 0, 2, (1, 1)))),
    (("SPLIT", "proven", ["cheaper-proven", "split-capacity"]), case(economics=money(1, 0, 0, (0.5, 0.5)))),
    (("SWITCH", "proven", ["cheaper-proven", "move-when-commitment-ends"]), case(economics=money(1, 1, 1, (0.5, 1)))),
    # a proven loss
    (("STAY", "proven", ["not-cheaper-proven"]), case(DEARER)),
    (("STAY", "proven", ["not-cheaper-proven"]), case(CHEAPER, economics=money(k=0.69))),
    (("STAY", "proven", ["not-cheaper-proven"]), case(DEARER, quality=(quality(*OPEN),))),
    # all else
    (("EXTEND", "economic", ["interval-holds-break-even"]), case(UNSURE)),
    (("EXTEND", "economic", ["interval-holds-break-even"]), case(CHEAPER, economics=money(k=0.9))),
    (("EXTEND", "economic", ["interval-holds-break-even"]), case(CHEAPER, economics=money(k=0.7))),
    (("EXTEND", "economic", ["guardrail-undecided"]), case(quality=(quality(*OPEN),))),
    (("EXTEND", "economic", ["guardrail-undecided"]), case(quality=(quality(*UNTOLD),))),
    (("EXTEND", "economic", ["guardrail-undecided"]), case(latency=(latency(*OPEN),))),
    (("EXTEND", "economic", ["guardrail-undecided"]), case(latency=(latency(*UNTOLD),))),
    (("EXTEND", "economic", ["interval-holds-break-even", "guardrail-undecided"]),
     case(UNSURE, quality=(quality(*OPEN),))),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "asked"), TABLE)
def test_rules(wanted: tuple[str | None, str | None, list[str]], asked: Case) -> None:
    assert answer(asked) == wanted


def test_the_table_has_every_word() -> None:
    assert {wanted[0] for wanted, _ in TABLE} == {None, *(word.value for word in Word)}


LADDER: list[tuple[str, dict[str, Any]]] = [
    ("setting-invalid", {"unreadable": (BROKEN,)}),
    ("price-missing", {"problems": (PRICE,)}),
    ("refused-no-price", {"theta": ratio(None, None, None, "no-price")}),
    ("screening", {"runs": (2, 2)}),
    ("quality-inferior", {"quality": (quality(*FAILS),)}),
    ("not-cheaper-proven", {"theta": DEARER}),
]


@pytest.mark.parametrize(("earlier", "later"), list(combinations(LADDER, 2)))
def test_the_first_rule_that_applies_answers(earlier: tuple[str, dict[str, Any]], later: tuple[str, Any]) -> None:
    (code, facts), (_, more) = earlier, later
    assert answer(case(**{**more, **facts}))[2][0] == code


@pytest.mark.parametrize("code", sorted(BLOCKING))
def test_a_missing_fact_blocks_and_any_other_question_leaves_no_verdict(code: str) -> None:
    assert answer(case(problems=(question(code),)))[:2] == ("BLOCKED", "policy")
    assert answer(case(problems=(question(code), UNIT))) == (None, None, ["duration-unit-unknown"])


@pytest.mark.parametrize("code", sorted(POLICY))
def test_an_error_of_policy_blocks_even_what_is_proven(code: str) -> None:
    assert answer(case(problems=(error(code),))) == ("BLOCKED", "policy", [code])


@pytest.mark.parametrize("problem", [warning("condition-differs"), info("baseline-assumed")])
def test_what_is_only_shown_changes_nothing(problem: Problem) -> None:
    assert decide(case(problems=(problem,))) == decide(case())


@pytest.mark.parametrize(
    ("on", "full_on", "economics"),
    [
        (None, None, money()),
        (date(2027, 1, 1), date(2027, 1, 1), money(1, 0, 0, (1, 1, 1))),
        (date(2027, 3, 1), date(2027, 3, 1), money(1, 2, 2, (1, 1, 1))),
        (date(2027, 1, 1), date(2027, 2, 1), money(1, 0, 1, (1, 1, 1))),
        (date(2027, 2, 1), None, money(1, 1, 3, (1, 1, 1))),
    ],
)
def test_days_of_a_move(on: date | None, full_on: date | None, economics: Economics) -> None:
    verdict = decide(case(economics=economics))
    assert (verdict.on, verdict.full_on) == (on, full_on)


@pytest.mark.parametrize(
    ("wanted", "economics"),
    [
        (False, money(1, 0, 0, (1, 1))),
        (True, money(1, 0, 1, (1, 1))),
        (True, money(1, 0, 2, (1, 1))),
        (True, money(1, 0, 0, (1, 0.9))),
        (False, money(1, 1, 1, (0.9, 1))),
        (False, money(1, 0, 0, (1 - 1e-12, 1))),
    ],
)
def test_a_split_leaves_work_on_both_arms(wanted: bool, economics: Economics) -> None:
    assert economics.best is not None
    assert is_split(economics, economics.best) == wanted


def test_a_proven_saving_whose_best_plan_stays_is_no_switch() -> None:
    """Moving pays, and by less than a split is worth: the plan stays, and so does the verdict."""
    assert answer(case(economics=money(1, 2, 2, (1, 1))))[:2] == ("STAY", "economic")


def test_reasons_carry_what_the_sentence_needs() -> None:
    verdict = decide(case(problems=(error("region-not-approved", arm="trn2", found="us-east-2", expected="eu"),)))
    assert verdict.reasons[0].arguments == {"arm": "trn2", "found": "us-east-2", "expected": "eu"}
    assert decide(case()).reasons[0].arguments == {"hi": 0.9, "k": 1.0, "planned": 30}
    assert decide(case(DEARER)).reasons[0].arguments == {"lo": 1.1, "k": 1.0, "planned": 30}
    assert decide(case(runs=(4, 2))).reasons[0].arguments == {"runs": 2}
