"""A plan's run sheet as CSV in the tidy form: filled in, it is what `/compare` reads."""

import csv
import io
from collections.abc import Sequence

from bot.render.safe_text import clean
from scoring.plan import PlannedRun, RunPlan

FORMULA = ("=", "+", "-", "@")
CELL = 200
"""Longer than any name that is told elsewhere; a name that is cut would be another arm or workload."""


def run_sheet_csv(plan: RunPlan, runs: Sequence[PlannedRun] | None = None) -> str:
    """One line a run in the order of running, all of them unless some are named; what is measured is blank."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*plan.sheet_of, "arm", "run", "block", *(_cell(column) for column in plan.columns)])
    same, blank = [_cell(text) for text in plan.sheet_of.values()], [""] * len(plan.columns)
    for run in plan.sheet if runs is None else runs:
        writer.writerow([*same, _cell(run.arm), run.run, run.block, *blank])
    return out.getvalue()


def _cell(text: str) -> str:
    """One line, and no formula for whoever opens the sheet as a workbook."""
    shown = clean(text, CELL)
    return f"'{shown}" if shown.startswith(FORMULA) else shown
