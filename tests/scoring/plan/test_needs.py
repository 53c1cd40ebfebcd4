"""What quality, latency and money add to a plan: runs, the spread that is allowed, what is at stake, when runs stop."""

import math
import random

import pytest

from scoring.model.decision import Decision
from scoring.plan import GuardrailNeed, PlanRequest, RunPlan, plan_runs, run_sheet
from scoring.plan.money import allocation_of
from scoring.statistics.quality import non_inferior, welch_difference
from scoring.statistics.sample_size import POWER
from tests.scoring.helpers import decide

HEAD = "arm,run,seed,duration_s,price_usd_per_hour,wer,ttft_p99_ms\n"


def planned(of: Decision, **asked: object) -> RunPlan:
    return plan_runs(of, PlanRequest.model_validate({"seed": 1, **asked}))


def posted(wer: tuple[list[float], list[float]], ttft: tuple[list[float], list[float]], seeds: bool = False) -> str:
    rows = [
        f"{arm},{i},{i if seeds else ''},{(3600, 4000)[at] + 40 * (i % 3)},{(55, 35)[at]},{wer[at][i]},{ttft[at][i]}"
        for at, arm in enumerate(("gpu", "trn2"))
        for i in range(len(wer[at]))
    ]
    return HEAD + "\n".join(rows)


FLAT = ([300.0, 301.0, 299.0], [301.0, 300.0, 302.0])
WIDE = ([7.1, 7.4, 7.7], [7.2, 7.5, 7.6])


def need(plan: RunPlan, metric: str) -> GuardrailNeed:
    return next(n for n in plan.guardrails if n.metric == metric)


def test_a_wide_quality_takes_more_runs_than_cost_and_decides() -> None:
    known = decide(
        ("pilot.csv", posted(WIDE, FLAT)), settings="margins: {wer: 0.3}\nlatency_limits: {ttft_p99_ms: 400}"
    )
    plan = planned(known, detect=0.1)
    wer = need(plan, "wer")
    assert wer.spread == pytest.approx(math.sqrt((0.09 + 0.0433333) / 2), rel=1e-3)
    assert wer.likely is not None
    assert wer.safe is None or wer.safe > wer.likely
    assert (plan.decided_by, plan.runs) == ("wer", wer.likely)
    assert need(plan, "ttft_p99").holds


def test_the_runs_of_a_quality_show_it_as_often_as_is_said() -> None:
    """Pilots that are drawn with the same true quality in both arms, judged by the engine's own bound."""
    known = decide(("pilot.csv", posted(WIDE, FLAT)), settings="margins: {wer: 0.3}\nplanned_runs_per_arm: 100")
    plan = planned(known)
    runs, lot = need(plan, "wer").likely, random.Random(5)
    assert runs is not None
    level, sds = _level_after_three(runs), (0.3, 0.2081666)
    passed = 0
    for _ in range(2000):
        a, b = ([lot.gauss(7.4, sd) for _ in range(runs)] for sd in sds)
        passed += bool(non_inferior(welch_difference(a, b, "lower", False, 1 - level), 0.3))  # type: ignore[arg-type]
    assert passed / 2000 == pytest.approx(POWER, abs=0.04)


def _level_after_three(runs: int) -> float:
    """Of the second of two looks, at 3 and at `runs` of 100, by plain simulation of what is spent."""
    import numpy as np
    from scipy.stats import norm

    def spent(n: int) -> float:
        return 0.05 * math.log1p((math.e - 1) * n / 100)

    rng, count = np.random.default_rng(1), 400_000
    first = rng.normal(0, math.sqrt(3), count)
    last = first + rng.normal(0, math.sqrt(runs - 3), count)
    alive = first / math.sqrt(3) < norm.isf(spent(3))
    crossing = np.sort(last[alive])[-round((spent(runs) - spent(3)) * count)]
    return float(norm.sf(crossing / math.sqrt(runs)))


