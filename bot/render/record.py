"""The decision record: schema `steelyard/decision/1`, everything that the reply and the memo show, as JSON."""

import hashlib
import json
from functools import cache
from typing import Any

from bot.render.comment.problems import fix, sentence
from bot.render.locales import in_language
from bot.render.messages import catalogue
from scoring.model.decision import Comparison, Decision
from scoring.model.estimates import RatioEstimate
from scoring.model.pilot import InputFile
from scoring.model.problem import Problem

SCHEMA = "steelyard/decision/1"
UNHASHED = ("document", "engine")
"""What the document's hash leaves out: itself, and which version of the program wrote it."""
SHARED = ("thread", "signing", "document", "multiplicity", "portability")
"""What all comparisons of a posting share; the record says it once."""


def render_record(decision: Decision) -> str:
    """The record as JSON text with sorted keys inside its sections, so that equal decisions give equal bytes."""
    return json.dumps(_full(stamped(decision)), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def stamped(decision: Decision) -> Decision:
    """The decision and its `others` with the hash of their common record, thread and signers; once is enough."""
    if decision.document is not None:
        return decision
    return shared_with_others(decision.model_copy(update={"document": document_of(record_of(decision))}))


def shared_with_others(decision: Decision) -> Decision:
    """The decision, its `others` given what they all share."""
    shared = {name: getattr(decision, name) for name in SHARED}
    return decision.model_copy(update={"others": tuple(o.model_copy(update=shared) for o in decision.others)})


def document_of(record: dict[str, Any]) -> str:
    """SHA-256 of a record's values, in hexadecimal: as JSON without spaces, keys sorted, in UTF-8.

    `document` and `engine` are left out. Every figure of comment and memo is one of the record's, so it names them too.
    """
    kept = {key: value for key, value in record.items() if key not in UNHASHED}
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _full(decision: Decision) -> dict[str, Any]:
    return {"schema": SCHEMA, "document": decision.document, "engine": engine_version(), **record_of(decision)}


@cache
def engine_version() -> str:
    """Of the program that is running."""
    from importlib.metadata import version

    return version("steelyard")


@in_language(lambda decision, *_, **__: decision.settings.language)
def record_of(decision: Decision) -> dict[str, Any]:
    """The record as plain values; `decision` holds the engine's whole answer, the rest is its public reading."""
    return {
        "schema": SCHEMA,
        "thread": decision.thread,
        **_comparison_of(decision),
        "multiplicity": decision.multiplicity.model_dump(mode="json") if decision.multiplicity else None,
        "others": [
            {"schema": SCHEMA, **_comparison_of(other), "multiplicity": None, "others": []} for other in decision.others
        ],
        "history": decision.history.model_dump(mode="json") if decision.history else None,
        "signing": decision.signing.model_dump(mode="json") if decision.signing else None,
        **_portability(decision),
    }


def _portability(decision: Decision) -> dict[str, Any]:
    """Absent without a map, so that the hashes of records without one are what they were."""
    return {"portability": decision.portability.model_dump(mode="json")} if decision.portability else {}


def _comparison_of(decision: Decision) -> dict[str, Any]:
    """What each comparison of a posting has for itself."""
    language = decision.settings.language
    economics = decision.economics
    return {
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
        "diagnostics": decision.diagnostics.model_dump(mode="json") if decision.diagnostics else None,
        "economics": {
            **economics.model_dump(mode="json", exclude={"best"}),
            "switch_npv_by_month": list(economics.switch_npv_by_month),
            "best_plan": economics.best.model_dump(mode="json") if economics.best else None,
        },
        "regret": decision.regret.model_dump(mode="json") if decision.regret else None,
        "looks": decision.looks.model_dump(mode="json") if decision.looks else None,
        "next_runs": decision.next_runs.model_dump(mode="json") if decision.next_runs else None,
        "with_initialisation": _theta(decision.with_initialisation),
        "with_first_run_left_out": _theta(decision.with_first_run_left_out),
        "flips": [f.model_dump(mode="json") for f in decision.flips],
        "problems": [_problem(p, language) for p in decision.problems],
        "inputs": [_input(i) for i in decision.pilot.inputs],
        "columns": [c.model_dump(mode="json") for c in decision.pilot.columns],
        "runs": [r.model_dump(mode="json", exclude_defaults=True) for r in decision.runs],
        "rows_left_out": [r.model_dump(mode="json", exclude_defaults=True) for r in decision.pilot.runs if r.left_out],
        "summaries": [s.model_dump(mode="json", exclude_defaults=True) for s in decision.pilot.summaries],
        "contracts": [c.model_dump(mode="json", exclude_defaults=True) for c in decision.contracts],
        "dates": None if decision.dates is None else [d.model_dump(mode="json") for d in decision.dates],
        "records": decision.records.model_dump(mode="json") if decision.records else None,
        "settings": decision.settings.model_dump(mode="json"),
        "settings_given": list(decision.settings_given),
        "claim": decision.claim.model_dump(mode="json") if decision.claim else None,
        "rivals": [claim.model_dump(mode="json") for claim in decision.rivals],
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
