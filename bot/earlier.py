"""The looks at an issue's pilot that were made before a command: from the ledger, and from our own replies."""

from collections.abc import Iterator

from bot.github.errors import GitHubError, Later
from bot.github.index import BrokenIndex, Entry
from bot.github.looks import MadeLook, told
from bot.github.marker import parse
from bot.scene import Scene
from scoring.model.looks import EarlierLook


def earlier_looks(scene: Scene) -> tuple[EarlierLook, ...]:
    """Looks of commands that were written before this one; that of the command itself is none of them.

    A command that was edited was written when it was edited, so that what it had shown before counts. Raises Later,
    which a repetition may mend.
    """
    return tuple(dict.fromkeys(look.as_earlier() for look in looks_before(scene)))


def looks_before(scene: Scene) -> tuple[MadeLook, ...]:
    """The same with their times, one of a kind, read once for a scene. Raises Later.

    What the ledger kept of an answer to the same state of the command holds: commands are not always answered in the
    order in which they were written, and a repetition has to give the same answer.
    """
    if not scene.earlier:
        kept = next((e for e in _entries(scene) if e.place == scene.place and e.asked_at == asked_at(scene)), None)
        scene.earlier.append(_found(scene) if kept is None else kept.earlier)
    return scene.earlier[0]


def _found(scene: Scene) -> tuple[MadeLook, ...]:
    own = asked_at(scene), _order(scene.place)
    looks = [look for place, look in (*_in_ledger(scene), *_in_thread(scene)) if (look.at, _order(place)) < own]
    one_of_a_kind = {look.as_earlier(): look for look in reversed(looks)}
    return tuple(reversed(one_of_a_kind.values()))


def asked_at(scene: Scene) -> str:
    """When the command was written as it stands."""
    return scene.job.updated_at or scene.post.updated_at


def _in_ledger(scene: Scene) -> Iterator[tuple[str, MadeLook]]:
    for entry in _entries(scene):
        for look in entry.looks:
            yield entry.place, look


def _entries(scene: Scene) -> tuple[Entry, ...]:
    """What the ledger knows of the issue."""
    try:
        return scene.ledger.index().of_issue(scene.job.issue)
    except Later:
        raise
    except (BrokenIndex, GitHubError):
        return ()  # `record` says what is wrong; the thread tells what it can


def _in_thread(scene: Scene) -> Iterator[tuple[str, MadeLook]]:
    ours = scene.identity.login
    for post in scene.thread.posts:
        reply = parse(post.body) if post.author.lower() == ours else None
        for look in told(reply.body) if reply else ():
            yield reply.place if reply else "", look


def _order(place: str) -> int:
    """The issue's own text first, then comments by number; a comment's commands are of one time."""
    return int(place[1:].partition("#")[0]) if place.startswith("c") else 0
