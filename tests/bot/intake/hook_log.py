"""What `emulate` lacks of this: the App's log of deliveries, as a test writes it, and lists over a whole account.

Asking for a delivery again adds a try, as on GitHub. A repository's comments are put together from its issues.
"""

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests

from tests.e2e.faults import Asked, Said

PAGE = 3
_COMMENTS = re.compile(r"(/repos/[^/]+/[^/]+/issues)/comments\Z")
_ATTEMPT = re.compile(r"/app/hook/deliveries/([0-9]+)/attempts\Z")


@dataclass
class HookLog:
    """Handles those requests for a FaultProxy; `outcome` is the status of every try that is asked for."""

    upstream: str = ""
    repositories: list[dict[str, Any]] = field(default_factory=list)
    outcome: int = 502
    tries: list[dict[str, Any]] = field(default_factory=list)
    asked_for: list[int] = field(default_factory=list)
    foreign_links: bool = False

    def add(self, guid: str, status: int | None, at: str = "2026-12-02T06:00:00Z", redelivery: bool = False) -> int:
        """A delivery that was tried; its number."""
        self.tries.insert(0, {
            "id": len(self.tries) + 1, "guid": guid, "delivered_at": at, "redelivery": redelivery, "duration": 0.1,
            "status": "OK" if status == 202 else "failed", "status_code": status, "event": "issue_comment",
            "action": "created", "installation_id": 815, "repository_id": 1, "throttled_at": None,
        })  # fmt: skip
        return len(self.tries)

    def __call__(self, asked: Asked) -> Said | None:
        path, query = urlsplit(asked.path).path, parse_qs(urlsplit(asked.path).query)
        if path == "/installation/repositories":
            return Said.of(200, {"total_count": len(self.repositories), "repositories": self.repositories})
        if path == "/app/hook/deliveries":
            return self._page(int(query.get("cursor", ["0"])[0]))
        if listed := _COMMENTS.match(path):
            return self._comments(listed[1], query, asked.headers)
        attempt = _ATTEMPT.match(path)
        if not attempt:
            return None
        number = int(attempt[1])
        self.asked_for.append(number)
        guid = next(one["guid"] for one in self.tries if one["id"] == number)
        self.add(guid, self.outcome, redelivery=True)
        return Said.of(202, {})

    def _comments(self, issues: str, query: dict[str, list[str]], headers: dict[str, str]) -> Said:
        def get(path: str) -> Any:
            there = {name: value for name, value in headers.items() if name.lower() == "authorization"}
            answer = requests.get(f"{self.upstream}{path}?per_page=100&state=all", headers=there, timeout=10)
            answer.raise_for_status()
            return answer.json()

        if not any(issues == f"/repos/{one['full_name']}/issues" for one in self.repositories if len(one) > 1):
            return Said.of(404, {"message": "Not Found"})
        found = [comment for issue in get(issues) for comment in get(f"{issues}/{issue['number']}/comments")]
        found = sorted((c for c in found if c["updated_at"] >= query["since"][0]), key=lambda c: str(c["updated_at"]))
        size, page = int(query["per_page"][0]), int(query["page"][0])
        return Said.of(200, found[(page - 1) * size : page * size])

    def _page(self, start: int) -> Said:
        page, following = self.tries[start : start + PAGE], start + PAGE
        said = Said.of(200, page)
        if following < len(self.tries):
            root = "https://elsewhere.example" if self.foreign_links else "http://localhost"
            link = f'<{root}/app/hook/deliveries?cursor={following}>; rel="next", <{root}/x>; rel="first"'
            return Said(said.status, said.body, {**said.headers, "Link": link})
        return said
