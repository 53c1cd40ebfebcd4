"""A porting map beside a pilot: the cost of moving, and what blocks it."""

import json
from pathlib import Path

import pytest

from bot.cli import main
from tests.shared import ROOT


@pytest.mark.parametrize(
    ("kernel", "words", "cost", "code"),
    [
        (False, ["portability.hourly_rate=100"], 30.0, "portability-priced"),
        (False, ["portability.hourly_rate=100", "migration_cost=7"], 7.0, "portability-cost-given"),
        (False, [], 0.0, "portability-not-priced"),
        (True, ["migration_cost=7"], 7.0, "portability-blocked"),
    ],
)
def test_the_map_prices_the_move(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kernel: bool, words: list[str], cost: float, code: str
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.py").write_text("x.cuda()\n", encoding="utf-8")
    if kernel:
        (tree / "k.cu").write_text("__global__ void add() {}", encoding="utf-8")
    main(["portability", str(tree), "--json"])
    report = tmp_path / "map.json"
    report.write_text(capsys.readouterr().out, encoding="utf-8")
    settings = [part for word in ("demand=1000", *words) for part in ("--set", word)]
    main(["compare", str(ROOT / "samples/first-look"), "--portability", str(report), "--json", *settings])
    record = json.loads(capsys.readouterr().out)
    assert float(record["settings"]["migration_cost"]) == cost
    assert code in {problem["code"] for problem in record["problems"]}
    assert (record["verdict"]["word"] == "BLOCKED") == kernel
    assert ("add (k.cu)" in json.dumps(record["verdict"])) == kernel


@pytest.mark.parametrize(("target", "refused"), [("trainium", True), ("gaudi", False), ("generic", False)])
def test_a_map_for_other_machines_than_the_candidates_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str, refused: bool
) -> None:
    """The candidate is called `gaudi2`: hours and kernels of another target would price another move."""
    (tmp_path / "a.py").write_text("x.cuda()\n", encoding="utf-8")
    main(["portability", str(tmp_path / "a.py"), "--target", target, "--json"])
    report = tmp_path / "map.json"
    report.write_text(capsys.readouterr().out, encoding="utf-8")
    main(["compare", str(ROOT / "samples/llama2-70b-lora"), "--portability", str(report), "--json"])
    record = json.loads(capsys.readouterr().out)
    assert ("portability-other-target" in {problem["code"] for problem in record["problems"]}) == refused
    assert (record["verdict"]["word"] in ("SWITCH", "STAY", "SPLIT")) != refused
