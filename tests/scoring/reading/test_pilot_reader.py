"""A whole posting: arms by folder, sidecars, repeats, archives, and files that hold nothing of a pilot."""

import gzip
import io
import tarfile
import zipfile

import pytest

from scoring.model.decision import Decision
from scoring.model.problem import Severity
from tests.scoring.helpers import codes as codes_of
from tests.scoring.helpers import decide
from tests.scoring.reading.read import codes, counting, places, read, read_csv
from tests.shared import SHARED, needs_shared

CSV = "run,cost\n1,5\n2,6\n"
NEURON = SHARED / "data/tools/guidellm_neuron"


def zipped(*members: tuple[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in members:
            archive.writestr(name, data)
    return stream.getvalue()


def tarred(name: str, data: bytes) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


@pytest.mark.parametrize(
    "files",
    [
        [("gpu.csv", CSV), ("trn2.csv", CSV)],
        [("gpu/results.csv", CSV), ("trn2/results.csv", CSV)],
        [("p.zip", zipped(("gpu.csv", CSV), ("trn2.csv", CSV)))],
        [("p.zip", zipped(("gpu/r.csv", CSV), ("trn2/r.csv", CSV)))],
        [
            ("gpu/p.csv.gz", gzip.compress(CSV.encode(), mtime=0)),
            ("trn2/p.tgz", gzip.compress(tarred("trn2/p.csv", CSV.encode()), mtime=0)),
        ],
        [("p.csv", zipped(("gpu/r.csv", CSV), ("trn2/r.csv", CSV)))],
    ],
)
def test_arms_by_folder_or_file(files: list[tuple[str, str | bytes]]) -> None:
    pilot, problems = read(*files)
    assert (set(pilot.arm_names), len(counting(pilot)), problems) == ({"gpu", "trn2"}, 4, [])


def test_a_lonely_file_names_no_arm() -> None:
    assert "no-arm-column" in codes(read(("pilot.csv", CSV))[1])
    assert "no-arm-column" in codes(read(("p.zip", zipped(("pilot.csv", CSV))))[1])
    assert "no-arm-column" in codes(read(("c.md", f"```csv\n{CSV}```\n\n```csv\n{CSV}```\n"))[1])


@pytest.mark.parametrize(
    ("left_out", "found", "rows"),
    [
        ([None, None], [], "a,1,5\na,2,5\n"),
        ([None, "duplicate-row"], [("duplicate-row", 3)], "a,1,5\na,1,5\n"),
        (["row-replaced", None], [("row-replaced", 3)], "a,1,5\na,1,6\n"),
        (["row-replaced", "row-replaced", None], [("row-replaced", 3), ("row-replaced", 4)], "a,1,5\na,1,6\na,1,7\n"),
        ([None, None], [], "a,,5\na,,5\n"),
        ([None, None], [], "a,1,5\nb,1,5\n"),
        ([None, "not-a-number"], [("not-a-number", 3)], "a,1,5\na,1,x\n"),
    ],
)
def test_repeats(left_out: list[str | None], found: list[tuple[str, int]], rows: str) -> None:
    pilot, problems = read_csv(f"arm,run,cost\n{rows}")
    assert ([r.left_out for r in pilot.runs], places(problems)) == (left_out, found)
    assert (pilot.inputs[0].rows_read, pilot.inputs[0].rows_left_out) == (
        len(left_out),
        len([x for x in left_out if x]),
    )


def test_a_later_file_replaces_an_earlier_one() -> None:
    pilot, problems = read(("c1.csv", "arm,run,cost\na,1,5\n"), ("c2.csv", "arm,run,cost\na,1,6\n"))
    assert [(r.file, r.left_out) for r in pilot.runs] == [("c1.csv", "row-replaced"), ("c2.csv", None)]
    assert [(p.file, p.arguments["earlier"]) for p in problems] == [("c2.csv", 2)]
    assert [i.rows_left_out for i in pilot.inputs] == [1, 0]


def test_the_same_run_in_two_files_counts_once() -> None:
    first, second = "arm,seed,duration_s\na,7,10.5\n", "arm,run,seed,duration_s\na,1,7,10.5\n"
    pilot, problems = read(("a.csv", first), ("b.csv", second))
    assert ([r.left_out for r in pilot.runs], codes(problems)) == ([None, "same-run-elsewhere"], ["same-run-elsewhere"])


ROWS = "arm,duration_s\na,10.5\na,10.6\n"


@pytest.mark.parametrize(
    ("wanted", "second"),
    [
        ([None, None, "same-rows-elsewhere", "same-rows-elsewhere"], ROWS),
        ([None, None, None, None], "arm,duration_s\na,10.6\na,10.5\n"),
        ([None, None, None, None, None], ROWS + "a,10.7\n"),
        ([None, None, None], "arm,duration_s\na,10.5\n"),
    ],
)
def test_rows_without_a_number_in_a_table_that_is_posted_again_count_once(
    wanted: list[str | None], second: str
) -> None:
    pilot, problems = read(("a.csv", ROWS), ("b.csv", second))
    assert [r.left_out for r in pilot.runs] == wanted
    assert codes(problems) == (["same-rows-elsewhere"] if any(wanted) else [])


def test_rows_of_an_archive_count_for_the_archive() -> None:
    data = zipped(("x/a.csv", "arm,run,cost\na,1,5\na,1,5\n"), ("x/b.csv", "arm,run,cost\nb,1,x\n"))
    pilot, _ = read(("p.zip", data))
    assert [(i.file, i.rows_read, i.rows_left_out) for i in pilot.inputs] == [("p.zip", 3, 2)]


def test_sidecars_give_conditions_to_runs_and_summaries() -> None:
    env = "BATCH_SIZE=8\nTENSOR_PARALLEL_SIZE=4\n"
    runs, _ = read(("gpu.csv", CSV), ("gpu.env", env), ("trn2.csv", CSV))
    assert [r.conditions for r in runs.runs] == [{"batch_size": "8", "tensor_parallel_size": "4"}] * 2 + [{}] * 2
    summary, _ = read(("gpu.csv", "runs,cost\n5,10 ± 1\n"), ("gpu.env", env), ("trn2.csv", CSV))
    assert summary.summaries[0].conditions == {"batch_size": "8", "tensor_parallel_size": "4"}


def test_sidecars_in_an_archive() -> None:
    pilot, _ = read(("p.zip", zipped(("gpu.csv", CSV), ("gpu.env.txt", "BATCH_SIZE=8\n"), ("trn2.csv", CSV))))
    assert [r.conditions for r in pilot.runs] == [{"batch_size": "8"}] * 2 + [{}] * 2


@pytest.mark.parametrize(
    ("code", "severity", "content"),
    [
        ("file-empty", Severity.QUESTION, ""),
        ("not-understood", Severity.ERROR, "Hello there.\nWe ran it twice.\n"),
        ("no-known-column", Severity.ERROR, "arm,run,cost per 1M tokens\na,1,2\nb,1,3\n"),
        ("no-known-column", Severity.ERROR, '[{"model": "x", "list": 3}]'),
        ("not-understood", Severity.ERROR, "<html><body>no</body></html>"),
        ("not-understood", Severity.ERROR, "a,b\nx,y\n"),
        ("not-understood", Severity.ERROR, "[1, 2, 3]"),
        ("header-only", Severity.QUESTION, "arm,run,duration_s\n"),
        ("binary-file", Severity.ERROR, "\x01\x02\x03\x04" * 99),
        ("too-many-columns", Severity.ERROR, ",".join(f"c{i}" for i in range(10_000)) + "\n" + ",".join("1" * 10_000)),
    ],
)  # fmt: skip
def test_a_posting_that_holds_no_pilot(code: str, severity: Severity, content: str) -> None:
    pilot, problems = read(("pilot.csv", content))
    assert (pilot.runs, [(p.code, p.severity) for p in problems]) == ((), [(code, severity)])


@pytest.mark.parametrize("content", ["", "Hello there.\nWe ran it twice.\n"])
def test_beside_a_pilot_such_a_file_is_a_warning(content: str) -> None:
    _, problems = read(("pilot.csv", "arm,run,cost\na,1,5\n"), ("readme.txt", content))
    assert [p.severity for p in problems] == [Severity.WARNING]


def test_a_guessed_character_set_does_not_hide_that_a_file_is_no_pilot() -> None:
    _, problems = read(("p.txt", "Málaga: el año pasado medimos más.\nNada que añadir aquí.\n".encode("cp1252")))
    assert codes(problems) == ["charset-guessed", "not-understood"]


def test_members_that_hold_no_pilot_are_named() -> None:
    members = (("readme.txt", "Hello there.\nWe ran it."), ("a.xls", "x"), ("p.csv", "arm,run,cost\na,1,5\n"))
    pilot, problems = read(("p.zip", zipped(*members)))
    assert [(p.code, p.file, p.severity) for p in problems] == [
        ("members-not-read", "p.zip", Severity.WARNING),
        ("not-understood", "p.zip/readme.txt", Severity.WARNING),
    ]
    assert len(pilot.runs) == 1
    assert "not-understood" in codes(read(("p.zip", zipped(("a.xls", "x"))))[1])


def test_nothing_posted() -> None:
    assert codes(read()[1]) == ["nothing-posted"]
    assert codes(read(("a.env", "BATCH_SIZE=8\n"))[1]) == ["nothing-posted"]


def test_archives_in_archives_end_somewhere() -> None:
    data: bytes = CSV.encode()
    for depth in range(6):
        data = zipped((f"{depth}.csv", data))
    pilot, problems = read(("p.zip", data))
    assert (pilot.runs, codes(problems)) == ((), ["nested-archive"])


def test_a_comment_with_a_block_and_a_table() -> None:
    text = (
        "region: eu-west-1\n\n```csv\narm,run,cost\na,1,5\n```\n\n| arm | run | cost |\n|---|---|---|\n| b | 1 | 6 |\n"
    )
    pilot, problems = read(("comment-1.md", text))
    assert {(r.arm, r.file, r.row, r.region) for r in pilot.runs} == {
        ("a", "comment-1.md#block-1.csv", 5, "eu-west-1"),
        ("b", "comment-1.md", 10, "eu-west-1"),
    }
    assert problems == []


def test_three_arms_are_asked_for() -> None:
    decision = decide(("p.csv", "arm,run,cost\na,1,1\nb,1,2\nc,1,3\n"))
    assert (codes_of(decision), decision.verdict.word) == ({"choose-arms"}, None)


def test_arms_in_mixed_formats_are_one_pilot() -> None:
    files = [("gpu/p.csv", CSV), ("trn2/p.json", '[{"run": 1, "cost": 7},\n {"run": 2, "cost": 8}]')]
    pilot, problems = read(*files)
    assert [(r.arm, r.row, float(r.stated_cost or 0)) for r in pilot.runs] == [
        ("gpu", 2, 5.0), ("gpu", 3, 6.0), ("trn2", 1, 7.0), ("trn2", 2, 8.0),
    ]  # fmt: skip
    assert problems == []


def neuron(*names: str) -> list[tuple[str, bytes]]:
    return [(p.name, p.read_bytes()) for name in names for p in (NEURON / f"{name}.csv", NEURON / f"{name}.env.txt")]


def of(decision: Decision, code: str) -> list[str | None]:
    return [p.found for p in decision.problems if p.code == code]


@needs_shared
def test_seconds_and_milliseconds_of_one_header_row() -> None:
    pilot, problems = read(*neuron("llama-3.1-8b-trn2", "qwen3-30B-A3B-trn2"))
    first = pilot.runs[0]
    assert first.latency == pytest.approx(
        {"e2el_mean": 5.434610323472456, "ttft_mean": 0.19724611802534622, "itl_mean": 0.02213561523381564}, rel=1e-12
    )
    assert (first.throughput, first.unit, first.arm) == (0.1839959922297138, "request", "llama-3.1-8b-trn2")
    assert (first.conditions["batch_size"], first.conditions["load_pattern"]) == ("32", "synchronous")
    assert {p.code for p in problems} == {"time-zone-assumed"}


@needs_shared
def test_load_patterns_and_batch_sizes_that_differ_are_named_and_refused() -> None:
    decision = decide(*neuron("qwen3-30B-A3B", "qwen3-30B-A3B-trn2"))
    assert of(decision, "condition-differs") == ["batch_size: 8 / 16; tensor_parallel_size: 32 / 4"]
    assert of(decision, "condition-varies") == [
        "synchronous, asynchronous@0.27 req/sec, throughput",
        "synchronous, asynchronous@0.38 req/sec, throughput",
    ]
    assert decision.time is not None
    assert (decision.time.theta.point, decision.time.theta.has_interval) == (None, False)


@needs_shared
@pytest.mark.parametrize("pattern", ["synchronous", "throughput"])
def test_one_summary_an_arm_gives_no_interval(pattern: str) -> None:
    def only(name: str, data: bytes) -> bytes:
        lines = data.decode().splitlines(keepends=True)
        return (
            data if name.endswith(".txt") else "".join([lines[0], *(x for x in lines if f",{pattern}," in x)]).encode()
        )

    files = [(name, only(name, data)) for name, data in neuron("qwen3-30B-A3B", "qwen3-30B-A3B-trn2")]
    decision = decide(*files)
    assert decision.time is not None
    assert decision.time.theta.point is not None
    assert not decision.time.theta.has_interval
    assert "one-run" in codes_of(decision)
    assert of(decision, "condition-differs") == ["batch_size: 8 / 16; tensor_parallel_size: 32 / 4"]


def test_a_comment_that_quotes_a_log_is_no_log() -> None:
    text = "It said `:::MLLOG {}` once.\n\n| arm | run | duration_s |\n|---|---|---|\n| gpu | 1 | 3600 |\n"
    pilot = decide(("comment-2.md", text)).pilot
    assert pilot is not None and [(run.arm, run.duration_s) for run in pilot.runs] == [("gpu", 3600)]
