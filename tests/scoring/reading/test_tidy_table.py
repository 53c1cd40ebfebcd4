"""Rows to runs and summaries: every figure in its base unit, and every row that cannot be a run with its reason."""

import datetime as dt
from decimal import Decimal

import pytest

from scoring.model.estimates import Direction
from scoring.model.pilot import Phase, Pricing, RunStatus
from scoring.model.problem import Severity
from scoring.model.settings import Margin, Settings
from scoring.reading.pilot_reader import read_pilot
from scoring.reading.posted import PostedFile
from tests.scoring.reading.read import codes, counting, places, read, read_csv


def values(text: str, field: str) -> list[object]:
    return [getattr(r, field) for r in counting(read_csv(text)[0])]


@pytest.mark.parametrize(
    ("want", "header", "cells"),
    [
        ([3600.0, 5400.0], "duration_s", ("3600", "1h 30m")),
        ([3600.0, 5400.0], "time (min)", ("60", "90")),
        ([3600.0, 5400.0], "time (min)", ("1h", "01:30:00")),
        ([0.5, 600.0], "duration_s", ("500 ms", "10 min")),
        ([3600.0, 90000.0], "tiempo", ("1:00:00", '"1 day, 1:00:00"')),
        ([3630.5, 5400.0], "tiempo (s)", ('"3.630,5"', '"5.400,0"')),
        ([1234.0, 1235.5], "duration_s", ('"1,234"', '"1,235.5"')),
    ],
)
def test_durations_in_seconds(want: list[float], header: str, cells: tuple[str, str]) -> None:
    assert values(f"arm,{header}\na,{cells[0]}\nb,{cells[1]}\n", "duration_s") == pytest.approx(want)


@pytest.mark.parametrize(
    ("want", "header", "cells"),
    [
        ([100.0, 200.0], "tokens/s", ("100", "200")),
        ([2.0, 200.0], "tokens/s", ("120 tok/min", "200 tok/s")),
        ([3200.0, 1.5e6], "tok/s", ("3.2k", "1.5M")),
        ([2.0, 3.0], "samples/min", ("120", "180")),
    ],
)
def test_throughput_per_second(want: list[float], header: str, cells: tuple[str, str]) -> None:
    assert values(f"arm,{header}\na,{cells[0]}\nb,{cells[1]}\n", "throughput") == pytest.approx(want)


@pytest.mark.parametrize(
    ("want", "header", "cells"),
    [
        ([0.712, 0.7], "accuracy", ("71.2%", "0.7")),
        ([0.712, 0.7], "accuracy (%)", ("71.2", "70")),
        ([0.712, 0.7], "accuracy (%)", ("71.2 %", "70%")),
        ([7.36, 7.44], "WER", ("7.36", "7.44")),
        ([1.84, 1.85], "Pérdida", ('"1,84"', '"1,85"')),
    ],
)
def test_quality(want: list[float], header: str, cells: tuple[str, str]) -> None:
    pilot, _ = read_csv(f"arm,cost,{header}\na,1,{cells[0]}\nb,1,{cells[1]}\n")
    assert [q.value for r in pilot.runs for q in r.quality.values()] == pytest.approx(want)


@pytest.mark.parametrize(
    ("price", "currency", "header", "cell"),
    [
        ("55.04", "USD", "price_usd_per_hour", "55.04"),
        ("55.04", "USD", "price", "$55.04"),
        ("50.60", "EUR", "Precio (€/h)", '"50,60"'),
        ("50.60", "EUR", "precio_hora", '"50,60 €"'),
        ("55.04", None, "price", "55.04"),
    ],
)
def test_price_to_the_last_digit(price: str, currency: str | None, header: str, cell: str) -> None:
    (run,) = read_csv(f"arm,duration_s,{header}\na,10,{cell}\n")[0].runs
    assert (run.price_per_hour, run.currency) == (Decimal(price), currency)


