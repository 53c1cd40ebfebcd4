"""JSON and YAML outputs of a vendor's command line to records with their lines; several may follow each other."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

from scoring.contracts.sources.interface import Record
from scoring.model.problem import Problem
from scoring.problems import error
from scoring.reading.charset import decode
from scoring.reading.limits import HEAD_BYTES
from scoring.reading.posted import PostedFile, whole_letters
from scoring.reading.structured import item_lines
from scoring.reading.yaml_document import load_yaml

MAX_BYTES = 16 * 2**20
MAX_RECORDS = 20_000
MAX_DEPTH = 30
BESIDE = ("savingsPlanId",)
"""Keys beside a list that hold for all of its records."""
REGION = "Region"
"""A key that a person may add beside the list: these outputs do not say which region was asked."""
_REGION_CODE = re.compile(r"(?<![a-z0-9])[a-z]{2}(?:-[a-z]+){1,3}-\d(?![0-9])")
_START = re.compile(r"[\s\ufeff]*\{")


def holds(posted: PostedFile, keys: Collection[str]) -> bool:
    """Whether a file's head has one of the lists of `keys`, in JSON or YAML."""
    text, _, _ = decode(posted.read(HEAD_BYTES))
    named = "|".join(re.escape(key) for key in keys)
    return re.search(rf'(?m)(?:^|[{{,])\s*"?(?:{named})"?\s*:', text) is not None


def region_named(text: str) -> str | None:
    """The one region whose code stands in a text such as a file's name: `reservations.eu-west-1.json`."""
    found = set(_REGION_CODE.findall(text))
    return found.pop() if len(found) == 1 else None


def records_of(
    posted: PostedFile, keys: Collection[str], region: str | None = None
) -> tuple[dict[str, list[Record]], list[Problem]]:
    """Records by the key of their list; an error with its line ends the reading of the file.

    The region is that of the key `Region` beside the list, else `region`, else that of the file's name.
    """
    data = posted.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        found, expected = f"over {MAX_BYTES:,} bytes", f"{MAX_BYTES:,} bytes"
        return {}, [error("file-too-large", file=posted.name, found=found, expected=expected)]
    text, _, _ = decode(data)
    where = region or region_named(posted.name)
    problems: list[Problem] = []
    records: dict[str, list[Record]] = {}
    documents = _json_documents(text, posted, problems) if _START.match(text) else _yaml(text, posted, problems)
    for document, lines in documents:
        named = document.get(REGION) if isinstance(document.get(REGION), str) else where
        for key in (k for k in document if k in keys):
            found_here, wrong = _listed(document[key], lines(key), posted.name, named)
            beside = {k: v for k, v in document.items() if k in BESIDE}
            found_here = [replace(r, fields={**beside, **r.fields}) for r in found_here] if beside else found_here
            records.setdefault(key, []).extend(found_here)
            problems += wrong
    if sum(len(found) for found in records.values()) > MAX_RECORDS:
        return {}, [error("file-too-large", file=posted.name, found="too many records", expected=f"{MAX_RECORDS:,}")]
    return records, problems


def _listed(value: Any, lines: list[int], file: str, region: str | None) -> tuple[list[Record], list[Problem]]:
    if not isinstance(value, list):
        return [], [error("record-invalid", file=file, row=1, found=type(value).__name__, expected="a list")]
    records: list[Record] = []
    problems: list[Problem] = []
    for number, item in enumerate(value):
        row = lines[number] if number < len(lines) else None
        if isinstance(item, dict) and _depth(item) <= MAX_DEPTH:
            records.append(Record(item, file, row, region))
        else:
            expected = f"an object, at most {MAX_DEPTH} levels deep"
            problems.append(error("record-invalid", file=file, row=row, found=str(item)[:60], expected=expected))
    return records, problems


def _depth(value: Any) -> int:
    """How deeply a value is nested; it is walked without recursion."""
    deepest, waiting = 0, [(value, 1)]
    while waiting:
        item, depth = waiting.pop()
        deepest = max(deepest, depth)
        if depth > MAX_DEPTH:
            break
        below = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
        waiting += [(part, depth + 1) for part in below if isinstance(part, (dict, list))]
    return deepest


Documents = Iterator[tuple[dict[str, Any], Any]]


def _json_documents(text: str, posted: PostedFile, problems: list[Problem]) -> Documents:
    """Each JSON object of the text: `command >> file` writes one after the other."""
    decoder = json.JSONDecoder(parse_float=Decimal, parse_constant=str, object_pairs_hook=_whole)
    at = 0
    while (begins := re.compile(r"[\s\ufeff]*").match(text, at).end()) < len(text):  # type: ignore[union-attr]
        line = posted.first_line + text.count("\n", 0, begins)
        try:
            document, at = decoder.raw_decode(text, begins)
        except json.JSONDecodeError as failure:
            row = posted.first_line + text.count("\n", 0, failure.pos)
            problems.append(error("json-syntax", file=posted.name, row=row, found=failure.msg))
            return
        except (ValueError, RecursionError) as failure:
            problems.append(error("json-syntax", file=posted.name, row=line, found=str(failure)[:200]))
            return
        if not isinstance(document, dict):
            problems.append(error("json-syntax", file=posted.name, row=line, found=str(document)[:60]))
            return
        part = text[begins:at]
        yield document, lambda key, p=part, d=document, n=line: item_lines(p, key, _length(d[key]), n)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list) else 0


def _whole(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {whole_letters(k): whole_letters(v) if isinstance(v, str) else v for k, v in pairs}


def _yaml(text: str, posted: PostedFile, problems: list[Problem]) -> Documents:
    document, found = load_yaml(text, posted.name)
    problems += found
    value = document.value
    if isinstance(value, dict):
        yield value, lambda key: [document.line((key, i)) or 1 for i in range(_length(value[key]))]
