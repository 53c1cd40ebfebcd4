"""From a posted table to the reply: how runs belong together, and what that does to the interval and the answer."""

from collections.abc import Sequence

import pytest

from bot.render.comment import render_comment
from scoring.analysis import Evidence, analyse
from scoring.model.decision import Decision
from scoring.reading.posted import PostedFile
from tests.samples import TODAY

LEVELS = {"1": 1.0, "2": 1.1, "3": 0.95, "4": 1.2, "5": 0.9, "6": 1.05}


def posting(column: str, incumbent: Sequence[str], candidate: Sequence[str]) -> Decision:
    """A pilot at a ratio of .8 whose runs last longer where the label's last digit says so."""
    rows = [f"arm,run,duration_s,price_usd_per_hour,{column}"]
    for arm, labels, seconds in (("gpu", incumbent, 3600.0), ("trn2", candidate, 2880.0)):
        for run, label in enumerate(labels, start=1):
            level = LEVELS.get(label.strip()[-1:], 1.0) * (1 + 0.004 * (run % 3))
            rows.append(f"{arm},{run},{seconds * level:.2f},10,{label}")
    return analyse(Evidence((PostedFile.from_bytes("pilot.csv", "\n".join(rows).encode()),)), today=TODAY)


@pytest.mark.parametrize(
    ("method", "units", "problem", "incumbent", "candidate"),
    [
        ("paired-linearised", 4, None, "d1 d2 d3 d4", "d3 d1 d2 d4"),
        ("blocked-linearised", 3, None, "d1 d1 d2 d2 d3 d3", "d1 d2 d3"),
        ("blocked-linearised", 3, "blocks-uneven", "d1 d1 d1 d2 d3", "d1 d2 d2 d3 d3 d3"),
        ("blocked-linearised", 3, "blocks-left-out", "d1 d2 d3 d4", "d1 d2 d3"),
        ("welch-blocks", 4, "blocks-not-shared", "d1 d1 d2 d3 d4", "d4 d4 d5 d5 d6 d2"),
        ("welch-log-ratio", 3, None, "d1 d2 d3", "d4 d5 d6"),
        ("welch-log-ratio", 3, None, "d1 d1 d1", "d1 d1 d1"),
        ("welch-one-block", 3, "blocks-left-out", "d1 d1 d1", "d1 d1 d1 d2 d2 d3"),
        ("welch-log-ratio", 3, "block-missing", "d1 d1 d2", "d1 d2 "),
    ],
)
def test_the_blocks_choose_the_method(
    method: str, units: int, problem: str | None, incumbent: str, candidate: str
) -> None:
    found = posting("block", incumbent.split(" "), candidate.split(" "))
    assert found.cost is not None
    assert (found.cost.theta.method, found.cost.theta.units) == (method, units)
    assert found.cost.theta.lo is not None and found.cost.theta.hi is not None
    assert found.cost.theta.lo < 0.8 < found.cost.theta.hi
    assert problem is None or problem in {p.code for p in found.problems}


@pytest.mark.parametrize(
    ("column", "incumbent", "candidate"),
    [
        ("block", "d1 d1 d1", "d2 d2 d2"),
        ("block", "d1 d1 d1", "d2 d3 d4"),
        ("block", "Day-1 DAY_1 day01", "day2 Day-2 DAY_2"),
        ("day", "2026-11-02 2026-11-2 2026-11-02T00:00:00", "2026-11-03 2026-11-03 2026-11-3"),
        ("block", "d1 d1 ", "d2 d2 d2"),
    ],
)  # fmt: skip
def test_an_arm_on_a_day_of_its_own_is_refused_however_it_is_written(
    column: str, incumbent: str, candidate: str
) -> None:
    found = posting(column, incumbent.split(" "), candidate.split(" "))
    assert found.cost is not None and found.time is not None
    for theta in (found.cost.theta, found.time.theta):
        assert (theta.reason, theta.lo, theta.hi) == ("confounded", None, None)
    assert found.verdict.word == "EXTEND"
    assert [r.code for r in found.verdict.reasons] == ["refused-confounded"]
    assert "run both arms on the same days" in render_comment(found)


@pytest.mark.parametrize(("column", "times"), [("started_at", "T08:00Z T10:00Z T12:00Z"), ("date", "- - -")])
def test_an_arm_on_a_day_of_its_own_by_its_times_alone_is_a_screening(column: str, times: str) -> None:
    arms = [[f"2026-11-0{day}{time.removeprefix('-')}" for time in times.split()] for day in (2, 3)]
    found = posting(column, *arms)
    assert found.cost is not None
    assert (found.cost.theta.has_interval, found.cost.theta.qualifier, found.cost.theta.units) == (True, "screening", 1)
    assert found.verdict.word == "EXTEND"
    assert [r.code for r in found.verdict.reasons] == ["screening-blocks"]
    assert "days-apart" in {p.code for p in found.problems}
    assert "run both arms on the same days" in render_comment(found).lower()


