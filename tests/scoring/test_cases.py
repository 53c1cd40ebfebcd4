"""The small inputs that tools like ours get wrong, each with its right answer; the file holds them as they came."""

import json
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from bot.grammar import commands_in, edit_runs_again
from bot.render import figures
from bot.render.comment import render_comment
from scoring.model.decision import Decision, Word
from scoring.model.estimates import Direction
from scoring.model.problem import Severity
from tests.scoring.helpers import codes, decide

CASES: dict[str, Any] = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "cases.json").read_text(encoding="utf-8"))["cases"]
}


def run(name: str, settings: str = "") -> tuple[Decision, dict[str, Any]]:
    case = CASES[name]
    return decide((case["input_name"], case["input_text"]), settings=settings), case["expected"]


def counting(decision: Decision, arm: str) -> list[Any]:
    return [r for r in decision.pilot.runs if r.arm == arm and r.left_out is None]


def durations(decision: Decision) -> dict[str, list[float | None]]:
    return {arm: [r.duration_s for r in counting(decision, arm)] for arm in decision.pilot.arm_names}


def ratio(decision: Decision) -> float:
    assert decision.cost is not None
    assert decision.cost.theta.point is not None
    return decision.cost.theta.point


def counts(decision: Decision) -> dict[str, int]:
    return {arm: len(counting(decision, arm)) for arm in decision.pilot.arm_names}


def html(decision: Decision) -> str:
    return str(MarkdownIt("commonmark", {"html": True}).enable("table").render(render_comment(decision)))


def test_every_case_has_its_test() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in CASES if f'"{name}"' not in here] == []


def test_semicolon_decimal_comma() -> None:
    decision, expected = run("semicolon-decimal-comma")
    assert durations(decision) == expected["durations_s"]
    prices = {arm: float(counting(decision, arm)[0].price_per_hour) for arm in ("gpu", "trn2")}
    assert prices == expected["price_usd_per_hour"]


def test_comma_thousands_point_decimal() -> None:
    decision, expected = run("comma-thousands-point-decimal")
    assert {r.work_units for r in decision.pilot.runs} == {expected["work_units"]}
    assert durations(decision)["gpu"] == [512.5, 510.0]


def test_ambiguous_separator() -> None:
    decision, _ = run("ambiguous-separator")
    asked = next(p for p in decision.problems if p.code == "ambiguous-separator")
    assert asked.severity is Severity.QUESTION
    assert (asked.arguments["as_decimal"], asked.arguments["as_thousands"]) == ("1.234", "1234")
    assert decision.verdict.word is None
    assert "1.234" in render_comment(decision)
    assert "1234" in render_comment(decision)


def test_minutes_in_header() -> None:
    decision, expected = run("minutes-in-header")
    for arm, wanted in expected["duration_s"].items():
        assert durations(decision)[arm] == pytest.approx(wanted, abs=1e-9)
    assert ratio(decision) == pytest.approx(expected["cost_ratio_point"], abs=expected["tol"])


def test_ms_against_s() -> None:
    decision, _ = run("ms-against-s")
    assert decision.verdict.word is None
    asked = next(p for p in decision.problems if p.code == "magnitude-factor")
    assert asked.arguments["factor"] == 1000
    assert "latency-unit-unknown" in codes(decision)


def test_percent_and_fraction() -> None:
    decision, expected = run("percent-and-fraction")
    quality = decision.quality[0]
    for arm, wanted in expected["quality"].items():
        assert quality.arms[arm].values == pytest.approx(wanted)
    assert quality.paired


def test_plus_minus_cells() -> None:
    decision, expected = run("plus-minus-cells")
    summary = next(s for s in decision.pilot.summaries if s.arm == "p5.48xlarge")
    wanted = expected["summary"]["p5.48xlarge"]
    assert summary.duration_s is not None
    assert summary.n == wanted["n"]
    assert summary.duration_s.mean / 3600 == pytest.approx(wanted["mean_h"])
    assert summary.duration_s.sd is not None
    assert summary.duration_s.sd / 3600 == pytest.approx(wanted["sd_h"])
    assert decision.pilot.directions["wer"] is Direction.LOWER
    assert decision.time is not None
    assert decision.time.theta.has_interval
    assert "plus-minus-is-sd" in codes(decision)


def test_one_run_each() -> None:
    decision, expected = run("one-run-each")
    assert ratio(decision) == pytest.approx(expected["ratio"], abs=expected["tol"])
    assert decision.cost is not None
    assert not decision.cost.theta.has_interval
    assert decision.verdict.word in expected["verdict_allowed"]


