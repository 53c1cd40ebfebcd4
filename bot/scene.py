"""One command comment and everything that is needed to answer it."""

from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from bot.collect import Sources
from bot.configuration import Configuration
from bot.dossier import Dossier, Source
from bot.github.addresses import Hosts
from bot.github.client import Connection
from bot.github.connect import identity_for, installation_token
from bot.github.download import Downloader, Token
from bot.github.identity import Identity
from bot.github.index import Entry
from bot.github.ledger import Ledger
from bot.github.looks import MadeLook
from bot.github.marker import place_of
from bot.github.reply import Thread as ReplyThread
from bot.github.spool import Spool
from bot.github.thread import Post, Thread
from bot.job import Job
from bot.settings import ProcessSettings


@dataclass(frozen=True)
class Scene:
    """`post` is the comment as it stands now, `thread` what it stands in, `spool` where this job's files lie.

    `dossiers` are what was gathered for its commands so far, by their paths, `earlier` the looks before it once they
    were asked for. `at_hand` ends with the decision that a sign-off was answered for, and its files as they were.
    `fetched` is the source that was read for a scan, by path and reference.
    """

    job: Job
    settings: ProcessSettings
    connection: Connection
    thread: Thread
    post: Post
    configuration: Configuration
    today: date
    spool: Spool
    language: str = "en"
    dossiers: dict[tuple[str, ...], Dossier] = field(default_factory=dict)
    earlier: list[tuple[MadeLook, ...]] = field(default_factory=list)
    at_hand: list[tuple[Entry, dict[str, bytes]]] = field(default_factory=list)
    fetched: dict[tuple[str, str], Source] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Where the reply belongs."""
        return place_of(self.job.issue, self.job.comment_id)

    @cached_property
    def ledger(self) -> Ledger:
        """Where decisions are kept; what was read of it is kept for the next question."""
        branch, pages = self.configuration.config.ledger_branch, self.settings.pages_url
        return Ledger(self.connection, self.job.repository, branch, pages)

    @property
    def identity(self) -> Identity:
        """Who we are in this thread. Raises a GitHubError."""
        return identity_for(self.settings, self.job.installation_id, self.connection)

    @property
    def replies(self) -> ReplyThread:
        """The thread as replies are written to it. Raises a GitHubError."""
        return ReplyThread(self.connection, self.job.repository, self.job.issue, self.identity, self.language)

    @property
    def sources(self) -> Sources:
        """Where evidence comes from. Raises a GitHubError."""
        hosts = Hosts(self.settings.pages_url, self.settings.download_hosts)
        downloader = Downloader(hosts, _tokens(self.settings, self.job))
        return Sources(self.connection, downloader, self.settings.pages_url, self.identity, self.spool)


def _tokens(settings: ProcessSettings, job: Job) -> tuple[Token, ...]:
    """For attachments: our own credential first, then the one that is there for attachments alone."""

    def own() -> str | None:
        if settings.app_id and job.installation_id is not None:
            return installation_token(settings, job.installation_id, job.repository)
        return settings.token.get_secret_value() if settings.token else None

    def separate() -> str | None:
        return settings.attachment_token.get_secret_value() if settings.attachment_token else None

    return (own, separate)
