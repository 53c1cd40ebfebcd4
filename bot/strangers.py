"""People who may not command here: one polite word a day and person, and no work."""

import re
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from bot.dossier import Outcome
from bot.github.errors import NotFound
from bot.github.reply import OwnReply
from bot.github.thread import repository_path
from bot.render.notices import Markup, say
from bot.scene import Scene

DAY = timedelta(days=1)
MOST_LISTED = 300
"""Comments of the last day that are looked through; in a thread that is busier, silence is the better answer."""


def refusal(scene: Scene, needed: str) -> str:
    """The polite word, with a hidden mark of whom it was said to."""
    login = scene.post.author
    return f"{_mark(login)}\n{say(scene.language, 'stranger', login=login, role=Markup(needed))}\n"


def was_told(scene: Scene) -> bool:
    """Whether this person was refused within a day before this comment, anywhere in the repository.

    The refusal of this very comment does not count, so that the same job may run again. Raises a GitHubError.
    """
    listed = _recent(scene)
    own = [reply for comment in listed if (reply := OwnReply.of(comment, scene.identity))]
    told = any(_told(reply, scene) for reply in own)
    return told or (len(listed) > MOST_LISTED and all(reply.marked.place != scene.place for reply in own))


def _recent(scene: Scene) -> list[dict[str, Any]]:
    """The repository's comments of the day before; on a server that does not list them, the thread's."""
    since = (datetime.fromisoformat(scene.post.created_at) - DAY).isoformat().replace("+00:00", "Z")
    path = f"{repository_path(scene.job.repository)}/issues"
    try:
        pages = scene.connection.pages(f"{path}/comments", since=since, sort="created", direction="desc")
        return list(islice(pages, MOST_LISTED + 1))
    except NotFound:
        pages = scene.connection.pages(f"{path}/{scene.job.issue}/comments", since=since)
        return list(islice(pages, MOST_LISTED + 1))


def _told(reply: OwnReply, scene: Scene) -> bool:
    marked = reply.marked
    mine = marked.outcome == Outcome.REFUSED and marked.body.startswith(_mark(scene.post.author))
    return mine and marked.place != scene.place


def _mark(login: str) -> str:
    return f"<!-- steelyard:stranger {re.sub(r'[^a-z0-9-]', '', login.lower())} -->"
