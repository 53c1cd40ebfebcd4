"""All posted files to one pilot: later rows replace earlier ones, and every row that does not count says why."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from scoring.model.pilot import ColumnReading, InputFile, ItemScores, Pilot, Run, Summary
from scoring.model.problem import Problem, Severity
from scoring.model.settings import Settings
from scoring.problems import error, info, question
from scoring.reading.arm_names import ArmNames
from scoring.reading.block_labels import with_one_spelling
from scoring.reading.charset import plain_head
from scoring.reading.columns import map_factor, mapped_column
from scoring.reading.headers import meaning_of, normalised
from scoring.reading.interface import Reader
from scoring.reading.item_table import ItemReading, read_items
from scoring.reading.limits import HEAD_BYTES, MAX_NESTING
from scoring.reading.posted import PostedFile
from scoring.reading.posted_context import with_context
from scoring.reading.registry import reader_for
from scoring.reading.repeats import (
    one_summary_each,
    without_blocks_again,
    without_copies,
    without_files_again,
    without_repeats,
)
from scoring.reading.requests import read_requests, shape_of
from scoring.reading.run_sheets import not_filled_in
from scoring.reading.sidecar import conditions_by_stem, conditions_for, is_sidecar
from scoring.reading.sniff import is_markdown
from scoring.reading.table import Table
from scoring.reading.tables import tables_of
from scoring.reading.tidy_table import TableReading, read_table
from scoring.reading.unknown_table import no_known_column

MEASURED_WITH = "measured_with"
"""The condition that names the tool: what two tools call TPOT or a token is not always the same."""
RunOrSummary = TypeVar("RunOrSummary", Run, Summary)


@dataclass
class _Gathered:
    """What all files gave together."""

    settings: Settings
    sidecars: dict[str, dict[str, str]]
    lonely_tables: bool
    files: dict[str, PostedFile]
    arms: ArmNames
    origins: dict[str, str] = field(default_factory=dict)
    """Which posted file holds a file that runs name."""
    unknown: list[Table] = field(default_factory=list)
    """Tables of the file being read of which no column means anything to a pilot."""
    reading: TableReading = field(default_factory=TableReading)
    inputs: list[InputFile] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    headers: set[str] = field(default_factory=set)
    items: list[ItemScores] = field(default_factory=list)
    of_tools: set[str] = field(default_factory=set)
    """Files that a tool wrote."""

    def add_items(self, found: ItemReading) -> None:
        """Take over scores by item; a file without a column for its run is one run."""
        self.items += found.scores
        self.reading.columns += found.columns
        self.reading.problems += found.problems
        self.reading.directions |= found.directions

    def add(self, posted: PostedFile, found: TableReading) -> None:
        """Take over what one table or tool file gave."""
        conditions = conditions_for(posted, self.sidecars)
        self.reading.runs += [_with(run, conditions) for run in found.runs]
        self.reading.summaries += [_with(summary, conditions) for summary in found.summaries]
        self.reading.columns += found.columns
        self.reading.problems += found.problems
        self.reading.directions |= found.directions


def _with(row: RunOrSummary, conditions: dict[str, str]) -> RunOrSummary:
    return row.model_copy(update={"conditions": {**row.conditions, **conditions}}) if conditions else row


def read_pilot(files: Sequence[PostedFile], settings: Settings) -> tuple[Pilot, list[Problem]]:
    """The pilot of a posting, and every problem met in reading it. No content raises; a file that cannot be
    opened raises OSError.
    """
    sidecars = [f for f in files if is_sidecar(f)]
    results = [f for f in files if f not in sidecars]
    gathered = _Gathered(
        settings,
        conditions_by_stem(sidecars),
        lonely_tables=len(results) == 1,
        files={f.name: f for f in results},
        arms=ArmNames(f.name for f in results),
    )
    for posted in results:
        _read_file(posted, gathered)
    if not results:
        gathered.reading.problems.append(question("nothing-posted", expected="a table or a tool's result file"))
    reading = gathered.reading
    runs, spelled = with_one_spelling(reading.runs)
    runs, repeated = without_repeats(runs)
    runs, copied = without_copies(runs)
    runs, again = without_blocks_again(runs)
    runs, twice = without_files_again(runs, gathered.of_tools)
    summaries, several = one_summary_each(reading.summaries)
    reading.problems += [
        *spelled,
        *repeated,
        *copied,
        *again,
        *twice,
        *several,
        *not_filled_in(reading.runs),
        *_unmapped(gathered),
    ]
    reading.problems = _once([_softened(p) if runs else p for p in reading.problems])
    pilot = Pilot(
        runs=tuple(runs),
        summaries=tuple(summaries),
        items=tuple(gathered.items),
        directions=reading.directions,
        columns=_unique_columns(reading),
        inputs=tuple(_counted(gathered, runs)),
        notes=tuple(gathered.notes),
    )
    return pilot, reading.problems


def _read_file(posted: PostedFile, gathered: _Gathered) -> None:
    before = len(gathered.reading.problems)
    gathered.unknown.clear()
    first = len(gathered.reading.runs)
    rows, reader = _read(posted, gathered, depth=0)
    gathered.origins |= {run.file: posted.name for run in gathered.reading.runs[first:]}
    gathered.inputs.append(
        InputFile(
            file=posted.name,
            sha256=posted.sha256(),
            size=posted.size,
            reader=reader,
            rows_read=rows,
            posted_by=posted.posted_by,
        )
    )
    if reader is None and not any(_weighs(p) for p in gathered.reading.problems[before:]):
        gathered.reading.problems.append(_not_understood(posted, gathered.unknown))


def _weighs(problem: Problem) -> bool:
    return problem.severity in (Severity.ERROR, Severity.QUESTION)


def _not_understood(posted: PostedFile, unknown: Sequence[Table]) -> Problem:
    if unknown:
        return no_known_column(unknown[0]).model_copy(update={"file": posted.name})
    found = posted.read(80).decode("utf-8", "replace")
    return error("not-understood", file=posted.name, found=found, expected="a table or a known tool's file")


def _read(posted: PostedFile, gathered: _Gathered, depth: int) -> tuple[int, str | None]:
    """Rows read, and by which reader; None when nothing in the file is a pilot's."""
    arm = gathered.arms.of(posted)
    tool = None if is_markdown(posted.name) else reader_for(plain_head(posted.read(HEAD_BYTES)))
    if tool is not None and (fuller := _fuller(posted, tool, gathered)) is not None:
        gathered.reading.problems.append(info("same-run-in-fuller-file", file=posted.name, earlier=fuller))
        return 0, tool.name
    if tool is not None:
        gathered.of_tools.add(posted.name)
        found = with_context(tool.read(posted, arm, gathered.settings), posted, arm)
        found.runs = [run if run.is_evaluation else _with(run, {MEASURED_WITH: tool.name}) for run in found.runs]
        gathered.add(posted, found)
        return found.rows, tool.name
    shape = shape_of(posted)
    if shape is not None:
        gathered.of_tools.add(posted.name)
        found = with_context(read_requests(posted, shape, arm), posted, arm)
        gathered.add(posted, found)
        return found.rows, "requests"
    return _read_tables(posted, gathered, depth)


