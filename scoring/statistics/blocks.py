"""Which runs belong together, and how much each counts, so that a slow day cannot pass for a slow accelerator.

The rules were chosen by simulation; the coverage of each stands in `docs/method.md`.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from scoring.model.estimates import Design
from scoring.statistics.samples import ArmSample

ENOUGH_SHARED = 3
"""Fewer shared blocks beside blocks of one arm alone leave a paired interval with hardly a degree of freedom."""
Labels = Sequence[str | None]


def design_of(incumbent: ArmSample, candidate: ArmSample) -> Design:
    """How the runs of two arms belong together, by their blocks."""
    return design_of_blocks(incumbent.block, candidate.block)


def design_of_blocks(incumbent: Labels, candidate: Labels) -> Design:
    """The design that the block labels of both arms' runs make.

    Paired: the same blocks in both arms, one run each. Blocked: at least two shared blocks that are all blocks, or
    three that are half of either arm's. One block: an arm has one block, and the other arm ran in it too.
    Confounded: the arms share no block and one of them has a single one. Separate blocks: all else with several
    runs in a block. Unpaired: all else. Where only some runs have a block, the runs count as independent unless the
    blocks that are known confound them.
    """
    a, b = _counts(incumbent), _counts(candidate)
    if not a or not b:
        return Design.UNPAIRED
    shared = a.keys() & b.keys()
    if not shared and min(len(a), len(b)) == 1:
        return Design.CONFOUNDED
    if None in incumbent or None in candidate:
        return Design.UNPAIRED
    if _is_blocked(len(shared), len(a), len(b)):
        single = len(shared) == len(a) == len(b) == len(incumbent) == len(candidate)
        return Design.PAIRED if single else Design.BLOCKED
    if len(a) == len(b) == 1:
        return Design.UNPAIRED
    if min(len(a), len(b)) == 1:
        return Design.ONE_BLOCK
    several = len(a) < len(incumbent) or len(b) < len(candidate)
    return Design.SEPARATE_BLOCKS if several else Design.UNPAIRED


def _counts(labels: Labels) -> Counter[str]:
    return Counter(label for label in labels if label is not None)


def _is_blocked(shared: int, of_a: int, of_b: int) -> bool:
    if shared == of_a == of_b:
        return shared > 1
    return shared >= ENOUGH_SHARED and 2 * shared >= max(of_a, of_b)


def run_weights(incumbent: Labels, candidate: Labels) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """How much each run counts in its arm's totals: 1 but where blocks are shared and unevenly filled.

    There every shared block counts alike, so that a block weighs the same in both arms and its level cancels:
    n / (S·n_j) for one of n_j runs in one of S shared blocks, 0 for a run of a block that only its own arm has.
    """
    design = design_of_blocks(incumbent, candidate)
    if design not in (Design.PAIRED, Design.BLOCKED, Design.ONE_BLOCK):
        return (1.0,) * len(incumbent), (1.0,) * len(candidate)
    shared = _counts(incumbent).keys() & _counts(candidate).keys()
    return _weights(incumbent, shared), _weights(candidate, shared)


def _weights(labels: Labels, shared: "set[str]") -> tuple[float, ...]:
    counts = _counts(labels)
    if counts.keys() == shared and len(set(counts.values())) == 1:
        return (1.0,) * len(labels)
    n, blocks = len(labels), len(shared)
    return tuple(n / (blocks * counts[label]) if label in shared else 0.0 for label in labels if label is not None)


def shared_blocks(incumbent: ArmSample, candidate: ArmSample) -> list[str]:
    """Blocks that both arms ran in, in the incumbent's order."""
    both = set(candidate.block)
    return [label for label in dict.fromkeys(incumbent.block) if label is not None and label in both]


def blocks_worked(incumbent: ArmSample, candidate: ArmSample) -> int:
    """In how many of the shared blocks both arms did work: in the others there is nothing to compare."""
    in_a, in_b = (
        {label for label, work in zip(sample.block, sample.work, strict=True) if work > 0}
        for sample in (incumbent, candidate)
    )
    return sum(label in in_a and label in in_b for label in shared_blocks(incumbent, candidate))


def weighed(incumbent: ArmSample, candidate: ArmSample) -> tuple[ArmSample, ArmSample]:
    """Both samples with their runs' weights; weights that they have already are kept."""
    if incumbent.weight and candidate.weight:
        return incumbent, candidate
    of_a, of_b = run_weights(incumbent.block, candidate.block)
    return replace(incumbent, weight=of_a), replace(candidate, weight=of_b)


def only_counted(sample: ArmSample) -> ArmSample:
    """The runs whose weight is not 0, each counting as one."""
    kept = [i for i, weight in enumerate(sample.weight) if weight > 0]
    cost, work, block = (tuple(column[i] for i in kept) for column in (sample.cost, sample.work, sample.block))
    return ArmSample(cost=cost, work=work, block=block)  # type: ignore[arg-type]


def block_totals(sample: ArmSample) -> ArmSample:
    """One observation a block: its total cost and work."""
    labels = list(dict.fromkeys(sample.block))
    cost = tuple(_total(sample.cost, sample.block, label) for label in labels)
    work = tuple(_total(sample.work, sample.block, label) for label in labels)
    return ArmSample(cost=cost, work=work, block=tuple(labels))


def _total(values: Sequence[float], labels: Labels, label: str | None) -> float:
    return math.fsum(v for v, of in zip(values, labels, strict=True) if of == label)
