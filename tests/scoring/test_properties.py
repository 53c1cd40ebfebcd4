"""What must hold for every pilot: what changes only how it is written changes nothing, and money points one way."""

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring.model.decision import Decision
from scoring.model.problem import Severity
from tests.scoring.helpers import csv

quick = settings(max_examples=30)
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat")
STEP = Decimal("3.6")
"""Multiples of it are exact in seconds, minutes, hours and milliseconds alike."""

Times = list[int]
lengths = st.lists(st.integers(200, 4000), min_size=2, max_size=6)
prices = st.integers(500, 9000).map(lambda cents: Decimal(cents) / 100)


@st.composite
def pilots(draw: st.DrawFn) -> dict[str, Any]:
    """Durations of both arms in steps, their prices, whether days are shared, and which runs failed."""
    gpu, trn = draw(lengths), draw(lengths)
    failed = draw(st.sets(st.integers(0, 5), max_size=1))
    return {
        "gpu": gpu,
        "trn2": trn[: len(gpu)] if draw(st.booleans()) else trn,
        "price": {"gpu": draw(prices), "trn2": draw(prices)},
        "blocks": draw(st.booleans()),
        "failed": failed if min(len(gpu), len(trn)) > 2 else set(),
    }


UNITS = {"s": Decimal(1), "min": Decimal(60), "h": Decimal(3600), "ms": Decimal("0.001")}


def lines(pilot: dict[str, Any], unit: str = "s", factor: Decimal = Decimal(1)) -> tuple[str, list[str]]:
    """Header and rows of the table."""
    head = f"arm,run,block,duration_{unit},price_usd_per_hour,wer,status"
    found = []
    for arm in ("gpu", "trn2"):
        for i, steps in enumerate(pilot[arm]):
            block = DAYS[i] if pilot["blocks"] else ""
            status = "failed" if i in pilot["failed"] and arm == "trn2" else "ok"
            price = pilot["price"][arm] * factor
            duration = (steps * STEP / UNITS[unit]).normalize()
            found.append(f"{arm},{i + 1},{block},{duration:f},{price.normalize():f},7.{i}5,{status}")
    return head, found


def table(pilot: dict[str, Any], **how: Any) -> str:
    head, body = lines(pilot, **how)
    return "\n".join([head, *body, ""])


def figures(decision: Decision) -> list[float]:
    """What a reader decides by; not a number where there is none."""
    assert decision.cost is not None
    assert decision.time is not None
    theta, time, money = decision.cost.theta, decision.time.theta, decision.economics
    arms = [decision.cost.arms[name] for name in ("gpu", "trn2")]
    found = [
        *(theta.point, theta.lo, theta.hi, time.point, time.lo, time.hi),
        *(x for arm in arms for x in (arm.cost_per_unit, arm.duration_per_unit_s, arm.cv)),
        *(x for q in decision.quality for x in (q.difference.point, q.difference.lower)),
        *(money.break_even_theta, money.stay_npv, money.best.saving if money.best else None),
    ]
    return [math.nan if x is None else x for x in found]


def same(a: Decision, b: Decision) -> None:
    """Two decisions that a reader cannot tell apart."""
    assert figures(a) == pytest.approx(figures(b), rel=1e-9, abs=1e-6, nan_ok=True)
    assert a.verdict.word == b.verdict.word
    assert [r.code for r in a.verdict.reasons] == [r.code for r in b.verdict.reasons]
    assert weighing(a) == weighing(b)


def weighing(decision: Decision) -> set[tuple[str, str]]:
    """Problems that are more than a note on how the file was read."""
    return {(p.code, p.severity.value) for p in decision.problems if p.severity is not Severity.INFO}


MONEY = "baseline: gpu\nmargins: {wer: 0.5}\ndemand: 2000\nmigration_cost: 5000\n"


