"""`.github/steelyard.yml` and `KEY=VALUE` settings: checked, every error with its line, key and what is expected."""

import difflib
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from scoring.model.problem import Problem
from scoring.model.settings import Margin, PriceSetting, Settings
from scoring.problems import error
from scoring.public_holidays import A_REGION, is_known
from scoring.reading.asked_for import asked_for
from scoring.reading.charset import decode
from scoring.reading.limits import MAX_YAML_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.yaml_document import Document, load_yaml
from scoring.settings_forms import ALIASES, SCALARS, SHARES, Path, Tree, given, name_of

MAX_PROBLEMS = 50
FOREIGN_SECTIONS = frozenset({"github"})
"""Sections of the file that another reader checks: the engine neither knows nor refuses them."""
OF_ANOTHER_VALUE = frozenset({"source", "low", "high"})
"""Fields beside a value that speak of it, and of no other that takes its place."""
OF_A_PRICE = frozenset({"basis", "currency"})
"""Fields of a price that hold for another amount too."""
FIELDS_BELOW = {"margins": tuple(Margin.model_fields), "prices": tuple(PriceSetting.model_fields)}
EXPECTED = {
    "currency": "three letters such as USD",
    "decision_date": "a day such as 2027-06-30",
    "demand": "units_per_month with both low and high or neither, low <= units_per_month <= high",
    "holidays": A_REGION,
    "migration_ramp": "shares of a move that never fall, the last 1: 30 %, 60 %, 100 %",
    "horizon_months": "months from 1 to 120, such as 12m",
}


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
    own = {key: value for key, value in document.value.items() if key not in FOREIGN_SECTIONS}
    return _validated(own, posted.name, document)


def apply_overrides(settings: Settings, overrides: Sequence[str]) -> tuple[Settings, list[Problem]]:
    """Settings with `KEY=VALUE` pairs on top, such as `price.trn2=31.5`, `margin.wer=0.2`, `horizon=12m`.

    A pair that cannot be read is an error and changes nothing.
    """
    problems: list[Problem] = []
    for pair in overrides:
        key, separator, value = (part.strip() for part in pair.partition("="))
        if not separator or not value or not all(key.split(".")):
            problems.append(error("setting-not-a-pair", found=pair[:100], expected="KEY=VALUE"))
            continue
        changed, found = _with_override(settings, key, value)
        problems += found
        settings = settings if found else changed
    return settings, problems


def _with_override(settings: Settings, key: str, value: str) -> tuple[Settings, list[Problem]]:
    """The override is read as a file that holds it alone would be, so that both know the same forms."""
    top, _, below = key.partition(".")
    name = name_of(top)
    path = _path(name, below)
    raw: Tree = {top: _nested(path, value)}
    tree = settings.model_dump(mode="json", exclude_unset=True)
    read = given(raw)
    if name not in Settings.model_fields or read.unclear:
        return _validated(raw, None, Document())
    return _checked({**tree, name: _merged(tree.get(name), read.tree[name], path)}, read.posted, None, Document())


def _path(name: str, below: str) -> Path:
    """`trn2.48xlarge` is one name, `trn2.basis` a field of a price."""
    if not below:
        return ()
    owner, _, last = below.rpartition(".")
    return (owner, last) if owner and last in FIELDS_BELOW.get(name, ()) else (below,)


def _nested(path: Path, value: Any) -> Any:
    return {path[0]: _nested(path[1:], value)} if path else value


def _merged(old: Any, new: Any, path: Path) -> Any:
    """A table keeps its other names, whatever the case of the one given; a named field keeps the other fields.

    A plain value such as `demand=2000` keeps the unit, and not the source and the range, which spoke of another value;
    an amount keeps the basis and the currency of a price, and not its source and last day.
    """
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    if not path:
        return {k: v for k, v in old.items() if k not in OF_ANOTHER_VALUE} | new
    same = {k: v for k, v in old.items() if k.casefold() in {n.casefold() for n in new}}
    kept = {k: v for k, v in old.items() if k not in same}
    owner, fields = next(iter(new.items()))
    before: Any = next(iter(same.values()), {})
    if len(path) == 1 and isinstance(before, dict) and isinstance(fields, dict):
        fields = {k: v for k, v in before.items() if k in OF_A_PRICE} | fields
    if len(path) == 1:
        return {**kept, owner: fields}
    exclusive = {"absolute", "relative"} if set(fields) & {"absolute", "relative"} else set()
    return {**kept, owner: {**{k: v for k, v in before.items() if k not in exclusive}, **fields}}


def _validated(raw: Tree, file: str | None, document: Document) -> tuple[Settings, list[Problem]]:
    read = given({str(key): value for key, value in raw.items()})
    unclear = [
        error("setting-invalid", **_place(path, file, document), found=found[:100], expected=expected)
        for path, found, expected in read.unclear
    ]
    settings, problems = _checked(read.tree, read.posted, file, document)
    return (Settings() if unclear else settings), sorted(unclear + problems, key=lambda p: p.row or 0)


