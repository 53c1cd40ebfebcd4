"""A reply within GitHub's limit: cut at a line's end, with what was open closed again, and saying so."""

import re

LIMIT = 65_536
"""Characters, as GitHub counts a comment."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


class _Open:
    """Which fence and how many `<details>` are open after the lines so far."""

    def __init__(self) -> None:
        self.fence = ""
        self.details = 0
        self.comment = False

    def take(self, line: str) -> None:
        found = _FENCE.match(line)
        if self.fence:
            if found and found[1].startswith(self.fence) and not found[2].strip():
                self.fence = ""
            return
        if found and not (found[1][0] == "`" and "`" in found[2]):
            self.fence = found[1]
            return
        self.details = max(self.details + line.count("<details") - line.count("</details>"), 0)
        self.comment = line.rfind("<!--") > line.rfind("-->") or (self.comment and "-->" not in line)

    def closing(self) -> str:
        ends = [f"{self.fence}\n"] if self.fence else []
        ends += ["-->\n"] if self.comment else []
        return "".join([*ends, "\n", *["</details>\n\n"] * self.details])


def fitted(text: str, notice: str, limit: int = LIMIT) -> str:
    """The text itself where it fits, else as many whole lines as fit beside the notice at its end."""
    if len(text) <= limit:
        return text
    state, length, best = _Open(), 0, ""
    kept: list[str] = []
    for line in text.splitlines(keepends=True):
        length += len(line)
        if length + len(notice) + 2 > limit:
            break
        state.take(line.rstrip("\r\n"))
        kept.append(line)
        closing = state.closing()
        if length + len(closing) + len(notice) + 1 <= limit:
            best = "".join(["\0", closing, notice])
            count = len(kept)
    if not best:
        return text[: limit - len(notice) - 2] + "\n\n" + notice
    return "".join(kept[:count]) + best.removeprefix("\0")
