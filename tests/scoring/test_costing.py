"""What a run costs: price × hours × instances, or the cost as posted; never both and never a guess."""

from decimal import Decimal
from typing import Any

import pytest

from scoring.costing import price_notes, price_of, to_currency
from scoring.model.contract import PriceBook
from scoring.model.decision import CostedRun
from scoring.model.pilot import Run
from scoring.model.problem import Problem
from tests.scoring.scenes import TODAY, arms, book, costed, run, settings, short, summary

P5 = book(("p5.48xlarge", "us-east-1", "55.04"), ("p5.48xlarge", "eu-west-1", "61"), ("trn1.32xlarge", None, None))
EUR_RATE = [{"source": "EUR", "target": "USD", "rate": "1.25", "on": "2026-11-01"}]


def one(
    posted: Run, listed: PriceBook | None = None, default_work: bool = True, **given: Any
) -> tuple[CostedRun, list[Problem]]:
    arm, problems = costed(posted.arm, [posted], settings(**given), listed or PriceBook(), default_work)
    return arm.runs[0], problems


def price(posted: Run, listed: PriceBook | None = None, **given: Any) -> tuple[str | None, list[str]]:
    found, problems = price_of(posted, settings(**given), listed or PriceBook(), TODAY)
    return (f"{found.per_hour.normalize():f} {found.source}" if found else None), [p.code for p in problems]


AT_50: dict[str, Any] = {"price_per_hour": Decimal(50)}
EAST: dict[str, Any] = {"instance_type": "p5.48xlarge", "region": "us-east-1"}


@pytest.mark.parametrize(
    ("wanted", "posted", "given"),
    [
        (("50 pilot.csv", []), run(**AT_50), {}),
        (("50 a quote", []), run(**AT_50, price_source="a quote"), {}),
        (("50 pilot.csv", []), run(**AT_50, **EAST), {}),
        (("55.04 list: prices.csv, line 2", []), run(**EAST), {}),
        (("55.04 list: prices.csv, line 2", []), run(**EAST, pricing="on_demand"), {}),
        (("61 list: prices.csv, line 3", []), run(instance_type="P5.48XLARGE", region="EU-WEST-1"), {}),
        ((None, []), run(), {}),
        ((None, ["price-ambiguous"]), run(instance_type="p5.48xlarge"), {}),
        ((None, ["price-missing"]), run(instance_type="p5.48xlarge", region="ap-south-1"), {}),
        ((None, ["price-missing"]), run(instance_type="trn1.32xlarge"), {}),
        ((None, ["price-missing"]), run(instance_type="unheard-of"), {}),
        ((None, ["price-missing"]), run(**EAST, pricing="spot"), {}),
        ((None, ["price-missing"]), run(**EAST, pricing="quote"), {}),
        (("19 pilot.csv", []), run(**EAST, pricing="spot", price_per_hour=Decimal(19)), {}),
        (("31.5 list", []), run(**AT_50), {"prices": {"gpu": {"per_hour": "31.5"}}}),
        (("31.5 list", []), run(**AT_50), {"prices": {"GPU": {"per_hour": "31.5"}}}),
        (("31.5 list", []), run(**EAST), {"prices": {"P5.48xlarge": {"per_hour": "31.5"}}}),
        (("31.5 list", []), run(accelerator="8 x H100"), {"prices": {"8 x h100": {"per_hour": "31.5"}}}),
        (("1 list", []), run(**EAST), {"prices": {"p5.48xlarge": {"per_hour": 2}, "gpu": {"per_hour": 1}}}),
        (("50 pilot.csv", []), run(**AT_50), {"prices": {"trn2": {"per_hour": "31.5"}}}),
        (("3 quote: mail of May", []), run(),
         {"prices": {"gpu": {"per_hour": 3, "basis": "quote", "source": "mail of May"}}}),
        (("3 quote", []), run(), {"prices": {"gpu": {"per_hour": 3, "basis": "quote", "expires_on": "2026-12-01"}}}),
        ((None, ["quote-expired"]), run(**AT_50),
         {"prices": {"gpu": {"per_hour": 3, "basis": "quote", "expires_on": "2026-11-30"}}}),
        (("62.5 pilot.csv", []), run(**AT_50, currency="EUR"), {"rates": EUR_RATE}),
        ((None, ["currency-rate-missing"]), run(**AT_50, currency="EUR"), {}),
        (("2.5 list", []), run(), {"prices": {"gpu": {"per_hour": 2, "currency": "EUR"}}, "rates": EUR_RATE}),
        ((None, ["currency-rate-missing"]), run(), {"prices": {"gpu": {"per_hour": 2, "currency": "GBP"}}}),
    ],
)  # fmt: skip
def test_settings_win_over_the_posting_and_that_over_the_price_book(
    wanted: tuple[str | None, list[str]], posted: Run, given: dict[str, Any]
) -> None:
    assert price(posted, P5, **given) == wanted


