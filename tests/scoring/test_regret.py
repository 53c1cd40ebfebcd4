"""From a posted pilot to expected losses and further runs: what each rests on, and what holds for every pilot."""

import math
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.model.decision import Decision, Word
from scoring.model.odds import Odds
from scoring.model.regret import Regret
from scoring.regret import _losses
from scoring.statistics.posterior import posterior_of
from tests.scoring.helpers import csv, decide

quick = settings(max_examples=25)
GPU, TRN = (3600, 3700, 3500, 3650), (5700, 5950, 5500, 5800)
DEMAND = "demand: 200\n"
CONTRACT = """contracts:
  - {id: one, kind: take_or_pay, starts_on: 2026-01-01, ends_on: 2027-04-30, covers: {instance_types: [p5]},
     commitment: {instance_hours_per_month: 60}, rate: 40}
"""
MOVING = (Word.SWITCH, Word.SPLIT)


def table(gpu: Any = GPU, trn2: Any = TRN, prices: tuple[float, float] = (50, 30), failed: int = 0) -> str:
    head = "arm,run,duration_s,work_units,price_usd_per_hour,instance_type,status\n"
    rows = [f"gpu,{i},{s},1,{prices[0]:.12f},p5,ok" for i, s in enumerate(gpu)]
    rows += [f"trn2,{i},{s},{int(i >= failed)},{prices[1]:.12f},trn2,{'failed' if i < failed else 'ok'}"
             for i, s in enumerate(trn2)]  # fmt: skip
    return head + "\n".join([*rows, ""])


def of(decision: Decision) -> Regret:
    assert decision.regret is not None
    return decision.regret


def test_without_contracts_worth_is_the_spend_and_break_even_is_less_by_the_cost_of_moving() -> None:
    known = of(csv(table(), settings=f"{DEMAND}migration_cost: 2000\n"))
    spend = 200 * 12 * 50 * sum(GPU) / 4 / 3600
    assert known.value_per_theta == pytest.approx(spend)
    assert known.break_even_theta == pytest.approx(1 - 2000 / spend)


def test_worth_and_break_even_give_the_plans_saving_at_the_measured_ratio() -> None:
    """With contracts too: S·(k − theta) is what the timeline says that the plan saves."""
    decision = decide(("pilot.csv", table(prices=(50, 24))), settings=DEMAND, contracts=CONTRACT)
    known, best = of(decision), decision.economics.best
    assert decision.cost is not None
    assert decision.cost.theta.point is not None
    assert best is not None
    assert best.saving > 0
    assert (known.value_per_theta or 0) * (known.break_even_theta - decision.cost.theta.point) == pytest.approx(
        best.saving
    )


def test_expected_losses_are_the_posteriors_times_worth() -> None:
    decision = csv(table(), settings=DEMAND)
    known, theta = of(decision), decision.cost.theta if decision.cost else None
    assert theta is not None and theta.point and theta.se_log and theta.nu
    posterior = posterior_of(theta.point, theta.se_log, theta.nu)
    assert posterior is not None
    worth, k = known.value_per_theta or 0, known.break_even_theta
    assert known.regret_switch == pytest.approx(worth * posterior.loss(k))
    assert known.regret_stay == pytest.approx(worth * posterior.gain(k))
    assert known.evpi == min(known.regret_switch or 0, known.regret_stay or 0)
    assert (known.p_saves, known.posterior_mean) == (posterior.below(k), posterior.mean)
    chances = [c.probability for c in known.p_saves_at_least]
    assert [*chances, 0] == sorted([*chances, 0], reverse=True)
    assert known.p_saves >= chances[0]


def test_a_run_costs_what_runs_cost_on_average_and_failed_ones_count() -> None:
    whole, failed = of(csv(table(), settings=DEMAND)), of(csv(table(trn2=(100, *TRN[1:]), failed=1), settings=DEMAND))
    hours = (sum(GPU) / 4 / 3600, sum(TRN) / 4 / 3600)
    assert whole.cost_per_run == pytest.approx(50 * hours[0] + 30 * hours[1])
    assert whole.hours_per_run == pytest.approx(sum(hours))
    assert failed.cost_per_run == pytest.approx(50 * hours[0] + 30 * (100 + sum(TRN[1:])) / 4 / 3600)


def test_waiting_costs_the_months_expected_saving_for_as_long_as_the_runs_take() -> None:
    known = of(csv(table(), settings=DEMAND))
    monthly = (known.value_per_theta or 0) * (1 - known.posterior_mean) / 12
    assert known.delay_cost_per_run == pytest.approx(monthly * (known.hours_per_run or 0) / 730)
    assert [o.delay_cost for o in known.options] == pytest.approx(
        [o.runs * (known.delay_cost_per_run or 0) for o in known.options]
    )


def test_waiting_costs_what_the_team_says_and_nothing_before_a_plan_that_moves_later() -> None:
    said = of(csv(table(), settings=f"{DEMAND}delay_cost_per_run: 7\n"))
    assert [o.delay_cost for o in said.options] == [7 * o.runs for o in said.options]
    later = decide(("pilot.csv", table(prices=(50, 24))), settings="demand: 40\n", contracts=CONTRACT)
    assert later.economics.best is not None
    assert later.economics.best.starts_at > 0
    assert {o.delay_cost for o in of(later).options} == {0}


