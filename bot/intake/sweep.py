"""Looks for commands that nobody answered, for when GitHub never told of them: recent comments and issues."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from bot import logs, metrics
from bot.github.client import Connection
from bot.github.connect import app_connection, connection_for, identity_for
from bot.github.errors import GitHubError, Later
from bot.github.identity import Identity
from bot.github.place import place_in, place_of
from bot.intake.events import job_of
from bot.intake.inbox import Inbox
from bot.job import Job
from bot.settings import ProcessSettings

DELIVERY = "sweep"
"""What stands for a delivery's id in a job that was found."""
_log = logs.logger(__name__)


@dataclass(frozen=True)
class Place:
    """A repository as one installation sees it; `since` bounds what counts as recent."""

    connection: Connection
    identity: Identity
    installation: int
    repository: str
    since: datetime

    @property
    def path(self) -> str:
        """Its path in the REST API."""
        return f"/repos/{quote(self.repository, safe='/')}"

    def recent(self, what: str) -> Iterator[dict[str, Any]]:
        """Issues or comments that were touched since."""
        since = self.since.isoformat(timespec="seconds").replace("+00:00", "Z")
        return self.connection.pages(f"{self.path}/{what}", since=since, sort="updated", direction="asc")


def sweep(settings: ProcessSettings, inbox: Inbox, since: datetime) -> int:
    """Put what was written since and has no reply into the inbox; how many jobs were new.

    What one repository refuses is logged and passed over. Raises Later where GitHub wants to be left alone, and
    whatever the inbox raises.
    """
    found = 0
    for installation in app_connection(settings).pages("/app/installations"):
        if installation.get("suspended_at"):
            continue
        number = int(installation["id"])
        try:
            connection = connection_for(settings, number)
            identity = identity_for(settings, number, connection)
            for repository in connection.pages("/installation/repositories", key="repositories"):
                if not repository.get("archived") and not repository.get("disabled"):
                    place = Place(connection, identity, number, str(repository["full_name"]), since)
                    found += _swept(place, inbox)
        except Later:
            raise
        except GitHubError as failure:
            _passed_over(failure, installation=number)
    return found


def _swept(place: Place, inbox: Inbox) -> int:
    try:
        unanswered = list(unanswered_in(place))
    except Later:
        raise
    except GitHubError as failure:
        _passed_over(failure, repository=place.repository)
        return 0
    new = [job for job in unanswered if inbox.accept(job)]
    for job in new:
        metrics.reconciled("sweep")
        _log.info("found a command without a reply", extra={"job": job.key})
    return len(new)


def unanswered_in(place: Place) -> Iterator[Job]:
    """The jobs of recent commands without a reply of ours, with the keys that their deliveries would have given.

    Recent is what was written since: a reply to it is recent too, so one list shows both.
    """
    answered: set[str] = set()
    jobs: list[Job] = []
    for comment in place.recent("issues/comments"):
        if place.identity.wrote(comment):
            answered.add(place_in(str(comment.get("body") or "")) or "")
        else:
            jobs += _job(place, "issue_comment", {"action": "created", "comment": comment, "issue": _issue_of(comment)})
    for issue in place.recent("issues"):
        if "pull_request" not in issue:
            jobs += _job(place, "issues", {"action": "opened", "issue": issue})
    yield from (job for job in jobs if place_of(job.issue, job.comment_id) not in answered)


def _job(place: Place, event: str, payload: dict[str, Any]) -> list[Job]:
    written = payload.get("comment") or payload["issue"]
    if datetime.fromisoformat(written["created_at"]) < place.since:
        return []
    told = {**payload, "repository": {"full_name": place.repository}, "installation": {"id": place.installation}}
    job = job_of(event, told, DELIVERY)
    return [job] if isinstance(job, Job) else []


def _issue_of(comment: dict[str, Any]) -> dict[str, Any]:
    """The issue of a comment, which REST tells by its address alone."""
    number = str(comment.get("issue_url") or "").rpartition("/")[2]
    return {"number": int(number) if number.isdecimal() else None}


def _passed_over(failure: GitHubError, **where: object) -> None:
    metrics.github_failed(failure)
    _log.warning("passed over", extra={"status": failure.status, "cause": str(failure), **where})
