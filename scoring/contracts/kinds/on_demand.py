"""On demand: no promise, nothing to pay unless it is used; its rate is the agreed price of an hour."""

from scoring.contracts.kinds.interface import Kind
from scoring.contracts.kinds.promise import agreed_rate, no_hours

KIND = Kind(
    name="on_demand",
    aliases=("pay_as_you_go",),
    promises=False,
    promise=no_hours,
    overage_rate=agreed_rate,
    never=frozenset({"payment", "ramp", "minimum_utilisation", "true_up", "resale", "early_termination"}),
)
