"""`steelyard contracts deadlines`: by which day what must be said, of every contract, price offer and capacity."""

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from bot.contract_paths import evidence_at
from bot.render.calendar import BrokenCalendar, Said, calendar_with
from bot.render.deadlines import render_deadlines
from bot.render.locales import ENGLISH
from bot.render.notices import render_problems
from scoring.contracts.current_term import current_term
from scoring.contracts.doubles import named_twice
from scoring.contracts.due_dates import due_dates
from scoring.model.contract import Contract
from scoring.model.deadline import DueDate
from scoring.model.economics import DeadlineStatus
from scoring.model.problem import Problem, Severity
from scoring.setup import read_setup

MENDED_FIRST = 2


def run(args: argparse.Namespace) -> int:
    """Exit status 0 with a list, 2 for files or days that cannot be read."""
    try:
        on = date.fromisoformat(args.on) if args.on else date.today()  # noqa: TID251 - the shell may read the clock
        dates, problems, language = _read(args.paths, on)
        if problems:
            print(render_problems(problems, language, title="contract-check.title"), file=sys.stderr)
            return MENDED_FIRST
        if args.ics:
            _write(Path(args.ics), Said(dates, on, language))
    except (OSError, ValueError) as failure:
        print(f"steelyard: {failure}", file=sys.stderr)
        return MENDED_FIRST
    shown = _within(dates, args.within)
    if args.json:
        print(json.dumps([d.model_dump(mode="json") for d in shown], indent=1, ensure_ascii=False))
    else:
        sys.stdout.write(render_deadlines(shown, on, language))
    return 0


def _read(paths: Sequence[str], on: date) -> tuple[tuple[DueDate, ...], list[Problem], str]:
    """The days, what is wrong, and the language of the settings that were found last."""
    contracts, dates, problems, language = list[Contract](), list[DueDate](), list[Problem](), ENGLISH
    for evidence in evidence_at(paths):
        setup = read_setup(evidence)
        problems += [p for p in setup.problems if p.severity is Severity.ERROR]
        language = setup.settings.language if evidence.settings else language
        contracts += setup.contracts
        current = [current_term(contract, on)[0] for contract in setup.contracts]
        dates += due_dates(current, setup.settings, on)
    problems += named_twice(contracts)
    return tuple(sorted(dates, key=lambda d: (d.day, d.kind.value, d.subject, d.number))), problems, language


def _within(dates: Sequence[DueDate], days: int | None) -> list[DueDate]:
    return [d for d in dates if days is None or d.days_left <= days or d.status is DeadlineStatus.MISSED]


def _write(path: Path, said: Said) -> None:
    """A file that is there and is no calendar is left alone."""
    try:
        wanted = calendar_with(path.read_bytes() if path.is_file() else None, said)
    except BrokenCalendar:
        raise ValueError(f"{path} is no calendar that can be read; it was left as it is") from None
    if wanted is not None:
        path.write_bytes(wanted)
