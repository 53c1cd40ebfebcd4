"""All cells of a row's measure in one line: the range of the values, and how the worst of them stands to its bar."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.calibrate.judgement import Bar, Result, worst
from bot.calibrate.runner import Finding


@dataclass(frozen=True)
class Summary:
    """Findings of one measure of one row, one a cell."""

    row: str
    measure: str
    findings: tuple[Finding, ...]

    @property
    def low(self) -> float:
        """The smallest value of all cells."""
        return min(f.measured.value for f in self.findings)

    @property
    def high(self) -> float:
        """The largest value of all cells."""
        return max(f.measured.value for f in self.findings)

    @property
    def se(self) -> float:
        """The largest standard error of all cells."""
        return max(f.measured.se for f in self.findings)

    @property
    def bars(self) -> tuple[Bar, ...]:
        """The bars of the cells, each once."""
        return tuple(dict.fromkeys(f.bar for f in self.findings if f.bar is not None))

    @property
    def result(self) -> Result:
        """That of the worst cell."""
        return worst([f.result for f in self.findings])

    @property
    def outside(self) -> tuple[Finding, ...]:
        """Cells that miss their bar, by noise or beyond it."""
        return tuple(f for f in self.findings if f.result in (Result.NOISE, Result.SHORT))

    @property
    def fails(self) -> bool:
        """Whether a cell falls short and nobody has said why."""
        return any(f.result is Result.SHORT and f.known is None for f in self.findings)


def summaries_of(findings: Sequence[Finding]) -> list[Summary]:
    """One a row and measure, in the order found."""
    keys = dict.fromkeys((f.row, f.measure) for f in findings)
    return [
        Summary(row, measure, tuple(f for f in findings if (f.row, f.measure) == (row, measure)))
        for row, measure in keys
    ]
