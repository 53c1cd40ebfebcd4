"""The same run or summary posted more than once: it counts once, and the reply says which row gave way."""

from collections.abc import Collection, Sequence

from scoring.model.pilot import Run, Summary
from scoring.model.problem import Problem
from scoring.problems import question, warning

Key = tuple[object, ...]
LEAST_ROWS = 2
"""One row alone may well be like another one."""


def without_repeats(runs: Sequence[Run]) -> tuple[list[Run], list[Problem]]:
    """Runs with each run once, in the order posted.

    An identical row is left out, a different one replaces the earlier, and rows that differ in nothing but the
    metrics they give are one run with all of them.
    """
    kept: list[Run] = []
    at: dict[Key, int] = {}
    problems: list[Problem] = []
    for run in runs:
        key = _key(run)
        earlier = at.get(key) if key is not None else None
        if earlier is None or run.left_out:
            if key is not None and not run.left_out:
                at[key] = len(kept)
            kept.append(run)
            continue
        first = kept[earlier]
        place = {"file": run.file, "row": run.row, "found": run.run or "", "earlier": first.row or 0}
        if _content(first) == _content(run):
            problems.append(warning("duplicate-row", **place))
            kept.append(run.model_copy(update={"left_out": "duplicate-row"}))
        elif _is_another_metric(first, run):
            kept[earlier] = first.model_copy(update={"quality": first.quality | run.quality})
        else:
            problems.append(warning("row-replaced", **place))
            kept[earlier] = first.model_copy(update={"left_out": "row-replaced"})
            assert key is not None  # noqa: S101 - an earlier one was found by it
            at[key] = len(kept)
            kept.append(run)
    return kept, problems


def _key(run: Run) -> Key | None:
    """What makes two rows the same run; a number that begins again each day is told apart by the day."""
    day = run.started_at.date() if run.started_at else None
    return None if run.run is None else (run.arm, run.workload, run.phase, run.run, run.block, run.seed, day)


def _content(run: Run) -> Run:
    return run.model_copy(update={"file": "", "row": None})


def _is_another_metric(first: Run, second: Run) -> bool:
    """Whether two rows of a run give different metrics and nothing else that differs."""
    bare = [_content(run).model_copy(update={"quality": {}}) for run in (first, second)]
    return bare[0] == bare[1] and bool(second.quality) and not first.quality.keys() & second.quality.keys()


def without_copies(runs: Sequence[Run]) -> tuple[list[Run], list[Problem]]:
    """The same run in two files, say as a log and as a row of a table: same arm, seed and measured time."""
    seen: dict[Key, Run] = {}
    kept: list[Run] = []
    problems: list[Problem] = []
    for run in runs:
        key = (run.arm, run.seed, run.duration_s)
        first = seen.get(key)
        if first is not None and first.file != run.file and not run.left_out:
            place = {"file": run.file, "row": run.row, "found": run.seed or ""}
            problems.append(warning("same-run-elsewhere", **place, earlier=first.file))
            kept.append(run.model_copy(update={"left_out": "same-run-elsewhere"}))
            continue
        if run.seed is not None and run.duration_s is not None and not run.left_out:
            seen.setdefault(key, run)
        kept.append(run)
    return kept, problems


def without_blocks_again(runs: Sequence[Run]) -> tuple[list[Run], list[Problem]]:
    """Rows that have no number of their own, in a table that repeats an earlier one row by row: they count once."""
    tables: dict[str, list[Run]] = {}
    for run in runs:
        if run.run is None and run.seed is None and not run.left_out:
            tables.setdefault(run.file, []).append(run)
    first_of: dict[tuple[str, ...], str] = {}
    again: dict[str, str] = {}
    for file, rows in tables.items():
        content = tuple(_content(row).model_dump_json() for row in rows)
        if len(rows) >= LEAST_ROWS and (first := first_of.setdefault(content, file)) != file:
            again[file] = first
    problems = [
        warning("same-rows-elsewhere", file=file, found=str(len(tables[file])), earlier=first)
        for file, first in again.items()
    ]
    repeated = {id(row) for file in again for row in tables[file]}
    kept = [r.model_copy(update={"left_out": "same-rows-elsewhere"}) if id(r) in repeated else r for r in runs]
    return kept, problems


def without_files_again(runs: Sequence[Run], of_tools: Collection[str]) -> tuple[list[Run], list[Problem]]:
    """Tools' files under two names: they count once, and one that stands for two arms is asked about.

    Measured figures do not come out alike twice; scores of the same model do, so that an evaluation without its time
    is no copy.
    """
    files: dict[str, list[Run]] = {}
    for run in runs:
        if run.file in of_tools and not run.left_out and not (run.is_evaluation and not run.other):
            files.setdefault(run.file, []).append(run)
    first_of: dict[tuple[str, ...], str] = {}
    again, problems = set[str](), list[Problem]()
    for file, rows in files.items():
        first = first_of.setdefault(tuple(map(_measured, rows)), file)
        if first == file:
            continue
        details = {"file": file, "earlier": first, "found": str(len(rows))}
        if [row.arm for row in rows] == [row.arm for row in files[first]]:
            again.add(file)
            problems.append(warning("same-file-again", **details))
        else:
            problems.append(question("same-file-two-arms", **details, arm=files[first][0].arm, expected=rows[0].arm))
    kept = [
        r.model_copy(update={"left_out": "same-file-again"}) if r.file in again and not r.left_out else r for r in runs
    ]
    return kept, problems


def _measured(run: Run) -> str:
    return _content(run).model_copy(update={"run": None, "arm": ""}).model_dump_json()


def one_summary_each(summaries: Sequence[Summary]) -> tuple[list[Summary], list[Problem]]:
    """The last summary of each arm, workload and phase; different ones are asked about."""
    of_arm: dict[Key, list[Summary]] = {}
    for summary in summaries:
        of_arm.setdefault((summary.arm, summary.workload, summary.phase), []).append(summary)
    problems = []
    for several in of_arm.values():
        different = {s.model_copy(update={"file": "", "row": None}).model_dump_json() for s in several}
        if len(different) > 1:
            last = several[-1]
            details = {"file": last.file, "row": last.row, "arm": last.arm, "found": str(len(different))}
            problems.append(question("several-summaries", **details))
    return [several[-1] for several in of_arm.values()], problems