@pytest.mark.parametrize(
    ("currencies", "text"),
    [
        (["EUR", "USD"], "arm,cost\na,10 €\nb,20 $\n"),
        (["EUR", "EUR"], "arm,cost (€)\na,10\nb,20\n"),
        (["EUR", "GBP"], "arm,cost,currency\na,10,euros\nb,20,£\n"),
        (["EUR", "EUR"], "arm,cost,moneda\na,10,eur\nb,20,EUR\n"),
        ([None, None], "arm,cost\na,10\nb,20\n"),
    ],
)
def test_currencies(currencies: list[str | None], text: str) -> None:
    assert values(text, "cost_currency") == currencies


@pytest.mark.parametrize(
    "text",
    ["arm,price ($/h),cost (€)\na,3,10\n", "price_usd_per_hour: 3\narm,run,cost (€)\na,1,10\n"],
)
def test_price_and_cost_in_two_currencies(text: str) -> None:
    pilot, problems = read_csv(text)
    run = pilot.runs[0]
    assert (codes(problems), run.stated_cost, run.cost_currency) == ([], Decimal(10), "EUR")
    assert (run.price_per_hour, run.currency) == (Decimal(3), "USD")


@pytest.mark.parametrize(
    ("code", "header", "cell"),
    [
        ("not-a-number", "duration_s", "NaN"),
        ("not-a-number", "duration_s", "inf"),
        ("not-a-number", "duration_s", "fast"),
        ("not-a-number", "duration_s", "1:23:75"),
        ("not-a-number", "duration_s", "1e999"),
        ("not-above-zero", "duration_s", "0"),
        ("not-above-zero", "duration_s", "-5"),
        ("not-above-zero", "duration_s", "-5 min"),
        ("not-above-zero", "price", "0"),
        ("not-above-zero", "tok/s", "0"),
        ("below-zero", "cost", "-1"),
        ("below-zero", "tokens", "-1"),
    ],
)
def test_a_row_that_cannot_be_a_run(code: str, header: str, cell: str) -> None:
    pilot, problems = read_csv(f"arm,run,{header},note\na,1,{cell},x\na,2,7,x\n")
    assert [r.left_out for r in pilot.runs] == [code, None]
    named = next(p for p in problems if p.code == code)
    assert (named.row, named.column, named.found) == (2, header, cell)


@pytest.mark.parametrize(
    ("code", "header", "cell"),
    [
        ("cell-not-read", "WER", "bad"),
        ("quality-not-finite", "WER", "NaN"),
        ("cell-not-read", "p99 ttft (ms)", "bad"),
        ("below-zero", "p99 ttft (ms)", "-1"),
    ],
)
def test_a_figure_that_is_not_vital_leaves_the_run(code: str, header: str, cell: str) -> None:
    pilot, problems = read_csv(f"arm,run,cost,{header}\na,1,5,{cell}\na,2,5,0.5\n")
    assert (len(counting(pilot)), codes(problems)) == (2, [code])


@pytest.mark.parametrize("cell", ["", "-", "n/a", "null", "—"])
def test_an_empty_cell_is_no_flaw(cell: str) -> None:
    pilot, problems = read_csv(f"arm,run,cost,duration_s\na,1,5,{cell}\na,2,6,10\n")
    assert ([r.duration_s for r in counting(pilot)], problems) == ([None, 10.0], [])


@pytest.mark.parametrize(
    ("code", "header", "cells"),
    [
        ("duration-unit-unknown", "time", ("10", "20")),
        ("latency-unit-unknown", "p99 ttft", ("10", "20")),
        ("throughput-unit-unknown", "throughput", ("10", "20")),
        ("short-clock", "time", ("12:34", "12:44")),
        ("ambiguous-separator", "duration_s", ('"1,234"', '"1,250"')),
        ("mixed-separators", "duration_s", ('"1,5"', "1.5")),
    ],
)
def test_what_is_ambiguous_is_asked(code: str, header: str, cells: tuple[str, str]) -> None:
    _, problems = read_csv(f"arm,{header}\na,{cells[0]}\nb,{cells[1]}\n")
    assert [(p.code, p.severity.value, p.column) for p in problems] == [(code, "question", header)]


