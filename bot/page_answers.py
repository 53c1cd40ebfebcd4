"""What the web page asks the bounded process: a decision without a thread, a repository's paths, its books' quarter."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.commands.compare import USAGE, decided
from bot.commands.interface import Scope, SlashCommand
from bot.dossier import Answer, Dossier, Outcome

if TYPE_CHECKING:
    from scoring.model.decision import Decision

COLUMNS, PATHS, QUARTER = "columns.json", "paths.json", "quarter.json"
MOST_COLUMNS = 200


def try_out(dossier: Dossier) -> Answer:
    """As `/compare` without a thread, with one file more: the columns. Raises OSError for a file that is gone."""
    from bot.commands.evidence import checked, evidence_of
    from scoring.analysis import analyse

    given, refusal = checked(dossier, USAGE)
    if refusal is not None:
        return refusal
    decision = analyse(evidence_of(dossier, given.pairs), today=dossier.today)
    answer = decided(decision)
    return answer.model_copy(update={"files": {**answer.files, COLUMNS: _columns(decision)}, "dates": None})


def _columns(decision: "Decision") -> bytes:
    """File, column, what it was read as, unit and note, in the decision's language."""
    from bot.render.locales import speaking
    from bot.render.phrases import phrase

    with speaking(decision.settings.language):
        rows = [
            {
                "file": column.file,
                "column": column.column,
                "meaning": phrase("meaning", column.meaning).replace("_", " "),
                "unit": phrase("column-unit", column.unit or ""),
                "note": phrase("note", column.note or ""),
            }
            for column in decision.pilot.columns[:MOST_COLUMNS]
        ]
    return json.dumps(rows, ensure_ascii=False).encode()


def paths(dossier: Dossier) -> Answer:
    """Where a repository's settings say that its ledger and its books are. Raises OSError for a file that is gone."""
    from bot.repo_config import read_repo_config

    config, _ = read_repo_config(dossier.settings.opened() if dossier.settings else None)
    told: dict[str, object] = {"ledger": config.ledger_branch, "repositories": config.repositories}
    told |= {"contracts": config.contracts, "workloads": config.workloads}
    return Answer(body="", outcome=Outcome.SAID, files={PATHS: json.dumps(told).encode()})


def quarter(dossier: Dossier) -> Answer:
    """The review of a quarter from the books alone: commitments, their use, and days; decisions are not looked at.

    The command's argument names the quarter. What is wrong with the books is the body, as Markdown. Raises OSError for
    a file that is gone.
    """
    from bot.render.notices import render_problems
    from bot.review_sources import Told, read_books, reviewed
    from scoring.model.problem import Problem, Severity
    from scoring.model.signing import Signing
    from scoring.review.quarter import quarter_named

    named = quarter_named(dossier.command.arguments[0])
    beside = (dossier.settings, dossier.contracts, dossier.workloads)
    settings, contracts, workloads = (file.opened() if file else None for file in beside)
    books = read_books(settings, contracts, workloads, None, Signing())
    wrong = [p for p in books.problems if p.severity in (Severity.ERROR, Severity.QUESTION)]
    if isinstance(named, Problem) or wrong:
        told = [*wrong, *([named] if isinstance(named, Problem) else [])]
        return Answer(body=render_problems(told, dossier.language, title="review.refused"), outcome=Outcome.REFUSED)
    found = reviewed(books, Told(), named, dossier.today, None, with_plan=False)
    return Answer(body="", outcome=Outcome.SAID, files={QUARTER: found.model_dump_json().encode()})


def _command(name: str, answer: Callable[[Dossier], Answer]) -> SlashCommand:
    return SlashCommand(name=name, usage=USAGE, examples=(), scope=Scope.NOTHING, records=False, answer=answer)


REGISTRY: dict[str, SlashCommand] = {
    "try": _command("try", try_out),
    "paths": _command("paths", paths),
    "quarter": _command("quarter", quarter),
}
"""Asked by the page alone; no comment can give them."""
