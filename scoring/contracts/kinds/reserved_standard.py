"""A standard reserved instance: paid around the clock for its term; what is left of it may be sold."""

from scoring.contracts.kinds.interface import Kind

KIND = Kind(
    name="reserved_standard",
    aliases=("standard_reserved_instance", "ri_standard"),
    commitments=frozenset({"instances"}),
    never=frozenset({"true_up", "exchange", "early_termination", "minimum_utilisation", "ramp"}),
)
