"""`docs/calibration.md`, written by the command and never by hand."""

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version

from bot.calibrate import screen
from bot.calibrate.figures import bar_shown, shown, span
from bot.calibrate.judgement import Result
from bot.calibrate.runner import Finding
from bot.calibrate.summary import Summary, summaries_of
from bot.render.messages import catalogue

SAY = catalogue("en", "calibrate")
SIDE_BY_SIDE = "side-by-side"


@dataclass(frozen=True)
class Conditions:
    """What a calibration can be repeated by, and what it took."""

    day: date
    seed: int
    replicates: int
    jobs: int
    seconds: float


def document(findings: Sequence[Finding], conditions: Conditions) -> str:
    """The whole document as Markdown."""
    summaries = summaries_of(findings)
    judged = [s for s in summaries if s.bars]
    beside = [s for s in summaries if s.row.startswith(SIDE_BY_SIDE)]
    only_told = [s for s in summaries if not s.bars and s not in beside]
    parts = [
        SAY("document.title"),
        SAY("document.intro"),
        _conditions(conditions),
        _table(judged),
        _outside(judged),
        SAY("document.told"),
        _table(only_told),
        SAY("document.side-by-side"),
        *[_beside([s for s in beside if s.row == row]) for row in dict.fromkeys(s.row for s in beside)],
        SAY("document.method"),
    ]
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def _conditions(known: Conditions) -> str:
    return SAY(
        "document.conditions",
        day=known.day.isoformat(),
        seed=known.seed,
        replicates=f"{known.replicates:,}",
        plain=known.replicates,
        jobs=known.jobs,
        minutes=f"{known.seconds / 60:.0f}",
        python=platform.python_version(),
        numpy=version("numpy"),
        scipy=version("scipy"),
        steelyard=version("steelyard"),
    )


def _table(summaries: Sequence[Summary]) -> str:
    heads = [SAY(f"document.columns.{name}") for name in ("what", "cells", "measured", "se", "bar", "result")]
    return _rows(heads, [_line(summary) for summary in summaries])


def _line(summary: Summary) -> list[str]:
    what = f"`{summary.row}` {SAY(f'rows.{summary.row}')}: {SAY(f'measures.{summary.measure}')}"
    cells = f"{len(summary.findings)} × {max(f.replicates for f in summary.findings):,}"
    bars = ", ".join(bar_shown(bar) for bar in summary.bars) or "–"
    result = SAY(f"results.{summary.result.name.lower()}")
    if summary.outside:
        missed = sum(f.result is summary.result for f in summary.findings)
        result = SAY("document.some", result=result, cells=missed)
    return [what, cells, span(summary.low, summary.high), f"±{shown(summary.se)}", bars, result]


def _outside(summaries: Sequence[Summary]) -> str:
    """Every cell that misses its bar, by how much, and why."""
    lines = [
        f"- {SAY(f'rows.{s.row}')}, {SAY(f'measures.{s.measure}')}: {screen.outside(f)}"
        for s in summaries
        for f in sorted(s.outside, key=lambda f: f.result is not Result.SHORT)
    ]
    return "\n".join([SAY("document.outside"), "", *lines]) if lines else SAY("document.none-outside")


def _beside(summaries: Sequence[Summary]) -> str:
    """One table a row: a line a world, a column a rule."""
    heads = [SAY("document.columns.world"), *[SAY(f"measures.{s.measure}") for s in summaries]]
    cells = [f.cell for f in summaries[0].findings]
    values = [{f.cell: f"{shown(f.measured.value)} ±{shown(f.measured.se)}" for f in s.findings} for s in summaries]
    lines = [[cell, *[of_cell[cell] for of_cell in values]] for cell in cells]
    return f"### {SAY(f'rows.{summaries[0].row}')} (`{summaries[0].row}`)\n\n{_rows(heads, lines)}"


def _rows(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    if not lines:
        return ""
    ruled = [list(heads), ["---"] * len(heads), *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in ruled)