@pytest.mark.parametrize(
    ("header", "cells"), [("time", ("10 min", "01:20:00")), ("ttft_p99", ("212 ms", "0.2 s")), ("time", ("1h", "2h"))]
)
def test_cells_that_name_their_unit_need_no_question(header: str, cells: tuple[str, str]) -> None:
    assert read_csv(f"arm,{header}\na,{cells[0]}\nb,{cells[1]}\n")[1] == []


@pytest.mark.parametrize(
    "status", ["failed", "FAILED (exit 1)", "OOM", "error: lost", "Timed out", "cancelled", "fallido"]
)
def test_failed(status: str) -> None:
    assert values(f"arm,cost,status\na,1,{status}\nb,1,ok\n", "status") == [RunStatus.FAILED, RunStatus.OK]


@pytest.mark.parametrize("status", ["ok", "success", "", "done", "no error", "completado"])
def test_not_failed(status: str) -> None:
    assert values(f"arm,cost,status\na,1,{status}\nb,1,ok\n", "status") == [RunStatus.OK, RunStatus.OK]


def test_summaries() -> None:
    pilot, problems = read_csv("accelerator,runs,time (h),WER\na,5,6.21 ± 0.08,7.4 (0.1)\nb,5,7.02 ± 0.11,7.5 (0.2)\n")
    found = [(s.arm, s.n, s.duration_s, s.quality["wer"]) for s in pilot.summaries if s.duration_s]
    assert [(arm, n, d.mean, d.sd, q.mean, q.sd) for arm, n, d, q in found] == [
        ("a", 5, pytest.approx(22356), pytest.approx(288), 7.4, 0.1),
        ("b", 5, pytest.approx(25272), pytest.approx(396), 7.5, 0.2),
    ]
    assert (pilot.runs, set(codes(problems))) == ((), {"plus-minus-is-sd"})


@pytest.mark.parametrize(
    ("sd", "text"),
    [
        (5.0, "arm,duration_s,sd_duration_s\na,60,5\n"),
        (300.0, "arm,time (min),time std (min)\na,60,5\n"),
        (5.0, "arm,duration_s\na,60 ± 5\n"),
        (4.8, "arm,time (min)\na,1 ± 0.08\n"),
        (288.0, "arm,time (min)\na,6.21 ± 0.08 h\n"),
    ],
)
def test_a_summary_that_does_not_say_of_how_many_runs(sd: float, text: str) -> None:
    pilot, problems = read_csv(text)
    (summary,) = pilot.summaries
    assert summary.duration_s is not None
    assert (summary.duration_s.sd, summary.n) == (pytest.approx(sd), None)
    assert "summary-without-n" in codes(problems)


def test_a_standard_deviation_over_requests_makes_no_summary() -> None:
    pilot, _ = read_csv("arm,run,duration_s,mean_ttft_ms,std_ttft_ms\na,1,60,100,5\na,2,61,101,6\n")
    assert (len(pilot.runs), pilot.summaries) == (2, ())


def test_a_full_row() -> None:
    pilot, problems = read_csv(
        "workload,phase,arm,accelerator,instance_type,instance_count,region,run,block,seed,started_at,duration_s,"
        "warmup_s,work_units,unit,price_usd_per_hour,pricing,cost_usd,quality_metric,quality_value,quality_stderr,status\n"
        "whisper,finetune,gpu,8 x H100,p5.48xlarge,2,us-east-1,1,day-1,101,2026-11-02T08:00:00Z,7374.9,120,960,"
        "audio_hours,55.04,spot,112.75,wer,7.36,0.1,ok\n"
    )
    (run,) = pilot.runs
    assert problems == []
    assert (run.workload, run.phase, run.arm, run.accelerator) == ("whisper", Phase.FINETUNE, "gpu", "8 x H100")
    assert (run.instance_type, run.instance_count, run.region) == ("p5.48xlarge", 2, "us-east-1")
    assert (run.run, run.block, run.seed) == ("1", "day-1", "101")
    assert run.started_at == dt.datetime(2026, 11, 2, 8, tzinfo=dt.UTC)
    assert (run.duration_s, run.warmup_s, run.work_units, run.unit) == (7374.9, 120.0, 960.0, "audio_hour")
    assert (run.price_per_hour, run.pricing, run.stated_cost) == (Decimal("55.04"), Pricing.SPOT, Decimal("112.75"))
    assert (run.quality["wer"].value, run.quality["wer"].stderr) == (7.36, 0.1)
    assert pilot.directions == {"wer": Direction.LOWER}


