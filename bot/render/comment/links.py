"""Links from a reply on GitHub to its memo, record and calendar: relative in the ledger, absolute in the thread."""

import re
from dataclasses import dataclass
from urllib.parse import quote

MEMO, RECORD, COMMENT = "memo.xlsx", "decision.json", "comment.md"
RECORDS = "records.md"
"""The draft entry for the records of processing."""
CALENDAR = "calendar/deadlines.ics"
"""One file of all entries, at the branch's root."""
_UP = "../" * 4
"""From an entry's folder to the root."""
SHOWN = 6
"""Memos that are named one by one; the rest lie beside them."""
_TARGET = re.compile(rf"\]\((memo(?:-\d+)?\.xlsx|decision\.json|{re.escape(RECORDS)}|{re.escape(_UP + CALENDAR)})\)")
_PLAIN = ":/@!$&'*+,;=~%-._?#"


@dataclass(frozen=True)
class Links:
    """Names of the files that lie beside a reply in the ledger."""

    memos: tuple[str, ...] = (MEMO,)
    record: str = RECORD
    calendar: str | None = None
    records: str | None = None

    @classmethod
    def of(cls, comparisons: int, calendar: bool = False, records: bool = False) -> "Links":
        """A memo for each comparison of the posting, one record, and where there are any the calendar and the draft."""
        memos = (MEMO, *(f"memo-{number}.xlsx" for number in range(2, comparisons + 1)))
        return cls(memos, calendar=_UP + CALENDAR if calendar else None, records=RECORDS if records else None)


def with_links(body: str, base_url: str) -> str:
    """The body with its relative links below `base_url`; texts of posters hold none, so nothing else is changed."""
    base = quote(base_url.rstrip("/"), safe=_PLAIN)
    root = base.rsplit("/", _UP.count("/"))[0]
    return _TARGET.sub(lambda match: f"]({_joined(base, root, match[1])})", body)


def _joined(base: str, root: str, target: str) -> str:
    return f"{root}/{target.removeprefix(_UP)}" if target.startswith(_UP) else f"{base}/{target}"


def without_links(body: str) -> str:
    """The body without the lines that lead to its files, for a reply whose files were not kept."""
    return "\n".join(line for line in body.split("\n") if not _TARGET.search(line)).rstrip() + "\n"
