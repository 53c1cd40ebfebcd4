"""One block, however its label is spelled: `Day 1`, `day-1` and `DAY 01` are the same day."""

import re
from collections.abc import Sequence

from scoring.model.pilot import Run
from scoring.model.problem import Problem
from scoring.problems import info
from scoring.reading.headers import normalised

_PARTS = re.compile(r"[^\W\d_]+|\d+")
_AT_MIDNIGHT = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})[T\s]+00:00(:00(\.0+)?)?(Z|\+00:00)?\Z")
SHOWN = 4


def with_one_spelling(runs: Sequence[Run]) -> tuple[list[Run], list[Problem]]:
    """Runs whose blocks are named by the first spelling of each, and a note of those that were spelled otherwise."""
    first: dict[str, str] = {}
    other: dict[str, str] = {}
    renamed = []
    for run in runs:
        if run.block is None:
            renamed.append(run)
            continue
        label = first.setdefault(_key(run.block), run.block)
        if label != run.block:
            other.setdefault(run.block, label)
        renamed.append(run if label == run.block else run.model_copy(update={"block": label}))
    if not other:
        return renamed, []
    found = "; ".join(f"{spelled} = {label}" for spelled, label in list(other.items())[:SHOWN])
    return renamed, [info("block-spelling", found=found[:200], count=len(other))]


def _key(label: str) -> str:
    """Words and numbers of a label, without their case, accents, marks and leading zeros."""
    text = label.strip()
    midnight = _AT_MIDNIGHT.match(text)
    text = midnight[1] if midnight else re.sub(r"\A(\d+)\.0+\Z", r"\1", text)
    parts = _PARTS.findall(normalised(text))
    return "-".join(part.lstrip("0") or "0" if part.isdigit() else part for part in parts) or text
