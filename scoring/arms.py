"""The two arms under comparison, as the checks and the statistics see them: costed runs, or a posted summary."""

from dataclasses import dataclass
from functools import cached_property

from scoring.model.decision import CostedRun
from scoring.model.pilot import ItemScores, Run, RunStatus, Summary


@dataclass(frozen=True)
class ArmData:
    """One arm: its runs that count in the order posted, a summary where only that was posted, scores by item."""

    name: str
    runs: tuple[CostedRun, ...] = ()
    summary: Summary | None = None
    items: tuple[ItemScores, ...] = ()

    @cached_property
    def ok_runs(self) -> tuple[CostedRun, ...]:
        """Runs that finished."""
        return tuple(c for c in self.runs if c.run.status is RunStatus.OK)

    @cached_property
    def evaluations(self) -> tuple[CostedRun, ...]:
        """Runs that give scores alone, beside others that tell what the work cost."""
        alone = tuple(c for c in self.ok_runs if c.run.is_evaluation)
        return alone if len(alone) < len(self.ok_runs) else ()

    @cached_property
    def timed_runs(self) -> tuple[CostedRun, ...]:
        """Runs that finished, without those evaluations."""
        return tuple(c for c in self.ok_runs if c not in self.evaluations)

    @property
    def machines(self) -> tuple[str, ...]:
        """What it is called and what its runs say that they ran on."""
        rows = (*(costed.run for costed in self.runs), *((self.summary,) if self.summary else ()))
        told = (name for row in rows for name in (row.accelerator, row.instance_type) if name)
        return tuple(dict.fromkeys((self.name, *told)))

    @property
    def n_failed(self) -> int:
        """Runs that failed and still are on the bill."""
        return len(self.runs) - len(self.ok_runs)

    @property
    def n(self) -> int:
        """Runs that did work, which alone tell what work costs; of a summary the posted n, 0 when none was posted."""
        return sum(c.work > 0 for c in self.runs) if self.runs else (self.summary.n or 0 if self.summary else 0)

    @property
    def first(self) -> Run | Summary | None:
        """Any row of the arm, for what all its rows share."""
        return self.runs[0].run if self.runs else self.summary

    def one(self, field: str) -> str | None:
        """The value that all rows of the arm share, None when they differ or none has it."""
        values = self.values(field)
        return values.pop() if len(values) == 1 else None

    def values(self, field: str) -> set[str]:
        """The different values that the rows of the arm give."""
        rows: list[Run | Summary] = [c.run for c in self.runs] or ([self.summary] if self.summary else [])
        return {str(value) for r in rows if (value := getattr(r, field)) is not None}

    def in_time_order(self) -> tuple[CostedRun, ...]:
        """Runs by start where every run has one, else as posted."""
        if all(c.run.started_at for c in self.runs):
            return tuple(sorted(self.runs, key=lambda c: (c.run.started_at, c.run.run or "")))
        return self.runs


@dataclass(frozen=True)
class Arms:
    """Incumbent and candidate of one workload and phase; `unit` is what a cost is counted by.

    `days_apart`: by the runs' times an arm ran on a day of its own, so that day and arm cannot be told apart.
    """

    incumbent: ArmData
    candidate: ArmData
    unit: str
    currency: str
    days_apart: bool = False

    @property
    def both(self) -> tuple[ArmData, ArmData]:
        """Incumbent first."""
        return (self.incumbent, self.candidate)
