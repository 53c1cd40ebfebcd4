"""Which rows belong together: one workload and phase at a time, and which arm is the incumbent."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.model.pilot import Phase, Pilot, Run, Summary
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import info, question, warning

WHOLE_RUN = "run"
"""The unit of a posting that tells no amount of work."""


@dataclass(frozen=True)
class Group:
    """The rows of one workload and phase; None where the posting names neither."""

    workload: str | None
    phase: Phase | None
    runs: tuple[Run, ...]
    summaries: tuple[Summary, ...]

    @property
    def key(self) -> tuple[str | None, Phase | None]:
        """What tells it from the others of a posting."""
        return (self.workload, self.phase)

    @property
    def name(self) -> str:
        """Workload and phase in words; empty where the posting names neither."""
        return _name(self.workload, self.phase)

    @property
    def arm_names(self) -> tuple[str, ...]:
        """Arms in the order posted."""
        return tuple(dict.fromkeys([r.arm for r in self.runs] + [s.arm for s in self.summaries]))


def groups_of(pilot: Pilot, settings: Settings) -> tuple[Group, ...]:
    """Workloads and phases apart, in the order posted; training is never mixed with serving.

    Rows without a workload or phase join the only one that the other rows name.
    """
    rows: tuple[Run | Summary, ...] = (*(r for r in pilot.runs if r.left_out is None), *pilot.summaries)
    workloads = {r.workload for r in rows} - {None}
    phases = {r.phase for r in rows} - {None}
    only_workload = next(iter(workloads)) if len(workloads) == 1 else None
    only_phase = next(iter(phases)) if len(phases) == 1 else None

    def key(row: Run | Summary) -> tuple[str | None, Phase | None]:
        return (row.workload or only_workload, row.phase or only_phase)

    keys = [k for k in dict.fromkeys(key(r) for r in rows) if _wanted(k, settings)]
    return tuple(
        Group(
            *k,
            runs=tuple(r for r in rows if isinstance(r, Run) and key(r) == k),
            summaries=tuple(r for r in rows if isinstance(r, Summary) and key(r) == k),
        )
        for k in keys
    )


def all_groups(pilot: Pilot, settings: Settings) -> tuple[Group, ...]:
    """The groups of the posting, whichever of them the settings ask for."""
    return groups_of(pilot, settings.model_copy(update={"workload": None, "phase": None}))


def no_group(pilot: Pilot, settings: Settings) -> tuple[Problem, ...]:
    """Why there is no group although rows were posted: the settings ask for another workload or phase."""
    everything = all_groups(pilot, settings)
    if not everything:
        return ()
    asked = _name(settings.workload, settings.phase)
    posted = ", ".join(_name(g.workload, g.phase) or "none named" for g in everything)
    return (question("workload-not-found", found=asked, expected=posted),)


def _name(workload: str | None, phase: Phase | None) -> str:
    return " ".join(part for part in (workload, phase.value if phase else None) if part)


def _wanted(key: tuple[str | None, Phase | None], settings: Settings) -> bool:
    workload, phase = key
    same = settings.workload is None or (workload or "").casefold() == settings.workload.casefold()
    return same and settings.phase in (None, phase)


_GPU = re.compile(
    r"gpu|nvidia|(?<![a-z])([abh][123]00|l40?s?|v100|a10g?|gb200|p[345][a-z]*\.|g[456][a-z]*\.)", re.IGNORECASE
)
"""An arm that is called so is the incumbent where the other one is not and nobody says which."""


_NOW = re.compile(r"(incumbent|baseline|control|current)\b", re.IGNORECASE)
MOST_CANDIDATES = 20
"""More are hardly arms: another column was read for their names."""


@dataclass(frozen=True)
class Choice:
    """The incumbent and whom it is compared with, or the problem that keeps them from being told apart."""

    incumbent: str | None
    candidates: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def candidate(self) -> str | None:
        """The first candidate, which of two arms is the only one."""
        return self.candidates[0] if self.candidates else None


def choose_arms(group: Group, settings: Settings) -> Choice:
    """Incumbent and candidates by the settings; else of two the first posted, of several the one that is called so."""
    names = group.arm_names
    baseline, missing_baseline = _named(settings.baseline, names, "baseline")
    candidate, missing_candidate = _named(settings.candidate, names, "candidate")
    problems = missing_baseline + missing_candidate
    if problems:
        return Choice(None, (), problems)
    if len(names) < 2:
        return Choice(None, (), (question("one-arm", found=", ".join(names) or "none", expected="two arms"),))
    if len(names) == 2:
        return _choose_of_two(names, baseline, candidate)
    return _choose_of_several(names, baseline, candidate)


def _choose_of_two(names: tuple[str, ...], baseline: str | None, candidate: str | None) -> Choice:
    if baseline is None and candidate is None:
        first, second = names
        if _GPU.search(second) and not _GPU.search(first):
            first, second = second, first
        return Choice(first, (second,), (info("baseline-assumed", incumbent=first, candidate=second),))
    if baseline is None:
        baseline = next(n for n in names if n != candidate)
    if candidate is None:
        candidate = next(n for n in names if n != baseline)
    if baseline == candidate:
        return Choice(None, (), (question("choose-arms", found=baseline, arms=", ".join(names)),))
    return Choice(baseline, (candidate,))


def _choose_of_several(names: tuple[str, ...], baseline: str | None, candidate: str | None) -> Choice:
    """Every candidate against one incumbent, or the two that were asked for with a word on the others."""
    incumbent = baseline or _called_incumbent([n for n in names if n != candidate])
    rest = tuple(n for n in names if n != incumbent)
    if incumbent is None or candidate == incumbent or (candidate is None and len(rest) > MOST_CANDIDATES):
        return Choice(None, (), (question("choose-arms", found=", ".join(names), arms=", ".join(names)),))
    said = () if baseline else (info("baseline-assumed", incumbent=incumbent, candidate=", ".join(rest)),)
    if candidate is None:
        return Choice(incumbent, rest, said)
    left = [n for n in rest if n != candidate]
    return Choice(incumbent, (candidate,), (*said, warning("arms-left-out", found=candidate, arms=", ".join(left))))


def _called_incumbent(names: Sequence[str]) -> str | None:
    """The only arm that is called the incumbent, else the only one that is called a GPU."""
    for called in (_NOW, _GPU):
        found = [n for n in names if called.search(n)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _named(wish: str | None, names: tuple[str, ...], role: str) -> tuple[str | None, tuple[Problem, ...]]:
    if wish is None:
        return None, ()
    for name in names:
        if name.casefold() == wish.casefold():
            return name, ()
    return None, (question("arm-not-found", found=wish, expected=", ".join(names) or "none", role=role),)


def unit_of_group(group: Group) -> str:
    """The unit that a cost is counted by: the one posted, else the run."""
    row = _with_work(group)
    return WHOLE_RUN if row is None else row.unit or "unit"


def counts_whole_runs(group: Group) -> bool:
    """Whether no row tells an amount of work, so that a run is the unit."""
    return _with_work(group) is None


def _with_work(group: Group) -> Run | Summary | None:
    rows: tuple[Run | Summary, ...] = (*group.runs, *group.summaries)
    return next((r for r in rows if r.work_units is not None or r.throughput is not None), None)


def not_shared(pilot: Pilot, groups: Sequence[Group]) -> tuple[Problem, ...]:
    """Several workloads of which none has two arms: the column that names them names something else."""
    if len(groups) < 2 or len(pilot.arm_names) < 2 or any(len(group.arm_names) > 1 for group in groups):
        return ()
    named = dict.fromkeys(str(group.workload or group.phase or "–") for group in groups)
    return (question("workloads-not-shared", found=", ".join(named)[:200], expected=", ".join(pilot.arm_names)[:200]),)
