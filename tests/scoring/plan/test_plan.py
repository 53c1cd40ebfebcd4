"""Plans: their power is what the engine's own interval gives, their sheet is balanced and drawn anew by its seed."""

import math
import random
from collections import Counter

import pytest
from scipy.stats import t

from scoring.looks import next_level
from scoring.model.decision import Decision
from scoring.plan import PlanRequest, RunPlan, Spread, plan_runs, run_sheet
from scoring.statistics.ratio import ratio_of_means
from scoring.statistics.sample_size import POWER, runs_to_tell_apart, smallest_effect
from scoring.statistics.samples import ArmSample
from tests.samples import decision
from tests.scoring.helpers import decide

HEAD = "arm,run,block,duration_s,price_usd_per_hour\n"


def planned(of: Decision, **asked: object) -> RunPlan:
    return plan_runs(of, PlanRequest.model_validate({"seed": 1, **asked}))


def nothing(**over: str) -> Decision:
    return decide(**over)


def pilot(times: dict[str, list[float]], blocks: str = "", first: int = 1) -> Decision:
    rows = [
        f"{arm},{i},{f'{blocks}{i}' if blocks else ''},{t},{50 if arm == 'gpu' else 35}"
        for arm, of in times.items()
        for i, t in enumerate(of, start=first)
    ]
    return decide(("pilot.csv", HEAD + "\n".join(rows)))


