"""The line on chances: what it tells with and without money, and that it stays away from what is proven."""

import pytest

from bot.render.comment import render_comment
from bot.render.comment.voice import Voice
from bot.render.comment.worth import chance, worth
from scoring.model.decision import Basis, Decision, Word
from tests.scoring.test_regret import DEMAND, csv, table

PAYING, SMALL = "demand: 20000\n", "demand: 20\n"


def line(decision: Decision) -> str:
    return worth(decision, Voice.of(decision))


def test_runs_that_pay_are_told_with_their_worth_and_cost() -> None:
    decision = csv(table(), settings=PAYING)
    regret = decision.regret
    assert regret is not None
    assert regret.best is not None
    told = line(decision)
    assert decision.verdict.word is Word.EXTEND
    assert f"{100 * regret.p_saves:.0f} % that moving saves money" in told
    assert "if you move" in told
    assert "if you stay" in told
    assert f"{regret.best.runs} more per arm would be worth $" in told
    assert "of waiting" in told
    assert f"run {regret.best.runs} more per arm" in render_comment(decision)


def test_an_answer_that_nothing_proves_says_so_and_promises_no_saving() -> None:
    decision = csv(table(), settings=SMALL)
    text = render_comment(decision)
    assert decision.verdict.basis is Basis.ECONOMIC
    assert decision.verdict.word is Word.SWITCH
    assert "(economic, not proven)" in text.splitlines()[0]
    assert "more runs would not pay" in line(decision)
    assert "Saves about" not in text
    assert "would save about" in text


def test_without_a_demand_only_the_chance_is_told() -> None:
    told = line(csv(table()))
    assert "that moving saves money" in told
    assert "$" not in told


@pytest.mark.parametrize(
    "text", [table(prices=(50, 9)), table(prices=(50, 90)), table((3600,), (5700,))], ids=["saves", "loses", "one run"]
)
def test_what_is_proven_or_tells_nothing_has_no_such_line(text: str) -> None:
    assert line(csv(text, settings=DEMAND)) == ""


@pytest.mark.parametrize(
    ("wanted", "probability"), [("> 99 %", 1.0), ("99 %", 0.994), ("82 %", 0.816), ("1 %", 0.006), ("< 1 %", 0.0)]
)
def test_no_chance_is_certain(wanted: str, probability: float) -> None:
    assert chance(probability) == wanted