def test_runs_with_a_seed_in_common_take_the_spread_of_their_differences() -> None:
    wer = ([7.1, 7.4, 7.7], [7.12, 7.41, 7.73])
    apart, paired = (
        need(planned(decide(("pilot.csv", posted(wer, FLAT, seeds)), settings="margins: {wer: 0.1}")), "wer")
        for seeds in (False, True)
    )
    assert paired.spread == pytest.approx(0.01, rel=1e-6)
    assert apart.spread == pytest.approx(0.3, rel=0.02)
    assert apart.likely is None or (paired.likely or 0) < apart.likely


def test_latency_against_the_incumbent_and_under_a_limit() -> None:
    jitter = ([300.0, 330.0, 280.0], [310.0, 290.0, 325.0])
    text = posted(([7.4, 7.41, 7.39],) * 2, jitter)
    own = need(planned(decide(("pilot.csv", text))), "ttft_p99")
    assert (own.limit_s, own.margin) == (None, 0.1)
    assert own.likely is not None and own.likely > 3
    limits = [
        need(planned(decide(("pilot.csv", text), settings=f"latency_limits: {{ttft_p99_ms: {ms}}}")), "ttft_p99")
        for ms in (330, 340, 360)
    ]
    numbers = [99 if one.likely is None else 0 if one.holds else one.likely for one in limits]
    assert numbers == sorted(numbers, reverse=True)
    beyond = decide(("pilot.csv", text), settings="latency_limits: {ttft_p99_ms: 305}")
    assert need(planned(beyond), "ttft_p99").likely is None


def test_a_guardrail_out_of_reach_is_what_decides() -> None:
    known = decide(("pilot.csv", posted(WIDE, FLAT)), settings="margins: {wer: 0.01}")
    plan = planned(known, detect=0.2)
    assert (plan.reached, plan.decided_by, plan.runs) == (False, "wer", 30)


def test_what_was_not_measured_tells_the_spread_that_it_allows() -> None:
    plan = planned(decide(settings="margins: {wer: 0.3, loss: 1%}\nlatency_limits: {ttft_p99_ms: 400}"), runs=10)
    wer, loss, ttft = plan.guardrails
    assert wer.tolerated is not None and loss.tolerated is not None
    assert wer.tolerated / 0.3 == pytest.approx(loss.tolerated / math.log(1.01), rel=1e-4)
    assert 0.2 < wer.tolerated < 0.3
    assert (ttft.limit_s, ttft.spread, ttft.tolerated) == (0.4, None, None)


def test_runs_of_one_block_count_by_their_mean() -> None:
    """Fewer blocks are fewer degrees of freedom: the same runs see less."""
    alone, together = (planned(decide(), runs=6, cv=0.05, per_block=n) for n in (1, 2))
    assert alone.smallest_saving is not None and together.smallest_saving is not None
    assert alone.smallest_saving < together.smallest_saving
    assert (together.blocks, len(together.sheet)) == (3, 12)
    assert {run.block for run in together.sheet[:4]} == {"b1"}


@pytest.mark.parametrize("blocks", [1, 2])
def test_one_or_two_blocks_prove_nothing(blocks: int) -> None:
    plan = planned(decide(), runs=4 * blocks, cv=0.05, per_block=4)
    assert (plan.smallest_saving, plan.half_width is None, plan.blocks) == (None, blocks == 1, blocks)


def test_an_aim_is_planned_in_enough_blocks() -> None:
    plan = planned(decide(), detect=0.2, cv=0.02, per_block=4)
    assert (plan.runs, plan.blocks) == (12, 3)


@pytest.mark.parametrize("per_block", [1, 2, 5])
def test_every_block_is_balanced(per_block: int) -> None:
    sheet = run_sheet("a", "b", 1, 20, seed=3, per_block=per_block)
    for block in {run.block for run in sheet}:
        arms = [run.arm for run in sheet if run.block == block]
        assert arms.count("a") == arms.count("b") == per_block
    assert sum(first.arm == "a" for first in sheet[::2]) == 10


