"""The sample's review, its figures worked out again from the files alone: plain Python, nothing of the engine.

Contracts of the sample are made so that an hour is covered by at most one contract by hours before the plan takes
what is left; the waterfall is then short enough to be written out here.
"""

import calendar
import csv
import json
from collections import defaultdict
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.quarter_sample import FOLDER, PILOTS, decide, outcomes, reviewed_sample, workloads

MONTHS = [date(2027, m, 1) for m in range(1, 10)]
QUARTERS = {"2027Q1": MONTHS[:3], "2027Q2": MONTHS[3:6], "2027Q3": MONTHS[6:]}
RATE = {"USD": 1.0, "EUR": 1.10}
LEVEL = 0.95
HOURS = 24


@pytest.fixture(scope="module")
def told() -> Any:
    return reviewed_sample()


@pytest.fixture(scope="module")
def book() -> dict[str, Any]:
    return {c["id"]: c for c in yaml.safe_load((FOLDER / "contracts.yml").read_text())["contracts"]}


@pytest.fixture(scope="module")
def work() -> list[dict[str, Any]]:
    found = []
    for one in yaml.safe_load((FOLDER / "workloads.yml").read_text())["workloads"]:
        option = next(o for o in one["options"] if o["id"] == one["runs_on"])
        found.append(
            {"name": one["name"], "hours": one["demand"]["units_per_month"] * option["hours_per_unit"], **option}
        )
    return found


def days_of(month: date) -> int:
    return calendar.monthrange(month.year, month.month)[1]


def held_days(contract: dict[str, Any], month: date) -> int:
    """Days of a month in a contract's term; the one whose notice was missed goes on for its renewal."""
    last = date(2027, 8, 31) if contract["id"] == "gaudi-minimum" else contract["ends_on"]
    first, end = max(month, contract["starts_on"]), min(month.replace(day=days_of(month)), last)
    return max(0, (end - first).days + 1)


def by_hand(
    book: dict[str, Any], work: list[dict[str, Any]], month: date
) -> tuple[dict[str, tuple[float, float, float]], dict[str, float]]:
    """Promised, used and cost of each contract in a month, and the hours that each workload pays on demand."""
    left = {w["name"]: w["hours"] for w in work}
    found = {}
    for name, contract in book.items():
        covers, commitment = contract["covers"], contract["commitment"]
        days = held_days(contract, month)
        if not covers.get("instance_types") or not days:
            continue
        part = days / days_of(month)
        mine = [w for w in work if w["instance_type"] in covers["instance_types"] and w["region"] in covers["regions"]]
        promised = (
            commitment["instances"] * HOURS * days
            if "instances" in commitment
            else commitment["instance_hours_per_month"] * part
        )
        wanted = sum(left[w["name"]] for w in mine) * part
        used = min(promised, wanted)
        for w in mine:
            left[w["name"]] -= used * left[w["name"]] / (wanted / part) if wanted else 0.0
        rate = contract["rate"] * RATE[contract.get("currency", "USD")]
        if name == "gaudi-minimum" and month >= date(2027, 3, 1):
            rate = contract["renewal"]["rate"]
        minimum = 0.8 if "minimum_utilisation" in contract else 1.0
        upfront = contract.get("payment", {}).get("upfront", 0) if month == contract["starts_on"].replace(day=1) else 0
        found[name] = promised, used, max(promised * minimum, used) * rate + upfront
    plan = book["compute-plan"]
    promised = plan["commitment"]["currency_per_hour"] * HOURS * held_days(plan, month)
    spent = 0.0
    rates = plan["covered_rates"]
    for w in sorted(
        (w for w in work if w["instance_type"] in rates), key=lambda w: rates[w["instance_type"]] / w["on_demand_price"]
    ):
        hours = min(left[w["name"]], (promised - spent) / rates[w["instance_type"]])
        left[w["name"]] -= hours
        spent += hours * rates[w["instance_type"]]
    found["compute-plan"] = promised, spent, promised
    return found, left


