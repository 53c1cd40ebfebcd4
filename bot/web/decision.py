"""One decision of a ledger as a page shows it: its record's figures, its reply, its signatures, its files."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from math import isfinite
from typing import Any, Protocol

from markupsafe import Markup

from bot.github.client import TOO_LARGE
from bot.github.errors import Invalid
from bot.github.index import BrokenIndex, Entry
from bot.github.sign_offs import SignOffs, path_of
from bot.render import figures
from bot.render.locales import speaking
from bot.web.charts import interval
from bot.web.made import Made
from bot.web.pages import saying
from bot.web.reply_html import reply_html

RECORD, COMMENT = "decision.json", "comment.md"
MOST_BYTES = 16 * 2**20
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")


class Files(Protocol):
    """The ledger's; None for a file that is not there."""

    def file(self, path: str, digest: str | None = None) -> bytes | None:
        """`digest` is the SHA-256 that it shall have."""

    def listed(self, path: str) -> bytes | None:
        """One that may change."""


@dataclass(frozen=True)
class Shown:
    """A decision for the template. `altered` are files that are no longer what the index says that was written,
    `unread` those that are too large.
    """

    decided_on: str
    saving: str
    chart: Markup | None
    reply: Markup | None
    files: tuple[tuple[str, str], ...]
    altered: tuple[str, ...]
    unread: tuple[str, ...]
    signatures: tuple[dict[str, str], ...]
    comment_url: str | None


def decision_shown(entry: Entry, ledger: Files, files_at: str, language: str, made: Made) -> Shown:
    """The entry with its files. Raises a GitHubError where GitHub gives no answer."""
    names = [name for name in entry.files if _FILE.match(name)]
    data, unread = _read(entry, ledger, [name for name in (RECORD, COMMENT) if name in names])
    altered = [n for n, held in data.items() if held is not None and _differs(entry, n, held)]
    record = _record(data.get(RECORD))
    with speaking(language):
        return Shown(
            decided_on=day_shown(entry.decided_on, language),
            saving=_saving(record),
            chart=_chart(record, language),
            reply=_reply(data.get(COMMENT), tuple(names), files_at, language, made),
            files=tuple((name, f"{files_at}/{name}") for name in sorted(names, key=_order)),
            altered=tuple(altered),
            unread=unread,
            signatures=tuple(_signatures(entry, ledger.listed(path_of(entry.issue)))),
            comment_url=entry.comment_url if (entry.comment_url or "").startswith(("https://", "http://")) else None,
        )


def _read(entry: Entry, ledger: Files, names: Sequence[str]) -> tuple[dict[str, bytes | None], tuple[str, ...]]:
    """The files by name, and the names of those that are too large."""
    found, unread = dict[str, bytes | None](), list[str]()
    for name in names:
        try:
            found[name] = ledger.file(f"{entry.folder}/{name}", entry.sha256.get(name))
        except Invalid as failure:
            if failure.status != TOO_LARGE:
                raise
            unread.append(name)
    return found, tuple(unread)


def _reply(comment: bytes | None, names: tuple[str, ...], files_at: str, language: str, made: Made) -> Markup | None:
    """The comment, made once however often the ledger changes around it; its links to `names` lead to our pages."""
    if not comment:
        return None
    key = ("reply", sha256(comment).digest(), names, files_at, language)

    def link(target: str) -> str | None:
        return f"{files_at}/{target}" if target in names else None

    return made.of(key, lambda: reply_html(comment.decode("utf-8", "replace"), link, str(saying(language)("table"))))


def _differs(entry: Entry, name: str, data: bytes) -> bool:
    return name in entry.sha256 and sha256(data).hexdigest() != entry.sha256[name]


def _order(name: str) -> tuple[bool, str]:
    return not name.startswith("memo"), name


def _record(data: bytes | None) -> Mapping[str, Any]:
    try:
        found = json.loads(data) if data and len(data) <= MOST_BYTES else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def day_shown(text: str | None, language: str) -> str:
    """A day of the index in the reader's language; a dash for what is none."""
    try:
        with speaking(language):
            return figures.day(date.fromisoformat(text or ""))
    except ValueError:
        return "–"


def _saving(record: Mapping[str, Any]) -> str:
    economics = _mapping(record, "economics")
    saving = _mapping(economics, "saving")
    point, lo, hi = (_number(saving, name) for name in ("point", "lo", "hi"))
    currency = economics.get("currency")
    if point is None or not isinstance(currency, str):
        return ""
    told = figures.money(point, currency[:10], 3)
    if lo is None or hi is None:
        return told
    return f"{told} ({figures.money(lo, currency[:10], 3)} – {figures.money(hi, currency[:10], 3)})"


def _chart(record: Mapping[str, Any], language: str) -> Markup | None:
    """The cost ratio beside the break-even."""
    theta, economics = _mapping(record, "cost", "theta"), _mapping(record, "economics")
    point, lo, hi = (_number(theta, name) for name in ("point", "lo", "hi"))
    even = _number(economics, "break_even_theta")
    if point is None or lo is None or hi is None or even is None or not lo <= point <= hi:
        return None
    ratio = f"{figures.ratio(point)} {figures.interval(lo, hi)}"
    told = {"ratio": ratio, "even": figures.ratio(even)}
    say = saying(language)
    return interval(str(say("decision.chart", **told)), point, lo, hi, even,
                    (ratio, str(say("decision.even", even=told["even"]))))  # fmt: skip


def _signatures(entry: Entry, data: bytes | None) -> list[dict[str, str]]:
    """Those of this very memo."""
    try:
        held = SignOffs.read(data) if data else SignOffs()
    except BrokenIndex:
        return []
    return [
        {"login": s.login, "roles": ", ".join(s.roles), "act": s.act.value, "at": f"{s.at:%Y-%m-%d %H:%M} UTC"}
        for s in held.signatures
        if s.folder == entry.folder and (entry.memo_sha256 is None or s.memo_sha256 == entry.memo_sha256)
    ]


def _mapping(values: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    for key in keys:
        inner = values.get(key)
        values = inner if isinstance(inner, dict) else {}
    return values


def _number(values: Mapping[str, Any], key: str) -> float | None:
    found = values.get(key)
    is_number = (
        isinstance(found, (int, float)) and not isinstance(found, bool) and abs(found) < 1e15 and isfinite(found)
    )
    return float(found) if is_number and found is not None else None
