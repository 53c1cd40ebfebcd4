"""Random workloads with contracts, as the engine's own values and as the simulator's."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from scoring.contracts.timeline import build_timeline
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, Band, Economics
from scoring.model.paying import RampStep
from scoring.model.settings import Settings
from tests.scoring.contracts.simulator import Held, World


@st.composite
def contracts(draw: st.DrawFn, number: int) -> dict[str, Any]:
    starts = date(2026, 1, 1) + timedelta(days=draw(st.integers(0, 500)))
    fields: dict[str, Any] = {
        "id": f"c{number}",
        "kind": draw(st.sampled_from(["take_or_pay", "reserved", "on_demand"])),
        "starts_on": starts,
        "ends_on": starts + timedelta(days=draw(st.integers(0, 700))),
        "covers": {"instance_types": [draw(st.sampled_from(["A", "b", "c"]))]},
        "commitment": draw(
            st.sampled_from([{"instances": "1"}, {"instances": "2.5"}, {"instance_hours_per_month": "500"}])
        ),
        "rate": Decimal(draw(st.integers(0, 60))),
        "overage_rate": draw(st.sampled_from([None, None, Decimal(10), Decimal(35), Decimal(70)])),
    }
    if draw(st.booleans()):
        fields["notice"] = {"days": draw(st.integers(0, 120))}
        rate = draw(st.sampled_from([None, Decimal(20), Decimal(45)]))
        fields["renewal"] = {"kind": "automatic", "months": 12, "rate": rate}
    return fields


@st.composite
def paid_otherwise(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """One of those that does not follow from one amount and one rate, in force within the next months."""
    fields = draw(contracts(number))
    starts = date(2026, 6, 1) + timedelta(days=draw(st.integers(0, 120)))
    fields |= {"kind": "take_or_pay", "starts_on": starts, "ends_on": starts + timedelta(draw(st.integers(90, 500)))}
    fields["covers"] = {"instance_types": [draw(st.sampled_from(["A", "b"]))]}
    return fields | draw(_terms_otherwise(fields))


@st.composite
def _terms_otherwise(draw: st.DrawFn, fields: dict[str, Any]) -> dict[str, Any]:
    """A savings plan, or a ramp and a payment at the start; of a renewal only what a decision weighs."""
    days, renews = (fields["ends_on"] - fields["starts_on"]).days, "renewal" in fields
    if draw(st.booleans()):
        plan: dict[str, Any] = {"kind": "savings_plan_compute", "commitment": {"currency_per_hour": "36"}, "rate": 0}
        plan |= {"covered_rates": {fields["covers"]["instance_types"][0]: draw(st.sampled_from(["24", "50"]))}}
        if renews:
            return plan | {"overage_rate": None, "renewal": {"kind": "automatic", "months": 12}}
        upfront = Decimal(draw(st.sampled_from([0, 36 * 12])) * (days + 1))
        return plan | {"overage_rate": None, "payment": {"kind": "partial_upfront", "upfront": upfront}}
    (form,) = fields["commitment"]
    at = draw(st.lists(st.integers(0, days), max_size=3, unique=True))
    steps = [
        {"starts_on": fields["starts_on"] + timedelta(days=day)}
        | draw(st.sampled_from([{form: "2"}, {form: "0"}, {"rate": "12"}, {form: "300", "rate": "3"}]))
        for day in at
    ]
    paid = {"kind": "partial_upfront", "upfront": Decimal(draw(st.sampled_from([0, 9000])))}
    told = {"renewal": {**fields["renewal"], "rate": Decimal(20)}} if renews else {}
    return {"ramp": steps, "payment": paid, **told}


@st.composite
def cases(draw: st.DrawFn, horizon: int = 10, otherwise: bool = False) -> tuple[World, list[Contract]]:
    """A world for the simulator and the same contracts as the engine's values."""
    one = paid_otherwise if otherwise else contracts
    held = [Contract.model_validate(draw(one(i))) for i in range(draw(st.integers(int(otherwise), 3)))]
    money = st.integers(1, 80).map(float)
    world = World(
        contracts=tuple(plain(c) for c in held),
        today=date(2026, 6, 1) if otherwise else date(2026, 1, 1) + timedelta(days=draw(st.integers(0, 700))),
        horizon=draw(st.integers(6 if otherwise else 1, horizon)),
        discount=draw(st.sampled_from([0.0, 0.08, 0.5])),
        demand=draw(st.sampled_from([100.0, 1000.0])),
        hours_a=draw(st.sampled_from([0.3, 0.9, 3.0])),
        ratio=draw(st.sampled_from([0.4, 1.0, 9 / 7, 2.81])),
        price_a=draw(money),
        price_b=draw(money),
        migration=draw(st.sampled_from([0.0, 500.0, 20000.0])),
        capacity=draw(st.sampled_from([None, None, 120.0, 900.0])),
        reuse_share=draw(st.sampled_from([0.0, 0.0, 0.5, 1.0])),
        reuse_value=draw(st.sampled_from([None, 15.0])),
    )
    return world, held


