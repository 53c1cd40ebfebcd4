"""`/review 2027Q1`: the quarter from the ledger and the repository's books."""

from bot.commands.interface import Scope, SlashCommand
from bot.dossier import Answer, Dossier, Outcome

USAGE = "/review QUARTER"


def answer(dossier: Dossier) -> Answer:
    """The comment, and the files for the ledger. Raises OSError for a spooled file that is gone."""
    from bot.commands.mistakes import broken_configuration, malformed
    from bot.render.review.files import files_of
    from bot.review_sources import ledger_of, read_books, review_before, reviewed
    from scoring.model.problem import Problem, Severity
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
    files = {one.name: one for one in dossier.ledger}

    def read(path: str) -> bytes | None:
        return files[path].path.read_bytes() if path in files else None

    beside = (dossier.settings, dossier.contracts, dossier.workloads, dossier.outcomes)
    settings, contracts, work, happened = (one.opened() if one else None for one in beside)
    books = read_books(settings, contracts, work, happened, dossier.signing or Signing())
    broken = [p for p in books.problems if p.severity in (Severity.ERROR, Severity.QUESTION)]
    if broken:
        return broken_configuration(broken, dossier.language)
    previous, doubts = review_before(quarter, read)
    review = reviewed(books, ledger_of(read), quarter, dossier.today, previous, (*dossier.problems, *doubts))
    made = files_of(review, dossier.repository)
    return Answer(body=made["review.md"].decode(), outcome=Outcome.SAID, files=made, folder=f"reviews/{quarter.name}")


COMMAND = SlashCommand(
    name="review",
    usage=USAGE,
    examples=("/review 2027Q1",),
    scope=Scope.LEDGER,
    records=False,
    answer=answer,
)
