"""Every day of a book and of the settings, in the order of days; and what missing a notice leads to."""

from datetime import date
from typing import Any

import pytest

from scoring.contracts.due_dates import due_dates
from scoring.model.contract import Contract
from scoring.model.settings import Settings
from tests.samples import decision

BASE: dict[str, Any] = {
    "id": "c",
    "kind": "take_or_pay",
    "starts_on": date(2026, 7, 1),
    "ends_on": date(2027, 6, 30),
    "commitment": {"instances": 1},
    "rate": 38,
}
NOTICE = {"notice": {"days": 90}, "renewal": {"kind": "automatic", "months": 12, "rate": 52}}
RAMP = [{"starts_on": date(2026, 9, 1), "instances": 2}, {"starts_on": date(2027, 3, 1), "instances": 3}]
YEARLY = {"kind": "spend_commitment", "ends_on": date(2029, 6, 30)}
BLOCK = {"kind": "capacity_block", "starts_on": date(2027, 1, 1)}
"""181 days: one of 182 cannot be extended any more."""
END = ("term-end", "2027-06-30", 1)


def held(**more: Any) -> Contract:
    return Contract.model_validate({**BASE, **more})


@pytest.mark.parametrize(
    ("wanted", "terms", "on"),
    [
        ([END], {}, "2026-12-15"),
        ([], {}, "2027-07-01"),
        ([("notice", "2027-04-01", 1), END], NOTICE, "2026-12-15"),
        ([("notice", "2027-04-01", 1), END], NOTICE, "2027-05-01"),
        ([("ramp-step", "2027-03-01", 2), END], {"ramp": RAMP}, "2026-12-15"),
        ([("extension", "2027-06-29", 1), END], BLOCK, "2026-12-15"),
        ([END], BLOCK, "2027-06-30"),
        ([END], BLOCK | {"starts_on": date(2026, 12, 31)}, "2026-12-15"),
        ([("true-up", "2028-06-30", 2), ("term-end", "2029-06-30", 1), ("true-up", "2029-06-30", 3)],
         {**YEARLY, "commitment": {"currency_total": 1000, "per_year": True}}, "2027-12-15"),
        ([("term-end", "2029-06-30", 1), ("true-up", "2029-06-30", 1)],
         {**YEARLY, "commitment": {"currency_total": 1000}}, "2027-12-15"),
    ],
)  # fmt: skip
def test_days_of_a_contract(wanted: list[Any], terms: dict[str, Any], on: str) -> None:
    found = due_dates([held(**terms)], Settings(), date.fromisoformat(on))
    assert [(d.kind.value, d.day.isoformat(), d.number) for d in found] == wanted


@pytest.mark.parametrize(("status", "left", "on"), [("due", 0, "2027-04-01"), ("missed", -1, "2027-04-02")])
def test_a_notice_with_what_missing_it_leads_to(status: str, left: int, on: str) -> None:
    notice = due_dates([held(**NOTICE, owner="Ana")], Settings(), date.fromisoformat(on))[0]
    assert (notice.status.value, notice.days_left, notice.owner) == (status, left, "Ana")
    assert (notice.renewed_until, notice.obligation) == (date(2028, 6, 30), 366 * 24 * 52)


def test_offers_and_confirmed_capacity_until_their_day() -> None:
    given = {
        "prices": {
            "trn2": {"per_hour": 30, "expires_on": "2027-01-31"},
            "old": {"per_hour": 1, "expires_on": "2026-01-01"},
        },
        "commitment_options": [
            {"id": "q17", "term_months": 12, "rate": 20, "expires_on": "2027-02-01"},
            {"id": "q16", "term_months": 12, "rate": 20, "expires_on": "2026-12-14"},
        ],
        "capacity": {"region": "eu-west-1", "confirmed_by": "aws", "confirmed_until": "2027-02-28"},
    }  # fmt: skip
    found = due_dates([], Settings.model_validate(given), date(2026, 12, 15), ("prices.trn2",))
    told = [(d.kind.value, d.subject, d.days_left, d.in_command) for d in found]
    assert told == [("quote", "trn2", 47, True), ("option", "q17", 48, False), ("capacity", "eu-west-1", 75, False)]


@pytest.mark.parametrize(
    ("notice_days", "wanted"),
    [
        (0, [("early-end", date(2027, 1, 1))]),
        (10, [("early-notice", date(2026, 12, 22)), ("early-end", date(2027, 1, 1))]),
    ],
)
def test_the_day_on_which_the_plan_leaves_a_contract_is_a_day_to_keep(
    notice_days: int, wanted: list[tuple[str, date]]
) -> None:
    """The sample ends its contract on 1 January 2027 for a fee."""
    notice = {"contracts.yml": ("share: ", f"notice_days: {notice_days}\n      share: ")}
    found = decision("contracts/pay-the-fee", replaced=notice)
    early = [due for due in found.dates or () if due.kind.value.startswith("early")]
    assert [(due.kind.value, due.day) for due in early] == wanted
    assert all(due.matters and due.subject == "p5-commitment" for due in early)
