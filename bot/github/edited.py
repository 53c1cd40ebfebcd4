"""Whether a comment was ever edited: others than its author may do that, and the author stays its author."""

from datetime import datetime, timedelta

from bot.github.client import Connection
from bot.github.errors import GitHubError, Later
from bot.github.thread import Post

_QUERY = "query($id: ID!) { node(id: $id) { ... on IssueComment { lastEditedAt } } }"
_CLOCK = timedelta(seconds=1)
"""A fresh comment's two times may lie apart by less on servers that tell fractions."""


def is_edited(connection: Connection, post: Post) -> bool:
    """Ask it after the text was read, so that a text which was never edited is the author's own.

    `updated_at` may move for other reasons, so GraphQL is asked; where a server does not answer that, a comment that
    was touched after it was written counts as edited. Raises Later.
    """
    try:
        data = connection.graphql(_QUERY, {"id": post.node_id}) if post.node_id else None
    except Later:
        raise
    except GitHubError:
        data = None
    node = data.get("node") if isinstance(data, dict) else None
    if isinstance(node, dict) and "lastEditedAt" in node:
        return node["lastEditedAt"] is not None
    return datetime.fromisoformat(post.updated_at) - datetime.fromisoformat(post.created_at) >= _CLOCK
