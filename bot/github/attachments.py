"""Which files a comment links to: attachments and files of the same repository, found by a Markdown parser."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from scoring.reading.posted import whole_letters

TABLES = (".csv", ".tsv", ".json", ".jsonl", ".log", ".txt", ".xlsx", ".zip", ".gz", ".tgz")
"""Endings that promise measurements; a link to such a file that cannot be read is told."""
SHEETS = (".xls", ".xlsm", ".xlsb", ".ods")
"""Fetched only to be refused with what helps: one that is passed over would leave a decision without its runs."""
PACKED = (".7z", ".rar", ".tar", ".bz2", ".xz", ".zst", ".parquet")
"""The same, where they are attached; a link to a model or a data set in the repository is no measurement."""
TEXTS = (".md", ".yaml", ".yml", "")
PUBLIC_RAW = "raw.githubusercontent.com"
MAX_NAME = 100
MAX_LINKS = 500
MAX_LINE = 10_000
"""Characters in which links are looked for."""
MAX_URL = 2_000
_BARE = re.compile(r"https?://[^\s<>\"'`|\\^{}]+", re.IGNORECASE)
_SEGMENT = re.compile(r"[\w.-]{1,100}", re.ASCII)
_UUID = re.compile(r"[0-9a-fA-F-]{8,64}")
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff/\\]+")


class Kind(StrEnum):
    """Where a linked file is."""

    ATTACHMENT = "attachment"
    REPOSITORY = "repository"
    FOLDER = "folder"
    OTHER_REPOSITORY = "other-repository"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class Link:
    """A link that may lead to evidence. `line` counts the comment's lines from 1; `url` has no query and no fragment.

    `name` is safe to show and to use as a file's name. `rest` is `<ref>/<path>` of a repository's file, where the
    reference may hold slashes too. `unnamed` attachments may be of any kind.
    """

    kind: Kind
    url: str
    name: str
    line: int
    rest: str = ""
    unnamed: bool = False


def links_in(body: str, pages_url: str, repository: str) -> tuple[Link, ...]:
    """Links in the order of the text; those that cannot be evidence by their ending are left out.

    Nothing in code, quotes or HTML is a link. At most `MAX_LINKS` are looked at.
    """
    place = _Place(urlsplit(pages_url), repository.casefold())
    found: list[Link] = []
    for number, (url, line, is_image) in enumerate(_urls(body)):
        if number >= MAX_LINKS:
            break
        link = _link(url, line, place)
        if link is not None and not (is_image and link.unnamed):
            found.append(link)
    return tuple(found)


def ending(name: str) -> str:
    """The lower-case ending with its dot; empty for none."""
    return PurePosixPath(name).suffix.lower()


def safe_name(text: str) -> str:
    """A posted name without folders, control and direction characters, cut to a hundred characters."""
    name = _UNSAFE.sub("_", whole_letters(text)).strip(" .") or "file"
    if len(name) <= MAX_NAME:
        return name
    suffix = ending(name)[:12]
    return name[: MAX_NAME - len(suffix)] + suffix


@dataclass(frozen=True)
class _Place:
    pages: SplitResult
    repository: str

    def is_pages(self, parts: SplitResult) -> bool:
        return parts.netloc.lower() in (self.pages.netloc.lower(), self._also)

    @property
    def _also(self) -> str:
        return "www.github.com" if self.pages.netloc.lower() == "github.com" else self.pages.netloc.lower()

    def raw_segments(self, parts: SplitResult, segments: list[str]) -> list[str] | None:
        """`owner, name, ref, path…` of a link to raw content: a host of its own, or `/raw/` of an Enterprise Server."""
        host = parts.netloc.lower()
        if self.pages.netloc.lower() == "github.com":
            return segments if host == PUBLIC_RAW else None
        if host == f"raw.{self.pages.netloc.lower()}":
            return segments
        return segments[1:] if self.is_pages(parts) and segments[:1] == ["raw"] else None


def _urls(body: str) -> Iterator[tuple[str, int, bool]]:
    """Every link target with its line and whether it is an image's.

    Marks within lines are read only where an address stands among them; a long paragraph is read line by line, and a
    line that no person wrote is not: 64 KB of brackets would take ten seconds.
    """
    blocks, defined = _markdown().disable("inline"), dict[str, Any]()
    quoted = 0
    for token in blocks.parse(body, defined):
        quoted += {"blockquote_open": 1, "blockquote_close": -1}.get(token.type, 0)
        if token.type != "inline" or quoted:
            continue
        whole, first = token.content, (token.map[0] if token.map else 0) + 1
        for line, text in enumerate([whole] if len(whole) <= MAX_LINE else whole.split("\n"), start=first):
            if len(text) <= MAX_LINE and (defined.get("references") or "://" in text):
                [inline] = _markdown().parseInline(text, defined)
                yield from _inline(inline.children or [], line)


def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": 20}).enable("table")


def _inline(children: list[Token], line: int) -> Iterator[tuple[str, int, bool]]:
    inside = 0
    for token in children:
        if token.type in ("softbreak", "hardbreak"):
            line += 1
        elif token.type == "link_open":
            inside += 1
            yield str(token.attrGet("href") or ""), line, False
        elif token.type == "link_close":
            inside -= 1
        elif token.type == "image":
            yield str(token.attrGet("src") or ""), line, True
        elif token.type == "text" and not inside:
            yield from ((_trimmed(m[0]), line, False) for m in _BARE.finditer(token.content))


def _trimmed(url: str) -> str:
    """A bare address without the sentence's own marks, as GitHub takes it."""
    opened, closed, end = url.count("("), url.count(")"), len(url)
    while end and (url[end - 1] in "?!.,:;*_~'\"" or (url[end - 1] == ")" and closed > opened)):
        closed -= url[end - 1] == ")"
        end -= 1
    return url[:end]


