"""What `emulate` lacks and the outgoing side uses: reactions, and GraphQL's folding of comments."""

import re
from dataclasses import dataclass, field

from tests.e2e.faults import Asked, Said

_REACTIONS = re.compile(r"/repos/[^/]+/[^/]+/issues/(?:comments/)?[0-9]+/reactions\Z")


@dataclass
class Lacking:
    """Handles those requests for a FaultProxy and remembers them. `refuses` answers every reaction so."""

    reactions: dict[str, set[str]] = field(default_factory=dict)
    folded: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)
    refuses: int | None = None
    knows_graphql: bool = True

    def __call__(self, asked: Asked) -> Said | None:
        if asked.path == "/graphql" and self.knows_graphql:
            return self._graphql(asked)
        if asked.method == "POST" and _REACTIONS.match(asked.path):
            return self._react(asked)
        return None

    def forget(self) -> None:
        """As new."""
        self.reactions.clear()
        self.folded.clear()
        self.edited.clear()
        self.refuses, self.knows_graphql = None, True

    def _react(self, asked: Asked) -> Said:
        if self.refuses:
            return Said.of(self.refuses, {"message": "Resource not accessible by integration"})
        there = self.reactions.setdefault(asked.path, set())
        content = asked.json["content"]
        status = 200 if content in there else 201
        there.add(content)
        return Said.of(status, {"id": len(there), "content": content})

    def _graphql(self, asked: Asked) -> Said:
        query, node = asked.json["query"], asked.json["variables"].get("id")
        if "unminimizeComment" in query:
            self.folded.discard(node)
        elif "minimizeComment" in query:
            self.folded.add(node)
        elif "lastEditedAt" in query:
            when = "2027-01-01T00:00:00Z" if node in self.edited else None
            return Said.of(200, {"data": {"node": {"lastEditedAt": when}}})
        elif "viewer" in query:
            return Said.of(200, {"data": {"viewer": {"login": "helper[bot]"}}})
        else:
            return Said.of(200, {"errors": [{"message": "no such field"}]})
        return Said.of(200, {"data": {}})
