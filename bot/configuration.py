"""What a repository says about itself at its default branch: settings, contract book, price book, who may do what."""

from dataclasses import dataclass

from bot.dossier import Spooled
from bot.github.client import Connection
from bot.github.repository_files import RepositoryFiles
from bot.github.spool import Spool
from bot.github.thread import Facts
from bot.repo_config import CONFIG_PATH, RepoConfig, language_of, read_repo_config
from scoring.model.problem import Problem
from scoring.problems import error


@dataclass(frozen=True)
class Configuration:
    """The repository's section with its defaults, the files beside it, and what is wrong with any of them."""

    config: RepoConfig
    settings: Spooled | None = None
    contracts: Spooled | None = None
    prices: Spooled | None = None
    problems: tuple[Problem, ...] = ()
    language: str = "en"


def read_configuration(connection: Connection, facts: Facts, spool: Spool) -> Configuration:
    """The files as they stand at the default branch now, whatever branch or comment asks. Raises GitHubError.

    The settings file may be absent, and so may the books of the default names; one that the settings name may not.
    """
    files = RepositoryFiles(connection, facts.full_name, spool)
    settings, problems = read_book(files, CONFIG_PATH, needed=False)
    config, found = read_repo_config(settings.opened() if settings else None, facts.full_name)
    problems += found
    if config.ledger_branch == facts.default_branch:
        # Decisions would mix with the code, and a rule of that branch would keep them out.
        place = {"file": CONFIG_PATH, "column": "github.ledger_branch", "found": config.ledger_branch}
        problems.append(error("setting-invalid", **place, expected="a branch of its own such as steelyard"))
    named = config.model_fields_set
    contracts, more = read_book(files, config.contracts, needed="contracts" in named)
    prices, again = read_book(files, config.prices, needed="prices" in named)
    language = language_of(settings.opened() if settings else None)
    return Configuration(config, settings, contracts, prices, (*problems, *more, *again), language)


def read_book(files: RepositoryFiles, path: str, *, needed: bool) -> tuple[Spooled | None, list[Problem]]:
    """A file of the default branch, and what is wrong with it; one that is not needed may be absent.

    Raises GitHubError for what is no matter of this file.
    """
    found = files.read_path(path, None, nearest=False)
    if any(p.code == "path-missing" for p in found.problems):
        return None, [error("book-missing", file=path)] if needed else []
    if any(file.below is not None for file in found.files):
        return None, [error("path-not-a-file", file=path, found="folder")]
    if not found.files:
        return None, found.problems
    file = found.files[0]
    return Spooled(name=path, path=file.path, url=file.url), []