def _link(url: str, line: int, place: _Place) -> Link | None:
    if len(url) > MAX_URL:
        return None
    try:
        parts = urlsplit(url)
        segments = [unquote(s) for s in parts.path.split("/")[1:]]
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not segments or not segments[-1]:
        return None
    plain = f"{parts.scheme}://{parts.netloc}{parts.path}"
    if (raw := place.raw_segments(parts, segments)) is not None:
        return _of_repository(plain, line, raw[:2], raw[2:], place)
    if place.is_pages(parts) and parts.scheme == place.pages.scheme:
        return _of_pages(plain, line, segments, place)
    return _told(Link(Kind.ELSEWHERE, plain, safe_name(segments[-1]), line))


def _of_pages(url: str, line: int, segments: list[str], place: _Place) -> Link | None:
    match segments:
        case ["user-attachments", "files", number, name] if number.isdigit():
            return _readable(Link(Kind.ATTACHMENT, url, safe_name(name), line))
        case ["user-attachments", "assets", uuid] if _UUID.fullmatch(uuid):
            return Link(Kind.ATTACHMENT, url, safe_name(uuid[:8]), line, unnamed=True)
        case [owner, name, "files", number, file] if number.isdigit():
            if f"{owner}/{name}".casefold() != place.repository:
                return _told(Link(Kind.OTHER_REPOSITORY, url, safe_name(file), line))
            return _readable(Link(Kind.ATTACHMENT, url, safe_name(file), line))
        case [owner, name, "blob" | "raw", *rest] if len(rest) > 1:
            return _of_repository(url, line, [owner, name], rest, place)
        case [owner, name, "tree", *rest] if len(rest) > 1 and f"{owner}/{name}".casefold() == place.repository:
            return Link(Kind.FOLDER, url, safe_name(rest[-1]), line, "/".join(rest))
    return None


def _of_repository(url: str, line: int, repository: list[str], rest: list[str], place: _Place) -> Link | None:
    if len(repository) < 2 or len(rest) < 2 or not all(_SEGMENT.fullmatch(part) for part in repository):
        return None
    name = safe_name(rest[-1])
    if "/".join(repository).casefold() != place.repository:
        return _told(Link(Kind.OTHER_REPOSITORY, url, name, line))
    if any("/" in part or part in ("", ".", "..") for part in rest):
        return None
    # A file without ending that is linked is a Makefile or a licence; one with results is asked for by its path.
    return _readable(Link(Kind.REPOSITORY, url, name, line, "/".join(rest))) if ending(name) else None


def _readable(link: Link) -> Link | None:
    packed = PACKED if link.kind is Kind.ATTACHMENT else ()
    return link if ending(link.name) in (*TABLES, *TEXTS, *SHEETS, *packed) else None


def _told(link: Link) -> Link | None:
    """A link that is not followed is worth a word only where its ending promises measurements."""
    return link if ending(link.name) in (*TABLES, *SHEETS) else None
