"""Random but sane postings with contracts and settings: what a memo must be able to recompute, whatever comes."""

import json
from random import Random

from scoring.analysis import Evidence, analyse
from scoring.model.decision import Decision
from scoring.reading.posted import PostedFile
from tests.samples import TODAY, decision

SETTINGS = (
    ("migration_cost=20000", 0.5), ("discount=8%", 0.4), ("horizon=18m", 0.3), ("capacity=400", 0.2),
    ("reuse_share=0.4", 0.2), ("margin.wer=0.2", 0.6), ("margin.accuracy=1%", 0.5), ("count_initialisation=true", 0.2),
    ("split_minimum_gain=0.05", 0.2), ("confidence=0.9", 0.2),
)  # fmt: skip

TOLD = """contracts:
  - id: plan
    kind: savings_plan_instance
    starts_on: 2027-02-01
    ends_on: 2028-01-31
    covers: {instance_types: [p5.48xlarge]}
    covered_rates: {p5.48xlarge: 24}
    commitment: {currency_per_hour: 9}
    payment: {kind: partial_upfront, upfront: 10000}
  - id: growing
    kind: take_or_pay
    starts_on: 2027-03-01
    ends_on: 2028-06-30
    covers: {instance_types: [trn2.48xlarge]}
    commitment: {instances: 0.25}
    rate: 20
    overage_rate: 30
    ramp: [{from: 2027-06-01, instances: 0.5, rate: 18}, {from: 2027-09-01, instances: 0}]
  - id: stepped
    kind: take_or_pay
    starts_on: 2026-07-01
    ends_on: 2027-05-31
    covers: {instance_types: [p5.48xlarge]}
    commitment: {instances: 0.25}
    rate: 30
    overage_rate: 45
    ramp: [{from: 2027-03-01, instances: 0.2}]
    notice: {days: 30}
    renewal: {kind: automatic, months: 12, rate: 21}
"""


AT_LEAST = """contracts:
  - id: lowered
    kind: take_or_pay
    starts_on: 2026-07-01
    ends_on: 2027-08-31
    covers: {instance_types: [p5.48xlarge]}
    commitment: {instances: 1}
    minimum_utilisation: 40 %
    rate: 30
    ramp: [{from: 2027-03-01, rate: 33}]
  - id: lowered-too
    kind: take_or_pay
    starts_on: 2027-01-01
    ends_on: 2027-05-31
    covers: {instance_types: [p5.48xlarge]}
    commitment: {instance_hours_per_month: 300}
    minimum_utilisation: 0.5
    rate: 24
    overage_rate: 45
    notice: {days: 30}
    renewal: {kind: automatic, months: 12, rate: 21}
  - id: candidates
    kind: take_or_pay
    starts_on: 2027-02-01
    ends_on: 2027-09-30
    covers: {instance_types: [trn2.48xlarge]}
    commitment: {instances: 1}
    minimum_utilisation: 0.25
    rate: 19
"""


def at_least(*overrides: str) -> Decision:
    """The speech sample with contracts of either arm that are paid in part, whatever is used."""
    return decision(
        "speech-finetune", "demand=900000", *overrides, replaced={"contracts.yml": ("contracts:\n", AT_LEAST)}
    )


def told_by_month() -> Decision:
    """The speech sample with a savings plan, a ramp on each side and a payment to come beside its own contract."""
    return decision("speech-finetune", replaced={"contracts.yml": ("contracts:\n", TOLD)})


def world(seed: int, *more: str) -> Decision:
    """A decision of its own for each seed."""
    random = Random(seed)
    with_work = random.random() < 0.3
    pilot = PostedFile.from_bytes("pilot.csv", _pilot(random, with_work).encode())
    held = [_contract(random, number) for number in range(random.randint(0, 3))]
    overrides = [setting for setting, likely in SETTINGS if random.random() < likely] + [*more]
    if random.random() < 0.85:
        overrides.append(f"demand={random.choice([300, 900, 2500]) * (1_000_000 if with_work else 1)}")
    book = PostedFile.from_bytes("contracts.yml", json.dumps({"contracts": held}).encode()) if held else None
    return analyse(Evidence((pilot,), contracts=book, overrides=tuple(overrides)), today=TODAY)


