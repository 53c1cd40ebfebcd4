"""How often staying lets a contract renew within the horizon: each renewal may be the last one.

At one rate, renewals one after another are one longer renewal.
"""

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np

from scoring.contracts.coverage import Column
from scoring.contracts.months import Months
from scoring.contracts.notices import add_months, renewed_until, renews_automatically
from scoring.model.contract import Contract

DAY = timedelta(days=1)


def longest(contract: Contract, last: date) -> Contract:
    """The contract that renews until a day or beyond it; as it is where that is nothing, or one renewal."""
    # A total is promised for each renewal: two of them are not one of twice the length.
    if not renews_automatically(contract) or contract.commitment.currency_total is not None:
        return contract
    return renewing(contract, len(_ends(contract, last)))


def renewing(contract: Contract, times: int) -> Contract:
    """The contract whose renewal is as long as that many."""
    renewal = contract.renewal
    return contract.model_copy(update={"renewal": renewal.model_copy(update={"months": renewal.months * times})})


def cheapest_length(contract: Contract, months: Months, dearer: Column) -> Contract:
    """The contract renewing as often as is cheapest, rarely rather than often.

    `dearer` is what each month of the horizon costs more with the longest renewal than with one.
    """
    ends = _ends(contract, months[-1][1])
    costs = [_shares(ends[0], end, months) @ dearer for end in ends]
    return renewing(contract, int(np.argmin(costs)) + 1)


def _ends(contract: Contract, last: date) -> Sequence[date]:
    """Last day of the first renewal, of the second and so on, until one reaches a day."""
    first, length = contract.ends_on + DAY, contract.renewal.months
    ends = [renewed_until(contract)]
    while ends[-1] < last:
        ends.append(add_months(first, length * (len(ends) + 1)) - DAY)
    return ends


def _shares(first_end: date, end: date, months: Months) -> Column:
    """Of each month's days after the first renewal, the share that renewals until a day hold."""
    days = np.array([[day.toordinal() for day in month] for month in months])
    first, last = np.maximum(days[:, 0], first_end.toordinal() + 1), days[:, 1]
    held: Column = np.clip((np.minimum(end.toordinal(), last) - first + 1) / np.maximum(last - first + 1, 1), 0, 1)
    return held
