"""A book's contract and the figures that the timeline takes of it."""

from datetime import date

import pytest

from scoring.contracts.portfolio.agreement import Promise, agreements
from scoring.contracts.portfolio.timeline import Portfolio
from scoring.model.contract import Contract


@pytest.mark.parametrize(
    ("payment", "first_month", "second_month"),
    [
        ({"kind": "none"}, 31 * 24 * 10, 28 * 24 * 10),
        ({"kind": "partial_upfront", "upfront": 59 * 24 * 4}, 59 * 24 * 4 + 31 * 24 * 6, 28 * 24 * 6),
        ({"kind": "all_upfront", "upfront": 59 * 24 * 10}, 59 * 24 * 10, 0),
    ],
)
def test_what_was_paid_at_the_start_of_a_savings_plan_does_not_fall_due_again(
    payment: dict[str, object], first_month: float, second_month: float
) -> None:
    """10 an hour over the 59 days of January and February."""
    plan = Contract.model_validate({
        "id": "c", "kind": "savings_plan_compute", "starts_on": "2027-01-01", "ends_on": "2027-02-28", "rate": "0",
        "commitment": {"currency_per_hour": "10"}, "payment": payment,
    })  # fmt: skip
    timeline = Portfolio([], agreements([plan], date(2027, 1, 1)), date(2027, 1, 1), 3).timeline()
    assert timeline.cost == pytest.approx((first_month, second_month, 0))


def test_upfront_falls_on_the_first_day_and_a_renewal_has_its_own_rate() -> None:
    contract = Contract.model_validate({
        "id": "c", "kind": "take_or_pay", "starts_on": "2027-01-16", "ends_on": "2027-01-31", "rate": "2",
        "commitment": {"instances": "1"}, "payment": {"kind": "partial_upfront", "upfront": "100"},
        "notice": {"days": 30}, "renewal": {"kind": "automatic", "months": 1, "rate": "3"},
    })  # fmt: skip
    [agreed] = agreements([contract], today=date(2027, 1, 10))
    assert (agreed.promise, agreed.amount, len(agreed.terms)) == (Promise.INSTANCES, 1.0, 2)
    assert Portfolio([], [agreed], date(2027, 1, 1), 2).timeline().cost == (100 + 16 * 24 * 2, 28 * 24 * 3)
