"""Spot: a price that moves within a range and capacity that can be taken back; it promises nothing to anybody."""

from scoring.contracts.kinds.interface import NO_TERMS, Kind
from scoring.contracts.kinds.promise import no_hours, own_overage_rate

KIND = Kind(
    name="spot",
    aliases=("preemptible", "spot_instances"),
    promises=False,
    promise=no_hours,
    overage_rate=own_overage_rate,
    never=NO_TERMS,
    refused="an arm with that price: a spot price is a range with interruptions and promises nothing",
)
