"""`.github/steelyard.yml` and `KEY=VALUE` settings: convenient forms in, checked settings out."""

import difflib
import re
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import error
from scoring.reading.charset import decode
from scoring.reading.limits import MAX_YAML_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.yaml_document import Document, load_yaml

Tree = dict[str, Any]

ALIASES = {
    "horizon": "horizon_months",
    "discount_rate": "annual_discount_rate",
    "margin": "margins",
    "price": "prices",
    "latency_limits": "latency_limits_s",
    "latency_limit": "latency_limits_s",
    "regions": "approved_regions",
    "units_per_month": "demand",
    "incumbent": "baseline",
    "today": "decision_date",
}
TABLES = ("margins", "prices", "latency_limits_s", "map")
LISTS = ("approved_regions", "rates")
_MONTHS = re.compile(r"(\d+)\s*(m|mo|month|months|y|year|years)?\Z", re.IGNORECASE)
_PERCENT = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\s*%\s*\Z")
_LATENCY = re.compile(r"(.+?)_?(ms|us|s)\Z")
_SCALES = {"ms": 1e-3, "us": 1e-6, "s": 1.0}


def read_settings(posted: PostedFile) -> tuple[Settings, list[Problem]]:
    """Settings of a file; with any error the defaults, and the errors with file, line and key."""
    text, _, _ = decode(posted.read(MAX_YAML_BYTES + 1))
    document, problems = load_yaml(text, posted.name)
    if problems:
        return Settings(), problems
    if document.value is None:
        return Settings(), []
    if not isinstance(document.value, dict):
        return Settings(), [error("settings-not-a-mapping", file=posted.name, row=1, expected="key: value lines")]
    return _validated(document.value, posted.name, document)


def apply_overrides(settings: Settings, overrides: Sequence[str]) -> tuple[Settings, list[Problem]]:
    """Settings with `KEY=VALUE` pairs on top, such as `price.trn2=31.5`, `margin.wer=0.2`, `horizon=12m`.

    A pair that cannot be read is an error and changes nothing.
    """
    problems: list[Problem] = []
    for pair in overrides:
        key, separator, value = pair.partition("=")
        if not separator or not key.strip():
            problems.append(error("setting-not-a-pair", found=pair, expected="KEY=VALUE"))
            continue
        given = settings.model_dump(mode="json", exclude_unset=True)
        tree = _merged(given, key.strip().split(".", 1), value.strip())
        changed, found = _validated(tree, None, Document())
        problems += found
        settings = settings if found else changed
    return settings, problems


def _merged(tree: Tree, path: list[str], value: str) -> Tree:
    name = _name(path[0])
    if len(path) == 1:
        items = [part.strip() for part in value.split(",")] if name in LISTS else value
        return {**tree, name: items}
    below = tree.get(name)
    table = dict(below) if isinstance(below, dict) else {}
    if name == "latency_limits_s" or name in TABLES:
        table = {k: v for k, v in table.items() if k.casefold() != path[1].casefold()}
        return {**tree, name: {**table, path[1]: value}}
    return {**tree, name: _merged_field(table, path[1], value)}


def _merged_field(table: Tree, field: str, value: str) -> Tree:
    return {**table, field: value}


def _name(key: str) -> str:
    plain = key.replace("-", "_")
    return ALIASES.get(plain, plain)


def _validated(raw: Tree, file: str | None, document: Document) -> tuple[Settings, list[Problem]]:
    names = {_name(str(key)): str(key) for key in raw}
    tree = {_name(str(key)): _normalised(_name(str(key)), value) for key, value in raw.items() if value is not None}
    try:
        return Settings.model_validate(tree), []
    except ValidationError as failure:
        return Settings(), [_problem(item, names, file, document) for item in failure.errors()]