def plain(c: Contract) -> Held:
    automatic = c.renewal.kind.value == "automatic"
    until = c.ends_on + timedelta(days=1)
    if automatic:
        try:
            until = until.replace(year=until.year + 1)
        except ValueError:
            until = date(until.year + 1, 2, 28)
    commitment = c.commitment
    return Held(
        id=c.id,
        arm=c.covers.instance_types[0].lower(),
        starts_on=c.starts_on,
        ends_on=c.ends_on,
        rate=float(c.rate),
        instances=float(commitment.instances or 0),
        monthly_hours=float(commitment.instance_hours_per_month or 0),
        overage=None if c.overage_rate is None else float(c.overage_rate),
        promises=c.kind != "on_demand",
        deadline=c.ends_on - timedelta(days=c.notice.days)
        if automatic and c.notice and c.notice.days is not None
        else None,
        renewed_until=until - timedelta(days=1) if automatic else None,
        renewal_rate=float(c.rate if c.renewal.rate is None else c.renewal.rate),
        steps=tuple(_step(step) for step in sorted(c.ramp, key=lambda step: step.starts_on)),
        per_hour=float(commitment.currency_per_hour or 0),
        plan_rate=float(next(iter(c.covered_rates.values()), 1)),
        upfront=float(c.payment.upfront),
    )


def _step(step: RampStep) -> tuple[date, float | None, float | None]:
    amount = next(iter(step.amounts.values()), None)
    rate = None if step.rate is None else float(step.rate)
    return step.starts_on, None if amount is None else float(amount), rate


def engine(world: World, held: list[Contract], priced: bool = True) -> Economics:
    """What the engine says of a world, with or without the candidate's price."""
    settings: dict[str, Any] = {
        "horizon_months": world.horizon,
        "annual_discount_rate": world.discount,
        "migration_cost": Decimal(str(world.migration)),
        "demand": {"units_per_month": world.demand},
        "capacity": {"hours_per_month": world.capacity},
        "reuse_share": world.reuse_share,
        "reuse_value_per_hour": world.reuse_value,
        "split_minimum_gain": 0.0,
        "migration_ramp": world.ramp,
        "parallel_months": world.parallel,
    }
    price_b = world.price_b if priced else None
    return build_timeline(
        incumbent=ArmFlow(arm="a", hours_per_unit=world.hours_a, price_per_hour=world.price_a),
        candidate=ArmFlow(arm="b", hours_per_unit=world.hours_a * world.ratio, price_per_hour=price_b),
        contracts=held,
        settings=Settings.model_validate(settings),
        today=world.today,
        hours_ratio=Band(point=world.ratio, lo=world.ratio * 0.9, hi=world.ratio * 1.2),
    )
