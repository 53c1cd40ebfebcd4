"""The map as JSON, and JSON back into the map; what is no sound map is a problem."""

import json

from pydantic import ValidationError

from scoring.model.portability import Portability
from scoring.model.problem import Problem
from scoring.problems import error
from scoring.reading.posted import PostedFile

SCHEMA = "steelyard/portability/1"
MOST_BYTES = 64 * 1024 * 1024


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
        values = json.loads(data)
        if not isinstance(values, dict) or values.pop("schema", None) != SCHEMA:
            return None, [wrong]
        return Portability.model_validate(values), []
    except (ValueError, RecursionError, ValidationError):
        return None, [wrong]
