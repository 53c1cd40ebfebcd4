"""Which hard-coded device uses are new against an earlier look at the same tree."""

from collections import Counter
from collections.abc import Iterable

from scoring.model.portability import Finding
from scoring.portability.assess import hard_coded


def new_uses(now: Iterable[Finding], before: Iterable[Finding]) -> tuple[Finding, ...]:
    """Hard-coded uses beyond those that each file had, by what was found; lines may have moved."""
    left = Counter(_kind(finding) for finding in before if hard_coded(finding))
    new = list[Finding]()
    for finding in now:
        if not hard_coded(finding):
            continue
        kind = _kind(finding)
        left[kind] -= 1
        if left[kind] < 0:
            new.append(finding)
    return tuple(new)


def _kind(finding: Finding) -> tuple[str, str, str]:
    return finding.file, finding.entry, finding.found
