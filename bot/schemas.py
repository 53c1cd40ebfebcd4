"""The published JSON schemas: what a settings file, a contract book and a decision record hold."""

import argparse
import json
from collections.abc import Callable
from typing import Any

from bot.render.record import SCHEMA
from bot.render.review.record import review_schema
from bot.repo_config import SECTION, section_schema
from scoring.contracts.book_schema import book_schema
from scoring.model.decision import Decision, Reason
from scoring.model.pilot import InputFile
from scoring.model.problem import Problem
from scoring.settings_file import settings_schema


def run(args: argparse.Namespace) -> int:
    """Print a schema."""
    print(json.dumps(schema(args.name), indent=2, sort_keys=True))
    return 0


def schema(name: str) -> dict[str, Any]:
    """The schema of that name, one of `SCHEMAS`."""
    return SCHEMAS[name]()


def repository_schema() -> dict[str, Any]:
    """Schema of `.github/steelyard.yml`: the engine's settings and the bot's own section."""
    built = settings_schema()
    built["properties"][SECTION] = section_schema()
    return built


def decision_schema() -> dict[str, Any]:
    """Schema of `decision.json`: the engine's decision, with the sentences of problems and reasons beside it."""
    built = Decision.model_json_schema(mode="serialization")
    definitions: dict[str, Any] = built["$defs"]
    text = {"type": "string"}
    for model in (Problem, Reason):
        definitions[model.__name__]["properties"]["text"] = text
    definitions["Problem"]["properties"]["fix"] = text
    properties = dict(built.get("properties") or definitions["Decision"]["properties"])
    economics = json.loads(json.dumps(definitions["Economics"]))
    economics["properties"]["best_plan"] = economics["properties"].pop("best")
    definitions["Economics"] = economics
    pilot = definitions.pop("Pilot")["properties"]
    del properties["pilot"]
    properties |= {
        "schema": {"const": SCHEMA},
        "engine": {"type": "string"},
        "inputs": {"type": "array", "items": {"$ref": f"#/$defs/{InputFile.__name__}"}},
        "columns": pilot["columns"],
        "rows_left_out": pilot["runs"],
        "summaries": pilot["summaries"],
        "others": {"type": "array", "items": {"$ref": "#"}},
    }
    definitions.pop("Decision", None)
    for definition in definitions.values():
        definition.pop("additionalProperties", None)
        definition.pop("required", None)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SCHEMA,
        "type": "object",
        "properties": properties,
        "required": ["schema", "verdict", "problems", "inputs", "settings", "economics"],
        "additionalProperties": False,
        "$defs": definitions,
    }


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "settings": repository_schema,
    "contracts": book_schema,
    "decision": decision_schema,
    "review": review_schema,
}