def test_options_are_within_the_plan_and_the_best_of_all_is_among_them() -> None:
    known = of(csv(table(), settings=f"{DEMAND}planned_runs_per_arm: 11\n"))
    assert [o.runs for o in known.options if o is not known.best] == [n for n in (1, 2, 3, 5) if n != known.best.runs]  # type: ignore[union-attr]
    assert known.best in known.options
    assert all(o.net <= known.best.net for o in known.options)  # type: ignore[union-attr]
    assert all(o.net == pytest.approx(o.value - o.run_cost - o.delay_cost) for o in known.options)
    made = of(csv(table(), settings=f"{DEMAND}planned_runs_per_arm: 4\n"))
    assert (made.options, made.best) == ((), None)


def test_a_drift_lowers_certainty_and_not_the_worth_of_runs() -> None:
    still, drifting = (of(csv(table(), settings=f"{DEMAND}drift_sd: {sd}\n")) for sd in (0, 0.08))
    assert drifting.p_saves < still.p_saves
    assert drifting.credible_hi > still.credible_hi
    assert (drifting.evpi or 0) > (still.evpi or 0)
    assert drifting.posterior_mean == pytest.approx(still.posterior_mean)
    assert [o.value for o in drifting.options] == pytest.approx([o.value for o in still.options])


def test_without_a_demand_there_is_a_chance_and_no_money() -> None:
    known = of(csv(table()))
    assert 0 < known.p_saves < 1
    assert (known.value_per_theta, known.evpi, known.options) == (None, None, ())


@pytest.mark.parametrize(
    "text",
    [table(GPU[:1], TRN[:1]), table((3600,) * 3, (5700,) * 3), table(trn2=(360, 3500, 380), prices=(50, 9))],
    ids=["one run", "no spread", "beyond what is plausible"],
)
def test_what_tells_no_posterior_has_none(text: str) -> None:
    assert csv(text, settings=DEMAND).regret is None


def test_one_or_two_runs_never_give_more_than_extend() -> None:
    for n in (1, 2):
        for price in (1, 30, 300):
            assert csv(table(GPU[:n], TRN[:n], (50, price)), settings=DEMAND).verdict.word is Word.EXTEND


times = st.lists(st.integers(2000, 6000), min_size=3, max_size=5)


@given(times, times, st.floats(0.5, 0.995), st.sampled_from([1, 40, 3000]), st.sampled_from([3, 4, 30]))
@quick
def test_a_better_candidate_never_turns_a_move_into_staying(
    gpu: list[int], trn2: list[int], better: float, demand: int, planned: int
) -> None:
    asked = f"demand: {demand}\nplanned_runs_per_arm: {planned}\nmigration_cost: 300\n"
    before, after = (csv(table(gpu, trn2, (50, price)), settings=asked) for price in (40, 40 * better))
    if before.verdict.word in MOVING:
        assert after.verdict.word is not Word.STAY, (before.verdict, after.verdict)


@given(times, times, st.sampled_from([Decimal("0.001"), Decimal(8), Decimal(1000)]))
@quick
def test_the_currency_changes_amounts_only(gpu: list[int], trn2: list[int], rate: Decimal) -> None:
    def answered(factor: Decimal) -> Decision:
        asked = f"demand: 50\nmigration_cost: {1000 * factor}\n"
        return csv(table(gpu, trn2, (50 * float(factor), 33 * float(factor))), settings=asked)

    one, other = answered(Decimal(1)), answered(rate)
    assert (one.verdict.word, one.verdict.basis) == (other.verdict.word, other.verdict.basis)
    assert [r.code for r in one.verdict.reasons] == [r.code for r in other.verdict.reasons]
    if one.regret is None or other.regret is None:
        assert one.regret is other.regret
        return
    for name in ("p_saves", "posterior_mean", "credible_lo", "break_even_theta"):
        assert getattr(other.regret, name) == pytest.approx(getattr(one.regret, name), rel=1e-6, abs=1e-9)
    for name in ("regret_switch", "regret_stay", "evpi", "cost_per_run", "value_per_theta"):
        wanted, got = getattr(one.regret, name), getattr(other.regret, name)
        assert got == pytest.approx(wanted * float(rate), rel=1e-5, abs=1e-6 * float(rate)), name
    assert [o.runs for o in one.regret.options] == [o.runs for o in other.regret.options]


@given(times, times)
@quick
def test_runs_are_worth_more_the_more_they_are_and_never_more_than_certainty(gpu: list[int], trn2: list[int]) -> None:
    known = csv(table(gpu, trn2), settings=DEMAND).regret
    if known is None:
        return
    values = [o.value for o in known.options]
    assert values == sorted(values)
    assert all(math.isfinite(v) and 0 <= v <= (known.evpi or 0) for v in values)


def test_where_a_cap_bends_the_saving_the_losses_are_the_timelines_own() -> None:
    """Without a cap the linear losses stand; under one those of the draws, where they are 3 % apart."""
    posterior = posterior_of(0.9, 0.1, 8)
    assert posterior is not None
    linear = (100.0 * posterior.loss(0.95), 100.0 * posterior.gain(0.95))
    known = {"draws": 2000, "seed": 1, "level": 0.9, "recommended": True, "starts_at": 0, "full_at": 0, "p_saves": 0.6,
             "saving_mean": 0, "saving_lo": 0, "saving_hi": 0, "share_same_month": 1, "share_other_month": 0,
             "share_never": 0}  # fmt: skip

    def told(move: float, stay: float, **more: float) -> tuple[float, float]:
        odds = Odds(regret_move=linear[0] * move, regret_stay=linear[1] * stay, **{**known, **more})  # type: ignore[arg-type]
        return _losses(posterior, 0.95, 100.0, odds)

    assert _losses(posterior, 0.95, 100.0, None) == linear
    assert told(0.99, 1.01) == linear
    assert told(0.8, 1.1) == pytest.approx((linear[0] * 0.8, linear[1] * 1.1))
    assert told(0.8, 1.1, demand_low=1, demand_high=2) == linear
