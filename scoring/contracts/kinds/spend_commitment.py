"""A spend commitment (EDP, MACC, spend-based CUD): a total; what is not spent by a period's end is trued up then."""

from decimal import Decimal

from scoring.contracts.kinds.interface import Kind
from scoring.contracts.kinds.promise import no_hours, own_overage_rate
from scoring.model.contract import Contract

KIND = Kind(
    name="spend_commitment",
    aliases=("edp", "macc", "spend_based_cud"),
    promise=no_hours,
    overage_rate=own_overage_rate,
    commitments=frozenset({"currency_total"}),
    never=frozenset({"resale", "exchange", "minimum_utilisation"}),
    needs_rate=False,
)


def shortfall_charge(contract: Contract, committed: Decimal, spent: Decimal) -> Decimal:
    """What a period's end charges: the contract's share of what was promised and not spent, in its currency."""
    return contract.true_up * max(Decimal(0), committed - spent)