def test_a_machine_of_its_own_for_each_accelerator_is_a_warning() -> None:
    found = posting("host", "h1 h1 H1".split(), "h2 h2 h2".split())
    assert found.cost is not None
    assert (found.cost.theta.has_interval, found.cost.theta.qualifier) == (True, None)
    assert "one-machine-an-arm" in {p.code for p in found.problems}


def test_uneven_blocks_do_not_shift_the_ratio() -> None:
    """All of the incumbent's extra runs fall on the slowest day; totals alone would say .74."""
    found = posting("block", "d4 d4 d4 d4 d1 d2".split(), "d4 d1 d1 d1 d2 d2".split())
    assert found.cost is not None
    a, b = found.cost.arms["gpu"], found.cost.arms["trn2"]
    assert a.cost_per_unit is not None and b.cost_per_unit is not None
    assert found.cost.theta.point == pytest.approx(0.8, rel=0.01)
    assert b.cost_per_unit / a.cost_per_unit == pytest.approx(found.cost.theta.point, rel=1e-12)


def test_two_blocks_are_a_screening_however_many_runs_they_hold() -> None:
    found = posting("block", "d1 d1 d1 d1 d2 d2 d2 d2".split(), "d1 d1 d1 d1 d2 d2 d2 d2".split())
    assert found.cost is not None
    assert found.cost.theta.qualifier == "screening"
    assert [r.code for r in found.verdict.reasons] == ["screening-blocks"]
    assert "screening only (2 days or machines)" in render_comment(found)


def test_days_that_were_posted_as_times_pair_the_runs() -> None:
    days = [f"2026-11-{day:02}T09:00Z" for day in (1, 2, 3, 4)]
    found = posting("started_at", days, [day.replace("09:", "15:") for day in days[::-1]])
    assert found.cost is not None
    assert found.cost.theta.method == "paired-linearised"
    assert [c.run.block for c in found.runs[:2]] == ["2026-11-01", "2026-11-02"]
    assert "compared by the day on which they began" in render_comment(found)


def test_one_machine_an_arm_is_said_where_days_are_shared() -> None:
    rows = ["arm,run,duration_s,price_usd_per_hour,day,host"]
    rows += [
        f"{arm},{day},{s + day},10,d{day},{arm}-0" for arm, s in (("gpu", 3600), ("trn2", 2900)) for day in (1, 2, 3)
    ]
    found = analyse(Evidence((PostedFile.from_bytes("p.csv", "\n".join(rows).encode()),)), today=TODAY)
    assert "one-machine-an-arm" in {p.code for p in found.problems}


def requests(*runs: tuple[str, str, float], rows: int = 400) -> Decision:
    """Request-level latencies: arm, repetition and the level of its times."""
    lines = ["arm,run,ttft_ms"]
    for arm, run, level in runs:
        lines += [f"{arm},{run},{level * (100 + 37 * i % 101):.3f}" for i in range(rows)]
    return analyse(Evidence((PostedFile.from_bytes("requests.csv", "\n".join(lines).encode()),)), today=TODAY)


def test_requests_of_one_run_an_arm_speak_of_those_runs_only() -> None:
    decision = requests(("gpu", "1", 1.0), ("trn2", "1", 0.5))
    p99 = next(x for x in decision.latency if x.metric == "ttft_p99")
    assert p99.ratio.qualifier == "within-one-run"
    assert p99.ratio.lo is not None and p99.ratio.hi is not None and p99.ratio.lo <= 0.5 <= p99.ratio.hi
    assert (p99.passes, p99.fails) == (None, None)
    assert {arm: within.n for arm, within in p99.within.items()} == {"gpu": 400, "trn2": 400}
    text = render_comment(decision)
    assert "inside the one run of `gpu`: between 198 ms and 200 ms (95 %, 400 requests)" in text


def test_few_requests_leave_the_tail_open() -> None:
    p99 = next(x for x in requests(("gpu", "1", 1.0), ("trn2", "1", 0.5), rows=200).latency if x.metric == "ttft_p99")
    assert [(within.lo is None, within.hi) for within in p99.within.values()] == [(False, None)] * 2


def test_requests_of_several_repetitions_are_one_value_each() -> None:
    runs = [(arm, str(i), level * (1 + 0.01 * i)) for arm, level in (("gpu", 1.0), ("trn2", 0.5)) for i in range(3)]
    p99 = next(x for x in requests(*runs).latency if x.metric == "ttft_p99")
    assert (p99.ratio.method, p99.ratio.qualifier, p99.passes) == ("geometric-welch", None, True)
    assert p99.within == {}