def test_every_contract_is_used_as_by_hand(told: Any, book: dict[str, Any], work: list[dict[str, Any]]) -> None:
    sums: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    overage: dict[str, float] = defaultdict(float)
    prices = {w["name"]: w["on_demand_price"] for w in work} | {"chat-distil": 31.0}
    for quarter, months in QUARTERS.items():
        for month in months:
            found, left = by_hand(book, work, month)
            for name, figures in found.items():
                sums[name, quarter] = [a + b for a, b in zip(sums[name, quarter], figures, strict=True)]
            for name, hours in left.items():
                is_priced = name != "chat-distil" or month <= book["h200-minimum"]["ends_on"]
                overage[quarter] += hours * (prices[name] if is_priced else 33.0)
    for contract in told.contracts:
        if contract.contract_id != "enterprise-discount":
            for one in contract.quarters:
                expected = sums[contract.contract_id, one.quarter]
                assert (one.promised, one.used, one.cost) == pytest.approx(expected), (
                    contract.contract_id,
                    one.quarter,
                )
    for total in told.totals:
        cost = sum(figures[2] for (_, quarter), figures in sums.items() if quarter == total.quarter)
        assert total.commitment_cost == pytest.approx(cost)
        assert total.overage_cost == pytest.approx(overage[total.quarter])


def test_days_are_those_of_the_contracts(told: Any, book: dict[str, Any]) -> None:
    """Ends stand in the book; notices are so many days before them."""
    found = {(d.due.kind.value, d.due.subject): d.due.day for d in told.dates}
    assert found["notice", "h200-minimum"] == book["h200-minimum"]["ends_on"] - timedelta(days=90)
    assert found["notice", "l40s-minimum"] == book["l40s-minimum"]["ends_on"] - timedelta(days=30)
    assert found["notice", "gaudi-minimum"] == book["gaudi-minimum"]["ends_on"] - timedelta(days=60)
    ends = {name: c["ends_on"] for name, c in book.items() if date(2027, 1, 1) <= c["ends_on"] <= date(2027, 9, 30)}
    assert {subject: day for (kind, subject), day in found.items() if kind == "term-end"} == ends


def test_the_plan_keeps_to_the_pool_and_uses_the_offer_as_by_hand(told: Any) -> None:
    """Months of the pool, of the offer's hours and of what is lacking, from the files and the assignments told."""
    given = yaml.safe_load((FOLDER / "workloads.yml").read_text())
    (pool,), (offer,) = given["pools"], given["offers"]
    runs_on = {a.workload: (a.option, a.month) for a in told.plan.optimal.assignments}
    months = [*(date(2027, m, 1) for m in range(2, 13)), date(2028, 1, 1)]
    limit = [pool["hours_per_month"] if m < pool["changes"][0]["from"] else 2_900 for m in months]
    drawn, covered, needs = [0.0] * 12, [0.0] * 12, dict[str, float]()
    for work in given["workloads"]:
        for option in work["options"]:
            after, since = runs_on[work["name"]]
            hours = work["demand"]["units_per_month"] * option["hours_per_unit"]
            needs[f"{work['name']} {option['id']}"] = hours
            for t in range(12):
                if option["id"] == (after if t >= since else work["runs_on"]):
                    drawn[t] += hours if option.get("pool") == pool["id"] else 0.0
                    covered[t] += hours if option["instance_type"] in offer["covers"]["instance_types"] else 0.0
    assert all(hours <= most for hours, most in zip(drawn, limit, strict=True))
    (move,) = [m for m in told.plan.moves if m.subject == offer["id"]]
    assert (move.on, move.until, move.deadline) == (date(2027, 2, 1), date(2028, 1, 31), date(2027, 2, 1))
    promised = [move.instances * HOURS * days_of(m) for m in months]
    (use,) = [u for u in told.plan.optimal.uses if u.contract == offer["id"]]
    assert use.promised == pytest.approx(promised)
    for t in range(2, 12):  # before April the savings plan may serve some of the same hours
        assert use.used[t] == pytest.approx(min(promised[t], covered[t]))
    full = {b.workload: b for b in told.plan.binding if b.code.value == "pool-full"}
    assert full.keys() == {"moderation", "query-embed"}
    for name, bound in full.items():
        lacking = [needs[f"{name} inf2"] - (limit[t] - drawn[t]) for t in range(bound.month, 12)]
        assert bound.hours == pytest.approx(sum(h for h in lacking if h > 0))


