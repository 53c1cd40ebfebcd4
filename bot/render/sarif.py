"""SARIF 2.1.0 of a porting map, for GitHub code scanning."""

import hashlib
import json
import re
from collections import Counter
from typing import Any
from urllib.parse import quote

from bot.render.locales import ENGLISH
from bot.render.messages import catalogue
from bot.render.portability import fix_of, title_of
from bot.render.record import engine_version
from scoring.model.portability import EffortClass, Finding, Portability

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {
    EffortClass.BLOCKER: "error",
    EffortClass.WORK: "warning",
    EffortClass.CONFIGURATION: "warning",
    EffortClass.INFORMATION: "note",
}
MOST_RESULTS = 25_000
"""GitHub takes no more of a run."""


def render_sarif(found: Portability) -> str:
    """One run; code scanning shows each finding at its line, and knows it again when lines move."""
    entries = list(dict.fromkeys(finding.entry for finding in found.findings))
    seen: Counter[str] = Counter()
    results = [_result(finding, entries, seen) for finding in found.findings[:MOST_RESULTS]]
    driver = {
        "name": "Steelyard",
        "semanticVersion": engine_version(),
        "rules": [_rule(entry) for entry in entries],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False) + "\n"


def _rule(entry: str) -> dict[str, Any]:
    return {
        "id": entry,
        "shortDescription": {"text": _plain(title_of(entry, ENGLISH))},
        "help": {"text": _plain(fix_of(entry, ENGLISH))},
    }


def _result(finding: Finding, entries: list[str], seen: Counter[str]) -> dict[str, Any]:
    kind = f"{finding.file}\0{finding.entry}\0{finding.found}"
    seen[kind] += 1
    print_ = hashlib.sha256(f"{kind}\0{seen[kind]}".encode("utf-8", "replace")).hexdigest()[:32]
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(finding.file), "uriBaseId": "%SRCROOT%"}}
    if finding.line is not None:
        column = {} if finding.column is None else {"startColumn": finding.column}
        location["region"] = {"startLine": finding.line, **column}
    told = finding.found
    if finding.entry == "unread-file":
        told = catalogue(ENGLISH, "portability")(f"reason.{finding.found}")
    text = catalogue(ENGLISH, "portability")("summary", title=title_of(finding.entry, ENGLISH), found=told)
    return {
        "ruleId": finding.entry,
        "ruleIndex": entries.index(finding.entry),
        "level": LEVELS[finding.effort],
        "message": {"text": _plain(text)},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"steelyard/v1": print_},
        "properties": {
            "effort": finding.effort.value,
            "guarded": finding.guarded,
            "place": finding.place.value,
            "support": finding.support.value,
        },
    }


def _plain(text: str) -> str:
    """No Markdown, and no brackets that SARIF would read as a link or placeholder."""
    return re.sub(r"[{}\[\]`]", "", text).strip() or "-"
