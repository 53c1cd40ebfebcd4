"""A book's contract and the figures that the timeline takes of it."""

from datetime import date

from scoring.contracts.portfolio.agreement import Promise, agreements
from scoring.contracts.portfolio.timeline import Portfolio
from scoring.model.contract import Contract


def test_upfront_falls_on_the_first_day_and_a_renewal_has_its_own_rate() -> None:
    contract = Contract.model_validate({
        "id": "c", "kind": "take_or_pay", "starts_on": "2027-01-16", "ends_on": "2027-01-31", "rate": "2",
        "commitment": {"instances": "1"}, "payment": {"kind": "partial_upfront", "upfront": "100"},
        "notice": {"days": 30}, "renewal": {"kind": "automatic", "months": 1, "rate": "3"},
    })  # fmt: skip
    [agreed] = agreements([contract], today=date(2027, 1, 10))
    assert (agreed.promise, agreed.amount, len(agreed.terms)) == (Promise.INSTANCES, 1.0, 2)
    assert Portfolio([], [agreed], date(2027, 1, 1), 2).timeline().cost == (100 + 16 * 24 * 2, 28 * 24 * 3)
