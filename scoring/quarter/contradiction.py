"""Demands and caps that contradict each other, reduced to some of which every one is needed: a deletion filter.

Chinneck and Dravnieks 1991. Costs and contracts play no part: an hour that nothing serves can be paid on demand.
"""

from collections.abc import Sequence

import numpy as np

from scoring.quarter.answer import Conflict, ConflictKind, Contradiction
from scoring.quarter.program import Program
from scoring.quarter.solver import Rows, integer

EACH_S = 5.0
"""Longest time of one test; one that it ends counts as if the rest fitted."""
MOST_TESTS = 4_000


class _Filter:
    """Tests subsets of the workloads and of the caps. Numbers below the count of workloads are workloads."""

    def __init__(self, program: Program) -> None:
        self.works, self.caps = len(program.scene.workloads), len(program.caps)
        self.assignment, self.cap_rows = program.assignment, program.cap_rows
        self.limits = np.array(list(program.caps.values()))
        self.owner = np.array([c.workload for c in program.choices], dtype=int)
        self.sure, self.tests = True, 0

    def contradicts(self, kept: Sequence[int]) -> bool:
        """Whether what is kept cannot hold together."""
        self.tests += 1
        if self.tests > MOST_TESTS:
            self.sure = False
            return False
        works = [i for i in kept if i < self.works]
        caps = [i - self.works for i in kept if i >= self.works]
        columns = np.flatnonzero(np.isin(self.owner, works))
        if len(set(self.owner[columns])) < len(works):
            return True
        if not works or not caps:
            return False
        rows = Rows(
            self.assignment[works][:, columns], np.ones(len(works)), self.cap_rows[caps][:, columns], self.limits[caps]
        )
        nothing, one, whole = np.zeros(len(columns)), np.ones(len(columns)), np.ones(len(columns), dtype=bool)
        found = integer(nothing, rows, one, whole, 0.0, EACH_S)
        self.sure &= found.in_time
        return found.x is None and found.in_time


def contradiction_of(program: Program) -> Contradiction:
    """The caps are thinned out first, so that as few demands as possible are named; large parts are tried at once."""
    found = _Filter(program)
    everything = [*range(found.works, found.works + found.caps), *range(found.works)]
    kept = _thinned(found, everything)
    names = [*(Conflict(kind=ConflictKind.DEMAND, subject=w.id) for w in program.scene.workloads)]
    names += [Conflict(kind=ConflictKind.CAP, subject=name, month=t) for name, t in program.caps]
    told = {one.workload for one in program.scene.barred} & {names[i].subject for i in kept}
    barred = tuple(one for one in program.scene.barred if one.workload in told)
    return Contradiction(conflicts=tuple(names[i] for i in sorted(kept)), barred=barred, smallest=found.sure)


def _thinned(found: _Filter, elements: list[int]) -> list[int]:
    """Leave out part after part while the rest still contradicts; parts that do not go are halved."""
    kept, size = elements, max(1, len(elements) // 2)
    while True:
        at = 0
        while at < len(kept):
            rest = kept[:at] + kept[at + size :]
            if found.contradicts(rest):
                kept = rest
            else:
                at += size
        if size == 1:
            return kept
        size = max(1, size // 2)