def _checked(
    tree: Tree, posted: dict[Path, Path], file: str | None, document: Document
) -> tuple[Settings, list[Problem]]:
    try:
        settings = Settings.model_validate(tree)
    except ValidationError as failure:
        return Settings(), [_problem(item, posted, file, document) for item in failure.errors()[:MAX_PROBLEMS]]
    problems = [
        error(
            "setting-invalid", **_place(_posted(path, posted), file, document), found=str(value)[:100], expected=limit
        )
        for path, value, limit in (*_too_large(settings), *_unknown(settings))
    ]
    return (Settings() if problems else settings), problems


def _too_large(settings: Settings) -> Iterator[tuple[Path, Decimal | float, str]]:
    """Amounts that the model takes and a sum over a horizon would not."""
    amounts: list[tuple[Path, Decimal | float | None, int]] = [
        (("migration_cost",), settings.migration_cost, 10**12),
        (("reuse_value_per_hour",), settings.reuse_value_per_hour, 10**7),
        (("demand", "units_per_month"), settings.demand.units_per_month if settings.demand else None, 10**15),
        (("demand", "high"), settings.demand.high if settings.demand else None, 10**15),
        (("capacity", "hours_per_month"), settings.capacity.hours_per_month, 10**12),
        *((("prices", arm, "per_hour"), price.per_hour, 10**7) for arm, price in settings.prices.items()),
        *((("rates", str(i), "rate"), rate.rate, 10**9) for i, rate in enumerate(settings.rates)),
    ]
    for path, value, limit in amounts:
        if value is not None and value > limit:
            yield path, value, f"at most {limit:,}"


def _unknown(settings: Settings) -> Iterator[tuple[Path, str, str]]:
    """A region of the right form of which no holidays are known."""
    if settings.holidays is not None and not is_known(settings.holidays):
        yield ("holidays",), settings.holidays, A_REGION


def _posted(path: tuple[Any, ...], posted: dict[Path, Path]) -> tuple[Any, ...]:
    """The path as it was written: its first or its first two keys may have been renamed."""
    for length in (2, 1):
        if path[:length] in posted:
            return (*posted[path[:length]], *path[length:])
    return path


def _place(path: tuple[Any, ...], file: str | None, document: Document) -> dict[str, Any]:
    return {"file": file, "row": document.line(path), "column": ".".join(str(p) for p in path)[:100]}


def _problem(item: Any, posted: dict[Path, Path], file: str | None, document: Document) -> Problem:
    path = item["loc"]
    place = _place(_posted(path, posted), file, document)
    if item["type"] == "extra_forbidden":
        known = [*Settings.model_fields, *ALIASES] if len(path) == 1 else _fields_below(path)
        near = difflib.get_close_matches(str(path[-1])[:60], known, n=1)
        expected = near[0] if near else ", ".join(sorted(known)[:40])
        return error("setting-unknown", **place, found=place["column"], expected=expected)
    found = "not given" if item["type"] == "missing" else item["input"]
    if isinstance(found, dict):
        found = ", ".join(str(key) for key in found)
    expected = EXPECTED.get(".".join(str(p) for p in path)) or asked_for(item)
    return error("setting-invalid", **place, found=str(found)[:100], expected=expected[:200])


def _fields_below(path: tuple[str | int, ...]) -> list[str]:
    annotation = Settings.model_fields.get(str(path[0]))
    schema = Settings.model_json_schema().get("$defs", {})
    wanted = str(annotation.annotation) if annotation else ""
    return [name for model, body in schema.items() if model in wanted for name in body.get("properties", {})]


def settings_schema() -> dict[str, Any]:
    """JSON schema of the file, its convenient forms and aliases included, for editors to complete and check."""
    schema = Settings.model_json_schema(mode="validation")
    properties: dict[str, Any] = schema["properties"]
    scalar = {"type": ["number", "string"]}
    share = {"type": "string", "pattern": r"^\s*\d+(\.\d+)?\s*%\s*$"}
    months = {"type": "string", "pattern": r"^\d+\s*([mM]|mo|months?|[yY]|years?)?$"}
    forms: dict[str, Any] = {name: share for name in SHARES} | {name: scalar for name in SCALARS}
    forms |= {"horizon_months": months, "approved_regions": {"type": "string"}, "migration_ramp": {"type": "string"}}
    ramp = properties["migration_ramp"]
    ramp["items"] = {"anyOf": [ramp["items"], share]}
    for name, form in forms.items():
        properties[name] = {"anyOf": [properties[name], form]}
    for name, model in (("margins", "Margin"), ("prices", "PriceSetting")):
        either = {"anyOf": [{"$ref": f"#/$defs/{model}"}, scalar]}
        properties[name] = {"type": "object", "additionalProperties": either}
    properties["holidays"] = {"type": "string", "pattern": "^[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?$"}
    properties["currency"] = {"type": "string", "pattern": "^[A-Za-z]{3}$"}
    properties["latency_limits_s"] = {"type": "object", "additionalProperties": scalar}
    margin = schema["$defs"]["Margin"]["properties"]
    margin["relative"] = {"anyOf": [margin["relative"], share]}
    for alias, name in ALIASES.items():
        properties[alias] = properties[name]
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "steelyard settings"
    return schema
