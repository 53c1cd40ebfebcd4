"""JSON schema of a contract book in YAML, every form that the reader takes included, for editors to complete and check.

The names, bounds and words are the reader's own; what needs the calendar, the vendors' rules or two contracts at once
is left to `steelyard contracts check`. Keys are known in the spelling of the documentation alone.
"""

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any

from scoring.contracts.entry import FLAT, GROUPS, LISTS, NOTHING, PLAIN, SHORT, SINGULAR, Path
from scoring.contracts.kinds import KINDS, Kind
from scoring.contracts.terms import SHARES, STEP_NAMES
from scoring.contracts.validity import DAYS, EXPECTED, LIMITS
from scoring.model.contract import COMMITMENTS, BusinessDayRule, RenewalKind
from scoring.model.leaving import TerminationKind
from scoring.model.paying import PaymentKind, RampStep

Schema = dict[str, Any]

DIGITS = r"\s*\+?\d+(\.\d+)?\s*"
WHOLE = {("notice", "days"), ("notice", "months"), ("renewal", "months"), ("resale", "from_months")} | {
    ("early_termination", "notice_days")
}
CHOICES: dict[Path, type[StrEnum]] = {
    ("notice", "business_day"): BusinessDayRule,
    ("renewal", "kind"): RenewalKind,
    ("payment", "kind"): PaymentKind,
    ("early_termination", "kind"): TerminationKind,
}
SWITCHES: set[Path] = {
    ("synthetic",),
    ("commitment", "per_year"),
    ("covers", "size_flexible"),
    ("transfer", "consent"),
    *((group, "allowed") for group in ("resale", "exchange", "transfer")),
}
NULL: Schema = {"type": "null"}
DAY: Schema = {"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "pattern": r"[T ]00:00(:00)?$"}]}
SWITCH: Schema = {"type": ["boolean", "string"], "pattern": r"^(?:[Tt]rue|[Ff]alse|yes|no|on|off)$"}
TEXT: Schema = {"type": ["string", "number", "boolean"]}
NAME: Schema = {"type": ["string", "integer"], "minLength": 1, "maxLength": 100}
NAMES: Schema = {"type": ["array", "string"], "items": {"type": ["string", "integer"]}}
SHARE: Schema = {
    "type": ["number", "string"],
    "minimum": 0,
    "maximum": 1,
    "pattern": r"^\s*(0(\.\d+)?|1(\.0+)?|\d{1,2}(\.\d+)?\s*%|100\s*%)\s*$",
}
NEEDED = ("kind", "starts_on", "ends_on")
REMARK = "^(notes?|comment|source|url|contact|description)$"
"""Keys within a group that speak to people and change nothing."""


def book_schema() -> Schema:
    """The schema: `contracts:` with a list or a mapping by id, or a list alone."""
    listed = {"items": {"$ref": "#/$defs/contract"}}
    held = {"type": ["array", "object"], **listed, "additionalProperties": {"$ref": "#/$defs/terms"}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "steelyard contract book",
        "type": ["object", "array"],
        "required": ["contracts"],
        "properties": {"contracts": held},
        **listed,
        "$defs": {
            "terms": _terms(),
            "contract": {"allOf": [{"$ref": "#/$defs/terms"}], "required": ["id"]},
            **{".".join(path): _field(path) for path in _paths()},
        },
    }


def _paths() -> Iterator[Path]:
    """Every field of the model that a book names."""
    yield from ((name,) for name in PLAIN)
    yield from ((group, name) for group, names in GROUPS.items() for name in names)


def _ref(path: Path) -> Schema:
    return {"$ref": f"#/$defs/{'.'.join(path)}"}


def _terms() -> Schema:
    """A contract but for its id, which may be the key that it stands under."""
    return {
        "type": "object",
        "required": list(NEEDED),
        "properties": dict(_properties()),
        "allOf": [_of_kind(kind) for kind in KINDS if kind.refused is None],
    }


def _properties() -> Iterator[tuple[str, Schema]]:
    flat = SHORT | FLAT
    flat |= {singular: flat[name] for singular, name in SINGULAR.items() if name in flat}
    yield from ((name, _ref((name,))) for name in PLAIN)
    yield from ((name, _ref(path)) for name, path in flat.items())
    yield from ((group, _group(group, names)) for group, names in GROUPS.items())


def _field(path: Path) -> Schema:
    """One field by its path in the model, with the reader's own words for what is expected; left empty, none."""
    form = _form(path) | _told(path)
    return form if path[0] in (*NEEDED, "id") else _or_empty(form)


def _or_empty(form: Schema) -> Schema:
    if "enum" in form:
        return {**form, "enum": [*form["enum"], None]}
    if "type" in form:
        types = form["type"] if isinstance(form["type"], list) else [form["type"]]
        return {**form, "type": [*types, "null"]}
    return {"anyOf": [*form.pop("anyOf"), NULL], **form}


def _told(path: Path) -> Schema:
    words = EXPECTED.get(".".join(path))
    return {"description": words} if words else {}


def _form(path: Path) -> Schema:
    if path in OF_THEIR_OWN:
        return OF_THEIR_OWN[path]()
    if path in LIMITS:
        return _whole(LIMITS[path]) if path in WHOLE else _number(LIMITS[path], path[0] == "commitment")
    if path in CHOICES:
        return {"enum": [choice.value for choice in CHOICES[path]]}
    for paths, form in ((DAYS, DAY), (SHARES, SHARE), (SWITCHES, SWITCH)):
        if path in paths:
            return form
    return NAMES if path[-1] in LISTS else TEXT


def _number(limit: int, above_zero: bool = False) -> Schema:
    least = {"exclusiveMinimum": 0} if above_zero else {"minimum": 0}
    text = rf"^(?=.*[1-9]){DIGITS}$" if above_zero else rf"^{DIGITS}$"
    return {"type": ["number", "string"], **least, "maximum": limit, "pattern": text}


def _whole(limit: int) -> Schema:
    text = rf"^\s*\d{{1,{len(str(limit))}}}\s*$"
    return {"type": ["integer", "string"], "minimum": 0, "maximum": limit, "pattern": text}


def _kinds() -> Schema:
    """All names, which editors complete, and the same in other letters or with other joints."""
    named = [name for kind in KINDS if kind.refused is None for name in (kind.name, *kind.aliases)]
    return {"anyOf": [{"enum": named}, {"type": "string", "pattern": _spelt(named)}]}


def _spelt(names: list[str]) -> str:
    """A pattern of names whatever their case and whatever joins their words."""
    letter = {"_": "[_ -]"}
    spelt = ("".join(letter.get(c, f"[{c}{c.upper()}]" if c.isalpha() else re.escape(c)) for c in n) for n in names)
    return f"^({'|'.join(spelt)})$"


def _ramp() -> Schema:
    amounts = {name: _number(LIMITS[("commitment", name)]) for name in COMMITMENTS if name in RampStep.model_fields}
    fields = {**dict.fromkeys(STEP_NAMES, DAY), **amounts, "rate": _number(LIMITS[("rate",)])}
    dated = [{"required": [name]} for name in STEP_NAMES]
    sets = [{"required": [name]} for name in (*amounts, "rate")]
    step = {"type": "object", "properties": fields, "additionalProperties": False}
    steps = {"type": "array", "items": {**step, "allOf": [{"anyOf": dated}, {"anyOf": sets}]}}
    return {"anyOf": [steps, {"enum": sorted(NOTHING)}, {"const": False}]}


def _group(group: str, names: tuple[str, ...]) -> Schema:
    """Fields below a key, and the short forms that stand for one of them."""
    fields = {name: _ref((group, name)) for name in names}
    fields |= {short: fields[name] for short, name in SINGULAR.items() if name in fields}
    nested = {
        "type": "object",
        "properties": fields,
        "patternProperties": {REMARK: True},
        "additionalProperties": False,
        **_lengths(group),
    }
    return {"anyOf": [nested, *_short(group), NULL], **_told((group,))}


def _lengths(group: str) -> Schema:
    """Of a notice its days or its months, of a commitment one form."""
    either = {"notice": ("days", "months"), "commitment": COMMITMENTS}.get(group, ())
    return {"oneOf": [{"required": [name]} for name in either]} if either else {}


def _short(group: str) -> list[Schema]:
    if group == "notice":
        length = (
            rf"^\s*(\d{{1,4}}\s*([dDmM]|[dD]ays?|[mM]onths?)?|{'|'.join(sorted(filter(str.isalpha, NOTHING)))})\s*$"
        )
        return [_whole(LIMITS[("notice", "days")]), {"type": "string", "pattern": length}]
    if group == "renewal":
        words = {*(kind.value for kind in RenewalKind), "auto", "yes", "no", "true", "false", *NOTHING}
        return [{"enum": sorted(words)}, {"type": "boolean"}]
    if group == "payment":
        return [{"enum": sorted({*(kind.value for kind in PaymentKind), "no_upfront", "no", "no upfront"})}]
    return [] if group in ("commitment", "covers") else [TEXT]


def _of_kind(kind: Kind) -> Schema:
    """What a kind needs: a commitment of one of its forms, and a rate where it has no other price."""
    needs: list[Schema] = [{"anyOf": list(_commitments(kind))}] if kind.promises else []
    needs += [{"required": ["rate"]}] if kind.needs_rate else []
    named = {"properties": {"kind": {"type": "string", "pattern": _spelt([kind.name, *kind.aliases])}}}
    return {"if": {**named, "required": ["kind"]}, "then": {"allOf": needs}} if needs else {}


def _commitments(kind: Kind) -> Iterator[Schema]:
    for form in sorted(kind.commitments):
        path = ("commitment", form)
        yield {"required": ["commitment"], "properties": {"commitment": {"required": [form]}}}
        yield from ({"required": [name]} for name, meant in (*SHORT.items(), *FLAT.items()) if meant == path)


OF_THEIR_OWN: dict[Path, Callable[[], Schema]] = {
    ("kind",): _kinds,
    ("ramp",): _ramp,
    ("id",): lambda: NAME,
    ("currency",): lambda: {"type": "string", "pattern": r"^\s*[A-Za-z]{3}\s*$"},
    ("covered_rates",): lambda: {"type": "object", "additionalProperties": _number(10**7, above_zero=True)},
    ("notice", "holidays"): lambda: {"type": "string", "pattern": r"^\s*[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?\s*$"},
}
