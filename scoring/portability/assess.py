"""What a scan means for a target: each finding's class there, hours, kernels, and whether the device is one value."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from scoring.model.portability import (
    ClassEffort,
    DeviceScore,
    EffortClass,
    Finding,
    FolderCount,
    HourRange,
    Place,
    Portability,
    PortabilitySetting,
    Support,
    TargetName,
)
from scoring.portability.catalogue import catalogue
from scoring.portability.moving import is_settled
from scoring.portability.scan import Scan
from scoring.portability.targets import checked_on, rule_of

MOST_FOLDERS = 200
MOST_KERNELS = 200
MOST_CHOICES = 20


def assess(scan: Scan, setting: PortabilitySetting, target: TargetName | None = None) -> Portability:
    """The map for a target, by default the setting's, else any backend that is no CUDA.

    Hours are those of source that is not guarded: per kernel for blockers, per file and call for work, per line for
    configuration; tests and examples are shown and not priced.
    """
    aim = target or setting.target or "generic"
    findings = tuple(_on(finding, aim) for finding in scan.findings)
    kernels = _kernels(findings, setting)
    efforts = {effort: _effort(findings, effort, setting) for effort in EffortClass}
    return Portability(
        target=aim,
        target_checked_on=checked_on(aim),
        files=dict(scan.files),
        findings=findings,
        findings_cut=scan.cut,
        unread=scan.unread,
        stopped_by=scan.stopped_by,
        tallies=tallies(findings),
        efforts=efforts,
        folders=_folders(findings),
        hours=_sum(one.hours for one in efforts.values()),
        hours_source=setting.source,
        device=_device(findings),
        kernels=kernels[:MOST_KERNELS],
        kernels_cut=max(0, len(kernels) - MOST_KERNELS),
    )


def tallies(findings: Iterable[Finding]) -> dict[str, int]:
    """How many findings of each tally, guarded ones, tests and examples included."""
    counted = Counter(catalogue().entries[finding.entry].tally for finding in findings)
    return {tally: count for tally, count in sorted(counted.items(), key=str) if tally is not None}


def priced(finding: Finding) -> bool:
    """Whether it costs work: in source, and with no other branch beside it."""
    return finding.place is Place.SOURCE and not finding.guarded


def hard_coded(finding: Finding) -> bool:
    """Whether it names the device where a configuration value should, without another branch; tests may."""
    entry = catalogue().entries[finding.entry]
    return priced(finding) and entry.device and finding.effort is not EffortClass.INFORMATION


def _on(finding: Finding, target: TargetName) -> Finding:
    rule = rule_of(target, finding.entry)
    if rule is None:
        return finding
    effort = EffortClass.INFORMATION if rule.support is Support.RUNS else rule.effort or finding.effort
    return finding.model_copy(update={"support": rule.support, "effort": effort})


def _effort(findings: Sequence[Finding], effort: EffortClass, setting: PortabilitySetting) -> ClassEffort:
    of_class = [f for f in findings if f.effort is effort and f.place is Place.SOURCE]
    units = len({_unit(number, finding) for number, finding in enumerate(of_class) if not finding.guarded})
    each = setting.hours.of(effort)
    return ClassEffort(
        findings=len(of_class),
        guarded=sum(finding.guarded for finding in of_class),
        units=units,
        hours=HourRange(low=round(each.low * units, 2), high=round(each.high * units, 2)),
    )


def _unit(number: int, finding: Finding) -> tuple[object, ...]:
    """What findings of one piece of work share."""
    unit = catalogue().entries[finding.entry].unit
    if unit == "use":
        return (number,)
    if unit == "folder":
        return (str(PurePosixPath(finding.file).parent), finding.entry)
    return (finding.file, finding.line, finding.cell) if unit == "line" else (finding.file, finding.entry)


def _sum(ranges: Iterable[HourRange]) -> HourRange:
    every = list(ranges)
    return HourRange(low=round(sum(r.low for r in every), 2), high=round(sum(r.high for r in every), 2))


def _folders(findings: Sequence[Finding]) -> tuple[FolderCount, ...]:
    counted: defaultdict[tuple[str, Place], Counter[EffortClass]] = defaultdict(Counter)
    for finding in findings:
        parent = str(PurePosixPath(finding.file).parent)
        counted["" if parent == "." else parent, finding.place][finding.effort] += 1
    rows = [FolderCount(folder=f, place=p, counts=dict(c)) for (f, p), c in sorted(counted.items())]
    return tuple(rows[:MOST_FOLDERS])


def _device(findings: Sequence[Finding]) -> DeviceScore:
    """One choke point: all that names the device stands in one file's choices of it, or has another branch."""
    named = [f for f in findings if f.place is Place.SOURCE and catalogue().entries[f.entry].device]
    choices = {(f.file, f.line) for f in named if f.choice}
    elsewhere = {(f.file, f.line) for f in named if not f.guarded} - choices
    return DeviceScore(
        places=len({(f.file, f.line, f.cell) for f in named}),
        choices=tuple(f"{file}:{line}" for file, line in sorted(choices, key=str)[:MOST_CHOICES]),
        one_choke_point=not elsewhere and len({file for file, _ in choices}) <= 1,
    )


def _kernels(findings: Sequence[Finding], setting: PortabilitySetting) -> tuple[str, ...]:
    """The kernels to rewrite, but those that the settings call settled, by name or file."""
    blocking = [f for f in findings if f.effort is EffortClass.BLOCKER and priced(f)]
    told = dict.fromkeys(f"{f.found} ({f.file})" for f in blocking)
    return tuple(kernel for kernel in told if not is_settled(kernel, setting.kernels_settled))
