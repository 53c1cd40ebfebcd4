"""`steelyard contracts check`: every mistake of a contract book with its file, line and fix."""

import argparse
import sys
from pathlib import Path

from bot.render.notices import render_problems, say
from bot.screen import shown
from scoring.contracts.book import read_contracts
from scoring.model.contract import Contract
from scoring.model.problem import Problem, Severity
from scoring.problems import error
from scoring.reading.posted import PostedFile

SOUND, WRONG = 0, 1


def run(args: argparse.Namespace) -> int:
    """Exit status 0, or 1 where a book holds an error or cannot be read."""
    contracts: dict[str, Contract] = {}
    problems: list[Problem] = []
    try:
        for path in args.paths:
            held, found = read_contracts(PostedFile.from_path(Path(path), name=Path(path).name))
            problems += [*found, *(_twice(c) for c in held if c.id in contracts)]
            contracts |= {c.id: c for c in held}
    except OSError as failure:
        print(f"steelyard: {failure.strerror or failure}: {failure.filename}", file=sys.stderr)
        return WRONG
    if problems:
        sys.stdout.write(shown(render_problems(problems, "en", title="contract-check.title")))
    if any(p.severity in (Severity.ERROR, Severity.QUESTION) for p in problems):
        return WRONG
    print(say("en", "contract-check.sound", count=len(contracts)))
    return SOUND


def _twice(contract: Contract) -> Problem:
    place = {"file": contract.source.file, "row": contract.source.row, "column": "id"}
    return error("contract-id-twice", **place, found=contract.id, expected="an id of its own")
