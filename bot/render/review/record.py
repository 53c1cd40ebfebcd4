"""The record of a review: schema `steelyard/review/1`, every figure of comment and workbook, as JSON."""

import json
from typing import Any

from pydantic import ValidationError

from bot.render.record import document_of, engine_version
from scoring.model.problem import Problem
from scoring.problems import error
from scoring.review.values import Review

SCHEMA = "steelyard/review/1"
MOST_BYTES = 32 * 1024 * 1024
SHOWN = 100
OF_SEVERAL = ("repository", "repositories", "lacking")
"""Fields that the record of one repository alone leaves out."""


def render_record(review: Review) -> str:
    """The record as JSON text; equal reviews give equal bytes."""
    values = {"schema": SCHEMA, **_without_nothing(review.model_dump(mode="json"))}
    full = {"schema": SCHEMA, "document": document_of(values), "engine": engine_version(), **values}
    return json.dumps(full, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _without_nothing(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_nothing(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {key: item for key, item in value.items() if key not in OF_SEVERAL or item not in (None, [])}
    return {key: _without_nothing(item) for key, item in kept.items()}


def read_record(data: bytes, name: str) -> Review | Problem:
    """The review that a record was written from; a problem for one that was altered or is none."""
    try:
        record = json.loads(data) if len(data) <= MOST_BYTES else None
    except (ValueError, RecursionError) as failure:
        return error("json-syntax", file=name, found=str(failure)[:SHOWN])
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        found = str(record.get("schema") if isinstance(record, dict) else None)[:SHOWN]
        return error("record-foreign", file=name, column="schema", found=found, expected=SCHEMA)
    if record.get("document") != document_of(record):
        return error("record-altered", file=name, column="document", found=str(record.get("document"))[:16])
    try:
        kept = {key: value for key, value in record.items() if key not in ("schema", "document", "engine")}
        return Review.model_validate(kept)
    except ValidationError as failure:
        first = failure.errors()[0]
        place = ".".join(str(part) for part in first["loc"])[:SHOWN]
        return error("record-broken", file=name, column=place, found=first["msg"][:SHOWN])


def review_schema() -> dict[str, Any]:
    """JSON schema of the record."""
    built = Review.model_json_schema(mode="serialization")
    built["properties"] |= {
        "schema": {"const": SCHEMA},
        "document": {"type": "string"},
        "engine": {"type": "string"},
    }
    for definition in built["$defs"].values():
        definition["required"] = [name for name in definition.get("required", ()) if name not in OF_SEVERAL]
    built |= {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": SCHEMA}
    built["required"] = ["schema", "document", "engine", "quarter", "on", "currency"]
    return built
