"""The contract book, YAML or CSV: every contract checked on its own, every mistake with its line, nothing dropped."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from scoring.contracts.kinds import KINDS, kind_named
from scoring.model.contract import Contract
from scoring.model.problem import Problem
from scoring.problems import error, info, warning
from scoring.reading.charset import decode
from scoring.reading.headers import normalised
from scoring.reading.limits import MAX_YAML_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.tables import tables_of
from scoring.reading.yaml_document import Document, load_yaml

NESTED = {
    "notice": ("days", "months", "business_day"),
    "renewal": ("kind", "months", "rate"),
    "commitment": ("instances", "instance_hours_per_month"),
    "covers": ("cloud", "regions", "instance_types"),
}
SHORT = {
    "instances": ("commitment", "instances"),
    "instance_hours_per_month": ("commitment", "instance_hours_per_month"),
    "regions": ("covers", "regions"),
    "region": ("covers", "regions"),
    "instance_types": ("covers", "instance_types"),
    "instance_type": ("covers", "instance_types"),
    "cloud": ("covers", "cloud"),
}
LISTS = ("regions", "instance_types")
Raw = tuple[int | None, dict[str, Any]]


def read_contracts(posted: PostedFile) -> tuple[tuple[Contract, ...], list[Problem]]:
    """All contracts that stand; any error means that the book must be mended before money is decided on it."""
    text, _, _ = decode(posted.read(MAX_YAML_BYTES + 1))
    if posted.name.lower().endswith((".yml", ".yaml")):
        document, problems = load_yaml(text, posted.name)
        raw = list(_yaml_entries(document))
        if not problems and not raw:
            problems = [error("contracts-without-entries", file=posted.name, row=1, expected="contracts: a list")]
    else:
        held = tables_of(posted)
        problems = [p for p in held.problems if p.severity.value in ("error", "question")]
        raw, document = list(_csv_entries(held.tables)), Document()
    contracts: list[Contract] = []
    for number, (row, entry) in enumerate(raw):
        lines = _Lines(posted.name, row, document, number)
        contract, found = _contract(entry, lines)
        problems += found
        if contract is None:
            continue
        if contract.id in {c.id for c in contracts}:
            problems.append(lines.error("contract-id-twice", "id", contract.id, "an id of its own"))
        else:
            contracts.append(contract)
    return tuple(contracts), problems


class _Lines:
    """Where the keys of one entry stand."""

    def __init__(self, file: str, row: int | None, document: Document, number: int) -> None:
        self.file, self.row, self._document, self._number = file, row, document, number

    def of(self, *path: str) -> int | None:
        for root in (("contracts", self._number), (self._number,)):
            if root in self._document.lines:
                return self._document.line((*root, *path))
        return self.row

    def error(self, code: str, column: str, found: str, expected: str) -> Problem:
        path = column.split(".")
        return error(
            code, file=self.file, row=self.of(*path), column=column, found=found[:100], expected=expected[:200]
        )


def _yaml_entries(document: Document) -> Iterator[Raw]:
    value = document.value
    if isinstance(value, dict):
        value = value.get("contracts")
    if isinstance(value, list):
        for entry in value:
            yield None, dict(entry) if isinstance(entry, dict) else {}


def _csv_entries(tables: Any) -> Iterator[Raw]:
    for table in tables:
        names = [normalised(h) for h in table.header]
        for row in table.rows:
            texts = {name: row.cell(i).text for i, name in enumerate(names)}
            yield row.row, {name: text for name, text in texts.items() if text}


def _contract(entry: dict[str, Any], lines: _Lines) -> tuple[Contract | None, list[Problem]]:
    tree, other = _shaped(entry)
    problems = _kept(other, lines)
    named = str(tree.get("kind", ""))
    kind = kind_named(named)
    if kind is None:
        known = ", ".join(k.name for k in KINDS)
        return None, [*problems, lines.error("contract-kind-unknown", "kind", named or "none", known)]
    for term in sorted(other.keys() & kind.changes_cash):
        if term == "payment" and str(other[term]).casefold() in ("none", "monthly", "no_upfront"):
            continue
        expected = "a term that this version models"
        problems.append(lines.error("contract-term-not-supported", term, str(other[term]), expected))
    for term in sorted(other.keys() & kind.only_recovers):
        place = {"file": lines.file, "row": lines.of(term), "column": term}
        problems.append(warning("contract-recovery-not-counted", **place, found=str(other[term])[:100]))
    tree |= {"kind": kind.name, "other": {k: str(v) for k, v in other.items()}}
    tree["source"] = {"file": lines.file, "row": lines.of()}
    try:
        return Contract.model_validate(tree), problems
    except ValidationError as failure:
        for item in failure.errors():
            column = ".".join(str(p) for p in item["loc"] if not isinstance(p, int)) or "ends_on"
            found = str(item["input"]) if not isinstance(item["input"], dict) else str(tree.get(column, ""))
            problems.append(lines.error("contract-invalid", column, found, item["msg"]))
        return None, problems


def _kept(other: Mapping[str, Any], lines: _Lines) -> list[Problem]:
    known = frozenset().union(*(k.changes_cash | k.only_recovers for k in KINDS))
    return [
        info("contract-field-kept", file=lines.file, row=lines.of(name), column=name, found=str(value)[:100])
        for name, value in other.items()
        if name not in known
    ]


def _shaped(entry: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of the model, flat or nested as posted; and everything else."""
    tree: dict[str, Any] = {}
    other: dict[str, Any] = {}
    for key, value in entry.items():
        name = normalised(str(key))
        group, _, rest = name.partition("_")
        if value is None:
            continue
        if name in NESTED and isinstance(value, dict):
            tree[name] = {**tree.get(name, {}), **{k: _listed(k, v) for k, v in value.items() if v is not None}}
        elif name in SHORT:
            parent, field = SHORT[name]
            tree[parent] = {**tree.get(parent, {}), field: _listed(field, value)}
        elif group in NESTED and rest in NESTED[group]:
            tree[group] = {**tree.get(group, {}), rest: _listed(rest, value)}
        elif name in Contract.model_fields and name not in ("other", "source", *NESTED):
            tree[name] = value
        elif name in NESTED:
            tree[name] = value
        else:
            other[name] = value
    return tree, other


def _listed(field: str, value: Any) -> Any:
    if field in LISTS and isinstance(value, str):
        return [part.strip() for part in value.replace(";", ",").split(",") if part.strip()]
    return value