@pytest.mark.parametrize(
    ("want", "text"),
    [
        (dt.datetime(2026, 11, 2, 8, tzinfo=dt.UTC), "2026-11-02T08:00:00Z"),
        (dt.datetime(2026, 11, 2, 7, tzinfo=dt.UTC), "2026-11-02 08:00+01:00"),
        (dt.datetime(2026, 11, 2, tzinfo=dt.UTC), "2026-11-02"),
        (dt.datetime(2026, 11, 2, 9, tzinfo=dt.UTC), "2026-11-02T9:00:00Z"),
        (None, "yesterday"),
        (None, "2026-13-45"),
        (None, "9999-12-31T23:59:59-23:59"),
        (None, "0001-01-01T00:00:00+23:00"),
        (None, "9990-01-01"),
    ],
)
def test_moments(want: dt.datetime | None, text: str) -> None:
    assert values(f"arm,cost,started_at\na,1,{text}\n", "started_at") == [want]


@pytest.mark.parametrize(
    ("wanted", "times"),
    [
        ([], ["2026-11-02T08:00Z", "2026-11-02T9:00Z"]),
        ([], ["2026-11-02T08:00Z", "", "n/a"]),
        ([("times-not-read", 3, "yesterday", 1, 2)], ["2026-11-02T08:00Z", "yesterday"]),
        ([("times-not-read", 2, "03/11/2026", 2, 2)], ["03/11/2026", "04/11/2026"]),
        ([], ["03/11/2026", "13/11/2026"]),
        ([("times-not-read", 4, "03/11/2026", 1, 3)], ["13/11/2026", "11/13/2026", "03/11/2026"]),
        ([("times-not-read", 2, "09:00", 1, 1)], ["09:00"]),
    ],
)
def test_start_times_that_cannot_be_read_are_told(wanted: list[tuple[object, ...]], times: list[str]) -> None:
    rows = "".join(f"a,{i},1,{time}\n" for i, time in enumerate(times))
    found = [p for p in read_csv(f"arm,run,cost,started_at\n{rows}")[1] if p.severity is not Severity.INFO]
    told = [(p.code, p.row, p.found, p.arguments["count"], p.arguments["total"]) for p in found]
    assert told == wanted


def test_a_mark_for_no_value_is_no_host_block_seed_or_region() -> None:
    (run,) = read_csv("arm,run,cost,host,block,seed,region\na,1,1,n/a,-,–,none\n")[0].runs
    assert (run.host, run.block, run.seed, run.region) == (None, None, None, None)


def test_a_time_zone_that_is_assumed_is_said_once() -> None:
    rows = "".join(f"a,1,2026-11-0{i}T08:00\n" for i in range(1, 4))
    assert codes(read_csv(f"arm,cost,started_at\n{rows}")[1]) == ["time-zone-assumed"]


@pytest.mark.parametrize(
    ("attempted", "completed", "text"),
    [
        (10, 9, "arm,cost,num_prompts,completed\na,1,10,9\n"),
        (10, 9, "arm,cost,completed,failed_requests\na,1,9,1\n"),
        (10, 9, "arm,cost,total_requests,num_errors\na,1,10,1\n"),
        (None, 9, "arm,cost,completed\na,1,9\n"),
    ],
)
def test_requests(attempted: int | None, completed: int, text: str) -> None:
    (run,) = read_csv(text)[0].runs
    assert (run.requests_attempted, run.requests_completed) == (attempted, completed)


