"""What an operator counts, in a registry of its own; labels take few known values, never text from outside.

Where PROMETHEUS_MULTIPROC_DIR names a folder before this is imported, all processes count into its files and any of
them shows the whole.
"""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from bot.github.errors import Conflict, GitHubError, Invalid, Later, NotFound, Refused

REGISTRY = CollectorRegistry()
CONTENT_TYPE = CONTENT_TYPE_LATEST
_KINDS = {NotFound: "not-found", Refused: "refused", Conflict: "conflict", Invalid: "invalid", Later: "later"}
OTHER = "other"

_deliveries = Counter(
    "steelyard_deliveries_total", "Webhook deliveries by event and result.", ("event", "result"), registry=REGISTRY
)
_signatures = Counter("steelyard_signature_failures_total", "Deliveries that no secret had signed.", registry=REGISTRY)
_secrets = Counter(
    "steelyard_signature_secret_total",
    "Deliveries by the position of the secret that had signed them.",
    ("position",),
    registry=REGISTRY,
)
_durations = Histogram(
    "steelyard_job_seconds",
    "Seconds that a job took, by its outcome.",
    ("outcome",),
    buckets=(0.5, 1, 2, 5, 10, 30, 60, 120, 300),
    registry=REGISTRY,
)
_replies = Counter(
    "steelyard_replies_total", "Jobs that ended with a reply in place, by outcome.", ("outcome",), registry=REGISTRY
)
_errors = Counter("steelyard_github_errors_total", "Requests that GitHub did not answer.", ("kind",), registry=REGISTRY)
_workers = Counter("steelyard_worker_ends_total", "Workers of `serve` that ended by themselves.", registry=REGISTRY)
_reconciled = Counter(
    "steelyard_reconciled_total",
    "Deliveries asked for again and jobs found by the sweep.",
    ("what",),
    registry=REGISTRY,
)


def delivered(event: str, result: str) -> None:
    """A delivery was answered; `event` is a known name or OTHER."""
    _deliveries.labels(event, result).inc()


def signature_failed() -> None:
    """A delivery came that no secret had signed."""
    _signatures.inc()


def signed_with(position: int) -> None:
    """A delivery came that the secret at this position had signed: during a rotation the old one falls silent."""
    _secrets.labels(str(position)).inc()


@dataclass
class Ended:
    """How a job ended: a value of bot.dossier.Outcome or another fixed word, and whether there is a reply."""

    outcome: str = "error"
    replied: bool = False


@contextmanager
def job() -> Iterator[Ended]:
    """Time one run of a job; what GitHub did not answer is counted by its kind. The caller says how it ended."""
    ended, began = Ended(), time.monotonic()
    try:
        yield ended
    except GitHubError as failure:
        github_failed(failure)
        ended.outcome = "later" if isinstance(failure, Later) else "github"
        raise
    finally:
        _durations.labels(ended.outcome).observe(time.monotonic() - began)
        if ended.replied:
            _replies.labels(ended.outcome).inc()


def github_failed(failure: GitHubError) -> None:
    """GitHub gave no result, by what the caller can do about it."""
    _errors.labels(next((word for kind, word in _KINDS.items() if isinstance(failure, kind)), OTHER)).inc()


def reconciled(what: str) -> None:
    """A delivery was asked for again, or a command was found without a reply."""
    _reconciled.labels(what).inc()


def worker_ended() -> None:
    """The process that works ended and is started anew."""
    _workers.inc()


class _Depths(Collector):
    """Jobs as the database has them now, whichever process asks."""

    def __init__(self, depths: Mapping[str, int]) -> None:
        self._depths = depths

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """One sample a state."""
        family = GaugeMetricFamily("steelyard_jobs", "Jobs by state.", labels=("state",))
        for state, count in self._depths.items():
            family.add_metric((state,), count)
        yield family


def exposition(depths: Mapping[str, int]) -> bytes:
    """All metrics as Prometheus reads them, with the number of jobs in each state now."""
    shown = CollectorRegistry()
    shown.register(_Depths(depths))
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        MultiProcessCollector(shown)  # type: ignore[no-untyped-call]
    else:
        shown.register(REGISTRY)
    return generate_latest(shown)
