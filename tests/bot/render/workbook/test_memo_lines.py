"""The memo says what the reply says, and each figure says how it came about."""

from io import BytesIO

import openpyxl
import pytest
from openpyxl.workbook import Workbook

from bot.render.comment import render_comment
from bot.render.workbook import render_workbook
from scoring.model.decision import Decision
from tests.bot.render.comment.test_golden import POSTED
from tests.samples import decision
from tests.scoring.helpers import decide


def _book(of: Decision) -> Workbook:
    return openpyxl.load_workbook(BytesIO(render_workbook(of)))


def _texts(book: Workbook, sheet: str) -> str:
    return "\n".join(str(c.value) for row in book[sheet].iter_rows() for c in row if c.value is not None)


def test_a_stay_that_rests_on_quality_names_the_margin_and_no_price() -> None:
    memo = _texts(_book(decide(*POSTED["worse-quality"])), "Memo")
    assert "Wer shown to be worse by no more than 1.0 %." in memo
    assert "moving pays" not in memo


def test_a_move_names_both_prices_and_quality() -> None:
    memo = _texts(_book(decision("llama2-70b-lora")), "Memo")
    for told in ("gaudi2: moving pays below", "h100: moving pays above", "Eval loss worse by more than 0.50 %."):
        assert told in memo


@pytest.mark.parametrize("overrides", [(), ("capacity=400",)])
def test_each_expected_loss_says_how_it_is_computed(overrides: tuple[str, ...]) -> None:
    of = decision("llama2-70b-lora", *overrides)
    book, odds, regret = _book(of), of.economics.odds, of.regret
    assert odds is not None
    assert regret is not None
    way = "average of the draws" if regret.regret_stay == odds.regret_stay else "cost on a straight line in the ratio"
    assert f"expected loss if you stay, {way}" in _texts(book, "Statistics")
    assert "expected loss if you stay, average of the draws" in _texts(book, "Negotiation")


def test_amounts_against_staying_have_a_sign_and_inputs_no_long_figures() -> None:
    book = _book(decision("llama2-70b-lora"))
    cells = [c for row in book["Memo"].iter_rows() for c in row]
    assert any(str(c.number_format).startswith('+"$"') for c in cells)
    level = next(r for r in book["Inputs"].iter_rows() if str(r[0].value).startswith("one-sided level"))
    assert level[1].number_format == "0.000%"


def test_quality_by_items_is_marked_as_of_the_record_and_more_items_could_settle_it() -> None:
    head = "arm,run,duration_s,price_usd_per_hour,accuracy\n"
    rows = "".join(
        f"{arm},{run},{seconds + run},{price},{right}/100\n"
        for arm, seconds, price, right in (("gpu", 3600, 55, 81), ("trn2", 4000, 35, 80))
        for run in range(3)
    )
    of = decide(("pilot.csv", head + rows), planned_runs_per_arm="3", **{"margin.accuracy": "0.01"})
    assert of.verdict.word == "STAY"
    assert "(more items could settle it)" in render_comment(of)
    assert "(more items could settle it)" in _texts(_book(of), "Memo")
    assert "from the record: difference and bounds are not recomputed here" in _texts(_book(of), "Statistics")