def test_a_price_book_in_another_currency_needs_a_rate() -> None:
    euros = book(("p5.48xlarge", "us-east-1", "40"), currency="EUR")
    assert price(run(**EAST), euros) == (None, ["currency-rate-missing"])
    assert price(run(**EAST), euros, rates=EUR_RATE) == ("50 list: prices.csv, line 2", [])


def rate(source: str, target: str, value: str, on: str) -> dict[str, str]:
    return {"source": source, "target": target, "rate": value, "on": on}


@pytest.mark.parametrize(
    ("wanted", "rates"),
    [
        ("125", [rate("EUR", "USD", "1.25", "2026-12-01")]),
        ("80", [rate("USD", "EUR", "1.25", "2026-12-01")]),
        ("110", [rate("EUR", "USD", "1.25", "2026-01-01"), rate("EUR", "USD", "1.1", "2026-11-30")]),
        ("125", [rate("EUR", "USD", "1.25", "2026-01-01"), rate("EUR", "USD", "1.1", "2026-12-02")]),
        ("125", [rate("USD", "EUR", "4", "2026-11-30"), rate("EUR", "USD", "1.25", "2026-01-01")]),
        (None, [rate("EUR", "USD", "1.25", "2026-12-02")]),
        (None, [rate("EUR", "GBP", "1.25", "2026-12-01")]),
        (None, []),
    ],
)
def test_the_latest_rate_on_or_before_the_day(wanted: str | None, rates: list[dict[str, str]]) -> None:
    amount, problems = to_currency(Decimal(100), "EUR", settings(rates=rates), TODAY)
    assert amount == (None if wanted is None else Decimal(wanted))
    assert short(problems, "found", "expected") == (
        [] if wanted else [("currency-rate-missing", "question", "EUR", "USD")]
    )


@pytest.mark.parametrize(
    ("hours", "cost", "posted", "given"),
    [
        (1, 50, run(duration_s=3600, **AT_50), {}),
        (0.5, 25, run(duration_s=1800, **AT_50), {}),
        (4, 200, run(duration_s=3600, instance_count=4, **AT_50), {}),
        (1, 50, run(duration_s=3600, initialisation_s=900, **AT_50), {}),
        (1.25, 62.5, run(duration_s=3600, initialisation_s=900, **AT_50), {"count_initialisation": True}),
        (2.5, 125, run(duration_s=3600, initialisation_s=900, instance_count=2, **AT_50),
         {"count_initialisation": True}),
        (1, 50, run(duration_s=3600, warmup_s=600, **AT_50), {}),
        (1, 50, run(duration_s=None, throughput=900, **AT_50), {}),
        (2, 100, run(duration_s=None, throughput=900, instance_count=2, **AT_50), {}),
        (1, 50, run(duration_s=3600, status="failed", **AT_50), {}),
        (None, None, run(duration_s=None, status="failed", **AT_50), {}),
        (1, None, run(duration_s=3600), {}),
    ],
)  # fmt: skip
def test_price_times_hours_times_instances(
    hours: float | None, cost: float | None, posted: Run, given: dict[str, Any]
) -> None:
    found, _ = one(posted, **given)
    assert (found.hours, found.cost) == (hours, cost)


HOUR_AT_50: dict[str, Any] = {"duration_s": 3600, **AT_50}


@pytest.mark.parametrize(
    ("cost", "asked", "posted", "given"),
    [
        (49, [], run(duration_s=3600, stated_cost=Decimal(49)), {}),
        (50, [], run(**HOUR_AT_50, stated_cost=Decimal("49")), {}),
        (50, [], run(**HOUR_AT_50, stated_cost=Decimal("51")), {}),
        (None, ["cost-disagrees"], run(**HOUR_AT_50, stated_cost=Decimal("48.9")), {}),
        (None, ["cost-disagrees"], run(**HOUR_AT_50, stated_cost=Decimal("51.1")), {}),
        (48.9, [], run(**HOUR_AT_50, stated_cost=Decimal("48.9")), {"cost_source": "stated"}),
        (50, [], run(**HOUR_AT_50, stated_cost=Decimal("48.9")), {"cost_source": "computed"}),
        (40, [], run(stated_cost=Decimal(40), instance_type="unheard-of"), {"cost_source": "computed"}),
        (40, [], run(stated_cost=Decimal(40), instance_type="unheard-of"), {}),
        (50, [], run(stated_cost=Decimal(40), cost_currency="EUR"), {"rates": EUR_RATE}),
        (None, ["currency-rate-missing"], run(stated_cost=Decimal(40), cost_currency="EUR"), {}),
        (0, [], run(stated_cost=Decimal(0)), {}),
    ],
)
def test_a_stated_cost_and_a_computed_one(
    cost: float | None, asked: list[str], posted: Run, given: dict[str, Any]
) -> None:
    found, problems = one(posted, **given)
    assert (found.cost, [p.code for p in problems]) == (cost, asked)


