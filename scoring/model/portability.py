"""What ties a code base to CUDA: findings, what each means on a target, and the hours of moving."""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from scoring.model.base import Value

Bound = Literal["files", "bytes", "seconds", "tree"]
TargetName = Literal["generic", "trainium", "gaudi", "rocm", "tpu"]
Hours = Annotated[float, Field(ge=0, le=100_000)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]


class EffortClass(StrEnum):
    """How much a finding weighs, the heaviest first."""

    BLOCKER = "blocker"
    WORK = "work"
    CONFIGURATION = "configuration"
    INFORMATION = "information"


class Place(StrEnum):
    """What kind of code a file is; only source is priced."""

    SOURCE = "source"
    TEST = "test"
    EXAMPLE = "example"


class Support(StrEnum):
    """What a target makes of a CUDA dependency, as its own documentation says."""

    RUNS = "runs"
    REPLACED = "replaced"
    UNSUPPORTED = "unsupported"
    NOT_KNOWN = "not-known"


class Finding(Value):
    """One use of CUDA. `line` and `column` from 1; `line` None where a file as a whole is meant.

    `guarded`: another branch takes over where the device is no CUDA device. `choice`: here a device is chosen.
    """

    entry: str
    effort: EffortClass
    file: str
    line: Count | None = None
    column: Count | None = None
    cell: Count | None = None
    found: str
    place: Place = Place.SOURCE
    guarded: bool = False
    choice: bool = False
    support: Support = Support.NOT_KNOWN


class HourRange(Value):
    """From the fewest hours to the most."""

    low: Hours
    high: Hours

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.low > self.high:
            raise ValueError("low <= high")
        return self


class EffortTable(Value):
    """Hours for one finding of each class: one kernel, one library or call in a file, one place to configure."""

    blocker: HourRange = HourRange(low=16, high=80)
    work: HourRange = HourRange(low=1, high=8)
    configuration: HourRange = HourRange(low=0.1, high=0.5)
    information: HourRange = HourRange(low=0, high=0)

    def of(self, effort: EffortClass) -> HourRange:
        """The range of a class."""
        found: HourRange = getattr(self, effort.value)
        return found


DEFAULT_SOURCE = "Steelyard's assumption, not measured; replace it by hours of your own last port"


class PortabilitySetting(Value):
    """The section `portability`: the target, hours a finding, where they are from, and what an hour costs.

    `hourly_rate` is in the decision's currency; without one hours are told and no cost is.
    """

    target: TargetName | None = None
    hours: EffortTable = EffortTable()
    source: str = Field(default=DEFAULT_SOURCE, min_length=1, max_length=300)
    hourly_rate: Decimal | None = Field(default=None, gt=0, le=100_000)
    kernels_settled: tuple[str, ...] = Field(default=(), max_length=500)
    """Kernels, by name or file, that are replaced or not needed on the target: they block no more."""


class ClassEffort(Value):
    """A class's findings in source: how many, of them guarded, how many units of work they are, and the hours."""

    findings: Count
    guarded: Count
    units: Count
    hours: HourRange


class FolderCount(Value):
    """Findings of a folder by class, tests and examples apart."""

    folder: str
    place: Place
    counts: dict[EffortClass, Count]


class DeviceScore(Value):
    """Whether the device is a configuration value: the places that name it, and those that choose it."""

    places: Count
    choices: tuple[str, ...] = ()
    one_choke_point: bool = False


class Portability(Value):
    """What a scan found, for a target: the report that `steelyard portability --json` prints and `compare` reads.

    `made_by` is the version of the program that scanned.
    """

    target: TargetName
    made_by: str | None = Field(default=None, max_length=100)
    target_checked_on: date
    files: dict[str, Count] = {}
    findings: tuple[Finding, ...] = ()
    findings_cut: Count = 0
    unread: Count = 0
    stopped_by: Bound | None = None
    tallies: dict[str, int] = {}
    efforts: dict[EffortClass, ClassEffort] = {}
    folders: tuple[FolderCount, ...] = ()
    hours: HourRange = HourRange(low=0, high=0)
    hours_source: str = DEFAULT_SOURCE
    device: DeviceScore = DeviceScore(places=0)
    kernels: tuple[str, ...] = ()
    """Names of what must be rewritten before the target runs at all, each with its file."""
    kernels_cut: Count = 0


class Blocker(Value):
    """A kernel that the target cannot run, where it stands, and whether the settings call it settled."""

    name: str
    file: str | None = None
    line: Count | None = None
    is_settled: bool = False


class PortingSummary(Value):
    """What a decision keeps of the map that it was made with: the heaviest findings first, the rest as counts.

    `hourly_rate` is in the decision's currency. `sets_cost`: the middle of the hours at the rate is the decision's
    `migration_cost`. The `_cut` are how many more there are than those listed.
    """

    target: TargetName
    target_checked_on: date
    made_by: str | None = None
    files: dict[str, Count] = {}
    unread: Count = 0
    stopped_by: Bound | None = None
    efforts: dict[EffortClass, ClassEffort] = {}
    hours: HourRange
    hours_source: str
    hourly_rate: Decimal | None = None
    sets_cost: bool = False
    device: DeviceScore
    blockers: tuple[Blocker, ...] = ()
    blockers_cut: Count = 0
    folders: tuple[FolderCount, ...] = ()
    folders_cut: Count = 0
    findings: tuple[Finding, ...] = ()
    findings_cut: Count = 0
