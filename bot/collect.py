"""Posted files, one after the other, to disk within bounds; what cannot be had is a problem beside them."""

import hashlib
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
MOST_LOOKED_FOR = 500
"""Files that are looked for at all: thousands that are not there would use up the installation's hourly requests."""


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
        self._looked_for = 0
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
        if not self._has_room(argument[:200]):
            return
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
        self._looked_for += 1
        if self._spool.files_left > 0 and self._spool.limit > 0 and self._looked_for <= MOST_LOOKED_FOR:
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
        self._keep(_Stored(Called(link.name), path, author, link.url, context))

    def _take(self, found: Found, author: str, context: Context, beside_others: bool) -> None:
        self.problems += found.problems
        for file in found.files:
            least = 1 if file.below is None else file.below + beside_others
            self._keep(_Stored(Called(file.name, least), file.path, author, file.url, context), of_repository=True)

    def _keep(self, stored: _Stored, *, of_repository: bool = False) -> None:
        """The same file again, by whatever link or path, takes the place of the earlier one: its runs count once.

        Of two attachments only those are the same that stand for the same, as the lines above them say.
        """
        self._stored = [s for s in self._stored if not _is_same(s, stored, whatever_context=of_repository)]
        self._stored.append(stored)


def _is_same(one: _Stored, other: _Stored, *, whatever_context: bool) -> bool:
    if one.called.path != other.called.path or not (whatever_context or one.context == other.context):
        return False
    return one.path.stat().st_size == other.path.stat().st_size and _digest(one.path) == _digest(other.path)


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _is_binary(path: Path) -> bool:
    with path.open("rb") as stream:
        return content_of(stream.read(HEAD_BYTES)) is Content.BINARY


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "")[:100]