def _read_tables(posted: PostedFile, gathered: _Gathered, depth: int) -> tuple[int, str | None]:
    held = tables_of(posted)
    gathered.reading.problems += held.problems
    rows, reader = 0, None
    for table in held.tables:
        gathered.headers |= {normalised(header) for header in table.header}
        scored = read_items(table, gathered.settings, gathered.arms.of(posted))
        if scored is not None:
            gathered.add_items(scored)
            rows, reader = rows + scored.rows, "items"
            continue
        found = read_table(table, gathered.settings, None if gathered.lonely_tables else gathered.arms.of(posted))
        if found is None:
            gathered.unknown.append(table)
            continue
        gathered.add(posted, found)
        gathered.notes += table.notes
        rows, reader = rows + found.rows, "table"
    sidecars = [f for f in held.nested if is_sidecar(f)]
    gathered.sidecars |= conditions_by_stem(sidecars)
    members = [replace(f, context=f.context or posted.context) for f in held.nested if f not in sidecars]
    gathered.files |= {f.name: f for f in members}
    gathered.lonely_tables &= len(members) < 2 or any("#" in f.name for f in members)
    for nested in members:
        if depth >= MAX_NESTING:
            gathered.reading.problems.append(
                error("nested-archive", file=posted.name, expected=f"{MAX_NESTING} levels")
            )
            break
        before = len(gathered.reading.problems)
        below, by = _read(nested, gathered, depth + 1)
        if by is None and "#" not in nested.name and len(gathered.reading.problems) == before:
            gathered.reading.problems.append(_not_understood(nested, ()))
        rows, reader = rows + below, reader or by
    return rows, reader


def _fuller(posted: PostedFile, tool: Reader, gathered: _Gathered) -> str | None:
    """A posted file in the same folder that holds the same run with more of it."""
    folder, slash, name = posted.name.rpartition("/")
    beside = (f"{folder}{slash}{other}" for other in tool.fuller(name))
    posted_too = [gathered.files[path] for path in beside if path in gathered.files]
    return next((f.name for f in posted_too if reader_for(plain_head(f.read(HEAD_BYTES))) is not None), None)


def _unmapped(gathered: _Gathered) -> list[Problem]:
    """Columns that the settings map and no table has."""
    problems = []
    for target, source in gathered.settings.map.items():
        if meaning_of(target).field == "other" or map_factor(source) is None:
            problems.append(question("map-invalid", found=f"{target}: {source}"[:100]))
        elif gathered.headers and mapped_column(source) not in gathered.headers:
            problems.append(question("map-not-found", found=source[:100]))
    return problems


def _softened(problem: Problem) -> Problem:
    """A file that holds nothing of a pilot keeps nothing back when others do."""
    if problem.code not in ("not-understood", "no-known-column", "file-empty"):
        return problem
    return problem.model_copy(update={"severity": Severity.WARNING})


def _once(problems: Sequence[Problem]) -> list[Problem]:
    """What a tool never writes is said of its first file alone."""
    said = {(p.code, p.arguments.get("tool"), p.found): p for p in reversed(problems) if p.code == "load-not-in-file"}
    return [p for p in problems if p.code != "load-not-in-file" or any(p is first for first in said.values())]


def _counted(gathered: _Gathered, runs: Sequence[Run]) -> list[InputFile]:
    out = Counter(gathered.origins[run.file] for run in runs if run.left_out)
    return [i.model_copy(update={"rows_left_out": out[i.file]}) for i in gathered.inputs]


def _unique_columns(reading: TableReading) -> tuple[ColumnReading, ...]:
    """One reading a column name: twenty files of one tool are read alike."""
    return tuple({(c.column, c.meaning, c.unit, c.note): c for c in reversed(reading.columns)}.values())[::-1]