@pytest.mark.parametrize(
    ("method", "reason", "incumbent", "candidate"),
    [
        ("paired-log-ratio", None, "d1 d2 d3", "d2 d1 d3"),
        ("paired-log-ratio", None, "d1 d1 d2 d3", "d2 d1 d3"),
        ("geometric-welch", None, "d1 d1 d1", "d1 d1 d1"),
        ("none", "confounded", "d1 d1 d1", "d2 d2 d2"),
    ],
)
def test_latency_follows_the_blocks_as_cost_does(
    method: str, reason: str | None, incumbent: str, candidate: str
) -> None:
    rows = ["arm,run,duration_s,price_usd_per_hour,block,ttft_p99_ms"]
    for arm, labels, level in (("gpu", incumbent.split(), 400), ("trn2", candidate.split(), 300)):
        for i, label in enumerate(labels):
            rows.append(f"{arm},{i},3600,10,{label},{level * LEVELS[label[1]] * (1 + 0.003 * (i % 2)):.2f}")
    found = analyse(Evidence((PostedFile.from_bytes("p.csv", "\n".join(rows).encode()),)), today=TODAY)
    ratio = found.latency[0].ratio
    assert (ratio.method, ratio.reason) == (method, reason)
    assert ratio.has_interval is (reason is None)


def scored(runs: int, share: float) -> PostedFile:
    """Right and wrong answers of 300 items in several runs of both arms, the candidate's `share` more wrong."""
    lines = ["arm,run,item_id,correct"]
    for arm, wrong in (("gpu", 0.2), ("trn2", 0.2 + share)):
        for run in range(runs):
            lines += [f"{arm},{run},q{i},{int((i * 37 + 5 * run + len(arm)) % 300 >= 300 * wrong)}" for i in range(300)]
    return PostedFile.from_bytes("items.csv", "\n".join(lines).encode())


def with_items(*items: PostedFile, overrides: tuple[str, ...] = ()) -> Decision:
    rows = ["arm,run,duration_s,price_usd_per_hour"]
    rows += [f"{arm},{i},{s + 7 * i},10" for arm, s in (("gpu", 3600), ("trn2", 2900)) for i in range(4)]
    pilot = PostedFile.from_bytes("pilot.csv", "\n".join(rows).encode())
    return analyse(Evidence((pilot, *items), overrides=overrides), today=TODAY)


@pytest.mark.parametrize(("method", "scope", "runs"), [("item-level", "items", 4), ("tango", "one-run", 1)])
@pytest.mark.parametrize("margin", ["0.05", "5%"])
def test_items_of_an_eval_set_are_compared_item_by_item(method: str, scope: str, runs: int, margin: str) -> None:
    found = with_items(scored(runs, 0.0), overrides=(f"margin.accuracy={margin}",))
    (accuracy,) = found.quality
    assert (accuracy.difference.method, accuracy.difference.scope) == (method, scope)
    assert accuracy.arms["gpu"].n == runs
    assert accuracy.non_inferior is True and found.verdict.word == "SWITCH"
    told = {"items": "allows for other runs and for other items", "one-run": "how another run would turn out is not in"}
    assert told[scope] in render_comment(found)
    worse = with_items(scored(runs, 0.12), overrides=(f"margin.accuracy={margin}",))
    assert worse.quality[0].inferior is True and worse.verdict.word == "STAY"


def test_the_record_keeps_no_single_items() -> None:
    found = with_items(scored(3, 0.0))
    assert [(i.arm, i.run, i.n) for i in found.pilot.items[:2]] == [("gpu", "0", 300), ("gpu", "1", 300)]
    assert "q17" not in found.model_dump_json()


def test_evaluation_logs_with_a_file_a_run_are_read_by_item() -> None:
    """lm-evaluation-harness `--log_samples`: a JSON line an item with `doc_id` and its metric; the folder is an arm."""
    files = []
    for arm in ("gpu", "trn2"):
        for run in range(3):
            lines = [
                f'{{"doc_id": {i}, "target": "x", "acc": {float((i * len(arm) + run) % 7 > 0)}}}' for i in range(100)
            ]
            files.append(PostedFile.from_bytes(f"{arm}/samples_mmlu_{run}.jsonl", "\n".join(lines).encode()))
    found = with_items(*files)
    assert [(q.metric, q.difference.method, q.arms["gpu"].n) for q in found.quality] == [("acc", "item-level", 3)]


