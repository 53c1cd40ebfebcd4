"""Run sheets that are still being filled in: which of their runs no file of the posting holds yet."""

from collections.abc import Sequence

from scoring.model.pilot import Run
from scoring.model.problem import Problem
from scoring.problems import question, warning

BLANK = "run-not-filled-in"
"""Of a row of a run sheet that tells nothing of its run yet."""
Planned = tuple[str | None, str | None, str, str | None]


def not_filled_in(runs: Sequence[Run]) -> list[Problem]:
    """How many runs, by arm and number over all files, are still to be made; asked where there is no other run."""
    blank = [run for run in runs if run.left_out == BLANK]
    made = {_planned(run) for run in runs if run.left_out is None}
    still = {_planned(run): run for run in reversed(blank) if _planned(run) not in made}
    if not still:
        return []
    first = next(run for run in blank if _planned(run) in still)
    told = warning if any(run.left_out != BLANK for run in runs) else question
    total = len({_planned(run) for run in runs})
    return [told(BLANK, file=first.file, row=first.row, count=len(still), total=total)]


def _planned(run: Run) -> Planned:
    return (run.workload, run.phase, run.arm, run.run)
