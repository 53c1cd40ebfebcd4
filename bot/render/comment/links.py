"""Links from a reply on GitHub to its memo and record: relative beside them in the ledger, absolute in the thread."""

import re
from dataclasses import dataclass
from urllib.parse import quote

MEMO, RECORD, COMMENT = "memo.xlsx", "decision.json", "comment.md"
SHOWN = 6
"""Memos that are named one by one; the rest lie beside them."""
_TARGET = re.compile(r"\]\((memo(?:-\d+)?\.xlsx|decision\.json)\)")
_PLAIN = ":/@!$&'*+,;=~%-._?#"


@dataclass(frozen=True)
class Links:
    """Names of the files that lie beside a reply in the ledger."""

    memos: tuple[str, ...] = (MEMO,)
    record: str = RECORD

    @classmethod
    def of(cls, comparisons: int) -> "Links":
        """A memo for each comparison of the posting, and one record."""
        return cls((MEMO, *(f"memo-{number}.xlsx" for number in range(2, comparisons + 1))))


def with_links(body: str, base_url: str) -> str:
    """The body with its relative links below `base_url`; texts of posters hold none, so nothing else is changed."""
    base = quote(base_url.rstrip("/"), safe=_PLAIN)
    return _TARGET.sub(lambda match: f"]({base}/{match[1]})", body)


def without_links(body: str) -> str:
    """The body without the lines that lead to its files, for a reply whose files were not kept."""
    return "\n".join(line for line in body.split("\n") if not _TARGET.search(line)).rstrip() + "\n"
