"""A compute savings plan: an amount an hour for any compute, lost with each hour in which it is not used."""

from scoring.contracts.kinds.interface import PLAN_NEVER, Kind
from scoring.contracts.kinds.promise import plan_hours

KIND = Kind(
    name="savings_plan_compute",
    aliases=("savings_plan", "compute_savings_plan"),
    promise=plan_hours,
    commitments=frozenset({"currency_per_hour"}),
    never=PLAN_NEVER,
    needs_rate=False,
)
