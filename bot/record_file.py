"""A decision record back into the decision that it was written from; what is no sound record is a problem."""

import json
import re
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bot.render.record import SCHEMA, document_of, engine_version, shared_with_others
from scoring.model.decision import Decision
from scoring.model.problem import Problem, Severity
from scoring.problems import error, warning

MOST_BYTES = 64 * 1024 * 1024
SHOWN = 100
_VERSIONED = re.compile(r"steelyard/decision/([1-9][0-9]{0,5})\Z")
_READ_ONLY = ("schema", "document", "engine", "inputs", "columns", "summaries", "rows_left_out", "others", "economics")
"""Keys that are told otherwise than the decision's fields of the name, or by none."""


def open_record(path: Path) -> tuple[Decision | None, list[Problem]]:
    """`read_record` of a file; no decision where it is not to be used. Raises OSError."""
    with path.open("rb") as opened:
        decision, problems = read_record(opened.read(MOST_BYTES + 1), path.name)
    return (None if any(p.severity is Severity.ERROR for p in problems) else decision), problems


def read_record(data: bytes, name: str) -> tuple[Decision | None, list[Problem]]:
    """The decision, every renderer's figures as they were, and what is wrong or doubtful.

    With an error among the problems it is not to be used. `name` is the file's own, for the problems' places.
    """
    record, problem = _parsed(data, name)
    if record is None:
        return None, [problem] if problem else []
    try:
        decision = shared_with_others(Decision.model_validate(_decision(record)))
    except ValidationError as failure:
        first = failure.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return None, [error("record-broken", file=name, column=place[:SHOWN], found=first["msg"][:SHOWN])]
    except KeyError as missing:
        return None, [error("record-broken", file=name, column=str(missing.args[0])[:SHOWN], found="nothing")]
    except (AttributeError, TypeError, ValueError) as failure:
        return None, [error("record-broken", file=name, column="verdict", found=str(failure)[:SHOWN])]
    return decision, _doubts(record, name)


def _doubts(record: Mapping[str, Any], name: str) -> list[Problem]:
    """What is written beside its own hash was altered; another version may lay the same figures out otherwise."""
    document, engine = record.get("document"), record.get("engine")
    if document is not None and document != document_of(dict(record)):
        return [error("record-altered", file=name, column="document", found=str(document)[:16])]
    if document is None:
        return [warning("record-without-hash", file=name, column="document", expected=engine_version())]
    if engine != engine_version():
        found, expected = str(engine)[:SHOWN], engine_version()
        return [warning("record-of-other-version", file=name, column="engine", found=found, expected=expected)]
    return []


def _parsed(data: bytes, name: str) -> tuple[dict[str, Any] | None, Problem | None]:
    if len(data) > MOST_BYTES:
        return None, error("file-too-large", file=name, found=f"{len(data):,} bytes", expected=f"{MOST_BYTES:,} bytes")
    try:
        record = json.loads(data.decode("utf-8-sig"), parse_constant=_no_number, parse_float=_finite)
    except json.JSONDecodeError as failure:
        return None, error("json-syntax", file=name, row=failure.lineno, found=f"{failure.msg}, column {failure.colno}")
    except (ValueError, RecursionError) as failure:
        return None, error("json-syntax", file=name, found=str(failure)[:SHOWN])
    schema = record.get("schema") if isinstance(record, dict) else None
    version = _VERSIONED.match(schema) if isinstance(schema, str) else None
    if version is None:
        return None, error("record-foreign", file=name, column="schema", found=str(schema)[:SHOWN], expected=SCHEMA)
    if schema != SCHEMA:
        return None, error("record-newer", file=name, column="schema", found=str(schema), expected=SCHEMA)
    return record, None


def _finite(text: str) -> float:
    return value if isfinite(value := float(text)) else _no_number(text)


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no JSON number")


def _decision(record: Mapping[str, Any]) -> dict[str, Any]:
    """The decision's own fields; a field that this version does not know is refused, not dropped."""
    kept = {key: value for key, value in record.items() if key not in _READ_ONLY}
    economics = dict(record["economics"])
    economics["best"] = economics.pop("best_plan")
    kept |= {
        "economics": economics,
        "verdict": {**record["verdict"], "reasons": [_without(r, "text") for r in record["verdict"]["reasons"]]},
        "problems": [_without(p, "text", "fix") for p in record["problems"]],
        "pilot": {
            "inputs": record["inputs"],
            "columns": record["columns"],
            "runs": record.get("rows_left_out", ()),
            "summaries": record["summaries"],
        },
        "others": [_decision(other) for other in record.get("others", ())],
        "document": record.get("document"),
    }
    return kept


def _without(values: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in names}
