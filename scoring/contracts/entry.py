"""One posted entry of a contract book, flat or nested, to the fields of a contract; nothing that was posted is lost."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.model.contract import Contract
from scoring.reading.headers import normalised

Path = tuple[str, ...]

GROUPS: dict[str, tuple[str, ...]] = {
    "notice": ("days", "months", "business_day", "holidays"),
    "renewal": ("kind", "months", "rate"),
    "commitment": ("instances", "instance_hours_per_month", "currency_per_hour", "currency_total", "per_year"),
    "covers": ("cloud", "regions", "zones", "instance_types", "families", "size_flexible"),
    "payment": ("kind", "upfront"),
    "early_termination": ("kind", "share", "amount", "notice_days"),
    "resale": ("allowed", "discount", "fee", "from_months"),
    "exchange": ("allowed", "families", "terms"),
    "transfer": ("allowed", "accounts", "teams", "regions", "consent"),
    "refund_cap": ("amount", "used"),
}
LEAVING = ("early_termination", "resale", "exchange", "transfer")
PLAIN = tuple(name for name in Contract.model_fields if name not in (*GROUPS, "other", "source"))
SINGULAR = {
    "region": "regions",
    "zone": "zones",
    "instance_type": "instance_types",
    "family": "families",
    "fee_share": "share",
}
SHORT: dict[str, Path] = {name: (group, name) for group in ("commitment", "covers") for name in GROUPS[group]}
_NESTED: dict[str, Path] = {f"{group}_{name}": (group, name) for group in GROUPS for name in GROUPS[group]}
FLAT: dict[str, Path] = _NESTED | {
    "covers_region": ("covers", "regions"),
    "covers_zone": ("covers", "zones"),
    "covers_instance_type": ("covers", "instance_types"),
    "covers_family": ("covers", "families"),
    "upfront": ("payment", "upfront"),
    "commitment_per_hour": ("commitment", "currency_per_hour"),
    "commitment_total": ("commitment", "currency_total"),
    "early_termination_fee_share": ("early_termination", "share"),
    "early_termination_fee": ("early_termination", "amount"),
}
"""What a spreadsheet calls the fields that a YAML book nests."""
LISTS = ("regions", "zones", "instance_types", "families", "accounts", "teams")
IMPORTED = "imported"
"""What a vendor's output says beyond the terms of a contract: kept as it is, and nothing of it changes what is paid."""
REMARKS = frozenset({"note", "notes", "comment", "source", "url", "contact", "description", IMPORTED})
NOTHING = frozenset({"", "none", "no", "false", "0", "-", "n/a", "null"})
_LENGTH = re.compile(r"(\d+)\s*(d|days?|m|months?)?\Z", re.IGNORECASE)
_PAYMENTS = {"no_upfront": "none", "no": "none"}
_RENEWALS = {"auto": "automatic", "yes": "automatic", "true": "automatic", "no": "none", "false": "none"}


@dataclass
class Shaped:
    """`fields` by their path in the model, `posted` the path under which each was written.

    `others` are terms that no field holds, `misspelt` keys with the field that they resemble, `twice` paths that
    were given more than once.
    """

    fields: dict[Path, Any] = field(default_factory=dict)
    posted: dict[Path, Path] = field(default_factory=dict)
    others: dict[Path, Any] = field(default_factory=dict)
    misspelt: dict[Path, str] = field(default_factory=dict)
    twice: list[Path] = field(default_factory=list)

    def tree(self) -> dict[str, Any]:
        """The fields nested as the model wants them."""
        built: dict[str, Any] = {}
        for (first, *rest), value in self.fields.items():
            if rest:
                built.setdefault(first, {})[rest[0]] = value
            else:
                built[first] = value
        return built

    def put(self, path: Path, posted: Path, value: Any) -> None:
        """Remember a field and where it stood."""
        if path in self.fields or any(p[0] == path[0] and len(p) != len(path) for p in self.fields):
            self.twice.append(posted)
            return
        name = path[-1]
        self.fields[path] = _listed(value) if name in LISTS else value
        self.posted[path] = posted

    def leave(self, posted: Path, value: Any, known: tuple[str, ...]) -> None:
        """Remember what no field holds: a term of its own, or a key that is nearly a field's."""
        near = difflib.get_close_matches(normalised(posted[-1])[:60], known, n=1, cutoff=0.8)
        if near:
            self.misspelt[posted] = ".".join((*posted[:-1], near[0]))
        else:
            self.others[posted] = value


