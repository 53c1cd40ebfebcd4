"""Posted files, one after the other, to disk within bounds; what cannot be had is a problem beside them."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bot.dossier import Spooled
from bot.github.attachments import Kind, Link
from bot.github.client import Connection
from bot.github.download import Downloader, NotRead, TooLarge
from bot.github.identity import Identity
from bot.github.names import Called, told_apart
from bot.github.repository_files import Found, RepositoryFiles, too_large
from bot.github.spool import Spool
from scoring.model.problem import Problem
from scoring.problems import error, warning
from scoring.reading.limits import HEAD_BYTES
from scoring.reading.sniff import Content, content_of

Context = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Sources:
    """Where one command's evidence comes from, who we are there, and where it is put."""

    connection: Connection
    downloader: Downloader
    pages_url: str
    identity: Identity
    spool: Spool


@dataclass(frozen=True)
class _Stored:
    """A file before it has its final name."""

    called: Called
    path: Path
    posted_by: str
    url: str
    context: Context = ()


class Collector:
    """What was stored so far, and what is wrong with the rest. Methods raise GitHubError where GitHub itself does not
    answer, OSError where the disk does not take it.
    """

    def __init__(self, sources: Sources, repository: str) -> None:
        self._downloader, self._spool = sources.downloader, sources.spool
        self._files = RepositoryFiles(sources.connection, repository, sources.spool)
        self._stored: list[_Stored] = []
        self.problems: list[Problem] = []

    def postings(self) -> tuple[Spooled, ...]:
        """The stored files, each with a name of its own."""
        names = told_apart([stored.called for stored in self._stored])
        return tuple(
            Spooled(name=name, path=s.path, posted_by=s.posted_by, url=s.url or None, context=s.context)
            for name, s in zip(names, self._stored, strict=True)
        )

    def text(self, name: str, text: str, author: str, url: str) -> None:
        """A post's own text as a Markdown file."""
        if self._has_room(name):
            self._stored.append(_Stored(Called(name), self._spool.write(text.encode("utf-8", "replace")), author, url))

    def path(self, argument: str, author: str, *, beside_others: bool) -> None:
        """A file or folder of the repository, as `path` or `path@ref`: behind the last `@` stands the reference."""
        path, _, ref = argument.rpartition("@")
        found = self._files.read_path(path or argument, ref if path else None, argument)
        self._take(found, author, (), beside_others)

    def link(self, link: Link, author: str, context: Context, *, beside_others: bool) -> None:
        """What a link of a post leads to."""
        if link.kind is Kind.OTHER_REPOSITORY:
            self.problems.append(warning("link-to-other-repository", file=link.name))
        elif link.kind is Kind.ELSEWHERE:
            self.problems.append(warning("link-not-followed", file=link.name, found=_host(link.url)))
        elif self._has_room(link.name):
            if link.kind is Kind.ATTACHMENT:
                self._attachment(link, author, context)
            else:
                self._take(self._files.read_link(link.rest, link.name), author, context, beside_others)

    def _has_room(self, name: str) -> bool:
        """Whether another file may be stored; the first one that may not is told."""
        if self._spool.files_left > 0 and self._spool.limit > 0:
            return True
        if not any(p.code == "too-many-files" for p in self.problems):
            self.problems.append(error("too-many-files", file=name, expected=self._spool.bounds))
        return False

    def _attachment(self, link: Link, author: str, context: Context) -> None:
        path = self._spool.path()
        try:
            size = self._downloader.fetch(link.url, path, self._spool.limit)
        except TooLarge:
            limit = self._spool.limit
            self.problems.append(too_large(link.name, limit + 1, limit))
            return
        except NotRead as failure:
            # What has no name is a picture or a film nearly always; it must not keep a verdict back.
            told = warning if link.unnamed else error
            self.problems.append(told("attachment-not-read", file=link.name, found=str(failure)))
            return
        if link.unnamed and _is_binary(path):
            path.unlink()
            return
        self._spool.took(size)
        self._stored.append(_Stored(Called(link.name), path, author, link.url, context))

    def _take(self, found: Found, author: str, context: Context, beside_others: bool) -> None:
        self.problems += found.problems
        for file in found.files:
            least = 1 if file.below is None else file.below + beside_others
            self._stored.append(_Stored(Called(file.name, least), file.path, author, file.url, context))


def _is_binary(path: Path) -> bool:
    with path.open("rb") as stream:
        return content_of(stream.read(HEAD_BYTES)) is Content.BINARY


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "")[:100]