@pytest.mark.parametrize(
    ("worked", "failed", "times", "word", "reason"),
    [
        (1, 2, "100", "EXTEND", "refused-one-run"),
        (2, 1, "100", "EXTEND", "screening"),
        (2, 1, "", "EXTEND", "screening"),
        (3, 1, "100", "SWITCH", "cheaper-proven"),
    ],
)
def test_failed_runs_prove_nothing(worked: int, failed: int, times: str, word: str, reason: str) -> None:
    """Cheap failures, or such without a time, are not taken for runs that did work, nor for days or machines."""
    rows = [f"gpu,{i},{3600 + 40 * (i % 3)},10,ok" for i in range(5)]
    rows += [f"trn2,{i},{3400 + 10 * i},5,ok" for i in range(worked)]
    rows += [f"trn2,f{i},{times},5,failed" for i in range(failed)]
    text = "\n".join(["arm,run,duration_s,price_usd_per_hour,status", *rows])
    found = analyse(Evidence((PostedFile.from_bytes("p.csv", text.encode()),)), today=TODAY)
    assert (found.verdict.word, found.verdict.reasons[0].code) == (word, reason)
    assert found.cost is not None and found.cost.arms["trn2"].n_failed == failed


@pytest.mark.parametrize(
    ("theta", "method", "n", "table"),
    [
        (0.75, "welch-log-ratio", (3, 5), "gpu,3600,1,ok gpu,3620,1,ok gpu,3580,1,ok trn2,2700,1,ok trn2,2720,1,ok "
                                          "trn2,2680,1,ok trn2,2690,1,ok trn2,2710,1,ok"),
        (0.75, "welch-log-ratio", (3, 3), "gpu,3600,1,ok gpu,7240,2,ok gpu,10760,3,ok trn2,5400,2,ok trn2,2720,1,ok "
                                          "trn2,2680,1,ok"),
        (1.0, "welch-log-ratio", (3, 3), "gpu,3600,1,ok gpu,3620,1,ok gpu,3580,1,ok trn2,2700,1,ok trn2,2720,1,ok "
                                         "trn2,2680,1,ok trn2,2700,0,failed"),
    ],
)  # fmt: skip
def test_unequal_runs_unequal_work_and_failed_runs(theta: float, method: str, n: tuple[int, int], table: str) -> None:
    """Costs over work: a run of twice the work counts twice, a failed one keeps its cost and did none."""
    rows = [f"{i},{row},10" for i, row in enumerate(table.split())]
    text = "\n".join(["run,arm,duration_s,work_units,status,price_usd_per_hour", *rows])
    found = analyse(Evidence((PostedFile.from_bytes("p.csv", text.encode()),)), today=TODAY)
    assert found.cost is not None and found.cost.theta.point == pytest.approx(theta)
    assert (found.cost.theta.method, (found.cost.theta.n_incumbent, found.cost.theta.n_candidate)) == (method, n)


def test_a_failed_run_keeps_its_cost_in_its_block() -> None:
    rows = ["arm,run,duration_s,price_usd_per_hour,block,status"]
    rows += [f"gpu,{i},{3600 + i},10,d{i % 3},ok" for i in range(6)]
    rows += [f"trn2,{i},{1800 + i},10,d{i % 3},{'ok' if i < 3 else 'failed'}" for i in range(6)]
    found = analyse(Evidence((PostedFile.from_bytes("p.csv", "\n".join(rows).encode()),)), today=TODAY)
    assert found.cost is not None and found.cost.theta.method == "blocked-linearised"
    assert found.cost.theta.point == pytest.approx(1.0, rel=0.01)


def test_summaries_are_compared_by_their_spread_and_number() -> None:
    text = "arm,runs,duration_s,price_usd_per_hour\ngpu,5,3600 ± 36,10\ntrn2,5,2880 ± 29,10"
    found = analyse(Evidence((PostedFile.from_bytes("p.csv", text.encode()),)), today=TODAY)
    assert found.cost is not None and found.cost.theta.method == "summary-welch"
    assert found.cost.theta.point == pytest.approx(0.8)
    assert found.diagnostics is None


@pytest.mark.parametrize(
    ("problem", "incumbent", "candidate"),
    [
        ("days-apart", "2026-11-03T9:00:00Z 2026-11-03T9:30:00Z 2026-11-3", "2026-11-04T9:00:00Z 2026/11/4 2026-11-04"),
        ("times-not-read", "today today today", "tomorrow tomorrow tomorrow"),
        ("days-incomplete", "2026-11-03 2026-11-03 x", "2026-11-04 2026-11-04 2026-11-04"),
        ("days-incomplete", "2026-11-03 2026-11-03 ", "2026-11-04 2026-11-04 2026-11-04"),
    ],
)
def test_days_that_are_not_known_are_told(problem: str, incumbent: str, candidate: str) -> None:
    """Nobody is told a proof without word that nothing could be said of the days behind it."""
    found = posting("started_at", incumbent.split(" "), candidate.split(" "))
    assert problem in {p.code for p in found.problems}
    assert found.verdict.basis != "proven" or problem != "days-apart"


def test_machines_of_some_runs_make_no_blocks_and_that_is_told() -> None:
    found = posting("host", ["h1", "h2", "h3"], ["h1", "h2", "n/a"])
    assert "machines-incomplete" in {p.code for p in found.problems}
