"""A convertible reserved instance: exchanged for equal or greater value, and never resold."""

from scoring.contracts.kinds.interface import Kind

KIND = Kind(
    name="reserved_convertible",
    aliases=("convertible_reserved_instance", "ri_convertible"),
    commitments=frozenset({"instances"}),
    never=frozenset({"true_up", "resale", "early_termination", "minimum_utilisation", "ramp"}),
)