def test_failed_runs_counted() -> None:
    decision, expected = run("failed-runs-counted")
    assert decision.cost is not None
    for arm, wanted in expected["cost_per_unit"].items():
        assert decision.cost.arms[arm].cost_per_unit == pytest.approx(wanted, abs=expected["tol"])
    assert ratio(decision) == pytest.approx(expected["ratio"], abs=1e-6)


def test_formula_injection() -> None:
    """The workbook's side of this case is in tests/bot/render/workbook."""
    decision, expected = run("formula-injection")
    assert ratio(decision) == pytest.approx(expected["ratio"], abs=expected["tol"])
    assert "<a " not in html(decision)


def test_mention_and_html() -> None:
    """Every table row keeps its columns, and the arm's name is text inside code, where GitHub makes no mention."""
    decision, _ = run("mention-and-html")
    page = html(decision)
    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt; @acme/everyone</code>" in page
    assert "t|rn2`" in page
    rows = [row.count("<td") for row in page.split("<tr>")[1:] if "cost per run" in row]
    assert rows == [5]


def test_duplicate_rows() -> None:
    decision, expected = run("duplicate-rows")
    assert counts(decision) == expected["n"]
    said = next(p for p in decision.problems if p.code == "duplicate-row")
    assert (said.row, said.arguments["earlier"]) == (3, 2)


def test_nan_inf_negative() -> None:
    decision, expected = run("nan-inf-negative")
    assert counts(decision) == expected["n"]
    assert sorted(p.row for p in decision.problems if p.row) == expected["names_rows"]


def test_title_rows_and_total() -> None:
    decision, expected = run("title-rows-and-total")
    assert counts(decision) == expected["n"]
    assert ratio(decision) == pytest.approx(expected["ratio"], abs=expected["tol"])


def test_different_work() -> None:
    decision, expected = run("different-work")
    assert decision.cost is not None
    assert decision.cost.unit == expected["normalised_per"]
    assert ratio(decision) == pytest.approx(expected["cost_ratio_point"], abs=expected["tol"])
    assert "different-work" in codes(decision)


def test_spot_and_on_demand() -> None:
    decision, expected = run("spot-and-on-demand")
    assert decision.verdict.word not in expected["verdict_forbidden"]
    assert "Give one pricing for both arms" in render_comment(decision)


def test_compile_in_first_run() -> None:
    decision, _ = run("compile-in-first-run")
    said = next(p for p in decision.problems if p.code == "first-run-slow")
    assert said.arguments["arm"] == "trn2"
    assert decision.with_first_run_left_out is not None
    assert counts(decision) == {"gpu": 3, "trn2": 3}
    assert decision.with_first_run_left_out.point == pytest.approx(4002.5 * 35.76 / (3600 * 55.04), abs=1e-9)
    assert ratio(decision) == pytest.approx(5301.6666667 * 35.76 / (3600 * 55.04), abs=1e-9)


def test_eu_only_region() -> None:
    regions = CASES["eu-only-region"]["expected"]["config"]["approved_regions"]
    decision, expected = run("eu-only-region", settings=f"approved_regions: [{', '.join(regions)}]\n")
    assert decision.verdict.word == expected["verdict"]
    assert "What unblocks it: capacity confirmed in writing in an approved region" in render_comment(decision)


def test_lost_requests() -> None:
    decision, expected = run("lost-requests")
    assert decision.cost is not None
    (arm,) = decision.cost.arms.values()
    assert arm.error_rate == pytest.approx(expected["error_rate"], abs=1e-6)
    assert decision.verdict.word not in expected["verdict_forbidden"]
    assert "1,352 of 3,000" in render_comment(decision)
    assert "failed-field-missing" in codes(decision)


def test_throughput_direction() -> None:
    decision, expected = run("throughput-direction")
    assert ratio(decision) == pytest.approx(expected["cost_ratio_point"], abs=expected["tol"])
    assert decision.verdict.word is Word.SWITCH


def test_per_cent_wording() -> None:
    expected = CASES["per-cent-wording"]["expected"]
    assert figures.change(100, 230) == (pytest.approx(expected["change_percent"]), pytest.approx(expected["ratio"]))


def test_quoted_command() -> None:
    case = CASES["quoted-command"]
    assert list(commands_in(case["input_text"])) == case["expected"]["commands"]


def test_edited_comment() -> None:
    text = CASES["edited-comment"]["input_text"]
    assert not edit_runs_again(text, text + "\nmended a typo\n")
    assert edit_runs_again(text, text.replace("gpu", "trn2"))
