"""`workloads.yml`: each mistake in work, pools and offers with its line, what was found and what is expected."""

import pytest

from bot.render.notices import render_problems
from scoring.reading.posted import PostedFile
from scoring.review.workload_book import read_workloads

BOOK = """workloads:
- name: w
  demand: {units_per_month: 100}
  runs_on: a
  options:
  - {id: a, instance_type: gpu, on_demand_price: 10, hours_per_unit: 1}
  - id: b
    instance_type: trn
    on_demand_price: 6
    hours_per_unit: 1
    region: us-east-2
    pool: trn-pool
pools:
- id: trn-pool
  region: us-east-2
  hours_per_month: 900
  changes:
  - {from: 2027-03-01, hours_per_month: 1200}
  confirmed_by: ops
  confirmed_until: 2027-06-30
offers:
- id: one-year
  term_months: 12
  rate: 4.5
  covers: {instance_types: trn, regions: [us-east-2]}
  most_instances: 3
"""


def read(text: str) -> list[tuple[str, int | None, str | None, str | None, str | None]]:
    _, problems = read_workloads(PostedFile.from_bytes("workloads.yml", text.encode()))
    return [(p.code, p.row, p.column, p.found, p.expected) for p in problems]


def test_a_sound_book_is_read_whole() -> None:
    book, problems = read_workloads(PostedFile.from_bytes("workloads.yml", BOOK.encode()))
    assert problems == []
    (pool,), (offer,) = book.pools, book.offers
    assert (pool.hours_per_month, [c.hours_per_month for c in pool.changes]) == (900, [1200])
    assert (offer.terms.covers.instance_types, offer.terms.most_instances) == (("trn",), 3)
    assert (offer.file, offer.row) == ("workloads.yml", 22)


@pytest.mark.parametrize(
    ("old", "new", "column", "expected"),
    [
        ("hours_per_unit: 1}", "hours_per_unit: 1, savings_plan_rates: {sp: 0}}", "savings_plan_rates.sp", "above 0"),
        ("hours_per_unit: 1}", "hours_per_unit: 1, savings_plan_rates: {sp: .inf}}", "savings_plan_rates.sp", "number"),
        ("hours_per_unit: 1}", "hours_per_unit: 20000000}", "hours_per_unit", "not 2e+09"),
        ("100}", "100, changes: [{from: 2027-03-01, units_per_month: 1e15}]}", "hours_per_unit", "not 1e+15"),
        ("100}", "100, low: 1, high: 1000000}", "demand.high", "100000"),
        ("100}", "100, low: 0.001, high: 200}", "demand.low", "0.1"),
    ],
)
def test_figures_that_nobody_can_mean_are_refused(old: str, new: str, column: str, expected: str) -> None:
    """They ended in an internal error, or in a plan that could not be."""
    found = [one for one in read(BOOK.replace(old, new, 1)) if one[0] == "workload-invalid"]
    assert found and all(str(place).endswith(column) for _, _, place, _, _ in found)
    assert expected in str(found[0][4])


@pytest.mark.parametrize(
    ("old", "new", "row", "column", "found", "expected"),
    [
        ("pool: trn-pool", "pool: trn-pol", 12, "workloads.0.options.1.pool", "trn-pol", "trn-pool"),
        ("pools:\n- id: trn-pool", "pools:\n- id: other", 12, "workloads.0.options.1.pool", "trn-pool", "other"),
        (
            "region: us-east-2\n  hours",
            "region: eu-west-1\n  hours",
            12,
            "workloads.0.options.1.pool",
            "trn-pool (eu-west-1)",
            "a pool in us-east-2",
        ),
        ("hours_per_month: 900", "hours_per_month: many", 16, "pools.0.hours_per_month", "many", "a number"),
        ("hours_per_month: 900", "hours_per_month: -1", 16, "pools.0.hours_per_month", "-1", "a number of at least 0"),
        ("hours_per_month: 900", "hours: 900", 16, "pools.0.hours", "hours", "hours_per_month"),
        ("hours_per_month: 1200}", "hours: 1200}", 18, "pools.0.changes.0.hours", "hours", "hours_per_month"),
        ("2027-03-01", "March", 18, "pools.0.changes.0.from", "March", "a day such as 2027-06-30"),
        (
            "confirmed_until: 2027-06-30",
            "confirmed_until: soon",
            20,
            "pools.0.confirmed_until",
            "soon",
            "a day such as 2027-06-30",
        ),
        (
            "  confirmed_until: 2027-06-30\n",
            "  confirmed_until: 2027-06-30\n- {id: trn-pool, hours_per_month: 1}\n",
            21,
            "pools.1.id",
            "trn-pool",
            "an id of its own",
        ),
        (
            "id: trn-pool",
            "id: capacity",
            14,
            "pools.0",
            "id, region, hours_per_month, changes, confirmed_by, confirmed_until",
            "another id: capacity is that of the settings",
        ),
        ("rate: 4.5", "rate: 4,5", 24, "offers.0.rate", "4,5", "a number"),
        ("rate: 4.5", "rte: 4.5", 24, "offers.0.rte", "rte", "rate"),
        ("term_months: 12", "term_months: 1y", 23, "offers.0.term_months", "1y", "a whole number"),
        ("  rate: 4.5\n", "", 22, "offers.0.rate", "nothing", "a value"),
        (
            "instance_types: trn, ",
            "",
            22,
            "offers.0",
            "id, term_months, rate, covers, most_instances",
            "covers with instance_types or families",
        ),
        ("  covers: {instance_types: trn, regions: [us-east-2]}\n", "", 22, "offers.0.covers", "nothing", "a value"),
        ("regions: [us-east-2]}", "region: us-east-2}", 25, "offers.0.covers.region", "region", "regions"),
        (
            "most_instances: 3",
            "most_instances: 3\n  instances: 4",
            22,
            "offers.0",
            "id, term_months, rate, covers, most_instances, instances",
            "most_instances of at least instances",
        ),
        (
            "most_instances: 3",
            "most_instances: 3\n  currency: euro",
            27,
            "offers.0.currency",
            "euro",
            "three letters such as USD",
        ),
        (
            "  most_instances: 3\n",
            "  most_instances: 3\n- {id: one-year, term_months: 3, rate: 1, covers: {families: p5}}\n",
            27,
            "offers.1.id",
            "one-year",
            "an id of its own",
        ),
        ("offers:\n- id", "offer:\n- id", 21, "offer", "offer", "offers"),
        ("offers:\n- id", "offers: none\nx:\n- id", 21, "offers", "none", "offers: a list of at most 100"),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, row: int, column: str, found: str, expected: str) -> None:
    assert BOOK.count(old) >= 1
    assert ("workload-invalid", row, column, found, expected) in read(BOOK.replace(old, new, 1))


@pytest.mark.parametrize("text", ["", "[]", "pools: []", "workloads: 3", "workloads: [1, [2], null]", "a: &x 1\nb: *x"])
def test_what_is_no_book_is_named(text: str) -> None:
    assert [code for code, *_ in read(text)]


def test_a_pool_that_no_option_takes_is_told_and_read() -> None:
    (told,) = read(BOOK.replace("    pool: trn-pool\n", ""))
    assert told[:2] == ("pool-without-use", 13)


def test_mistakes_read_in_both_languages() -> None:
    _, problems = read_workloads(PostedFile.from_bytes("workloads.yml", BOOK.replace("id: one-year", "").encode()))
    english, spanish = (render_problems(problems, language, title="review.refused") for language in ("en", "es"))
    assert "workloads.yml" in english and "line 23" in english and "a value" in english
    assert "workloads.yml" in spanish and "un valor" in spanish