def shaped(entry: Mapping[Any, Any]) -> Shaped:
    """The fields of the model, flat or nested as posted, and everything else. An empty value counts as not given."""
    found = Shaped()
    for key, value in entry.items():
        if value not in (None, ""):
            _shape(found, str(key), normalised(str(key)), value)
    return found


def _shape(found: Shaped, key: str, name: str, value: Any) -> None:
    name = SINGULAR.get(name, name)
    if name in GROUPS:
        _shape_group(found, key, name, value)
    elif name in SHORT:
        found.put(SHORT[name], (key,), value)
    elif name in FLAT:
        found.put(FLAT[name], (key,), value)
    elif name == "ramp" and says_nothing(value):
        return
    elif name in PLAIN:
        found.put((name,), (key,), value)
    else:
        found.leave((key,), value, (*PLAIN, *GROUPS, *SHORT, *FLAT))


def _shape_group(found: Shaped, key: str, name: str, value: Any) -> None:
    if isinstance(value, dict):
        for below, part in value.items():
            if part in (None, ""):
                continue
            field_name = normalised(str(below))
            field_name = SINGULAR.get(field_name, field_name)
            if field_name in GROUPS[name]:
                found.put((name, field_name), (key, str(below)), part)
            else:
                found.leave((key, str(below)), part, GROUPS[name])
    elif name in LEAVING or name == "refund_cap":
        _shape_leaving(found, key, name, value)
    elif not (isinstance(value, str) and value.strip().casefold() in NOTHING and name in ("notice", "renewal")):
        path, plain = _short_form(name, value)
        found.put(path, (key,), plain)


def _shape_leaving(found: Shaped, key: str, name: str, value: Any) -> None:
    """`resale: no` says that there is none; a sentence about a term is kept as a term that is not counted."""
    text = str(value).strip().casefold()
    if text in NOTHING and name != "early_termination":
        if name != "refund_cap":
            found.put((name, "allowed"), (key,), False)
    elif text in NOTHING:
        found.put((name, "kind"), (key,), "none")
    else:
        found.others[(key,)] = value


def _short_form(name: str, value: Any) -> tuple[Path, Any]:
    """`notice: 90 days`, `renewal: automatic`; anything else as it is, for the model to refuse."""
    text = str(value).strip().casefold()
    length = _LENGTH.match(text)
    if name == "notice" and length:
        return ("notice", "months" if (length[2] or "d").startswith("m") else "days"), length[1]
    if name == "payment" and isinstance(value, str):
        return ("payment", "kind"), _PAYMENTS.get(text.replace(" ", "_"), text.replace(" ", "_"))
    if name == "renewal" and isinstance(value, str):
        return ("renewal", "kind"), _RENEWALS.get(text, text)
    return (name,), value


def _listed(value: Any) -> Any:
    if isinstance(value, str):
        parts = [part.strip() for part in re.split("[,;]", value) if part.strip()]
        return [word for part in parts for word in _words(part)]
    return value


def _words(part: str) -> list[str]:
    """`p5 trn2` are two types; `TPU v5e` is one."""
    words = part.split()
    return words if all(any(c.isdigit() for c in word) for word in words) else [part]


_MONEY = re.compile(r"[%$€£]|\b(usd|eur|gbp|per|por)\b|\d\s*/\s*\w", re.IGNORECASE)


def speaks_of_money(value: Any) -> bool:
    """Whether a term of an unknown name holds an amount, a rate or a share."""
    text = str(value)
    return "://" not in text and any(c.isdigit() for c in text) and bool(_MONEY.search(text))


def says_nothing(value: Any) -> bool:
    """Whether a term is there only to say that there is none: `ramp: none`, `payment: {kind: monthly}`."""
    if isinstance(value, dict):
        return all(says_nothing(part) for part in value.values())
    if isinstance(value, list):
        return not value
    plain = str(value).strip().casefold().replace(" ", "_")
    return plain in NOTHING or plain in ("monthly", "no_upfront", "not_allowed")
