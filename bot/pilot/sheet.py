"""The run sheet to make, and what its templates stand for: {device} in a command is the value of the run's arm."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scoring.model.problem import Problem
from scoring.problems import error

NEEDED = ("arm", "run")
OWN = ("out",)
"""Names that the kit itself gives a value."""
MOST_ROWS, MOST_BYTES, MOST_NAMED = 10_000, 16 * 2**20, 20
TELLING = ("arm", "run", "workload", "phase", "block", "seed")
"""By these two lines are the same run, as in the table that is read afterwards."""
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_TEMPLATE = re.compile(r"\{([A-Za-z_]\w*)\}")
_SLUG = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class Planned:
    """One line of the sheet: its number from 1, and all values that its templates may name."""

    number: int
    values: Mapping[str, str]

    @property
    def arm(self) -> str:
        """Name of its arm."""
        return self.values["arm"]

    @property
    def key(self) -> str:
        """The run's name among files and in the journal."""
        return f"{self.number:03}-{_SLUG.sub('-', self.arm)[:40]}-{_SLUG.sub('-', self.values['run'])[:20]}"


def read_sheet(
    path: Path, arms: Mapping[str, Mapping[str, str]]
) -> tuple[list[Planned], tuple[str, ...], list[Problem]]:
    """The lines of the sheet with the values of their arms, and its columns. Raises OSError."""
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        bound = f"{MOST_BYTES:,}"
        return [], (), [error("file-too-large", file=path.name, found=f"over {bound}", expected=bound)]
    text = data.decode("utf-8-sig", errors="replace")
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""))
        rows, header = list(reader)[: MOST_ROWS + 1], tuple(reader.fieldnames or ())
    except csv.Error as failure:
        return [], (), [error("csv-syntax", file=path.name, found=str(failure))]
    missing = [name for name in NEEDED if name not in header]
    if missing or not rows:
        found = ", ".join(str(name) for name in header)[:200] or "-"
        return [], (), [error("pilot-no-sheet", file=path.name, found=found, expected=", ".join(NEEDED))]
    planned = [_planned(number, row, arms) for number, row in enumerate(rows, start=1)]
    problems = [
        error("pilot-blank-run", file=path.name, row=p.number + 1) for p in planned if not (p.arm and p.values["run"])
    ]
    problems += _twisted(path.name, header, rows)
    named = {p.arm for p in planned}
    problems += [
        error("pilot-arm-unknown", found=arm, expected=", ".join(sorted(named))) for arm in arms if arm not in named
    ]
    return planned, header, problems


def _twisted(file: str, header: Sequence[str], rows: Sequence[Mapping[str, object]]) -> list[Problem]:
    """Columns of one name, lines that are wider than the header or hold zero bytes, and runs that stand twice."""
    twice = sorted({name for name in header if header.count(name) > 1})
    problems = [error("pilot-column-twice", file=file, row=1, found=name[:100]) for name in twice]
    first_of: dict[tuple[object, ...], int] = {}
    for row, line in enumerate(rows, start=2):
        cells = "\0".join(str(value) for value in line.values())
        if None in line or cells.count("\0") >= len(line):
            problems.append(error("pilot-line-wide", file=file, row=row, expected=str(len(header))))
        first = first_of.setdefault(tuple(line.get(name) for name in TELLING), row)
        if first != row:
            found = ", ".join(str(line[name]) for name in TELLING if line.get(name))[:100]
            problems.append(error("pilot-run-twice", file=file, row=row, found=found, earlier=first))
    return problems[:MOST_NAMED]


def _planned(number: int, row: Mapping[str, str | None], arms: Mapping[str, Mapping[str, str]]) -> Planned:
    told = {str(name): (value or "").strip() for name, value in row.items() if name and not isinstance(value, list)}
    told["seed"] = told.get("seed") or told["run"]
    return Planned(number, {**told, **arms.get(told["arm"], {})})


def arm_values(options: Sequence[str]) -> tuple[dict[str, dict[str, str]], list[Problem]]:
    """`gpu:device=cuda:0,threads=2` by arm; a problem for what is none of it."""
    arms, problems = dict[str, dict[str, str]](), list[Problem]()
    for option in options:
        arm, colon, pairs = option.partition(":")
        split = [pair.partition("=") for pair in pairs.split(",")]
        if (
            not arm
            or not colon
            or any(not (_NAME.match(key) and sign) or key in (*NEEDED, *OWN) for key, sign, _ in split)
        ):
            problems.append(error("pilot-arm-option", found=option[:100], expected="NAME:KEY=VALUE,KEY=VALUE"))
            continue
        arms.setdefault(arm, {}).update({key: value for key, _, value in split})
    return arms, problems


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with its templates filled in; braces around anything else stay as they are."""
    return _TEMPLATE.sub(lambda match: values.get(match[1], match[0]), text)


def unknown_templates(texts: Sequence[str], planned: Sequence[Planned]) -> list[Problem]:
    """Templates that some run has no value for."""
    named = dict.fromkeys(name for text in texts for name in _TEMPLATE.findall(text))
    lacking = {name: next((p for p in planned if not p.values.get(name)), None) for name in named if name not in OWN}
    known = ", ".join((*(planned[0].values if planned else ()), *OWN))
    return [
        error("pilot-template-unknown", found=f"{{{name}}}", expected=known[:200], arm=run.arm)
        for name, run in lacking.items()
        if run is not None
    ]