def test_a_metric_of_unknown_direction_is_asked_once() -> None:
    rows = "arm,cost,metric,value,quality\na,1,zorp,x,3\nb,1,zorp,x,4\n"
    assert codes(read_csv(rows)[1]).count("metric-direction-unknown") == 1
    margins = {"zorp": Margin(relative=0.01, direction=Direction.LOWER)}
    pilot, problems = read_csv(rows, Settings(margins=margins))
    assert ("metric-direction-unknown" in codes(problems), pilot.directions) == (False, {"zorp": Direction.LOWER})


def test_counts_make_an_accuracy() -> None:
    (run,) = read_csv("arm,cost,correct,items\na,1,30,40\n")[0].runs
    assert (run.quality["accuracy"].value, run.quality["accuracy"].correct, run.quality["accuracy"].items) == (
        0.75,
        30,
        40,
    )


@pytest.mark.parametrize(
    ("arms", "text"),
    [
        (["gpu", "gpu"], "accelerator: gpu\nregion: x\nrun,duration_s,cost\n1,10,1\n2,11,1\n"),
        (["gpu", "gpu"], "arm: gpu\nregion: x\nrun,duration_s,cost\n1,10,1\n2,11,1\n"),
        (["p5.48xlarge"], "instance_type: p5.48xlarge\nregion: x\nrun,duration_s,cost\n1,10,1\n"),
        (["gpu", "trn2", "tpu"], "arm,cost\ngpu,1\ntrn2,1\ntpu,1\n"),
        (["x", "x"], "arm,accelerator,cost\nx,gpu,1\nx,trn2,1\n"),
    ],
)
def test_arms(arms: list[str], text: str) -> None:
    assert [r.arm for r in read_csv(text)[0].runs] == arms


def test_no_arm_column() -> None:
    pilot, problems = read_csv("run,cost\n1,10\n2,11\n")
    assert (pilot.runs, places(problems)) == ((), [("no-arm-column", 1)])


def test_a_row_without_an_arm_is_named() -> None:
    pilot, problems = read_csv("arm,run,cost\na,1,10\n,2,11\n")
    assert ([r.row for r in pilot.runs], places(problems)) == ([2], [("arm-missing", 3)])


def test_arms_of_a_comment_in_sections() -> None:
    table = "| run | cost |\n|---|---|\n| 1 | 5 |\n"
    pilot, _ = read(("c.md", f"accelerator: gpu\n\n{table}\naccelerator: trn2\n\n{table}"))
    assert [(r.arm, r.row, r.left_out) for r in pilot.runs] == [("gpu", 5, None), ("trn2", 11, None)]


@pytest.mark.parametrize(
    ("metric", "counted", "header", "cell"),
    [
        ("exact_match", (812, 1000), "exact_match", "812/1000"),
        ("exact_match", (812, 1000), "exact_match", "812 of 1,000"),
        ("accuracy", (812, 1000), "accuracy (%)", "81.2 % (812/1000)"),
        ("accuracy", (812, 1000), "accuracy", "812 / 1000 (81,2 %)"),
        ("wer", (74, 1000), "WER", "74 de 1.000"),
        ("wer", (74, 1000), "quality_metric,quality_value", "wer,74/1000"),
    ],
)
def test_counts_of_successes(metric: str, counted: tuple[int, int], header: str, cell: str) -> None:
    cell = cell if "," not in cell or "," in header else f'"{cell}"'
    (run,) = read_csv(f"arm,run,cost,{header}\na,1,5,{cell}\n")[0].runs
    found = run.quality[metric]
    assert ((found.correct, found.items), found.value) == (counted, counted[0] / counted[1])


