"""`workloads.yml`: work with its demand and the ways to run it."""

import difflib
from typing import Any

from pydantic import ValidationError

from scoring.model.problem import Problem
from scoring.model.settings import Demand
from scoring.problems import error
from scoring.reading.asked_for import asked_for
from scoring.reading.charset import decode
from scoring.reading.limits import MAX_YAML_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.yaml_document import Document, Path, load_yaml
from scoring.review.given import ReviewedWorkload, WorkOption

ROOT = "workloads"
MOST = 1_000
MOST_PROBLEMS = 50
SHOWN = 100
KNOWN = (*ReviewedWorkload.model_fields, *WorkOption.model_fields, *Demand.model_fields)


def read_workloads(posted: PostedFile) -> tuple[tuple[ReviewedWorkload, ...], list[Problem]]:
    """All workloads that stand, and each mistake with its line; `workloads:` is a list."""
    text, _, _ = decode(posted.read(MAX_YAML_BYTES + 1))
    document, problems = load_yaml(text, posted.name)
    if problems:
        return (), problems
    value = document.value.get(ROOT) if isinstance(document.value, dict) else None
    if not isinstance(value, list) or len(value) > MOST:
        expected = f"{ROOT}: a list of at most {MOST:,}"
        return (), [_error(posted.name, document, (ROOT,), str(document.value)[:SHOWN] or "nothing", expected)]
    found: dict[str, ReviewedWorkload] = {}
    for number, entry in enumerate(value):
        work, wrong = _workload(entry, (ROOT, number), document, posted.name)
        problems += wrong
        if work is not None and work.name in found:
            place = (ROOT, number, "name")
            problems.append(_error(posted.name, document, place, work.name, "a name of its own"))
        elif work is not None:
            found[work.name] = work
    return tuple(found.values()), problems[:MOST_PROBLEMS]


def _workload(entry: Any, root: Path, document: Document, file: str) -> tuple[ReviewedWorkload | None, list[Problem]]:
    try:
        work = ReviewedWorkload.model_validate(_without_nothing(entry))
    except ValidationError as failure:
        return None, [_problem(dict(item), root, document, file) for item in failure.errors()]
    names = [option.id for option in work.options]
    if work.runs_on not in names:
        return None, [_error(file, document, (*root, "runs_on"), work.runs_on, ", ".join(names)[:SHOWN])]
    if len(set(names)) < len(names):
        return None, [_error(file, document, (*root, "options"), ", ".join(names)[:SHOWN], "each id once")]
    return work, []


def _without_nothing(entry: Any) -> Any:
    """A key without a value stands for its default."""
    if isinstance(entry, dict):
        return {key: _without_nothing(value) for key, value in entry.items() if value is not None}
    return [_without_nothing(value) for value in entry] if isinstance(entry, list) else entry


def _problem(item: dict[str, Any], root: Path, document: Document, file: str) -> Problem:
    path, found, expected = tuple(item["loc"]), item["input"], asked_for(item)
    if item["type"] == "extra_forbidden":
        near = difflib.get_close_matches(str(path[-1])[:60], KNOWN, n=1)
        found, expected = path[-1], near[0] if near else ", ".join(sorted(set(KNOWN)))
    elif item["type"] == "missing":
        found = "nothing"
    if isinstance(found, dict):
        found = ", ".join(str(key) for key in found)
    return _error(file, document, (*root, *path), str(found), str(expected))


def _error(file: str, document: Document, path: Path, found: str, expected: str) -> Problem:
    place = {"file": file, "row": document.line(path) or 1, "column": ".".join(str(part) for part in path)[:SHOWN]}
    return error("workload-invalid", **place, found=found[:SHOWN], expected=expected[:200])
