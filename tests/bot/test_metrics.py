"""Jobs are counted by how they ended, GitHub's failures by what can be done about them."""

import pytest

from bot import metrics
from bot.github.connect import BrokenKey
from bot.github.errors import Conflict, GitHubError, Invalid, Later, NotFound, Refused


def value(name: str, **labels: str) -> float:
    return metrics.REGISTRY.get_sample_value(name, labels) or 0


@pytest.mark.parametrize(
    ("outcome", "kind", "failure"),
    [
        ("later", "later", Later("x")),
        ("github", "not-found", NotFound("x")),
        ("github", "refused", Refused("x")),
        ("github", "refused", BrokenKey("x")),
        ("github", "conflict", Conflict("x")),
        ("github", "invalid", Invalid("x")),
        ("github", "other", GitHubError("x")),
        ("error", None, ZeroDivisionError()),
        ("error", None, SystemExit()),
    ],
)
def test_a_job_that_fails_is_counted_and_still_fails(outcome: str, kind: str | None, failure: BaseException) -> None:
    jobs, errors = value("steelyard_job_seconds_count", outcome=outcome), value_of(kind)
    with pytest.raises(type(failure)), metrics.job():
        raise failure
    assert value("steelyard_job_seconds_count", outcome=outcome) == jobs + 1
    assert value_of(kind) == errors + (1 if kind else 0)


def value_of(kind: str | None) -> float:
    return value("steelyard_github_errors_total", kind=kind) if kind else 0


@pytest.mark.parametrize(("outcome", "replied"), [("switch", True), ("nothing", False)])
def test_a_job_that_ends_is_counted_by_its_outcome(outcome: str, replied: bool) -> None:
    jobs = value("steelyard_job_seconds_count", outcome=outcome)
    replies = value("steelyard_replies_total", outcome=outcome)
    with metrics.job() as ended:
        ended.outcome, ended.replied = outcome, replied
    assert value("steelyard_job_seconds_count", outcome=outcome) == jobs + 1
    assert value("steelyard_replies_total", outcome=outcome) == replies + replied


def test_states_that_are_gone_are_no_longer_shown() -> None:
    assert b'steelyard_jobs{state="queued"} 3.0' in metrics.exposition({"queued": 3})
    assert b'state="queued"' not in metrics.exposition({"parked": 1})
