"""Drafts into a contract book: new ones are added, known ones completed, and nothing that stands there is changed."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from scoring.contracts.sources import Draft
from scoring.model.problem import Problem
from scoring.problems import error, warning
from scoring.reading.yaml_document import load_yaml

FACTS = ("kind", "starts_on", "ends_on", "rate", "commitment", "covers", "payment", "currency", "committed_until")
"""What the vendor knows of a contract; of all else a person may know better."""
ALWAYS = ("imported",)
"""What is taken from the vendor again each time."""


@dataclass
class Merged:
    """The text of the book, how many contracts were added and how many were there already."""

    text: str = ""
    added: int = 0
    kept: int = 0
    problems: list[Problem] = field(default_factory=list)


def merged(book: str, drafts: Sequence[Draft], today: date, name: str | None = None) -> Merged:
    """The book with the drafts; comments, order and whatever a person wrote stay.

    A draft belongs to the contract that has its id, or names its origin as `source`.
    """
    file = name or "contracts.yml"
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 120
    # The reader of the book refuses aliases: every value is written out.
    yaml.representer.ignore_aliases = lambda *_: True
    yaml.indent(mapping=2, sequence=4, offset=2)
    _, unsound = load_yaml(book, file)
    if unsound:
        return Merged(problems=unsound)
    try:
        document: Any = yaml.load(book) if book.strip() else None
    except (YAMLError, ValueError, RecursionError) as failure:
        return Merged(problems=[error("yaml-syntax", file=file, found=str(failure)[:100])])
    document = CommentedMap() if document is None else document
    contracts = document.get("contracts") if isinstance(document, dict) else document
    if isinstance(document, dict) and not contracts:
        # An empty list in brackets would keep its entries on one line.
        contracts = document["contracts"] = CommentedSeq()
    if not isinstance(contracts, list):
        return Merged(problems=[error("import-book-not-a-list", file=file, row=1, expected="contracts: a list")])
    result = Merged()
    for draft in drafts:
        entry = _plain({**draft.entry, "source": {**draft.entry["source"], "date": today}})
        known = next((c for c in contracts if isinstance(c, dict) and _same(c, draft)), None)
        if known is None:
            contracts.append(entry)
            result.added += 1
        else:
            result.kept += 1
            result.problems += _complete(known, entry, file)
    stream = io.StringIO()
    yaml.dump(document, stream)
    result.text = stream.getvalue()
    return result


def names_in(book: str) -> set[str]:
    """Ids and origins of the contracts of a book."""
    value = load_yaml(book, "")[0].value
    contracts = value.get("contracts") if isinstance(value, dict) else value
    listed = [c for c in contracts if isinstance(c, dict)] if isinstance(contracts, list) else []
    sources = [c.get("source") for c in listed]
    origins = [s.get("origin") if isinstance(s, dict) else s for s in sources]
    return {str(name) for name in (*(c.get("id") for c in listed), *origins) if name}


def _same(contract: Mapping[str, Any], draft: Draft) -> bool:
    source = contract.get("source")
    origin = source.get("origin") if isinstance(source, Mapping) else source
    return bool(draft.entry["id"] == contract.get("id")) or bool(draft.entry["source"]["origin"] == origin)


def _complete(known: Any, entry: Mapping[str, Any], file: str) -> list[Problem]:
    """Add what the contract lacks; where it says otherwise than the vendor, both are told and it stays."""
    problems = []
    for key, value in entry.items():
        if key not in known or key in ALWAYS:
            known[key] = value
        elif key in FACTS and _told(known[key]) != _told(value):
            found = f"{known.get('id')}: {_told(known[key])}"[:100]
            row = known.lc.line + 1 if hasattr(known, "lc") else None
            details = {"file": file, "row": row, "column": key, "found": found, "expected": _told(value)[:100]}
            problems.append(warning("contract-differs", **details))
    return problems


def _told(value: Any) -> str:
    """A value to compare and to show, whatever wrote it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {_told(v)}" for k, v in sorted(value.items()))
    if isinstance(value, list):
        return ", ".join(sorted(_told(v) for v in value))
    try:
        return f"{Decimal(str(value)).normalize():f}"
    except InvalidOperation:
        return str(value)


_NUMBERS = ("rate", "upfront", "currency_per_hour", "instances")


def _plain(value: Any, key: str = "") -> Any:
    """Amounts as numbers, so that the book reads as one written by hand."""
    if isinstance(value, Mapping):
        return CommentedMap({k: _plain(v, "rate" if key == "covered_rates" else str(k)) for k, v in value.items()})
    if isinstance(value, list):
        return CommentedSeq([_plain(v, key) for v in value])
    if key in _NUMBERS and isinstance(value, str):
        number = float(value)
        return int(value) if number.is_integer() and value.isdigit() else number if repr(number) == value else value
    return value
