"""The decision record: schema `steelyard/decision/1`, everything that the reply and the memo show, as JSON."""

import json
from typing import Any

from bot.render.comment.problems import fix, sentence
from bot.render.locales import in_language
from bot.render.messages import catalogue
from scoring.model.decision import Comparison, Decision
from scoring.model.estimates import RatioEstimate
from scoring.model.pilot import InputFile
from scoring.model.problem import Problem

SCHEMA = "steelyard/decision/1"


def render_record(decision: Decision) -> str:
    """The record as JSON text with sorted keys inside its sections, so that equal decisions give equal bytes."""
    return json.dumps(record_of(decision), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


@in_language(lambda decision, *_, **__: decision.settings.language)
def record_of(decision: Decision) -> dict[str, Any]:
    """The record as plain values; `decision` holds the engine's whole answer, the rest is its public reading."""
    language = decision.settings.language
    economics = decision.economics
    return {
        "schema": SCHEMA,
        "decided_on": decision.decided_on.isoformat(),
        "workload": decision.workload,
        "phase": decision.phase.value if decision.phase else None,
        "incumbent": decision.incumbent,
        "candidate": decision.candidate,
        "verdict": _verdict(decision, language),
        "cost": _comparison(decision.cost),
        "time": _comparison(decision.time),
        "quality": [q.model_dump(mode="json") for q in decision.quality],
        "latency": [x.model_dump(mode="json") for x in decision.latency],
        "economics": {
            **economics.model_dump(mode="json", exclude={"best"}),
            "switch_npv_by_month": list(economics.switch_npv_by_month),
            "best_plan": economics.best.model_dump(mode="json") if economics.best else None,
        },
        "looks": decision.looks.model_dump(mode="json") if decision.looks else None,
        "next_runs": decision.next_runs.model_dump(mode="json") if decision.next_runs else None,
        "with_initialisation": _theta(decision.with_initialisation),
        "with_first_run_left_out": _theta(decision.with_first_run_left_out),
        "flips": [f.model_dump(mode="json") for f in decision.flips],
        "problems": [_problem(p, language) for p in decision.problems],
        "inputs": [_input(i) for i in decision.pilot.inputs],
        "columns": [c.model_dump(mode="json") for c in decision.pilot.columns],
        "runs": [r.model_dump(mode="json", exclude_defaults=True) for r in decision.runs],
        "summaries": [s.model_dump(mode="json", exclude_defaults=True) for s in decision.pilot.summaries],
        "contracts": [c.model_dump(mode="json", exclude_defaults=True) for c in decision.contracts],
        "dates": None if decision.dates is None else [d.model_dump(mode="json") for d in decision.dates],
        "records": decision.records.model_dump(mode="json") if decision.records else None,
        "settings": decision.settings.model_dump(mode="json"),
        "settings_given": list(decision.settings_given),
        "claim": decision.claim.model_dump(mode="json") if decision.claim else None,
        "rivals": [claim.model_dump(mode="json") for claim in decision.rivals],
        "multiplicity": decision.multiplicity.model_dump(mode="json") if decision.multiplicity else None,
        "others": [{**record_of(other), "multiplicity": None} for other in decision.others],
    }


def _verdict(decision: Decision, language: str) -> dict[str, Any]:
    verdict = decision.verdict
    return {
        **verdict.model_dump(mode="json", exclude={"reasons"}),
        "reasons": [
            {"code": r.code, "text": _reason(decision, r.code, r.arguments, language), "arguments": r.arguments}
            for r in verdict.reasons
        ],
    }


def _reason(decision: Decision, code: str, arguments: dict[str, Any], language: str) -> str:
    sentences = catalogue(language, "reasons")
    if code in sentences:
        return sentences(code, **arguments)
    return sentence(next(p for p in decision.problems if p.code == code), language)


def _input(posted: InputFile) -> dict[str, Any]:
    """A file from disk was posted by nobody, and the record says nothing about it."""
    return posted.model_dump(mode="json", exclude={"posted_by"} if posted.posted_by is None else None)


def _comparison(comparison: Comparison | None) -> dict[str, Any] | None:
    if comparison is None:
        return None
    dumped: dict[str, Any] = comparison.model_dump(mode="json")
    return {**dumped, "theta": _theta(comparison.theta)}


def _theta(estimate: RatioEstimate | None) -> dict[str, Any] | None:
    return None if estimate is None else estimate.model_dump(mode="json")


def _problem(problem: Problem, language: str) -> dict[str, Any]:
    return {
        **problem.model_dump(mode="json"),
        "text": sentence(problem, language),
        "fix": fix(problem, language),
    }
