"""Whatever was read, the engine answers: a decision or the reason why there is none, never an exception."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.analysis import ReadEvidence, analyse_read
from scoring.model.contract import Contract, PriceBook
from scoring.model.decision import Decision
from scoring.model.estimates import Direction, MeanSpread
from scoring.model.pilot import Phase, Pilot, Pricing, Quality, Run, RunStatus, Summary
from scoring.model.settings import Settings
from scoring.setup import Setup
from tests.scoring.scenes import MORNING, TODAY, book

SIZES = [1e-9, 0.001, 0.5, 1.0, 59.0, 3600.0, 3601.0, 1e6, 1e12]
above_zero = st.sampled_from(SIZES)
zero_or_above = st.sampled_from([0.0, *SIZES])
perhaps = st.none() | above_zero
amounts = st.none() | st.sampled_from([Decimal("0.01"), Decimal("35.76"), Decimal(9999999)])
STARTS = [MORNING, MORNING + timedelta(hours=1), datetime(9999, 12, 31, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC)]


def word(*values: str) -> st.SearchStrategy[str | None]:
    return st.sampled_from([None, *values])


@st.composite
def qualities(draw: st.DrawFn) -> Quality:
    items = draw(st.none() | st.integers(1, 9))
    correct = None if items is None else draw(st.integers(0, items))
    return Quality(value=draw(st.sampled_from([-1.0, 0.0, 0.5, 0.51, 7.4, 1e12])), correct=correct, items=items)


@st.composite
def runs(draw: st.DrawFn) -> Run:
    return Run(
        arm=draw(st.sampled_from(["gpu", "trn2", "trn2"])),
        file="pilot.csv",
        row=draw(st.integers(2, 9)),
        phase=draw(st.sampled_from([None, Phase.TRAIN, Phase.TRAIN, Phase.SERVE])),
        block=draw(word("mon", "tue")),
        seed=draw(word("1", "2")),
        started_at=draw(st.none() | st.sampled_from(STARTS)),
        duration_s=draw(perhaps),
        warmup_s=draw(perhaps),
        initialisation_s=draw(st.none() | zero_or_above),
        work_units=draw(st.none() | zero_or_above),
        unit=draw(word("token", "token", "sample")),
        throughput=draw(perhaps),
        instance_type=draw(word("p5.48xlarge", "trn2.48xlarge")),
        instance_count=draw(st.integers(1, 3)),
        device_count=draw(st.none() | st.integers(0, 16)),
        region=draw(word("us-east-1", "eu-west-1")),
        price_per_hour=draw(amounts),
        pricing=draw(st.none() | st.sampled_from(Pricing)),
        currency=draw(word("USD", "EUR")),
        stated_cost=draw(st.none() | st.sampled_from([Decimal(0), Decimal(5), Decimal("1e12")])),
        quality=draw(st.dictionaries(st.sampled_from(["wer", "acc"]), qualities(), max_size=2)),
        latency=draw(st.dictionaries(st.sampled_from(["ttft_p99", "ttft_p50"]), zero_or_above, max_size=2)),
        requests_attempted=draw(st.none() | st.integers(0, 10)),
        requests_completed=draw(st.none() | st.integers(0, 10)),
        conditions=draw(st.dictionaries(st.just("precision"), st.sampled_from(["bf16", "fp8"]), max_size=1)),
        status=draw(st.sampled_from([RunStatus.OK, RunStatus.OK, RunStatus.FAILED])),
    )


@st.composite
def spreads(draw: st.DrawFn) -> MeanSpread:
    return MeanSpread(
        mean=draw(zero_or_above), sd=draw(st.none() | zero_or_above), n=draw(st.none() | st.integers(0, 9))
    )


@st.composite
def summaries(draw: st.DrawFn) -> Summary:
    spread = st.none() | spreads()
    return Summary(
        arm=draw(st.sampled_from(["gpu", "trn2"])),
        file="pilot.csv",
        n=draw(st.none() | st.integers(0, 9)),
        work_units=draw(st.none() | zero_or_above),
        duration_s=draw(spread),
        cost=draw(spread),
        throughput=draw(spread),
        quality=draw(st.dictionaries(st.just("wer"), spreads(), max_size=1)),
        latency=draw(st.dictionaries(st.just("ttft_p99"), spreads(), max_size=1)),
        instance_type=draw(word("p5.48xlarge")),
        price_per_hour=draw(amounts),
    )


CONTRACT = Contract.model_validate(
    {
        "id": "c1",
        "kind": "take_or_pay",
        "starts_on": "2026-01-01",
        "ends_on": "2027-03-31",
        "covers": {"instance_types": ["p5.48xlarge"]},
        "commitment": {"instances": 1},
        "rate": 38,
        "notice": {"days": 30},
        "renewal": {"kind": "automatic", "months": 12},
    }
)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    given: dict[str, Any] = {
        "baseline": draw(word("gpu")),
        "horizon_months": draw(st.sampled_from([1, 12])),
        "demand": draw(st.sampled_from([None, {"units_per_month": 1000}, {"units_per_month": 1e15}])),
        "migration_cost": draw(st.sampled_from([0, 5000, 10**12])),
        "capacity": {"hours_per_month": draw(st.sampled_from([None, 0.001, 500]))},
        "latency_limits_s": draw(st.sampled_from([{}, {"ttft_p99": 0.5}])),
        "margins": draw(st.sampled_from([{}, {"wer": {"absolute": 0.2}}, {"acc": {"relative": 0.01}}])),
        "approved_regions": draw(st.sampled_from([(), ("eu-west-1",)])),
        "mixed_pricing": draw(st.sampled_from(["refuse", "accept"])),
        "cost_source": draw(st.sampled_from(["ask", "stated", "computed"])),
        "count_initialisation": draw(st.booleans()),
    }
    contracts = draw(st.sampled_from([(), (CONTRACT,)]))
    prices = draw(st.sampled_from([PriceBook(), book(("p5.48xlarge", "us-east-1", "55.04"))]))
    return Setup(Settings.model_validate(given), (), contracts, prices, ())


DIRECTIONS = {"wer": Direction.LOWER, "acc": Direction.HIGHER}


@given(st.lists(runs(), max_size=9), st.lists(summaries(), max_size=2), setups())
@settings(max_examples=30)
def test_every_pilot_gets_an_answer(posted: list[Run], summed: list[Summary], setup: Setup) -> None:
    pilot = Pilot(runs=tuple(posted), summaries=tuple({s.arm: s for s in summed}.values()), directions=DIRECTIONS)
    decision = analyse_read(ReadEvidence(setup, pilot, ()), TODAY)
    assert Decision.model_validate_json(decision.model_dump_json()) == decision
    for one in (decision, *decision.others):
        assert one.verdict.reasons