def _problem(item: Any, names: dict[str, str], file: str | None, document: Document) -> Problem:
    path = tuple(str(p) if not isinstance(p, int) else p for p in item["loc"])
    posted = (names.get(str(path[0]), str(path[0])), *path[1:]) if path else ()
    key = ".".join(str(p) for p in posted)
    details = {"file": file, "row": document.line(posted), "column": key}
    if item["type"] == "extra_forbidden":
        known = [*Settings.model_fields, *ALIASES] if len(path) == 1 else _fields_below(path)
        near = difflib.get_close_matches(str(path[-1]), known, n=1)
        expected = near[0] if near else ", ".join(sorted(known)[:40])
        return error("setting-unknown", **details, found=key, expected=expected)
    return error("setting-invalid", **details, found=str(item["input"])[:100], expected=item["msg"][:200])


def _fields_below(path: tuple[str | int, ...]) -> list[str]:
    annotation = Settings.model_fields.get(str(path[0]))
    schema = Settings.model_json_schema().get("$defs", {})
    wanted = str(annotation.annotation) if annotation else ""
    return [name for model, body in schema.items() if model in wanted for name in body.get("properties", {})]


def _normalised(name: str, value: Any) -> Any:
    """The convenient forms of a key, as the model wants them."""
    if name == "horizon_months":
        return _months(value)
    if name == "demand" and not isinstance(value, dict):
        return {"units_per_month": _plain_number(value)}
    if name == "margins" and isinstance(value, dict):
        return {metric: _margin(margin) for metric, margin in value.items()}
    if name == "prices" and isinstance(value, dict):
        return {arm: price if isinstance(price, dict) else {"per_hour": price} for arm, price in value.items()}
    if name == "latency_limits_s" and isinstance(value, dict):
        return dict(_latency(metric, limit) for metric, limit in value.items())
    if name == "approved_regions" and isinstance(value, str):
        return [value]
    return _percent(value)


def _months(value: Any) -> Any:
    match = _MONTHS.match(str(value).strip())
    if match is None:
        return value
    years = (match[2] or "m")[0].lower() == "y"
    return int(match[1]) * (12 if years else 1)


def _percent(value: Any) -> Any:
    match = _PERCENT.match(value) if isinstance(value, str) else None
    return float(match[1]) / 100 if match else value


def _margin(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _percent(part) for key, part in value.items()}
    return {"relative": _percent(value)} if isinstance(value, str) and "%" in value else {"absolute": value}


def _latency(metric: str, limit: Any) -> tuple[str, Any]:
    match = _LATENCY.match(metric)
    if match is None or match[1] + "_" == metric:
        return metric, limit
    name, unit = match[1], match[2]
    try:
        return name, float(limit) * _SCALES[unit]
    except (TypeError, ValueError):
        return name, limit


def _plain_number(value: Any) -> Any:
    return value.replace("_", "") if isinstance(value, str) else value


def settings_schema() -> dict[str, Any]:
    """JSON schema of the file, its convenient forms and aliases included, for editors to complete and check."""
    schema = Settings.model_json_schema(mode="validation")
    properties: dict[str, Any] = schema["properties"]
    scalar = {"type": ["number", "string"]}
    forms: dict[str, Any] = {
        "horizon_months": [{"type": "string", "pattern": r"^\d+\s*(m|months?|y|years?)$"}],
        "annual_discount_rate": [{"type": "string", "pattern": r"^\d+(\.\d+)?\s*%$"}],
        "demand": [{"type": "number"}],
    }
    for name, more in forms.items():
        properties[name] = {"anyOf": [properties[name], *more]}
    properties["margins"] = {
        "type": "object",
        "additionalProperties": {"anyOf": [{"$ref": "#/$defs/Margin"}, scalar]},
    }
    properties["prices"] = {
        "type": "object",
        "additionalProperties": {"anyOf": [{"$ref": "#/$defs/PriceSetting"}, scalar]},
    }
    margin = schema["$defs"]["Margin"]["properties"]
    margin["relative"] = {"anyOf": [margin["relative"], {"type": "string", "pattern": r"^\d+(\.\d+)?\s*%$"}]}
    for alias, name in ALIASES.items():
        properties[alias] = properties[name]
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "steelyard settings"
    return schema
