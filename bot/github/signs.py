"""Small signs beside the reply: a reaction to the command, and the issue's one verdict label. Never required."""

from collections.abc import Collection
from functools import partial
from urllib.parse import quote

from bot.dossier import Outcome
from bot.github.best_effort import attempt
from bot.github.client import Connection
from bot.github.errors import Invalid
from bot.github.marker import RESULTS

PREFIX = "steelyard: "
COLOURS = {
    Outcome.SWITCH: "1a7f37",
    Outcome.STAY: "57606a",
    Outcome.SPLIT: "8250df",
    Outcome.EXTEND: "0969da",
    Outcome.BLOCKED: "cf222e",
}
"""Outcomes that have a label, and its colour."""


def react(connection: Connection, repository: str, issue: int, comment_id: int | None, content: str) -> bool:
    """Put a reaction (`eyes`, `rocket`, `confused`) on the command; GitHub keeps one of a kind. Whether it stands."""
    path = f"issues/{issue}" if comment_id is None else f"issues/comments/{comment_id}"
    return attempt(lambda: connection.post(f"/repos/{repository}/{path}/reactions", {"content": content}))


def label_name(outcome: Outcome) -> str:
    """The label of an outcome."""
    return f"{PREFIX}{outcome.value}"


def set_label(
    connection: Connection, repository: str, issue: int, outcome: Outcome, wanted: Collection[Outcome] = tuple(COLOURS)
) -> bool:
    """The issue carries the outcome's label and no other of ours, as far as the repository wants them.

    A result without a label (no verdict) takes the old one away; what is no result changes nothing. Labels of
    outcomes that are not wanted are neither put nor removed. Whether it stands now; no GitHubError is raised.
    """
    ours = [o for o in COLOURS if o in wanted]
    if not ours or outcome not in RESULTS:
        return True
    path = f"/repos/{repository}/issues/{issue}/labels"
    present: set[str] = set()
    if not attempt(lambda: present.update(str(label["name"]).lower() for label in connection.pages(path))):
        return False
    stale = [label_name(other) for other in ours if other != outcome and label_name(other) in present]
    steps = [attempt(partial(connection.delete, f"{path}/{quote(name, safe='')}")) for name in stale]
    if outcome in ours and label_name(outcome) not in present:
        steps.append(attempt(lambda: _ensure_label(connection, repository, outcome)))
        steps.append(attempt(lambda: connection.post(path, {"labels": [label_name(outcome)]})))
    return all(steps)


def _ensure_label(connection: Connection, repository: str, outcome: Outcome) -> None:
    """Create it with its colour; one that exists keeps the colour it has."""
    try:
        connection.post(f"/repos/{repository}/labels", {"name": label_name(outcome), "color": COLOURS[outcome]})
    except Invalid:
        return
