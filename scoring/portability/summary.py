"""What a decision keeps of a porting map: all hours and counts, and of findings, folders and kernels the heaviest."""

from collections.abc import Iterable
from typing import TypeVar

from scoring.model.base import Value
from scoring.model.portability import (
    Blocker,
    EffortClass,
    Finding,
    FolderCount,
    Place,
    Portability,
    PortabilitySetting,
    PortingSummary,
)
from scoring.model.settings import Settings
from scoring.portability.moving import is_settled, sets_cost

MOST_FINDINGS, MOST_FOLDERS, MOST_BLOCKERS, MOST_KINDS = 100, 40, 40, 20
LONGEST = 300
Kept = TypeVar("Kept", bound=Value)
WEIGHT = {effort: number for number, effort in enumerate(EffortClass)}
PLACES = {place: number for number, place in enumerate(Place)}


def summary_of(found: Portability, settings: Settings) -> PortingSummary:
    """Of the map under the settings as they were given, before the map set a cost."""
    setting = settings.portability or PortabilitySetting()
    blockers = _blockers(found, setting.kernels_settled)
    folders = sorted(found.folders, key=_heaviest_folder)
    findings = sorted(found.findings, key=_heaviest)
    device = found.device
    return PortingSummary(
        target=found.target,
        target_checked_on=found.target_checked_on,
        made_by=found.made_by,
        files={_short(kind): count for kind, count in sorted(found.files.items())[:MOST_KINDS]},
        unread=found.unread,
        stopped_by=found.stopped_by,
        efforts=found.efforts,
        hours=found.hours,
        hours_source=_short(found.hours_source),
        hourly_rate=setting.hourly_rate,
        sets_cost=sets_cost(settings),
        device=device.model_copy(update={"choices": tuple(map(_short, device.choices[:MOST_KINDS]))}),
        blockers=tuple(_cut(one) for one in blockers[:MOST_BLOCKERS]),
        blockers_cut=max(0, len(blockers) - MOST_BLOCKERS),
        folders=tuple(_cut(one) for one in folders[:MOST_FOLDERS]),
        folders_cut=max(0, len(folders) - MOST_FOLDERS),
        findings=tuple(_cut(one) for one in findings[:MOST_FINDINGS]),
        findings_cut=max(0, len(findings) - MOST_FINDINGS) + found.findings_cut,
    )


def _blockers(found: Portability, settled: Iterable[str]) -> list[Blocker]:
    """Kernels in source without another branch, once each; those left first. A map may name some without a finding."""
    of_settings = tuple(settled)
    left = dict.fromkeys(found.kernels)
    kernels: dict[str, Blocker] = {}
    for finding in found.findings:
        if finding.effort is EffortClass.BLOCKER and finding.place is Place.SOURCE and not finding.guarded:
            told = f"{finding.found} ({finding.file})"
            done = is_settled(told, of_settings) or (told not in left and not found.kernels_cut)
            one = Blocker(name=finding.found, file=finding.file, line=finding.line, is_settled=done)
            kernels.setdefault(told, one)
    for told in left:
        kernels.setdefault(told, Blocker(name=told, is_settled=is_settled(told, of_settings)))
    return sorted(kernels.values(), key=lambda one: one.is_settled)


def _heaviest(finding: Finding) -> tuple[object, ...]:
    """What costs work first, then by class and place; the map's own order within."""
    return PLACES[finding.place], finding.guarded, WEIGHT[finding.effort]


def _heaviest_folder(one: FolderCount) -> tuple[object, ...]:
    counts = (-one.counts.get(effort, 0) for effort in EffortClass)
    return (PLACES[one.place], *counts, one.folder)


def _cut(one: Kept) -> Kept:
    """Its texts no longer than a record should hold."""
    long = {name: _short(value) for name, value in one if isinstance(value, str) and len(value) > LONGEST}
    return one.model_copy(update=long) if long else one


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
