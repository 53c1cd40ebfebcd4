"""What one run of a job does: its day, its handler, and what follows when the handler cannot finish."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any, TypedDict

from bot.github.errors import Conflict, GitHubError, Later, Refused
from bot.job import Job
from bot.jobs.deaths import Deaths
from bot.jobs.floor import Floor

Handler = Callable[[Job, date], str]
Park = Callable[[Job, str], None]
NO_CREDENTIALS = (None, 401)
"""Statuses of a refusal of who we are, not of what we may do."""
_log = logging.getLogger(__name__)


class Reason(StrEnum):
    """Why a job was given up: what `park` is told, and a code of the catalogue of sentences."""

    DIED = "given-up.died"
    """The process died again and again while it did this job."""
    INTERNAL = "given-up.internal"
    """An error of ours."""
    UNREACHABLE = "given-up.unreachable"
    """GitHub did not answer for a day."""


@dataclass(frozen=True)
class Patience:
    """How long a job is tried: seconds between tries, doubling, up to an end; and how many deaths it may cause.

    A job is blamed for deaths only when they have gone on for `blame_after_s`: a host that kills whatever runs, for
    minutes, blames nobody.
    """

    first_wait_s: float = 5.0
    longest_wait_s: float = 600.0
    give_up_after_s: float = 86_400.0
    deaths: int = 5
    blame_after_s: float = 900.0
    alone_after: int = 2
    """A job that saw that many deaths works alone, and later each time, so that the others get on meanwhile."""


PATIENCE = Patience()


class Begun(TypedDict):
    """What a job carries from one run to the next."""

    today: str
    since: float
    tries: int
    parking: str | None
    rested: int
    """For how many deaths it has waited already."""


class End(TypedDict):
    """How and `at` what time a run ended: `said` by the handler, again after `wait_s`, or to be given up for `park`."""

    at: float
    said: str
    wait_s: float | None
    park: str | None
    rested: int


@dataclass(frozen=True)
class Run:
    """The steps of a run. Each may be repeated after a kill; none raises."""

    handler: Handler
    park: Park
    deaths: Deaths
    patience: Patience
    clock: Callable[[], datetime]
    floor: Floor

    def begin(self) -> Begun:
        """The day on which the job is judged, read once."""
        now = self.clock()
        return {"today": now.date().isoformat(), "since": now.timestamp(), "tries": 0, "parking": None, "rested": 0}

    def work(self, job: Job, begun: Begun) -> End:
        """Do the job, or give it up where it has killed too often."""
        died = self.deaths.of(job.key)
        if died > self.patience.deaths and self._lasted(job.key) >= self.patience.blame_after_s:
            _log.error("job given up: its process died %d times", died, extra=_who(job))
            return self._end(park=Reason.DIED)
        if died >= self.patience.alone_after and begun["rested"] < died:
            return self._end(wait_s=self._doubled(died - self.patience.alone_after), rested=died)
        with self.floor.taken(alone=died >= self.patience.alone_after):
            self.deaths.begun(job.key)
            end = self._handled(job, begun)
            self.deaths.ended(job.key)
        return end

    def _lasted(self, key: str) -> float:
        """Seconds since the first of the deaths."""
        return self.clock().timestamp() - self.deaths.since(key)

    def _handled(self, job: Job, begun: Begun) -> End:
        try:
            return self._end(said=self.handler(job, date.fromisoformat(begun["today"])))
        except (Later, Conflict, Refused) as failure:
            if not _may_pass(failure):
                _log.exception("job failed", extra=_who(job))
                return self._end(park=Reason.INTERNAL)
            wait = self._wait(failure, begun)
            _log.warning("job put off: %s", failure, extra={**_who(job), "wait_s": wait})
            return self._end(park=Reason.UNREACHABLE) if wait is None else self._end(wait_s=wait)
        except (Exception, SystemExit):
            _log.exception("job failed", extra=_who(job))
            return self._end(park=Reason.INTERNAL)

    def give_up(self, job: Job, begun: Begun) -> End:
        """Say that the job is given up; without a way to say it, it is given up all the same."""
        reason = begun["parking"] or Reason.INTERNAL
        mark = f"{job.key}?park"
        end = self._end(said=reason)
        if self.deaths.of(mark) > self.patience.deaths:
            _log.error("no reply about a job given up: the process died of it", extra=_who(job))
        else:
            with self.floor.taken(alone=True):
                self.deaths.begun(mark)
                end["wait_s"] = self._said(job, reason, begun)
        self.deaths.ended(mark)
        if end["wait_s"] is None:
            self.deaths.parked(job.key, reason)
        return end

    def _said(self, job: Job, reason: str, begun: Begun) -> float | None:
        try:
            self.park(job, reason)
        except (Later, Conflict, Refused) as failure:
            if _may_pass(failure):
                return self._wait(failure, begun)
            _log.exception("no reply about a job given up", extra=_who(job))
        except (Exception, SystemExit):
            _log.exception("no reply about a job given up", extra=_who(job))
        return None

    def _end(self, said: str = "", wait_s: float | None = None, park: Reason | None = None, rested: int = 0) -> End:
        now = self.clock().timestamp()
        return {"at": now, "said": said, "wait_s": wait_s, "park": park and park.value, "rested": rested}

    def _doubled(self, times: int) -> float:
        return min(self.patience.first_wait_s * 2.0 ** min(times, 30), self.patience.longest_wait_s)

    def _wait(self, failure: GitHubError, begun: Begun) -> float | None:
        """Seconds until the next try; None when patience ends before it."""
        own = self._doubled(begun["tries"])
        wait = max(own, (failure.retry_after_s or 0.0) if isinstance(failure, Later) else 0.0)
        elapsed = self.clock().timestamp() - begun["since"]
        return wait if elapsed + wait <= self.patience.give_up_after_s else None


def _may_pass(failure: GitHubError) -> bool:
    """Credentials that are not taken are the operator's to mend, or GitHub's own lag: no command is lost of it.

    Whoever was overtaken by another writer reads anew.
    """
    return isinstance(failure, (Later, Conflict)) or failure.status in NO_CREDENTIALS


def _who(job: Job) -> dict[str, Any]:
    return {"delivery": job.delivery, "repository": job.repository, "issue": job.issue}
