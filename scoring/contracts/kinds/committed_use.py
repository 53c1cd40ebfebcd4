"""Committed use by resource (Google Cloud): paid for its term whether used or not, and not cancelled."""

from scoring.contracts.kinds.interface import Kind

KIND = Kind(
    name="committed_use",
    aliases=("cud", "committed_use_discount"),
    commitments=frozenset({"instances", "instance_hours_per_month"}),
    never=frozenset({"resale", "true_up", "early_termination", "minimum_utilisation"}),
)