@given(pilots())
@quick
def test_swapping_the_arms_inverts_the_ratio(pilot: dict[str, Any]) -> None:
    forth, back = csv(table(pilot), baseline="gpu"), csv(table(pilot), baseline="trn2")
    assert forth.cost is not None
    assert back.cost is not None
    a, b = forth.cost.theta, back.cost.theta
    assert a.point is not None
    assert b.point == pytest.approx(1 / a.point)
    assert (a.reason, a.qualifier, a.method) == (b.reason, b.qualifier, b.method)
    if a.lo is None or a.hi is None:
        assert (b.lo, b.hi) == (None, None)
        return
    assert (b.lo, b.hi) == (pytest.approx(1 / a.hi), pytest.approx(1 / a.lo))


@given(pilots(), st.integers(2, 900).map(lambda n: Decimal(n) / 100))
@quick
def test_a_common_factor_of_both_prices_leaves_the_ratio(pilot: dict[str, Any], factor: Decimal) -> None:
    plain, scaled = csv(table(pilot), baseline="gpu"), csv(table(pilot, factor=factor), baseline="gpu")
    assert plain.cost is not None
    assert scaled.cost is not None
    a, b = plain.cost.theta, scaled.cost.theta
    assert (a.lo is None, a.hi is None) == (b.lo is None, b.hi is None)
    assert [b.point, b.lo or 0, b.hi or 0] == pytest.approx([a.point, a.lo or 0, a.hi or 0])
    assert plain.verdict.word == scaled.verdict.word


CONTRACT = """contracts:
  - id: c1
    kind: take_or_pay
    starts_on: 2026-01-01
    ends_on: 2027-05-31
    covers: {instance_types: [gpu]}
    commitment: {instance_hours_per_month: 500}
    rate: 20
"""


def move(pilot: dict[str, Any], price: Decimal, contracts: str) -> str | None:
    posted = {**pilot, "price": {**pilot["price"], "trn2": price}}
    text = table(posted).replace("arm,run", "arm,instance_type,run").replace("\ngpu,", "\ngpu,gpu,")
    word = csv(text.replace("\ntrn2,", "\ntrn2,trn2,"), settings=MONEY, contracts=contracts).verdict.word
    return word.value if word else None


@given(pilots(), st.integers(1, 300).map(lambda n: 1 + Decimal(n) / 100), st.sampled_from(["", CONTRACT]))
@quick
def test_a_dearer_candidate_never_turns_staying_into_moving(
    pilot: dict[str, Any], rise: Decimal, contracts: str
) -> None:
    price = pilot["price"]["trn2"]
    before, after = move(pilot, price, contracts), move(pilot, price * rise, contracts)
    assert not (before == "STAY" and after in ("SWITCH", "SPLIT"))
    assert not (before == "EXTEND" and after in ("SWITCH", "SPLIT"))


@given(pilots(), st.sampled_from(["min", "h", "ms"]))
@quick
def test_the_unit_of_a_column_changes_nothing(pilot: dict[str, Any], unit: str) -> None:
    same(csv(table(pilot), settings=MONEY), csv(table(pilot, unit=unit), settings=MONEY))


@given(pilots(), st.randoms(use_true_random=False))
@quick
def test_the_order_of_rows_changes_nothing(pilot: dict[str, Any], chance: Any) -> None:
    """First runs are told by their time of start, so every row has one."""
    head, body = lines(pilot)
    timed = [f"{row},2026-11-{i + 1:02d}T08:00:00Z" for i, row in enumerate(body)]
    mixed = list(timed)
    chance.shuffle(mixed)
    assume(mixed != timed)

    def decision(rows: Sequence[str]) -> Decision:
        return csv("\n".join([f"{head},started_at", *rows, ""]), settings=MONEY)

    same(decision(timed), decision(mixed))


@given(pilots(), st.sampled_from(["Total", "total:", "Average", "Suma", "Media"]))
@quick
def test_a_row_of_totals_changes_nothing(pilot: dict[str, Any], label: str) -> None:
    total = sum(pilot["gpu"] + pilot["trn2"]) * STEP
    with_total = table(pilot) + f"{label},,,{total.normalize():f},,,\n"
    found = csv(with_total, settings=MONEY)
    assert "totals-row-left-out" in {p.code for p in found.problems}
    same(csv(table(pilot), settings=MONEY), found)
