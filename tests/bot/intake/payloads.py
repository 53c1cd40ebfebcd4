"""Payloads as GitHub sends them, reduced to what is read."""

from typing import Any

CREATED = "2026-11-02T10:00:00Z"
UPDATED = "2026-11-02T10:05:00Z"


def text(body: str | None, **changed: Any) -> dict[str, Any]:
    user = {"login": "olga", "type": "User"}
    return {"body": body, "user": user, "created_at": CREATED, "updated_at": UPDATED, **changed}


def comment_event(body: str | None = "/compare", action: str = "created", **changed: Any) -> dict[str, Any]:
    """A comment on issue 7 of lab/pilots; `changed` replaces whole keys."""
    return {
        "action": action,
        "issue": {"number": 7},
        "comment": text(body, id=501),
        "repository": {"full_name": "lab/pilots"},
        "installation": {"id": 9},
        "sender": {"login": "olga", "type": "User"},
        **changed,
    }


def issue_event(body: str | None = "/compare", action: str = "opened", **changed: Any) -> dict[str, Any]:
    """Issue 7 of lab/pilots itself."""
    return {
        "action": action,
        "issue": text(body, number=7),
        "repository": {"full_name": "lab/pilots"},
        "installation": {"id": 9},
        **changed,
    }