def test_costs_that_disagree_are_named_by_their_line() -> None:
    _, (said,) = one(run(**HOUR_AT_50, stated_cost=Decimal("40"), row=7))
    assert (said.severity.value, said.file, said.row, said.column) == ("question", "pilot.csv", 7, "cost_usd")
    assert (said.found, said.expected) == ("40", "50.0000")


def test_a_stated_cost_is_shown_with_its_hourly_price_and_no_source() -> None:
    found, _ = one(run(duration_s=1800, stated_cost=Decimal(20), instance_count=2))
    assert (found.price_per_hour, found.note) == (20, None)


@pytest.mark.parametrize(
    ("work", "posted", "default_work"),
    [
        (1, run(), True),
        (0, run(status="failed"), True),
        (0, run(), False),
        (960, run(work_units=960), False),
        (0, run(work_units=960, status="failed"), False),
        (90000, run(throughput=900), False),
        (3_240_000, run(throughput=900, duration_s=None), False),
        (960, run(work_units=960, throughput=900), False),
    ],
)
def test_work(work: float, posted: Run, default_work: bool) -> None:
    assert one(posted, default_work=default_work)[0].work == work


def test_a_problem_of_every_run_is_said_once_with_its_arm() -> None:
    posted = [run("trn2", instance_type="trn1.32xlarge", row=i) for i in (2, 3, 4)]
    _, problems = costed("trn2", posted, settings(), P5, True)
    assert short(problems, "arm") == [("price-missing", "question", "trn2")]


SPREAD: dict[str, Any] = {"n": 5, "duration_s": (3600.0, 36.0)}


@pytest.mark.parametrize(
    ("price", "cost", "asked", "fields", "given"),
    [
        (50, None, [], {**SPREAD, **AT_50}, {}),
        (62.5, None, [], {**SPREAD, **AT_50, "currency": "EUR"}, {"rates": EUR_RATE}),
        (55.04, None, [], {**SPREAD, **EAST}, {}),
        (None, None, ["price-missing"], {**SPREAD, "instance_type": "trn1.32xlarge"}, {}),
        (40, 40, [], {**SPREAD, "instance_type": "trn1.32xlarge", "cost": (40, 1)}, {}),
        (50, 50, [], {**SPREAD, "cost": (40, 1), "cost_currency": "EUR"}, {"rates": EUR_RATE}),
        (None, None, ["currency-rate-missing"], {**SPREAD, "cost": (40, 1), "cost_currency": "EUR"}, {}),
        (49.5, 49.5, [], {**SPREAD, **AT_50, "cost": (49.5, 1)}, {}),
        (None, None, ["cost-disagrees"], {**SPREAD, **AT_50, "cost": (40, 1)}, {}),
        (40, 40, [], {**SPREAD, **AT_50, "cost": (40, 1)}, {"cost_source": "stated"}),
        (50, None, [], {**SPREAD, **AT_50, "cost": (40, 1)}, {"cost_source": "computed"}),
        (None, 40, [], {"n": 5, "cost": (40, 1)}, {"cost_source": "computed"}),
    ],
)
def test_a_summary(
    price: float | None, cost: float | None, asked: list[str], fields: dict[str, Any], given: dict[str, Any]
) -> None:
    arm, problems = costed("gpu", summary(**fields), settings(**given), P5, True)
    assert arm.summary is not None
    assert arm.summary.price_per_hour == (None if price is None else Decimal(str(price)))
    assert (arm.summary.cost.mean if arm.summary.cost else None) == cost
    assert [p.code for p in problems] == asked


def test_the_spread_of_a_summarys_cost_is_exchanged_with_it() -> None:
    arm, _ = costed("gpu", summary(n=5, cost=(40, 2), cost_currency="EUR"), settings(rates=EUR_RATE), P5, True)
    assert arm.summary is not None
    assert arm.summary.cost is not None
    assert (arm.summary.cost.mean, arm.summary.cost.sd) == (50, 2.5)


ASSUMED = {"prices": {"gpu": {"per_hour": 9, "basis": "assumption"}}}


@pytest.mark.parametrize(
    ("wanted", "posted", "given"),
    [
        ([], run(**EAST, price_per_hour=Decimal("55.04")), {}),
        ([], run(**EAST, price_per_hour=Decimal("54")), {}),
        ([("price-differs-from-list", "info", "53.9", "55.04")], run(**EAST, price_per_hour=Decimal("53.9")), {}),
        ([], run(**EAST, price_per_hour=Decimal("50"), currency="EUR"), {"rates": EUR_RATE}),
        ([], run(**EAST), {}),
        ([], run(instance_type="unheard-of", **AT_50), {}),
        ([("price-is-assumption", "warning", None, None)], run(**EAST, **AT_50), ASSUMED),
    ],
)
def test_what_is_said_of_a_price_that_is_used(wanted: list[Any], posted: Run, given: dict[str, Any]) -> None:
    both = arms([posted, posted], [run("trn2", stated_cost=Decimal(1))], settings(**given), P5)
    assert short(price_notes(both, P5, settings(**given)), "found", "expected") == wanted
