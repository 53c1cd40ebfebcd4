"""What `steelyard calibrate` prints, a row as soon as it is done, and the table of all cells that it writes."""

import csv
import math
from collections.abc import Iterable
from pathlib import Path

from bot.calibrate.figures import bar_shown, shown, span
from bot.calibrate.runner import Finding
from bot.calibrate.summary import Summary
from bot.render.messages import catalogue

COLUMNS = ("row", "measure", "cell", "replicates", "value", "standard_error", "bar_low", "bar_high", "result", "known")
SAY = catalogue("en", "calibrate")
WIDTHS = (27, 58, 18, 9, 16)


def heading() -> str:
    """Names of the columns."""
    return _line(SAY("row"), SAY("measure"), SAY("measured"), SAY("se"), SAY("bar")) + SAY("result")


def told(summary: Summary) -> str:
    """One line, and one more for each cell that misses its bar."""
    bars = ", ".join(bar_shown(bar) for bar in summary.bars) or "–"
    measured = span(summary.low, summary.high)
    lines = [
        _line(summary.row, SAY(f"measures.{summary.measure}"), measured, f"±{shown(summary.se)}", bars)
        + SAY(f"results.{summary.result.name.lower()}")
    ]
    lines += [f"    {outside(finding)}" for finding in summary.outside]
    return "\n".join(lines)


def outside(finding: Finding) -> str:
    """A cell that misses its bar: by how much, and why where that is known."""
    assert finding.bar is not None  # noqa: S101 - without a bar nothing is missed
    text = SAY(
        f"outside.{finding.result.name.lower()}",
        cell=finding.cell,
        value=shown(finding.measured.value),
        se=shown(finding.measured.se),
        bar=bar_shown(finding.bar),
    )
    return f"{text} {SAY(f'known.{finding.known}')}" if finding.known else text


def _line(*texts: str) -> str:
    return "".join(f"{text:<{width}}" for text, width in zip(texts, WIDTHS, strict=True))


def write_csv(path: Path, findings: Iterable[Finding]) -> None:
    """Every measure of every cell, in full precision."""
    with path.open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(COLUMNS)
        for f in findings:
            ends = () if f.bar is None else (f.bar.low, f.bar.high)
            bar = [end if math.isfinite(end) else "" for end in ends] or ["", ""]
            measured = (f.replicates, f.measured.value, f.measured.se)
            rows.writerow([f.row, f.measure, f.cell, *measured, *bar, f.result.value, f.known or ""])