def share_told(
    spread: float, saving: float, runs: int, seed: int, replicates: int = 3_000, limit: int = 30, per_block: int = 1
) -> float:
    """How often the upper bound of simulated pilots lies below 1, at the level of a first look at `runs` of `limit`."""
    lot = random.Random(seed)
    blocks = tuple(f"b{i // per_block}" for i in range(runs))
    quantile = t.ppf(1 - 0.05 * math.log1p((math.e - 1) * runs / limit), runs // per_block - 1)
    told = 0
    for _ in range(replicates):
        days = [lot.gauss(0, 0.1) for _ in range(runs // per_block)]
        day = [days[i // per_block] for i in range(runs)]
        a = tuple(math.exp(d + lot.gauss(0, spread)) for d in day)
        b = tuple((1 - saving) * math.exp(d + lot.gauss(0, spread)) for d in day)
        work = (1.0,) * runs
        theta = ratio_of_means(ArmSample(a, work, blocks), ArmSample(b, work, blocks), 0.95)
        assert theta.point is not None and theta.se_log is not None
        told += math.log(theta.point) + quantile * theta.se_log < 0
    return told / replicates


@pytest.mark.parametrize(("cv", "detect"), [(0.05, 0.10), (0.03, 0.05), (0.02, 0.05)])
def test_the_runs_of_an_aim_tell_the_saving_as_often_as_is_said(cv: float, detect: float) -> None:
    runs = planned(nothing(), cv=cv, detect=detect).runs
    assert POWER - 0.04 <= share_told(cv, detect, runs, seed=3)
    assert share_told(cv, detect, runs - 1, seed=4) < POWER + 0.02


def test_the_smallest_saving_is_that_of_the_power() -> None:
    plan = planned(nothing(), cv=0.05, runs=6)
    assert plan.smallest_saving is not None
    effect = -math.log1p(-plan.smallest_saving)
    assert plan.spread.power(effect, 6, plan.spent) == pytest.approx(POWER, abs=1e-4)
    assert share_told(0.05, plan.smallest_saving, 6, seed=5) == pytest.approx(POWER, abs=0.04)


def test_an_effect_beyond_reach_is_none() -> None:
    assert smallest_effect(lambda effect: 0.5) is None
    assert planned(nothing(), cv=0.9, runs=2).smallest_saving is None


def test_without_a_pilot_the_assumption_is_named() -> None:
    plan = planned(nothing())
    assert (plan.spread.source, plan.spread.incumbent, plan.detect, plan.done) == ("assumed", 0.05, 0.10, 0)
    assert plan.runs == 7
    assert all(aim.safe is None for aim in plan.aims)
    assert (plan.incumbent, plan.candidate, plan.cost_of(6)) == ("incumbent", "candidate", None)


def test_names_and_limits_come_from_the_settings() -> None:
    plan = planned(
        nothing(baseline="p5", candidate="trn2", planned_runs_per_arm="8"), detect=0.02, cost_per_run=(100, 100)
    )
    assert (plan.incumbent, plan.candidate, plan.runs, plan.reached) == ("p5", "trn2", 8, False)
    assert plan.cost_of(plan.more) == 1600


def test_the_pilot_so_far_gives_spread_cost_and_what_is_left_to_run() -> None:
    plan = planned(pilot({"gpu": [3600, 3700, 3500], "trn2": [4000, 4150, 3900]}), detect=0.03)
    assert plan.spread.source == "pilot"
    assert plan.spread.pairs is None
    assert plan.spread.incumbent == pytest.approx(100 / 3600)
    assert plan.cost_incumbent == pytest.approx(50)
    aim = next(a for a in plan.aims if a.detect == 0.03)
    assert plan.runs == aim.likely
    assert aim.safe is None or aim.safe > aim.likely
    assert plan.more == plan.runs - 3
    assert plan.sheet[0].run == 4


def test_a_blocked_pilot_is_planned_by_its_pairs() -> None:
    plan = planned(pilot({"gpu": [3000, 3600, 4200], "trn2": [3310, 4000, 4600]}, blocks="d"), detect=0.03)
    assert plan.spread.pairs is not None
    assert plan.spread.pairs < 0.02 < plan.spread.incumbent


def test_a_settled_pilot_asks_for_no_more() -> None:
    plan = planned(decision("speech-finetune"))
    assert (plan.settled, plan.more, plan.sheet) == (True, 0, ())
    finer = planned(decision("speech-finetune"), runs=8)
    assert (finer.settled, finer.more, len(finer.sheet)) == (False, 3, 6)


def test_an_open_pilot_asks_for_what_the_engine_says() -> None:
    known = decision("first-look")
    assert known.next_runs is not None
    assert planned(known).more == known.next_runs.likely


def test_one_run_an_arm_gives_its_cost_and_no_spread() -> None:
    plan = planned(pilot({"gpu": [3600], "trn2": [4000]}))
    assert (plan.spread.source, plan.done) == ("assumed", 1)
    assert plan.cost_incumbent == pytest.approx(50)


def test_failed_runs_widen_the_spread() -> None:
    rows = "gpu,1,3600,50,ok\ngpu,2,3610,50,ok\ngpu,3,3620,50,ok\n"
    rows += "trn2,1,4000,35,ok\ntrn2,2,4010,35,failed\ntrn2,3,4020,35,ok\n"
    known = decide(("pilot.csv", "arm,run,duration_s,price_usd_per_hour,status\n" + rows))
    assert planned(known, detect=0.2).spread.incumbent > 0.1


@pytest.mark.parametrize("count", [1, 2, 5, 10, 31])
def test_a_sheet_is_balanced_and_interleaved(count: int) -> None:
    sheet = run_sheet("a", "b", 4, count, seed=9)
    assert [(run.run, run.block) for run in sheet] == [(i, f"b{i}") for i in range(4, 4 + count) for _ in "ab"]
    begins = Counter(run.arm for run in sheet[::2])
    assert abs(begins["a"] - begins["b"]) <= 1
    assert all({x.arm, y.arm} == {"a", "b"} for x, y in zip(sheet[::2], sheet[1::2], strict=True))
    assert sheet == run_sheet("a", "b", 4, count, seed=9)


def test_seeds_give_orders_of_their_own() -> None:
    assert len({run_sheet("a", "b", 1, 12, seed) for seed in range(20)}) > 15


def test_new_runs_take_no_earlier_runs_place() -> None:
    assert planned(pilot({"gpu": [3600, 3610, 3590, 3605], "trn2": [4000, 4010]}), runs=5).sheet[0].run == 5
    late = pilot({"gpu": [3600, 3610], "trn2": [4000, 4010]}, blocks="day ", first=17)
    assert planned(late, runs=5).sheet[0].run == 19


def test_a_cautious_spread_is_wider_and_an_assumption_has_none() -> None:
    measured = Spread(source="pilot", incumbent=0.05, candidate=0.1, pairs=None, nu=(4, 2))
    cautious = measured.cautious()
    assert cautious is not None
    assert cautious.incumbent == pytest.approx(0.05 * math.sqrt(4 / 1.6487766), rel=1e-5)
    assert cautious.candidate == pytest.approx(0.1 * math.sqrt(2 / 0.4462871), rel=1e-5)
    assert Spread.of_cv(0.05, "assumed").cautious() is None


@pytest.mark.parametrize("name", ["first-look", "llama2-70b-lora", "speech-finetune"])
def test_likely_and_safe_are_those_of_the_engine(name: str) -> None:
    known = decision(name)
    assert known.cost is not None and known.cost.theta.point is not None
    cvs = [known.cost.arms[arm].cv or 0.0 for arm in (known.incumbent or "", known.candidate or "")]
    level, least = next_level(None, 30, 0.05), 3
    for aim in planned(known.model_copy(update={"looks": None})).aims:
        k = known.cost.theta.point / (1 - aim.detect)
        wanted = runs_to_tell_apart(known.cost.theta, cvs[0], cvs[1], k, level, least, 30)
        assert [aim.likely, aim.safe] == [wanted.likely, wanted.safe]
