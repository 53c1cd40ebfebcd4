"""How the runs of the two arms belong together, as numbers for formulas: each run's label, and the design.

The rules are the engine's (`scoring/blocks.py`, `scoring/statistics/blocks.py`); the sheet follows them so that a run
may be left out of any design.
"""

from collections.abc import Sequence
from enum import IntEnum

from scoring.model.decision import CostedRun, Decision
from scoring.model.estimates import Design
from scoring.statistics.blocks import ENOUGH_SHARED, design_of_blocks

Labels = Sequence[str | None]


class Pairing(IntEnum):
    """A design's number in the sheet."""

    UNPAIRED = 0
    BLOCKED = 1
    ONE_BLOCK = 2
    SEPARATE = 3
    CONFOUNDED = 4
    DAYS_APART = 5


class Labelled:
    """Each run's block, and where the labels come from: posted, the day of the run, or its machine."""

    def __init__(self, decision: Decision) -> None:
        self.source, found = _labels(decision)
        known = list(dict.fromkeys(label for label in found if label is not None))
        self.blocks: list[str] = known
        self.number = {id(c): known.index(label) + 1 if label is not None else 0
                       for c, label in zip(decision.runs, found, strict=True)}  # fmt: skip
        self._of = {id(c): label for c, label in zip(decision.runs, found, strict=True)}

    def block(self, costed: CostedRun) -> str | None:
        """The run's label."""
        return self._of[id(costed)]

    def pairing(self, a: Sequence[CostedRun], b: Sequence[CostedRun]) -> Pairing:
        """The design of these runs of either arm."""
        return pairing_of([self.block(c) for c in a], [self.block(c) for c in b], self.source)


def pairing_of(a: Labels, b: Labels, source: str) -> Pairing:
    """The design by both arms' labels; days and machines that nobody posted make one only where they differ."""
    if source != "posted" and set(a) == set(b) and len(set(a)) < ENOUGH_SHARED:
        return Pairing.UNPAIRED
    design = design_of_blocks(a, b)
    if design is Design.CONFOUNDED and source != "posted":
        return Pairing.DAYS_APART if source == "day" else Pairing.UNPAIRED
    return {
        Design.PAIRED: Pairing.BLOCKED,
        Design.BLOCKED: Pairing.BLOCKED,
        Design.ONE_BLOCK: Pairing.ONE_BLOCK,
        Design.SEPARATE_BLOCKS: Pairing.SEPARATE,
        Design.CONFOUNDED: Pairing.CONFOUNDED,
    }.get(design, Pairing.UNPAIRED)


def pairing_formula(source: str) -> str:
    """The same from the named counts of blocks and runs."""
    whole = "AND(shared_blocks=blocks_a,shared_blocks=blocks_b)"
    most = f"AND(shared_blocks>={ENOUGH_SHARED},2*shared_blocks>=MAX(blocks_a,blocks_b))"
    blocked = f"OR(AND({whole},shared_blocks>1),AND(NOT({whole}),{most}))"
    several = "OR(blocks_a<counted_a,blocks_b<counted_b)"
    rest = (
        f"IF({blocked},{Pairing.BLOCKED:d},IF(AND(blocks_a=1,blocks_b=1),0,"
        f"IF(MIN(blocks_a,blocks_b)=1,{Pairing.ONE_BLOCK:d},IF({several},{Pairing.SEPARATE:d},0))))"
    )
    apart = {"posted": Pairing.CONFOUNDED, "day": Pairing.DAYS_APART}.get(source, Pairing.UNPAIRED)
    confounded = f"IF(AND(shared_blocks=0,MIN(blocks_a,blocks_b)=1),{apart:d},IF(unlabelled>0,0,{rest}))"
    if source != "posted":
        confounded = f"IF(AND({whole},blocks_a<{ENOUGH_SHARED}),0,{confounded})"
    return f"IF(MIN(blocks_a,blocks_b)=0,0,{confounded})"


def in_totals(costed: CostedRun) -> bool:
    """Whether a run has a place in the totals: a failed one of unknown time and cost has none."""
    return costed.work > 0 or costed.cost is not None or costed.hours is not None


def _labels(decision: Decision) -> tuple[str, list[str | None]]:
    posted: list[str | None] = [c.run.block for c in decision.runs]
    if {decision.incumbent, decision.candidate} - {c.run.arm for c in decision.runs}:
        return "posted", [None] * len(posted)
    codes = {p.code for p in decision.problems}
    if any(posted):
        return "day" if "day-is-block" in codes else "host" if "host-is-block" in codes else "posted", posted
    days: list[str | None] = [c.run.started_at.date().isoformat() if c.run.started_at else None for c in decision.runs]
    if any(days):
        return ("day", days) if all(days) else ("posted", posted)
    hosts: list[str | None] = [c.run.host.casefold() if c.run.host else None for c in decision.runs]
    return ("host", hosts) if hosts and all(hosts) else ("posted", posted)
