"""The outputs that are read as contracts: one file and one line each."""

from scoring.contracts.sources import (
    aws_capacity_blocks,
    aws_capacity_reservations,
    aws_reserved_instances,
    aws_savings_plan_rates,
    aws_savings_plans,
)
from scoring.contracts.sources.interface import Output

OUTPUTS: tuple[Output, ...] = (
    aws_reserved_instances.OUTPUT,
    aws_capacity_reservations.OUTPUT,
    aws_capacity_blocks.OUTPUT,
    aws_savings_plans.OUTPUT,
    aws_savings_plan_rates.OUTPUT,
)
