"""A contract as it stands today: one whose term has ended and that renews by itself is in a later term of its."""

from datetime import date, timedelta

from scoring.contracts.notices import renewed_until, renews_automatically
from scoring.model.contract import Contract
from scoring.model.paying import Payment
from scoring.model.problem import Problem
from scoring.problems import warning

MOST_RENEWALS = 1_200


def current_term(contract: Contract, today: date) -> tuple[Contract, list[Problem]]:
    """The contract in the term that runs today, and a word about it where that is not the one in the book.

    A book does not say whether notice was given: a term that ended with an automatic renewal is taken to have
    renewed, as often as needed, at its renewal rate. That rate is then all that is paid: nothing upfront again.
    """
    if contract.notice is None or not renews_automatically(contract):
        return contract, []
    rolled = contract
    for _ in range(MOST_RENEWALS):
        if rolled.ends_on >= today:
            break
        rate = rolled.rate if rolled.renewal.rate is None else rolled.renewal.rate
        dates = {"starts_on": rolled.ends_on + timedelta(days=1), "ends_on": renewed_until(rolled)}
        told = rolled.renewal.rate is not None and rolled.commitment.currency_per_hour is None
        paid = {"payment": Payment()} if told else {}
        rolled = rolled.model_copy(update={**dates, **paid, "rate": rate})
    if rolled is contract:
        return contract, []
    place = {"file": contract.source.file, "row": contract.source.row, "id": contract.id}
    found, expected = contract.ends_on.isoformat(), rolled.ends_on.isoformat()
    return rolled, [warning("contract-has-renewed", **place, found=found, expected=expected)]
