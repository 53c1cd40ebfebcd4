"""GitHub in: what was posted to a thread up to a command becomes the dossier that the command is answered from."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from bot.collect import Collector, Sources
from bot.commands.arguments import arguments_of
from bot.configuration import Configuration
from bot.dossier import Dossier
from bot.github.attachments import Kind, Link, links_in
from bot.github.marker import parse
from bot.github.permissions import Role, may, role_of
from bot.github.thread import Post, Thread
from bot.grammar import Command
from scoring.problems import error, info, warning
from scoring.reading.markdown import evidence_in, pairs_of, without_quotes

__all__ = ["Sources", "gather"]

MAX_POSTS = 200
COMMAND = "compare"
"""Whose role decides who may post evidence."""
_HINT = re.compile(
    r"```|~~~|-\s?\||\|\s?:?-|/(?:files|assets|blob|raw|tree)/|://raw\.|\.(?:csv|tsv|jsonl?|log|txt|xlsx|zip|t?gz)\b"
)
"""What every post with a table, a block of data or a link to a file holds; others need not be parsed."""


@dataclass(frozen=True)
class _Asked:
    """The post with the command, and when it was written so."""

    post: Post
    at: str

    def sees(self, written: Post) -> bool:
        """Whether a post was there when the command was given; an edited command sees what was posted until then."""
        if written.comment_id is None or written.comment_id == self.post.comment_id:
            return True
        if self.post.created_at == self.at:
            return self.post.comment_id is not None and written.comment_id < self.post.comment_id
        return written.created_at <= self.at


@dataclass(frozen=True)
class _Posting:
    """A post that may hold evidence: its file's name, its text without quotes, its tables and blocks, its links."""

    post: Post
    name: str
    text: str
    blocks: int
    links: tuple[Link, ...]


def gather(
    command: Command,
    post: Post,
    thread: Thread,
    configuration: Configuration,
    sources: Sources,
    today: date,
    until: str | None = None,
    known: dict[tuple[str, ...], Dossier] | None = None,
) -> Dossier:
    """Everything that a command of `post` may look at: with paths among its arguments those files, else what was posted
    up to the command by whoever may ask for a comparison.

    `until` is when the text with the command was written, by default the post's last change; an issue's own text needs
    it, since GitHub takes every comment for a change of the issue. `known` keeps what was gathered for one command of
    the post for its next ones, by their paths.

    Raises GitHubError where GitHub itself does not answer, OSError where the disk does not take it; a file that cannot
    be read is a problem of the dossier.
    """
    paths = tuple(dict.fromkeys(arguments_of(command).paths))
    if known and paths in known:
        return known[paths].model_copy(update={"command": command})
    collector = Collector(sources, thread.facts.full_name)
    if paths:
        collector.problems.append(info("thread-not-read", found=", ".join(paths)[:200]))
        for path in paths:
            collector.path(path, post.author, beside_others=len(paths) > 1)
    else:
        _from_thread(collector, _Asked(post, until or post.updated_at), thread, configuration, sources)
    dossier = Dossier(
        command=command,
        repository=thread.facts.full_name,
        issue=thread.issue,
        today=today,
        language=configuration.language,
        postings=collector.postings(),
        settings=configuration.settings,
        contracts=configuration.contracts,
        prices=configuration.prices,
        problems=(*configuration.problems, *collector.problems),
    )
    if known is not None:
        known[paths] = dossier
    return dossier


def _from_thread(
    collector: Collector, asked: _Asked, thread: Thread, configuration: Configuration, sources: Sources
) -> None:
    counted = _counted(collector, asked, thread, configuration, sources)
    if len(counted) > MAX_POSTS:
        collector.problems.append(error("too-many-posts", found=f"{len(counted):,}", expected=f"{MAX_POSTS}"))
        counted = counted[:MAX_POSTS]
    last = {_target(link): (posting.name, i) for posting in counted for i, link in enumerate(posting.links)}
    folders = sum(link.kind is Kind.FOLDER for posting in counted for link in posting.links)
    for posting in counted:
        if posting.blocks:
            collector.text(posting.name, posting.text, posting.post.author, posting.post.url)
        for i, link in enumerate(posting.links):
            # A file that is linked again counts where it was named last, as rows posted again would.
            if last[_target(link)] == (posting.name, i):
                context = _context(posting, link)
                collector.link(link, posting.post.author, context, beside_others=folders > 1)


def _target(link: Link) -> tuple[Kind, str]:
    return link.kind, link.rest or link.url


def _context(posting: _Posting, link: Link) -> tuple[tuple[str, str], ...]:
    """The `key: value` lines of the post that apply to the link; a line that only names a link says nothing of it."""
    urls = [other.url for other in posting.links]
    pairs = pairs_of(posting.text, link.line)
    return tuple((key, value) for key, value in pairs if not any(url in value for url in urls))


def _candidates(asked: _Asked, thread: Thread, sources: Sources) -> Iterator[tuple[str, Post]]:
    """Posts up to the command that seem to hold evidence, with the names of their files; our own replies left out."""
    for number, written in enumerate(thread.posts):
        if asked.sees(written) and not _is_own(written, sources):
            body = asked.post.body if written.comment_id == asked.post.comment_id else written.body
            if _HINT.search(body):
                name = "issue.md" if written.comment_id is None else f"comment-{number}.md"
                yield name, replace(written, body=body)


def _is_own(written: Post, sources: Sources) -> bool:
    return written.author.lower() == sources.identity.login and parse(written.body) is not None


def _counted(
    collector: Collector, asked: _Asked, thread: Thread, configuration: Configuration, sources: Sources
) -> list[_Posting]:
    """What was posted by those who may post evidence; of the others is told who and how often, and nothing is read."""
    needed = configuration.config.role_for(COMMAND, thread.facts.private)
    roles = _roles(thread, sources)
    trusted = {login.casefold() for login in configuration.config.trusted_bots}
    counted: list[_Posting] = []
    strangers, bots = Counter[str](), Counter[str]()
    for name, post in _candidates(asked, thread, sources):
        if post.is_bot and post.author.casefold() not in trusted:
            bots[post.author] += 1
        elif not post.is_bot and not may(roles(post.author), needed):
            strangers[post.author] += 1
        elif (posting := _read(name, post, thread, sources)) is not None:
            counted.append(posting)
    collector.problems += [
        warning("posts-not-counted", author=author, found=f"{n:,}", expected=needed) for author, n in strangers.items()
    ]
    collector.problems += [warning("bot-not-trusted", author=author, found=f"{n:,}") for author, n in bots.items()]
    return counted


def _read(name: str, post: Post, thread: Thread, sources: Sources) -> _Posting | None:
    text = without_quotes(post.body)
    links = links_in(text, sources.pages_url, thread.facts.full_name)
    blocks = evidence_in(text)
    return _Posting(post, name, text, blocks, links) if blocks or links else None


def _roles(thread: Thread, sources: Sources) -> Callable[[str], Role]:
    """Each author is asked about once a command."""
    known: dict[str, Role] = {}

    def of(author: str) -> Role:
        if author not in known:
            known[author] = role_of(sources.connection, thread.facts.full_name, author)
        return known[author]

    return of