def records() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    index = json.loads((FOLDER / "index.json").read_text())["entries"]
    paths = [
        FOLDER / "decisions" / e["quarter"] / f"issue-{e['issue']}" / str(e["seq"]) / "decision.json" for e in index
    ]
    return [(entry, json.loads(path.read_text())) for entry, path in zip(index, paths, strict=True)]


def test_decisions_since_the_quarter_before_and_what_waits(told: Any) -> None:
    new = {(e["issue"], e["seq"]) for e, r in records() if r["decided_on"] >= "2026-10-01"}
    assert {(d.fact.issue, d.fact.seq) for d in told.decisions if d.is_new} == new == {(11, 1), (12, 1), (2, 2), (6, 2)}
    last = {e["issue"]: (e, r) for e, r in sorted(records(), key=lambda er: er[0]["seq"])}
    waiting = {}
    for issue, (_, record) in last.items():
        path = FOLDER / "sign-offs" / f"issue-{issue}.json"
        signed = (
            {s["roles"][0] for s in json.loads(path.read_text())["signatures"] if s["document"] == record["document"]}
            if path.exists()
            else set()
        )
        if record["verdict"]["word"] == "EXTEND":
            waiting[issue] = record["regret"]["best"]["net"]
        elif signed != {"finance", "platform"}:
            waiting[issue] = record["economics"]["saving"]["point"]
    ranked = sorted(waiting, key=lambda issue: -waiting[issue])
    assert [p.issue for p in told.pilots] == ranked
    assert [p.worth for p in told.pilots] == pytest.approx([waiting[issue] for issue in ranked])


def test_outcomes_against_their_intervals(told: Any) -> None:
    by_key = {(e["issue"], e["seq"]): r for e, r in records()}
    expected, saved = {}, 0.0
    for row in csv.DictReader((FOLDER / "outcomes.csv").open()):
        record = by_key[int(row["issue"]), int(row["seq"])]
        month = next(m for m in record["economics"]["months"] if m["starts_on"] == f"{row['period']}-01")
        saved += month["stay_cost"] - float(row["monthly_cost"])
        if record["verdict"]["word"] != "STAY":
            theta, base = record["cost"]["theta"], record["cost"]["arms"][record["incumbent"]]["cost_per_unit"]
            actual = float(row["cost_per_unit"]) / base
            expected[int(row["issue"]), row["period"]] = actual, theta["lo"] <= actual <= theta["hi"]
    found = {
        (row.issue, f"{row.outcome.starts_on:%Y-%m}"): (check.actual, check.inside)
        for row in told.outcomes
        for check in row.checks
        if check.what == "cost"
    }
    assert found.keys() == expected.keys()
    assert all(found[k] == (pytest.approx(expected[k][0]), expected[k][1]) for k in expected)
    assert sum(row.saved for row in told.outcomes) == pytest.approx(saved)
    (cost,) = [c for c in told.calibration if c.what == "cost"]
    last = {issue: inside for (issue, _), (_, inside) in sorted(expected.items(), key=lambda kv: kv[0][1])}
    assert (cost.n, cost.inside) == (len(last), sum(last.values())) == (4, 3)


def test_the_sample_is_what_its_script_makes(tmp_path: Path) -> None:
    """Two decisions, the work and the outcomes; the rest is made alike."""
    by_key = {(e["issue"], e["seq"]): r for e, r in records()}
    for pilot in PILOTS[:2]:
        assert decide(pilot).document == by_key[pilot.issue, pilot.seq]["document"]
    assert (FOLDER / "workloads.yml").read_text() == workloads()
    made = outcomes({(p.issue, p.seq): decide(p) for p in PILOTS})
    assert (FOLDER / "outcomes.csv").read_text() == made
