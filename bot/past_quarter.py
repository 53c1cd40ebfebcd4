"""What a review needs of GitHub: ledgers, each at one head, and the books beside the contracts, of one repository or
of several.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from bot.configuration import read_book
from bot.dossier import Dossier, OtherRepository, Spooled
from bot.github.errors import GitHubError, Later
from bot.github.index import BrokenIndex, Entry, Index
from bot.github.ledger import INDEX
from bot.github.repository_files import RepositoryFiles
from bot.github.spool import Spool
from bot.grammar import Command
from bot.ledger_entries import MOST_ASKED, newest
from bot.ledger_files import LedgerFiles
from bot.other_repositories import Opened, opened
from bot.scene import Scene
from scoring.model.problem import Problem
from scoring.problems import error
from scoring.review.quarter import Quarter, quarter_named

MOST_FILES = 4 * MOST_ASKED
"""Three of each decision, and books of every repository."""
T = TypeVar("T")


def reviewed_in(command: Command) -> str | None:
    """The ledger's folder of the review that a command asks for."""
    quarter = quarter_named(command.arguments[0] if command.arguments else "")
    return f"reviews/{quarter.name}" if isinstance(quarter, Quarter) else None


def with_ledger(scene: Scene, bare: Dossier) -> Dossier:
    """The dossier with the ledgers' files and the books, the home's and those of others that agree. Raises Later."""
    asked = quarter_named(bare.command.arguments[0] if bare.command.arguments else "")
    if not isinstance(asked, Quarter):
        return bare.model_copy(update={"settings": scene.configuration.settings})
    spool, problems = scene.spool.apart(MOST_FILES), list[Problem]()
    configuration = scene.configuration
    books: dict[str, object] = {
        "settings": configuration.settings,
        "contracts": configuration.contracts,
        "workloads": _book(scene, "workloads", spool, problems),
        "outcomes": _book(scene, "outcomes", spool, problems),
    }
    found = list(opened(scene, spool))
    others = [one for one in found if isinstance(one, Opened)]
    closed = [one for one in found if isinstance(one, Problem)]
    ledgers = [LedgerFiles(scene.job.repository, scene.ledger, spool)]
    ledgers += [LedgerFiles(other.name, other.ledger, spool) for other in others]
    kept = _kept(ledgers, asked, problems)
    beside: dict[str, object] = {
        "ledger": kept[0],
        "others": tuple(_other(other, files, spool) for other, files in zip(others, kept[1:], strict=True)),
        "lacking": tuple(str(problem.found) for problem in closed),
        "problems": (*problems, *closed),
    }
    return bare.model_copy(update={**books, **beside})


def _kept(ledgers: Sequence[LedgerFiles], asked: Quarter, problems: list[Problem]) -> list[tuple[Spooled, ...]]:
    """The files of each ledger, the home's first, whose last review is among them; a broken one has none, and is told.

    Raises Later.
    """
    whose = ["", *(files.repository for files in ledgers[1:])]
    indexes = [_tried(files.ledger.index, None, name, problems) for files, name in zip(ledgers, whose, strict=True)]
    entries = newest([index.entries if index else () for index in indexes], MOST_ASKED)
    found = list[tuple[Spooled, ...]]()
    for name, files, index, of_it in zip(whose, ledgers, indexes, entries, strict=True):
        wanted = None if name else asked
        found.append(_tried(partial(_read, files, index, of_it, wanted), (), name, problems))
    return found


def _read(
    files: LedgerFiles, index: Index | None, entries: Sequence[Entry], before: Quarter | None
) -> tuple[Spooled, ...]:
    return () if index is None else (*files.of(index, entries), *(files.before(before) if before else ()))


def _tried(make: Callable[[], T], otherwise: T, repository: str, problems: list[Problem]) -> T:
    """What is made, or the other value where GitHub or the ledger does not give it, which is told. Raises Later."""
    try:
        return make()
    except Later:
        raise
    except (BrokenIndex, GitHubError) as failure:
        file = f"{repository}:{INDEX}" if repository else INDEX
        problems.append(error("review-ledger-broken", file=file, found=str(failure)[:200]))
        return otherwise


def _other(other: Opened, ledger: tuple[Spooled, ...], spool: Spool) -> OtherRepository:
    problems = list[Problem]()
    books = {kind: other.book(kind, spool, problems) for kind in ("contracts", "workloads", "outcomes")}
    signing, settings = other.config.signing, other.settings
    return OtherRepository(
        name=other.name, signing=signing, settings=settings, **books, ledger=ledger, problems=tuple(problems)
    )


def _book(scene: Scene, kind: str, spool: Spool, problems: list[Problem]) -> Spooled | None:
    """A book of the home's default branch; one that its settings do not name may be absent."""
    config = scene.configuration.config
    files = RepositoryFiles(scene.connection, scene.job.repository, spool)
    found, wrong = read_book(files, getattr(config, kind), needed=kind in config.model_fields_set)
    problems += wrong
    return found
