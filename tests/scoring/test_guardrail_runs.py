"""Runs that decide an open guardrail: more for less room, fewer for a smaller spread, none beyond the plan."""

import math
from typing import Any

import pytest

from scoring.guardrail_runs import runs_for_guardrails
from scoring.guardrails import compare_latency, compare_quality
from scoring.looks import Plan, looks_at
from scoring.model.estimates import Direction
from tests.scoring.scenes import arms, run, settings

A = (7.00, 7.10, 6.90, 7.05)


def needed(values: tuple[float, ...], margin: float = 0.2, planned: int = 30, n: int | None = None) -> Any:
    """Further runs for the metric's margin; `values` are the candidate's."""
    of = settings(margins={"wer": {"absolute": margin}}, planned_runs_per_arm=planned)
    both = arms([run("gpu", quality={"wer": q}) for q in A], [run("trn2", quality={"wer": q}) for q in values])
    looks = looks_at("k", (4, 4), (), Plan(planned, True, 0.05))
    quality = compare_quality(both, {"wer": Direction.LOWER}, of, looks.level)
    return runs_for_guardrails(quality, (), "trn2", of, looks if n is None else None)


def test_what_holds_or_fails_needs_none() -> None:
    assert needed(A, margin=1.0) == {}
    assert needed(tuple(q + 3 for q in A)) == {}


def test_less_room_takes_more_runs() -> None:
    wide, narrow = needed(A, 0.16), needed(A, 0.1)
    assert 1 <= wide["wer"] < narrow["wer"] <= 26


@pytest.mark.parametrize(("margin", "planned"), [(0.03, 30), (0.12, 7)])
def test_what_the_plan_does_not_reach_is_none(margin: float, planned: int) -> None:
    assert needed(A, margin, planned) == {"wer": None}


def test_at_the_margin_no_number_decides() -> None:
    assert needed(tuple(q + 0.2 for q in A)) == {"wer": None}


def test_without_a_spread_or_with_too_few_runs_nobody_can_tell() -> None:
    assert needed((7.0, 7.0, 7.0, 7.0)) != {"wer": None}
    assert needed(A, n=2) == {}


@pytest.mark.parametrize(("limit_ms", "wanted"), [(None, True), (215, True), (201, False)])
def test_latency_against_its_limit_or_the_incumbent(limit_ms: int | None, wanted: bool) -> None:
    a, b = (0.200, 0.206, 0.195, 0.203), (0.212, 0.190, 0.204, 0.199)
    limits = {"latency_limits_s": {"ttft_p99": limit_ms / 1000}} if limit_ms else {"latency_margin": 0.04}
    of = settings(**limits)
    both = arms([run("gpu", latency={"ttft_p99": v}) for v in a], [run("trn2", latency={"ttft_p99": v}) for v in b])
    looks = looks_at("k", (4, 4), (), Plan(30, True, 0.05))
    found = runs_for_guardrails((), compare_latency(both, of, looks.level), "trn2", of, looks)
    assert (found["ttft_p99"] is not None) is wanted
    if wanted:
        assert 1 <= (found["ttft_p99"] or math.inf) <= 26
