"""The other repositories that a home lists for its review: opened each with a token of its own, if it agrees."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.configuration import read_book
from bot.dossier import Spooled
from bot.github.client import Connection
from bot.github.connect import BrokenKey, reading_connection
from bot.github.errors import GitHubError, Later
from bot.github.ledger import Ledger
from bot.github.repository_files import RepositoryFiles
from bot.github.spool import Spool
from bot.github.thread import repository_facts
from bot.repo_config import CONFIG_PATH, RepoConfig, read_repo_config
from bot.repositories_listed import is_same
from bot.scene import Scene
from scoring.model.problem import Problem
from scoring.problems import error

NOT_KNOWN = 401


@dataclass(frozen=True)
class Opened:
    """A repository that agrees to be read, by the name that GitHub has for it."""

    name: str
    connection: Connection
    config: RepoConfig
    settings: Spooled
    ledger: Ledger

    def book(self, kind: str, spool: Spool, problems: list[Problem]) -> Spooled | None:
        """A book of its default branch, where its own settings have it; one that they do not name may be absent."""
        path = str(getattr(self.config, kind))
        files = RepositoryFiles(self.connection, self.name, spool)
        found, wrong = read_book(files, path, needed=kind in self.config.model_fields_set)
        problems += [problem.model_copy(update={"file": f"{self.name}:{path}"}) for problem in wrong]
        return found.model_copy(update={"name": f"{self.name}:{path}"}) if found else None


def opened(scene: Scene, spool: Spool) -> Iterator[Opened | Problem]:
    """Each repository of the home's list; a problem, whose `found` is its name, for one that is not to be read.

    Without an App there is no token for another repository, and none is asked. One that is not there, one that the
    App is not installed on and one that does not agree are told alike, so that a list finds out about none. Raises
    Later, and Refused where it is the App that is not known: that says nothing of the repository.
    """
    for name in sorted(scene.configuration.config.repositories, key=str.casefold):
        if not scene.settings.app_id or scene.job.installation_id is None:
            yield error("review-repository-unread", found=name)
            continue
        try:
            found = _opened(scene, scene.job.installation_id, name, spool)
        except GitHubError as failure:
            if isinstance(failure, (Later, BrokenKey)) or failure.status == NOT_KNOWN:
                raise
            found = None
        home = scene.thread.facts.full_name
        yield found or error("review-repository-closed", found=name, home=home)


def _opened(scene: Scene, installation_id: int, name: str, spool: Spool) -> Opened | None:
    """None for one that was renamed, does not agree, or is private where the home is public. Raises GitHubError."""
    home, settings = scene.thread.facts, scene.settings
    connection = reading_connection(settings, installation_id, name)
    facts = repository_facts(connection, name)
    if not is_same(facts.full_name, name) or (facts.private and not home.private):
        return None
    files = RepositoryFiles(connection, facts.full_name, spool)
    stored, _ = read_book(files, CONFIG_PATH, needed=False)
    if stored is None:
        return None
    config, _ = read_repo_config(stored.opened(), facts.full_name)
    if not config.may_be_reviewed_in(home.full_name):
        return None
    stored = stored.model_copy(update={"name": f"{facts.full_name}:{CONFIG_PATH}"})
    ledger = Ledger(connection, facts.full_name, config.ledger_branch, settings.pages_url)
    return Opened(facts.full_name, connection, config, stored, ledger)
