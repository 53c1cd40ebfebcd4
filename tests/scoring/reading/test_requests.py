"""Request-level latencies: quantiles per arm and repetition, streamed, with the rows that cannot be read named."""

import numpy as np
import pytest

from scoring.model.pilot import Phase, Run
from scoring.reading.requests import shape_of
from tests.scoring.reading.read import codes, places, posted, read

ARMS, RUNS, EACH = ("gpu", "trn2"), (1, 2), 50
MS = [100.0 + (7 * i) % 200 for i in range(EACH)]


def text(head: str = "arm,run,ttft_ms", cell: str = "{:.1f}", above: str = "", mark: str = ",") -> str:
    rows = [[arm, str(run), cell.format(ms)] for arm in ARMS for run in RUNS for ms in MS]
    return above + "\n".join([head.replace(",", mark), *(mark.join(row) for row in rows)]) + "\n"


def check(run: Run, name: str = "ttft", scale: float = 1e-3, values: list[float] = MS) -> None:
    want = dict(zip(("p50", "p90", "p95", "p99"), np.quantile(values, [0.5, 0.9, 0.95, 0.99]), strict=True))
    want["mean"] = np.mean(values)
    assert run.latency == pytest.approx({f"{name}_{q}": float(v) * scale for q, v in want.items()}, rel=1e-12)


@pytest.mark.parametrize(
    "content",
    [
        text(),
        text().replace("\n", "\r\n"),
        text(mark=";"),
        text(mark="\t"),
        text(mark=";").replace(".", ","),
        text(cell="{:.1f} ms"),
        text(above="sep=,\n"),
        text(above="Latencies of November\n\n"),
        text(head="Acelerador,Ejecución,TTFT (ms)"),
        text().encode("utf-16"),
        text().encode("utf-8-sig"),
    ],
)  # fmt: skip
def test_a_run_for_each_arm_and_repetition(content: str | bytes) -> None:
    pilot, problems = read(("r.csv", content))
    assert [(r.arm, r.run, r.phase) for r in pilot.runs] == [(a, str(n), Phase.SERVE) for a in ARMS for n in RUNS]
    for run in pilot.runs:
        check(run)
    assert ([r.requests_completed for r in pilot.runs], problems) == ([EACH] * 4, [])
    assert (pilot.inputs[0].reader, pilot.inputs[0].rows_read) == ("requests", 200)


def test_seconds() -> None:
    pilot, _ = read(("r.csv", text(head="arm,run,latency (s)")))
    check(pilot.runs[0], "e2el", 1.0)


def test_a_unit_that_no_header_names_is_asked() -> None:
    _, problems = read(("r.csv", text(head="arm,run,ttft", above="title\n")))
    assert places(problems) == [("latency-unit-unknown", 2)]


@pytest.mark.parametrize(("code", "cell"), [("ambiguous-separator", "1,{:.0f}"), ("ambiguous-separator", "2,{:.0f}")])
def test_a_separator_that_cannot_be_told_is_asked(code: str, cell: str) -> None:
    pilot, problems = read(("r.csv", text(cell=cell, mark=";")))
    assert (pilot.runs, places(problems)) == ((), [(code, 2)])


def test_rows_that_are_no_latency_are_named_and_counted() -> None:
    lines = text().split("\n")
    for line, bad in ((3, "gpu,1,"), (5, "gpu,1,-1"), (7, "gpu,1,nan"), (9, "gpu,1,inf"), (11, 'gpu,1,"1')):
        lines[line - 1] = bad
    pilot, problems = read(("r.csv", "\n".join(lines)))
    assert places(problems) == [
        ("not-a-latency", 3),
        ("not-a-latency", 5),
        ("not-a-latency", 7),
        ("rows-left-out", None),
    ]
    assert problems[-1].arguments["count"] == 5
    check(pilot.runs[0], values=[ms for i, ms in enumerate(MS) if i not in (1, 3, 5, 7, 9)])


def test_blank_lines_are_no_rows() -> None:
    pilot, problems = read(("r.csv", text().replace("gpu,2", "\ngpu,2")))
    assert ([r.requests_completed for r in pilot.runs], problems) == ([EACH] * 4, [])


def test_files_without_an_arm_are_named_by_their_folder() -> None:
    gpu, trn2 = ("run,ttft_ms\n" + "".join(f"1,{ms + more}\n" for ms in MS + MS) for more in (0, 1))
    pilot, problems = read(("gpu/r.csv", gpu), ("trn2/r.csv", trn2))
    assert ([r.arm for r in pilot.runs], problems) == (["gpu", "trn2"], [])


@pytest.mark.parametrize(
    "content",
    [
        "arm,run,ttft_p99_ms\n" + "gpu,1,200\n" * 100,
        "arm,run,mean_ttft_ms\n" + "gpu,1,200\n" * 100,
        "arm,run,ttft_ms,duration_s\n" + "gpu,1,200,3\n" * 100,
        "arm,run,ttft_ms\n" + "gpu,1,200\n" * 20,
        "arm,run,ttft_ms\n" + "".join(f"gpu,{i},200\n" for i in range(100)),
        "arm,run,cost\n" + "gpu,1,200\n" * 100,
        '{"ttft_ms": 1}\n' * 100,
        b"\x89PNG" + b"x" * 1000,
        b"",
    ],
)
def test_other_files_are_not_requests(content: str | bytes) -> None:
    assert shape_of(posted("r.csv", content)) is None


def test_the_order_of_arms_is_the_order_of_rows() -> None:
    names = [f"arm-{i}" for i in range(9)]
    rows = "arm,ttft_ms\n" + "".join(f"{name},{ms}\n" for name in names for ms in MS)
    pilot, problems = read(("r.csv", rows))
    assert (list(pilot.arm_names), codes(problems)) == (names, [])
