"""`/review 2027Q1`: the quarter from the ledger and the repository's books."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.commands.interface import Scope, SlashCommand
from bot.dossier import Answer, Dossier, OtherRepository, Outcome, Spooled

if TYPE_CHECKING:
    from bot.review_several import Other
    from bot.review_sources import Read

USAGE = "/review QUARTER"


def answer(dossier: Dossier) -> Answer:
    """The comment, and the files for the ledger. Raises OSError for a spooled file that is gone."""
    from bot.commands.mistakes import broken_configuration, malformed
    from bot.ledger_entries import MOST_ASKED
    from bot.render.notices import render_problems
    from bot.render.review.files import files_of
    from bot.review_several import WRONG, Beside, reviewed_with
    from bot.review_sources import read_books, review_before
    from scoring.model.problem import Problem
    from scoring.model.signing import Signing
    from scoring.problems import error
    from scoring.review.quarter import FORM, quarter_named

    words = dossier.command.arguments
    if len(words) != 1:
        wrong = error("quarter-unknown", column="quarter", found=" ".join(words)[:40] or "nothing", expected=FORM)
        return malformed([wrong], USAGE, dossier.language)
    quarter = quarter_named(words[0])
    if isinstance(quarter, Problem):
        return malformed([quarter], USAGE, dossier.language)
    beside = (dossier.settings, dossier.contracts, dossier.workloads, dossier.outcomes)
    settings, contracts, work, happened = (one.opened() if one else None for one in beside)
    books = read_books(settings, contracts, work, happened, dossier.signing or Signing())
    broken = [p for p in books.problems if p.severity in WRONG]
    if broken:
        return broken_configuration(broken, dossier.language)
    read = _reader(dossier.ledger)
    previous, odd = review_before(quarter, read)
    with_others = Beside(dossier.repository, tuple(_other(one) for one in dossier.others), dossier.lacking)
    doubts = (*dossier.problems, *odd)
    review = reviewed_with(with_others, books, read, quarter, dossier.today, previous, doubts, most=MOST_ASKED)
    if isinstance(review, list):
        told = render_problems(review, dossier.language, title="review.refused")
        return Answer(body=told, outcome=Outcome.REFUSED, problems=tuple(review))
    made = files_of(review, dossier.repository)
    return Answer(body=made["review.md"].decode(), outcome=Outcome.SAID, files=made, folder=f"reviews/{quarter.name}")


def _reader(ledger: Sequence[Spooled]) -> "Read":
    files = {one.name: one for one in ledger}
    return lambda path: files[path].path.read_bytes() if path in files else None


def _other(given: OtherRepository) -> "Other":
    from bot.review_several import Other
    from bot.review_sources import read_books

    beside = (given.settings, given.contracts, given.workloads, given.outcomes)
    settings, contracts, work, happened = (one.opened() if one else None for one in beside)
    books = read_books(settings, contracts, work, happened, given.signing)
    sound = replace(books, problems=(*given.problems, *books.problems))
    return Other(given.name, sound, _reader(given.ledger))


COMMAND = SlashCommand(
    name="review",
    usage=USAGE,
    examples=("/review 2027Q1",),
    scope=Scope.LEDGER,
    records=False,
    answer=answer,
)
