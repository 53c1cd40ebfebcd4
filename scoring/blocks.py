"""The blocks of a pilot: the posted ones, else the days or the machines; and what they say about the design."""

from collections.abc import Callable
from dataclasses import replace

from scoring.arms import Arms
from scoring.model.decision import CostedRun
from scoring.model.estimates import Design
from scoring.model.problem import Problem
from scoring.problems import info, warning
from scoring.statistics.blocks import ENOUGH_SHARED, design_of_blocks, run_weights

Labels = tuple[str | None, ...]


def in_blocks(arms: Arms) -> tuple[Arms, list[Problem]]:
    """Both arms with each run's block and its weight in the totals, and what must be said of them.

    Where no block was posted, the day on which a run began is its block, and where no day was, its machine. An arm on
    a day of its own by its times alone is a screening: nobody said that days matter, and nobody can tell.
    """
    if any(arm.summary is not None for arm in arms.both):
        return arms, []
    problems: list[Problem] = []
    if not any(_labels(arms, _block)):
        problems += _incomplete(arms)
        source, of_run = next(((n, of) for n, of in SOURCES if _serves(arms, of)), ("", _block))
        blocked = _each(arms, lambda c: c.model_copy(update={"run": c.run.model_copy(update={"block": of_run(c)})}))
        if source and design_of_arms(blocked) is Design.CONFOUNDED:
            arms, apart = _apart(arms, of_run)
            problems += apart
        elif source:
            arms = blocked
            problems.append(info(source, found=", ".join(sorted(set(filter(None, _both(arms)))))[:200]))
    problems += _said(arms)
    return weighed_runs(arms), problems


def _incomplete(arms: Arms) -> list[Problem]:
    """Some runs have a day and others none, or, where none has a day, a machine: neither makes blocks then."""
    for code, of_run in (("days-incomplete", _day), ("machines-incomplete", _host)):
        labels = _labels(arms, of_run)
        if any(labels):
            without = labels.count(None)
            return [warning(code, found=str(without), total=len(labels))] if without else []
    return []


def _apart(arms: Arms, of_run: "Source") -> tuple[Arms, list[Problem]]:
    """Machines are always apart: two accelerators never share one."""
    if of_run is _host:
        return arms, []
    found = " / ".join(", ".join(sorted({str(of_run(c)) for c in arm.runs}))[:100] for arm in arms.both)
    return replace(arms, days_apart=True), [warning("days-apart", found=found)]


def _block(costed: CostedRun) -> str | None:
    return costed.run.block


def _day(costed: CostedRun) -> str | None:
    return costed.run.started_at.date().isoformat() if costed.run.started_at else None


def _host(costed: CostedRun) -> str | None:
    return costed.run.host.casefold() if costed.run.host else None


Source = Callable[[CostedRun], str | None]
SOURCES: tuple[tuple[str, Source], ...] = (("day-is-block", _day), ("host-is-block", _host))


def _labels(arms: Arms, of_run: Source) -> Labels:
    return tuple(of_run(c) for arm in arms.both for c in arm.runs)


def _both(arms: Arms) -> Labels:
    return _labels(arms, _block)


def _serves(arms: Arms, of_run: Source) -> bool:
    """Whether every run has the label, and it is not the same one or two in both arms.

    Those make no block design of their own: few days that both arms share equally do no harm to unpaired runs.
    """
    labels = _labels(arms, of_run)
    if of_run is _host and any(_labels(arms, _day)):
        return False
    if not labels or not all(labels):
        return False
    a, b = ({of_run(c) for c in arm.runs} for arm in arms.both)
    return not (a == b and len(a) < ENOUGH_SHARED)


def _each(arms: Arms, change: Callable[[CostedRun], CostedRun]) -> Arms:
    a, b = (replace(arm, runs=tuple(change(c) for c in arm.runs)) for arm in arms.both)
    return replace(arms, incumbent=a, candidate=b)


def weighed_runs(arms: Arms) -> Arms:
    """Both arms with each run's weight by the blocks.

    Only runs that count take part: a failed run of unknown time has no place in the totals.
    """
    counted = [[c for c in arm.runs if _counts(c)] for arm in arms.both]
    of_arms = run_weights(*[[c.run.block for c in runs] for runs in counted])
    weights = {
        id(c): weight for runs, of in zip(counted, of_arms, strict=True) for c, weight in zip(runs, of, strict=True)
    }
    changed = {id(c) for arm in arms.both for c in arm.runs if c.weight != weights.get(id(c), 1.0)}
    if not changed:
        return arms
    return _each(arms, lambda c: c.model_copy(update={"weight": weights.get(id(c), 1.0)}) if id(c) in changed else c)


def _counts(costed: CostedRun) -> bool:
    return costed.work > 0 or costed.cost is not None or costed.hours is not None


def design_of_arms(arms: Arms) -> Design:
    """The design that the blocks of both arms make."""
    a, b = (tuple(_block(c) for c in arm.runs if _counts(c)) for arm in arms.both)
    return design_of_blocks(a, b)


def _said(arms: Arms) -> list[Problem]:
    """`block-missing`, `blocks-not-shared`, `blocks-uneven`, `one-machine-an-arm`."""
    problems: list[Problem] = []
    labels, design = _both(arms), design_of_arms(arms)
    if any(labels) and not all(labels):
        problems.append(warning("block-missing", found=str(sum(x is None for x in labels)), total=len(labels)))
    blocks = [dict.fromkeys(b for c in arm.runs if (b := _block(c))) for arm in arms.both]
    lone = [b for mine, other in (blocks, blocks[::-1]) for b in mine if b not in other]
    if design in (Design.BLOCKED, Design.ONE_BLOCK) and lone:
        problems.append(warning("blocks-left-out", found=", ".join(lone)[:200], count=len(lone)))
    elif design is Design.SEPARATE_BLOCKS:
        problems.append(info("blocks-not-shared", found=" / ".join(str(len(mine)) for mine in blocks)))
    elif design is Design.BLOCKED and any(c.weight != 1.0 for arm in weighed_runs(arms).both for c in arm.runs):
        problems.append(info("blocks-uneven"))
    hosts = [{_host(c) for c in arm.runs} for arm in arms.both]
    if design is not Design.CONFOUNDED and all(len(h) == 1 and None not in h for h in hosts) and hosts[0] != hosts[1]:
        problems.append(warning("one-machine-an-arm", found=" / ".join(str(*h) for h in hosts)))
    return problems
