"""The contract book, YAML or CSV: every contract checked on its own, every mistake with its line, nothing dropped."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scoring.contracts.doubles import claimed_twice
from scoring.contracts.entry import Path, shaped
from scoring.contracts.sources import is_output, read_outputs
from scoring.contracts.sources.focus import is_export, read_export, told
from scoring.contracts.validity import contract_of
from scoring.model.contract import Contract
from scoring.model.problem import Problem, Severity
from scoring.problems import error, info
from scoring.reading.charset import decode
from scoring.reading.headers import normalised
from scoring.reading.limits import MAX_YAML_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.table import Table
from scoring.reading.tables import tables_of
from scoring.reading.yaml_document import Document, load_yaml

MAX_CONTRACTS = 1_000


@dataclass(frozen=True)
class Place:
    """Where an entry stands: in a YAML document under `root`, or on a line of a table."""

    file: str
    row: int | None = None
    document: Document | None = None
    root: tuple[str | int, ...] = ()

    def line(self, path: Path = ()) -> int | None:
        """Line of a key of the entry, or of the entry itself."""
        return self.row if self.document is None else self.document.line((*self.root, *path))

    def of(self, path: Path, found: object, **more: str) -> dict[str, Any]:
        """Details of a problem with a key."""
        column = ".".join(path)[:100] or None
        return {"file": self.file, "row": self.line(path), "column": column, "found": str(found)[:100], **more}


Entry = tuple[Place, Any]


def read_contracts(posted: PostedFile) -> tuple[tuple[Contract, ...], list[Problem]]:
    """All contracts that stand; any error means that the book must be mended before money is decided on it.

    YAML holds `contracts:`, a list or a mapping by id, or is a list itself; the raw outputs that `sources` knows are
    recognised by what they hold; other files are tables, a row a contract.
    """
    if is_output(posted):
        reading = read_outputs((posted,))
        entries, problems = [(Place(d.file, d.row), d.entry) for d in reading.drafts], reading.problems
        if not entries and not problems:
            return (), []
    elif is_export(posted):
        # An export does not say when a term ends: it completes a book and is none.
        return (), told(read_export(posted))
    elif posted.name.lower().endswith((".yml", ".yaml")):
        entries, problems = _yaml_entries(posted)
    else:
        held = tables_of(posted)
        problems = [p for p in held.problems if p.severity in (Severity.ERROR, Severity.QUESTION)]
        entries = [entry for table in held.tables for entry in _table_entries(table)]
    if not problems and not entries and not _says_none(posted):
        return (), [error("contracts-without-entries", file=posted.name, row=1, expected="contracts: a list")]
    if len(entries) > MAX_CONTRACTS:
        found, expected = f"{len(entries):,} contracts", f"{MAX_CONTRACTS:,} contracts"
        return (), [*problems, error("file-too-large", file=posted.name, found=found, expected=expected)]
    contracts: dict[str, Contract] = {}
    for place, entry in entries:
        contract, found_problems = _read_entry(place, entry)
        problems += found_problems
        if contract is not None and contract.id in contracts:
            details = place.of(("id",), contract.id, expected="an id of its own")
            problems.append(error("contract-id-twice", **details))
        elif contract is not None:
            contracts[contract.id] = contract
    return tuple(contracts.values()), [*problems, *claimed_twice(tuple(contracts.values()))]


def _says_none(posted: PostedFile) -> bool:
    """`contracts: []`: a book that is kept and holds nothing yet."""
    text, _, _ = decode(posted.read(MAX_YAML_BYTES + 1))
    document, _ = load_yaml(text, posted.name)
    return isinstance(document.value, dict) and document.value.get("contracts") == []


def _read_entry(place: Place, entry: Any) -> tuple[Contract | None, list[Problem]]:
    if not isinstance(entry, dict):
        return None, [error("contract-invalid", **place.of(("id",), entry, expected="keys and values, id first"))]
    return contract_of(shaped(entry), place)


def _yaml_entries(posted: PostedFile) -> tuple[list[Entry], list[Problem]]:
    text, _, _ = decode(posted.read(MAX_YAML_BYTES + 1))
    document, problems = load_yaml(text, posted.name)
    value, root = document.value, tuple[str | int, ...]()
    if isinstance(value, dict):
        problems += _beside(value, Place(posted.name, document=document))
        value, root = value.get("contracts"), ("contracts",)
    if isinstance(value, dict):
        named = ((key, {"id": key, **below} if isinstance(below, dict) else below) for key, below in value.items())
        return [(Place(posted.name, None, document, (*root, key)), below) for key, below in named], problems
    listed = value if isinstance(value, list) else []
    return [(Place(posted.name, None, document, (*root, i)), below) for i, below in enumerate(listed)], problems


def _beside(document: dict[str, Any], place: Place) -> list[Problem]:
    """What stands beside `contracts:` holds for none of them: said, or refused where it names a contract's field."""
    problems = []
    for key, value in document.items():
        if key == "contracts" or value is None:
            continue
        if "contracts" in document and shaped({key: value}).fields:
            problems.append(error("contract-invalid", **place.of((key,), value, expected="a key of each contract")))
        elif "contracts" in document:
            problems.append(info("contract-field-kept", **place.of((key,), value)))
    return problems


def _table_entries(table: Table) -> Iterator[Entry]:
    names = [header if normalised(header) else "" for header in table.header]
    for row in table.rows:
        texts = {name: row.cell(i).text.strip() for i, name in enumerate(names) if name}
        entry = {name: text for name, text in texts.items() if text}
        if entry:
            yield Place(table.file, row.row), entry
