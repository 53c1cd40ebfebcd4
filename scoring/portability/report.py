"""The map as JSON, and JSON back into the map; what is no sound map is a problem."""

import json

from pydantic import ValidationError

from scoring.model.portability import Portability
from scoring.model.problem import Problem
from scoring.portability.catalogue import catalogue
from scoring.problems import error
from scoring.reading.charset import decode
from scoring.reading.posted import PostedFile
from scoring.reading.structured import parse_json

SCHEMA = "steelyard/portability/1"
MOST_BYTES = 64 * 1024 * 1024
ROUNDED = 0.05
"""Hours by which the sum may differ from its classes, each of which is rounded."""


def report_of(found: Portability, made_by: str | None = None) -> str:
    """JSON text with its schema's name; `made_by` is the version of the program that scanned."""
    told = found.model_copy(update={"made_by": made_by or found.made_by})
    return json.dumps({"schema": SCHEMA, **told.model_dump(mode="json")}, indent=1, ensure_ascii=False) + "\n"


def read_report(posted: PostedFile) -> tuple[Portability | None, list[Problem]]:
    """The map that `report_of` wrote. Raises OSError for a file that cannot be opened."""
    data = posted.read(MOST_BYTES + 1)
    wrong = error("portability-unreadable", file=posted.name, expected=SCHEMA)
    if len(data) > MOST_BYTES:
        return None, [wrong]
    try:
        values = parse_json(decode(data)[0])
        if not isinstance(values, dict) or values.pop("schema", None) != SCHEMA:
            return None, [wrong]
        found = Portability.model_validate(values)
    except (ValueError, RecursionError, ValidationError):
        return None, [wrong]
    problem = _unsound(found, posted.name)
    return (None, [problem]) if problem else (found, [])


def _unsound(found: Portability, file: str) -> Problem | None:
    """Why a well-formed map cannot be relied on: entries that this version does not have, or a sum that is none."""
    known = catalogue().entries
    unknown = sorted({finding.entry for finding in found.findings} - known.keys())
    if unknown:
        return error("portability-other-version", file=file, found=", ".join(unknown[:5])[:200])
    parts = [effort.hours for effort in found.efforts.values()]
    sums = (sum(part.low for part in parts), sum(part.high for part in parts))
    if max(abs(sums[0] - found.hours.low), abs(sums[1] - found.hours.high)) > ROUNDED:
        told = f"{found.hours.low:g}–{found.hours.high:g}"
        return error("portability-sum", file=file, found=told, expected=f"{sums[0]:g}–{sums[1]:g}")
    return None