def _pilot(random: Random, with_work: bool) -> str:
    runs = random.choice([(3, 3), (5, 5), (2, 2), (1, 1), (4, 7), (10, 3)])
    prices = random.choice([("55", "35"), ("40", "40"), ("20", "60"), ("55", "")])
    paired, quality, warm, failing = (random.random() < share for share in (0.3, 0.7, 0.3, 0.2))
    header = ["arm", "run", "duration_s", "instance_type", "price_usd_per_hour"]
    header += ["block"] * paired + ["wer", "accuracy"] * quality + ["init_s"] * warm
    header += ["tokens"] * with_work + ["status"] * failing
    rows = [header]
    for arm, count, seconds, price, kind in zip(
        ("gpu", "trn2"), runs, (3600, random.choice([3000, 4000, 9000])), prices, ("p5", "trn2"), strict=True
    ):
        for i in range(count):
            row = [arm, str(i + 1), f"{seconds * random.gauss(1, 0.03):.2f}", kind, price]
            row += [f"d{i % 3}"] * paired
            row += [f"{random.gauss(7.4, 0.05):.3f}", f"{random.gauss(0.9, 0.004):.4f}"] if quality else []
            row += [str(random.randint(10, 900))] * warm + [str(random.randint(900, 1100) * 1000)] * with_work
            rows.append(row + [random.choice(["ok"] * 5 + ["failed"])] * failing)
    return "\n".join(",".join(row) for row in rows)


def _contract(random: Random, number: int) -> dict[str, object]:
    contract: dict[str, object] = {
        "id": f"c{number}",
        "kind": random.choice(["take_or_pay", "take_or_pay", "on_demand"]),
        "starts_on": random.choice(["2025-01-01", "2026-10-20"]),
        "ends_on": random.choice(["2027-03-14", "2027-06-30", "2028-01-31", "2026-11-30"]),
        "rate": random.choice(["20", "38", "48.5"]),
        "commitment": random.choice([{"instances": "1"}, {"instance_hours_per_month": "500"}, {"instances": "0.5"}]),
        "covers": {"instance_types": [random.choice(["p5", "p5", "trn2", "g6"])]},
    }
    if random.random() < 0.4:
        contract["overage_rate"] = random.choice(["15", "70"])
    if random.random() < 0.6:
        rate = {"rate": random.choice(["22", "50"])} if random.random() < 0.5 else {}
        contract |= {"notice": {"days": random.choice(["30", "90", "200"])}}
        contract |= {"renewal": {"kind": "automatic", "months": "12", **rate}}
    return contract


OF_BOTH = """contracts:
  - id: plan
    kind: savings_plan_compute
    starts_on: 2027-01-01
    ends_on: 2027-12-31
    covers: {instance_types: [p5.48xlarge, trn2.48xlarge]}
    covered_rates: {p5.48xlarge: 31, trn2.48xlarge: 24}
    commitment: {currency_per_hour: 30}
"""


def of_both(*overrides: str) -> Decision:
    """The speech sample with a savings plan that either arm's hours may draw on."""
    return decision(
        "speech-finetune", "demand=900000", *overrides, replaced={"contracts.yml": ("contracts:\n", OF_BOTH)}
    )


SPENT = """contracts:
  - id: spent
    kind: spend_commitment
    starts_on: 2026-07-01
    ends_on: 2029-06-30
    covers: {instance_types: [p5.48xlarge, trn2.48xlarge]}
    commitment: {currency_total: 1500000, per_year: true}
    other_spend_per_month: 9000
"""


def spent(*overrides: str) -> Decision:
    """The speech sample with a spend commitment that is trued up each year."""
    return decision("speech-finetune", "demand=900000", *overrides, replaced={"contracts.yml": ("contracts:\n", SPENT)})
