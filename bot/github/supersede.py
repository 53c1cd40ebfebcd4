"""Of several results in one issue the newest counts: the others say so and are folded away by GitHub."""

from collections.abc import Sequence
from itertools import pairwise

from bot.dossier import Outcome
from bot.github.best_effort import attempt
from bot.github.marker import marked
from bot.github.reply import OwnReply, Thread, own_replies
from bot.render.messages import catalogue

_MINIMIZE = (
    "mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED})"
    " { minimizedComment { isMinimized } } }"
)
_SHOW = "mutation($id: ID!) { unminimizeComment(input: {subjectId: $id}) { unminimizedComment { isMinimized } } }"


def supersede(thread: Thread, replies: Sequence[OwnReply] | None = None, *, fold: bool = True) -> OwnReply | None:
    """Each result names the next one, and only the newest by its command's comment is shown open; that one is given.

    The order in which jobs finish does not matter, and doing it again changes nothing. Each result links to its
    successor alone, so that a new one edits one comment however many there are. Folding is tried where the
    repository wants it (`fold`), never required. `replies` are all our replies of the issue where the caller has just
    listed them. Raises a GitHubError.
    """
    own = own_replies(thread) if replies is None else replies
    results = sorted((r for r in own if r.marked.is_result), key=lambda r: (r.marked.order, r.id))
    messages = catalogue(thread.language, "github")
    for older, newer in pairwise(results):
        _settle(thread, older, messages("reply.superseded", url=newer.url), fold)
    if results:
        _settle(thread, results[-1], "", fold)
    return results[-1] if results else None


def _settle(thread: Thread, reply: OwnReply, header: str, fold: bool) -> None:
    """The header is written last: it tells the next run that folding was tried."""
    if reply.marked.header == header:
        return
    if fold and bool(reply.marked.header) != bool(header) and reply.node_id:
        query = _MINIMIZE if header else _SHOW
        attempt(lambda: thread.connection.graphql(query, {"id": reply.node_id}))
    text = marked(reply.marked.place, Outcome(reply.marked.outcome), reply.marked.body, header)
    thread.connection.patch(thread.comment_path(reply.id), {"body": text})
