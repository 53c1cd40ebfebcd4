"""Postings as people write them that once gave a wrong answer, a lost row or a crash, each with its right answer."""

import json
from typing import Any

import pytest

from scoring.analysis import Evidence, analyse
from scoring.reading.posted import PostedFile
from tests.scoring.helpers import TODAY
from tests.shared import ROOT

TRAPS: list[dict[str, Any]] = json.loads((ROOT / "tests" / "data" / "traps.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("trap", [pytest.param(t, id=t["id"]) for t in TRAPS])
def test_trap(trap: dict[str, Any]) -> None:
    files = {name: PostedFile.from_bytes(name, text.encode()) for name, text in trap["files"].items()}
    beside = {kind: files.pop(name, None) for kind, name in _conventional(files)}
    decision = analyse(Evidence(postings=tuple(files.values()), overrides=tuple(trap["set"]), **beside), today=TODAY)
    wanted = trap["expected"]
    asked = {p.code for p in decision.problems if p.severity in ("error", "question")}
    assert asked == set(wanted["asked"])
    assert (decision.verdict.word.value if decision.verdict.word else None) == wanted["word"]
    if "theta" in wanted:
        assert decision.cost is not None
        assert decision.cost.theta.point == pytest.approx(wanted["theta"], rel=1e-3)


def _conventional(files: dict[str, PostedFile]) -> list[tuple[str, str]]:
    names = {"settings": ("steelyard.yml",), "contracts": ("contracts.yml", "contracts.csv"), "prices": ("prices.csv",)}
    return [(kind, next((n for n in of_kind if n in files), of_kind[0])) for kind, of_kind in names.items()]
