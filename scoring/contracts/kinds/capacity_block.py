"""A capacity block: a fixed start and length, paid at once; it can be neither changed nor cancelled."""

from scoring.contracts.kinds.interface import Kind

KIND = Kind(
    name="capacity_block",
    aliases=("capacity_blocks",),
    commitments=frozenset({"instances"}),
    never=frozenset(
        {"resale", "exchange", "early_termination", "transfer", "true_up", "minimum_utilisation", "ramp", "renewal"}
    ),
)
