"""Small quarters for the tests."""

from datetime import date
from decimal import Decimal
from typing import Any

from scoring.model.contract import Commitment, Contract, Coverage, Notice, Renewal
from scoring.quarter.values import PlannedWorkload, QuarterInput, Search, WorkloadOption

FIRST = date(2027, 1, 1)


def option(name: str, price: float, **fields: Any) -> WorkloadOption:
    """An option whose instance type has its own name."""
    given = {"id": name, "instance_type": name, "on_demand_price": price, "hours_per_unit": 1.0, **fields}
    return WorkloadOption(**given)


def workload(name: str, units: float, *options: WorkloadOption, months: int = 12, **fields: Any) -> PlannedWorkload:
    """The same work each month; it runs on the first option today."""
    given = {"id": name, "units_per_month": (units,) * months, "options": options, "today": options[0].id, **fields}
    return PlannedWorkload(**given)


def take_or_pay(name: str, hours: float, rate: float, ends_on: date, *types: str, **fields: Any) -> Contract:
    """Hours a month of some instance types."""
    given: dict[str, Any] = {
        "id": name,
        "kind": "take_or_pay",
        "starts_on": date(2026, 1, 1),
        "ends_on": ends_on,
        "covers": Coverage(instance_types=types),
        "commitment": Commitment(instance_hours_per_month=Decimal(str(hours))),
        "rate": Decimal(str(rate)),
        **fields,
    }
    return Contract(**given)


def renewing(rate: float | None = None, months: int = 12, kind: str = "automatic") -> dict[str, Any]:
    """Terms of a contract that goes on; notice 30 days before the end."""
    terms = Renewal(kind=kind, months=months, rate=None if rate is None else Decimal(str(rate)))  # type: ignore[arg-type]
    return {"notice": Notice(days=30), "renewal": terms}


def quarter(*workloads: PlannedWorkload, months: int = 12, **fields: Any) -> QuarterInput:
    """Asked half a month before the first month, to the last cent."""
    given = {
        "today": date(2026, 12, 15),
        "first_month": FIRST,
        "months": months,
        "currency": "USD",
        "workloads": workloads,
        "search": Search(gap=0),
        **fields,
    }
    return QuarterInput(**given)
