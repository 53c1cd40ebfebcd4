"""What GitHub could not deliver: failed deliveries are asked for again, and unanswered commands are looked for.

GitHub does not repeat a delivery by itself. Run at the start and on a timer; both parts may be repeated at any time.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot import logs, metrics
from bot.github.client import Connection
from bot.github.connect import app_connection
from bot.github.errors import GitHubError
from bot.intake.inbox import Inbox, Unavailable
from bot.intake.sweep import sweep
from bot.settings import ProcessSettings

WINDOW = timedelta(days=3)
"""GitHub keeps deliveries for about as long."""
SWEEP_EVERY = timedelta(hours=1)
OVERLAP = timedelta(hours=1)
WAITS = (timedelta(0), timedelta(minutes=20), timedelta(minutes=80))
"""Since its last try, before a delivery is asked for again, and again; then it is left to the sweep."""
MOST_READ = 10_000
MOST_ASKED = 200
_log = logs.logger(__name__)


@dataclass
class Reconciler:
    """Called on a timer: failed deliveries each time; the sweep, which asks every repository, less often.

    After its first time a sweep looks at what was written since the last one that came to its end.
    """

    settings: ProcessSettings
    inbox: Inbox
    swept: datetime | None = None

    def __call__(self, now: datetime) -> None:
        """Both parts, for an App. Nothing is raised: what goes wrong is logged, and the next time tries again."""
        current = self.settings.with_stored_app()
        if not current.app_id or not _guarded("database", self._check):
            return
        _guarded("redelivery", lambda: ask_again(app_connection(current), now))
        if self.swept is None or now - self.swept >= SWEEP_EVERY:
            since = max(now - WINDOW, (self.swept or now - WINDOW) - OVERLAP)
            if _guarded("sweep", lambda: sweep(current, self.inbox, since)):
                self.swept = now

    def _check(self) -> None:
        """A repetition that could not be stored would only use up its tries."""
        if not self.inbox.ready():
            raise Unavailable("the job database is not ready")


def reconcile(settings: ProcessSettings, inbox: Inbox, now: datetime) -> None:
    """Once, for all that is recent."""
    Reconciler(settings, inbox)(now)


def _guarded(part: str, work: Callable[[], object]) -> bool:
    """Whether the part came to its end."""
    try:
        work()
    except GitHubError as failure:
        metrics.github_failed(failure)
        _log.warning("reconciling stopped", extra={"part": part, "status": failure.status, "cause": str(failure)})
    except Exception:
        _log.exception("reconciling failed", extra={"part": part})
    else:
        return True
    return False


def ask_again(connection: Connection, now: datetime) -> int:
    """Ask GitHub to repeat what it never delivered, the oldest first; how many. Raises a GitHubError."""
    asked = 0
    for tries in reversed(_by_guid(connection, now - WINDOW).values()):
        if asked == MOST_ASKED or not _is_due(tries, now):
            continue
        connection.post(f"/app/hook/deliveries/{int(tries[0]['id'])}/attempts")
        asked += 1
        metrics.reconciled("redelivery")
        _log.info("asked for a delivery again", extra={"delivery": tries[0]["guid"], "tries": len(tries)})
    return asked


def _by_guid(connection: Connection, since: datetime) -> dict[str, list[dict[str, Any]]]:
    """All tries of each delivery; GitHub lists the newest first."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for count, delivery in enumerate(connection.linked("/app/hook/deliveries")):
        if count == MOST_READ or datetime.fromisoformat(delivery["delivered_at"]) < since:
            break
        found[str(delivery["guid"])].append(delivery)
    return found


def _is_due(tries: list[dict[str, Any]], now: datetime) -> bool:
    """Whether all tries failed, fewer than WAITS allows, and the last one long enough ago."""
    if len(tries) > len(WAITS) or not all(_failed(delivery) for delivery in tries):
        return False
    return now - datetime.fromisoformat(tries[0]["delivered_at"]) >= WAITS[len(tries) - 1]


def _failed(delivery: dict[str, Any]) -> bool:
    """Whether it came to its end and did not arrive; one that is still under way has no status."""
    status = delivery["status_code"]
    return isinstance(status, int) and not 200 <= status < 300
