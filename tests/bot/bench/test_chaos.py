"""A small run of `steelyard bench chaos` on each database: nothing lost, nothing twice."""

import os
import re

import pytest

from bot.bench.postgres import programs
from bot.cli import main

RUNS = {
    "sqlite": ("--kills", "4", "--deliveries", "24", "--life", "2", "--redeliveries", "0.3"),
    "postgres": ("--kills", "2", "--deliveries", "10", "--life", "2", "--apart", "--postgres"),
}


@pytest.mark.parametrize("database", RUNS)
def test_kills_lose_nothing_and_double_nothing(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    if database == "postgres" and programs() is None:
        assert not os.environ.get("CI"), "CI has to have PostgreSQL's initdb and pg_ctl"
        pytest.skip("no initdb and pg_ctl on this machine")
    status = main(["bench", "chaos", *RUNS[database]])
    shown = dict(re.split(r"\s{2,}", line, maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert status == 0, shown
    kills, deliveries = RUNS[database][1], RUNS[database][3]
    wanted = {"posted": deliveries, "acknowledged": deliveries, "kills": kills, "commits in the ledger": deliveries}
    assert {name: shown[name] for name in wanted} == wanted
    assert {name: shown[name] for name in ("commands without a reply", "replies doubled", "commits doubled")} == {
        "commands without a reply": "0",
        "replies doubled": "0",
        "commits doubled": "0",
    }