def test_a_half_width_takes_the_runs_of_its_interval() -> None:
    plan = planned(decide(), cv=0.05, half_width=0.05)
    assert plan.half_width is not None and plan.half_width <= 0.05
    assert (plan.decided_by, plan.reached, plan.detect) == ("half-width", True, None)
    shorter = planned(decide(), cv=0.05, runs=plan.runs - 1)
    assert shorter.half_width is not None and shorter.half_width > 0.05
    assert not planned(decide(), cv=0.5, half_width=0.01).reached


@pytest.mark.parametrize(
    ("costs", "hint"),
    [
        ((400, 1600), ("a", "b", 2.0, 0.10)),
        ((1600, 400), ("b", "a", 2.0, 0.10)),
        ((100, 900), ("a", "b", 3.0, 0.20)),
        ((400, 500), None),
        ((None, 500), None),
    ],
)
def test_dear_runs_are_fewer_by_the_root_of_their_cost(
    costs: tuple[float | None, float | None], hint: tuple[str, str, float, float] | None
) -> None:
    found = allocation_of(("a", "b"), costs)
    assert (found is None) == (hint is None)
    if found is not None and hint is not None:
        assert (found.cheap, found.dear) == hint[:2]
        assert (found.ratio, found.saved) == pytest.approx(hint[2:])


def test_the_pilots_cost_stands_beside_what_it_can_save() -> None:
    plan = planned(decide(settings="demand: 100"), cv=0.04, cost_per_run=(400, 600), runs=6)
    assert plan.stake is not None and plan.smallest_saving is not None
    assert (plan.stake.spend, plan.stake.months) == (480_000, 12)
    assert plan.stake.pays_from == pytest.approx(6000 / 480_000)
    assert plan.stake.seen == pytest.approx(plan.smallest_saving * 480_000)
    assert planned(decide(settings="demand: {units_per_month: 9, unit: hour}"), cost_per_run=(1, 1)).stake is None


def test_before_a_pilot_runs_stop_paying_where_the_value_of_one_more_is_its_cost() -> None:
    """Against nested Monte Carlo: the mean best choice after n runs of known spread, prior log theta ~ N(0, .5²)."""
    import numpy as np

    rng, spend, each, cv = np.random.default_rng(2), 1e5, 1000.0, 0.3
    theta_log = rng.normal(0, 0.5, 400_000)
    noise = rng.normal(size=400_000)

    def value(n: int) -> float:
        seen = theta_log + noise * cv * math.sqrt(2 / n)
        weight = 0.25 / (0.25 + 2 * cv * cv / n)
        expected = np.exp(weight * seen + 0.25 * (1 - weight) / 2)
        return spend * float(np.mean(np.where(expected < 1, 1 - np.exp(theta_log), 0.0)))

    plan = planned(decide(settings="demand: 100"), cv=cv, cost_per_run=(spend / 1200, each - spend / 1200))
    assert plan.worth is not None and plan.stake is not None
    assert plan.stake.spend == pytest.approx(spend)
    best = max(range(1, 31), key=lambda n: value(n) - n * each)
    assert abs(plan.worth.runs - best) <= 1
    assert plan.worth.value == pytest.approx(value(plan.worth.runs), rel=0.02)
    assert plan.worth.cost == pytest.approx(plan.worth.runs * each)


def test_with_a_pilot_the_worth_is_the_decisions_own_unless_another_cost_is_given() -> None:
    rows = "".join(f"gpu,{i},{3600 + 90 * i},55\ntrn2,{i},{5300 + 70 * i * (-1) ** i},35\n" for i in range(1, 4))
    known = decide(("p.csv", "arm,run,duration_s,price_usd_per_hour\n" + rows), settings="demand: 5000")
    assert known.regret is not None and known.regret.best is not None
    plan = planned(known)
    assert plan.worth is not None
    assert plan.worth.value == known.regret.best.value
    dearer = planned(known, cost_per_run=(1e6, 1e6))
    assert dearer.worth is not None and dearer.worth.runs == 0
