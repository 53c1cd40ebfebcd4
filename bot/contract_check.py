"""`steelyard contracts check`: every mistake of a contract book with its file, line and fix."""

import argparse
import sys
from collections.abc import Sequence
from datetime import date

from bot.contract_paths import evidence_at, language_of, with_settings
from bot.render.notices import render_problems, say
from bot.screen import shown
from scoring.contracts.doubles import claimed_twice, named_twice
from scoring.contracts.exchange import contracts_without_rate
from scoring.model.contract import Contract
from scoring.model.problem import Problem, Severity
from scoring.setup import Evidence, read_setup

SOUND, WRONG = 0, 1


def run(args: argparse.Namespace) -> int:
    """Exit status 0, or 1 where a book holds an error or cannot be read."""
    try:
        evidence = list(evidence_at(args.paths))
        language = language_of(evidence, args.language)
        contracts, problems = checked(evidence, date.today())  # noqa: TID251 - the shell may read the clock
    except OSError as failure:
        print(f"steelyard: {failure.strerror or failure}: {failure.filename}", file=sys.stderr)
        return WRONG
    except ValueError as failure:
        print(f"steelyard: {failure}", file=sys.stderr)
        return WRONG
    if problems:
        sys.stdout.write(shown(render_problems(problems, language, title="contract-check.title", shorten=False)))
    if any(p.severity in (Severity.ERROR, Severity.QUESTION) for p in problems):
        return WRONG
    print(say(language, "contract-check.sound", count=len(contracts)))
    return SOUND


def checked(evidence: Sequence[Evidence], today: date) -> tuple[list[Contract], list[Problem]]:
    """All contracts, and what is wrong with each book, between the books, and against the rates of the settings.

    Settings of a path of their own hold for every book beside which there are none; rates are looked at only with
    settings, since a book does not say in which currency is decided.
    """
    contracts, problems = list[Contract](), list[Problem]()
    for held in with_settings(evidence):
        setup = read_setup(held)
        contracts += setup.contracts
        problems += [p for p in setup.problems if p not in problems]
        if held.settings is not None:
            problems += contracts_without_rate(setup.contracts, setup.settings, today)
    between = [*named_twice(contracts), *claimed_twice(contracts)]
    return contracts, [*problems, *(p for p in between if p not in problems)]