@pytest.mark.parametrize(
    ("wanted", "header", "cells"),
    [
        (["cell-not-read", "cell-not-read", "quality-not-read"], "accuracy", ["8.5/10", "12/10"]),
        (["cell-not-read", "cell-not-read", "quality-not-read"], "accuracy", ["80 % (812/1000)", "good"]),
        (["cell-not-read"], "accuracy", ["8.5/10", "0.8"]),
        (["cell-not-read"], "loss function", ["", "cross entropy"]),
        (["cell-not-read"], "status,error message", ["ok,", "failed,exit 137"]),
        (["quality-metric-missing"], "quality_value", ["0.8", "0.9"]),
        ([], "accuracy", ["", "n/a"]),
    ],
)
def test_a_quality_that_was_posted_and_not_read_is_asked(wanted: list[str], header: str, cells: list[str]) -> None:
    rows = "".join(f"a,{i},5,{cell}\n" for i, cell in enumerate(cells))
    problems = read_csv(f"arm,run,cost,{header}\n{rows}")[1]
    assert codes([p for p in problems if p.severity is not Severity.INFO]) == wanted


SHEET = "arm,run,block,seed,started_at,duration_s,price_usd_per_hour,wer,status,operator,notes\n"


@pytest.mark.parametrize(
    ("left_out", "row"),
    [
        (True, "b,2,b2,,,,,,,Ana,"),
        (True, "b,2,b2,7,,,30,-,n/a,Ana,"),
        (False, "b,2,b2,,,,,,failed,Ana,"),
        (False, "b,2,b2,,,3600,,,,Ana,"),
        (False, "b,2,b2,,,,,7.4,,Ana,"),
        (False, "b,2,b2,,2026-11-03T09:00Z,,,,,Ana,"),
        (False, "b,2,b2,,,,,,,Ana,out of memory"),
        (False, "b,2,b2,,,soon,,,,Ana,"),
    ],
)
def test_a_row_of_a_run_sheet_that_is_not_filled_in_is_no_run(left_out: bool, row: str) -> None:
    """What tells that the run was made, or failed, makes it one; labels and prices may stand there beforehand."""
    pilot, problems = read_csv(f"{SHEET}a,1,b1,7,,3600,50,7.4,ok,Ana,\n{row}\na,2,b2,,,3600,50,7.4,ok,Ana,\n")
    blank = [p for p in problems if p.code == "run-not-filled-in"]
    assert [r.row for r in pilot.runs if r.left_out == "run-not-filled-in"] == ([3] if left_out else [])
    assert [(p.severity, p.row, p.arguments) for p in blank] == (
        [(Severity.WARNING, 3, {"count": 1, "total": 3})] if left_out else []
    )


def test_a_run_sheet_without_any_run_is_asked_about() -> None:
    problems = read_csv(f"{SHEET}a,1,b1,,,,,,,,\nb,1,b1,,,,,,,,\n")[1]
    assert [(p.code, p.severity) for p in problems if p.severity is not Severity.INFO] == [
        ("run-not-filled-in", Severity.QUESTION)
    ]


FILLED = "a,1,b1,7,,3600,50,7.4,ok,Ana,\nb,1,b1,7,,3600,50,7.4,ok,Ana,\n"
OPEN = "a,1,b1,,,,,,,,\nb,1,b1,,,,,,,,\na,2,b2,,,,,,,,\nb,2,b2,,,,,,,,\n"


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ((OPEN, FILLED), [(Severity.WARNING, 2, 4)]),
        ((FILLED, OPEN), [(Severity.WARNING, 2, 4)]),
        ((OPEN, OPEN), [(Severity.QUESTION, 4, 4)]),
        ((OPEN, FILLED, FILLED.replace(",1,b1", ",2,b2")), []),
    ],
)
def test_runs_that_another_file_fills_in_are_made(
    files: tuple[str, ...], wanted: list[tuple[Severity, int, int]]
) -> None:
    posted = [PostedFile.from_bytes(f"{i}.csv", (SHEET + text).encode()) for i, text in enumerate(files)]
    _, problems = read_pilot(posted, Settings())
    told = [(p.severity, p.arguments["count"], p.arguments["total"]) for p in problems if p.code == "run-not-filled-in"]
    assert told == wanted


def test_a_blank_row_of_a_table_without_run_numbers_is_a_run_that_lacks_its_figures() -> None:
    pilot, _ = read_csv("arm,host,duration_s,cost\na,h1,60,1\na,h2,,\n")
    assert len(counting(pilot)) == 2
