"""What is answered to a table or JSON that nobody knows: the columns found, and a line that reads it."""

import json

import pytest

from scoring.model.settings import Settings
from tests.scoring.reading.read import codes, read

ROWS = "arm,{0},note\ngpu,{1},a\ngpu,{1},b\ntrn2,{2},c\n"


@pytest.mark.parametrize(
    ("mapping", "header", "seconds"),
    [
        ("duration_s: took_ms/1000", "took_ms", 0.5),
        ("duration_s: job_took_min*60", "job took (min)", 30000.0),
        ("duration_s: step_ns/1000000000", "step ns", 5e-7),
        ("duration_s: zorp", "zorp", 500.0),
    ],
)
def test_the_line_that_is_offered_reads_the_table(mapping: str, header: str, seconds: float) -> None:
    text = ROWS.format(header, 500, 600)
    (problem,) = read(("pilot.csv", text))[1]
    assert (problem.code, problem.found) == ("no-known-column", f"arm, {header}, note")
    assert problem.arguments["mapping"] == mapping
    target, _, source = mapping.partition(": ")
    pilot, problems = read(("pilot.csv", text), settings=Settings(map={target: source}))
    assert [run.duration_s for run in pilot.runs][:1] == [pytest.approx(seconds)]
    assert "no-known-column" not in codes(problems)


def test_unknown_json() -> None:
    records = [{"arm": arm, "wallclock_ms": 500 + i} for arm in ("gpu", "trn2") for i in range(2)]
    (problem,) = read(("pilot.json", json.dumps(records)))[1]
    assert (problem.found, problem.arguments["mapping"]) == ("arm, wallclock_ms", "duration_s: wallclock_ms/1000")
