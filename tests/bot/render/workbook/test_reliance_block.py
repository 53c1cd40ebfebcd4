"""The first page alone tells what the plan asks of contracts, by when what must be said, and how sure it is."""

import pytest

from tests.bot.render.workbook.test_memo_lines import _book, _texts
from tests.samples import decision

SAID = (
    ("sell-on-the-marketplace", "with what stays owed that costs $38,600, and it needs a buyer."),
    ("sell-on-the-marketplace", "the best plan moves on 1 July 2027 and saves $98,000."),
    ("pay-the-fee", "p5-commitment is ended early on 1 January 2027: that costs $87,600."),
    ("notice-missed", "it renews until 31 January 2028, a new obligation of $394,000."),
    ("absorbed-by-another-team", "did nobody use them, the best plan would save $0."),
    ("split-under-a-cap", "SPLIT: move what the capacity allows (50 % of the work) to trn2 from 1 January 2027"),
    ("wait-for-the-end", "its hours cost the on-demand price after it"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "told"), SAID)
def test_the_first_page_tells_what_a_plan_asks_of_contracts(name: str, told: str) -> None:
    assert told in _texts(_book(decision(f"contracts/{name}")), "Memo")


def test_the_first_page_says_what_is_divided_by_what_how_sure_and_in_which_money() -> None:
    page = _book(decision("speech-finetune"))["Memo"]
    cells = {c.value: c for row in page.iter_rows() for c in row if c.value is not None}
    assert "trn2 ÷ gpu" in cells
    assert "> 99 %" in cells
    cost = next(row for row in page.iter_rows() if row[0].value == "cost per audio hour")
    assert cost[1].number_format == '"$"#,##0.00000'


def test_the_first_page_tells_offers_and_confirmations_that_end_beside_notices() -> None:
    memo = _texts(_book(decision("speech-finetune")), "Memo")
    for told in ("price offer expires", "notice by", "capacity confirmed until", "expires on 31 March 2027"):
        assert told in memo


def test_hours_when_staying_are_those_of_the_contract_that_the_plan_leaves() -> None:
    months = decision("contracts/sell-on-the-marketplace").economics.months
    rows = _texts(_book(decision("contracts/sell-on-the-marketplace")), "Contracts")
    assert months[0].committed_incumbent_hours == 0
    assert "=H6" in rows
