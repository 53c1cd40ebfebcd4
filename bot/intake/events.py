"""Which events give a job: pure, and safe with anything that a payload may hold."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.github.place import place_in
from bot.grammar import commands_in, edit_runs_again
from bot.job import Job, content_of

ACTIONS = {"issue_comment": ("created", "edited"), "issues": ("opened", "edited")}
EVENTS = frozenset({*ACTIONS, "ping", "installation", "installation_repositories"})
"""What the App subscribes to or is told anyway."""
_DELIVERY = re.compile(r"[A-Za-z0-9-]{1,64}", re.ASCII)
_Id = Annotated[int, Field(gt=0, lt=2**63)]
_Time = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]{1,9})?(Z|[+-][0-9:]{5})$")]
_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}/[A-Za-z0-9._-]{1,100}$")]


@dataclass(frozen=True)
class Ignored:
    """No job, and why: a word for logs and metrics."""

    reason: str


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class _User(_Part):
    type: str


class _Text(_Part):
    """What comments and issues have in common."""

    body: str | None = None
    user: _User | None = None
    created_at: _Time
    updated_at: _Time


class _Comment(_Text):
    id: _Id


class _Numbered(_Part):
    number: _Id


class _Issue(_Text, _Numbered):
    pass


class _Named(_Part):
    full_name: _Name


class _Identified(_Part):
    id: _Id


class _Before(_Part):
    from_: str = Field(alias="from")


class _Changes(_Part):
    body: _Before | None = None


class _Event(_Part):
    action: str
    issue: _Numbered
    repository: _Named
    installation: _Identified | None = None
    changes: _Changes | None = None


class _CommentEvent(_Event):
    comment: _Comment


class _IssueEvent(_Event):
    issue: _Issue


def job_of(event: str, payload: Mapping[str, Any], delivery: str) -> Job | Ignored:
    """The job that an event gives. Pull-request comments give one too: the repository's settings decide later."""
    if event not in ACTIONS:
        return Ignored("event")
    if payload.get("action") not in ACTIONS[event]:
        return Ignored("action")
    try:
        told, written = _read(event, payload)
    except ValidationError:
        return Ignored("malformed")
    reason = _unwanted(told, written)
    if reason:
        return Ignored(reason)
    return Job(
        repository=told.repository.full_name,
        issue=told.issue.number,
        comment_id=written.id if isinstance(written, _Comment) else None,
        # An opened issue is the state of its creation: its `updated_at` moves with the first label already.
        updated_at=written.created_at if told.action == "opened" else written.updated_at,
        content=content_of(written.body or ""),
        installation_id=told.installation.id if told.installation else None,
        delivery=delivery if _DELIVERY.fullmatch(delivery) else "",
    )


def _read(event: str, payload: Mapping[str, Any]) -> tuple[_Event, _Text]:
    """The event, and the text that may hold commands. Raises ValidationError for anything else than GitHub sends."""
    if event == "issue_comment":
        commented = _CommentEvent.model_validate(payload)
        return commented, commented.comment
    opened = _IssueEvent.model_validate(payload)
    return opened, opened.issue


def _unwanted(told: _Event, written: _Text) -> str | None:
    """Why no job comes of a text."""
    if written.user is None or written.user.type == "Bot":
        return "bot"
    if place_in(written.body or ""):
        return "own"
    if not commands_in(written.body or ""):
        return "no command"
    if told.action == "edited" and not _runs_again(told.changes, written.body or ""):
        return "same commands"
    return None


def _runs_again(changes: _Changes | None, after: str) -> bool:
    """Whether an edit asks anew; GitHub names the earlier body only where the body changed."""
    return changes is not None and changes.body is not None and edit_runs_again(changes.body.from_, after)
