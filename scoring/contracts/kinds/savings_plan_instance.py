"""An EC2 instance savings plan: an amount an hour for one family in one region, lost where it is not used."""

from scoring.contracts.kinds.interface import PLAN_NEVER, Kind
from scoring.contracts.kinds.promise import plan_hours

KIND = Kind(
    name="savings_plan_instance",
    aliases=("ec2_instance_savings_plan", "instance_savings_plan"),
    promise=plan_hours,
    commitments=frozenset({"currency_per_hour"}),
    never=PLAN_NEVER,
    needs_rate=False,
)
