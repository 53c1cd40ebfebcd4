"""The worked stories: their READMEs' arithmetic, done here without the engine, is the decision to the cent."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date

import pytest

from tests.samples import FOLDER, STORIES, decision

HOURS = [24 * monthrange(2027, month)[1] for month in range(1, 13)]
ON_DEMAND, MOVED, MIGRATION = 600 * 50, 300 * 40, 10_000
HALF = sum(HOURS[:6]) * 30
SOLD = HALF * (1 - 0.80 * 0.88)
RENEWED = 744 * 30 + sum(HOURS) * 45
ABSORBED = sum(600 - (hours - 600) for hours in HOURS) * 50


@dataclass(frozen=True)
class Told:
    word: str
    on: date
    stay: float
    plan: float


STORY = {
    "wait-for-the-end": Told("SWITCH", date(2027, 7, 1), HALF + 6 * ON_DEMAND, HALF + 6 * MOVED + MIGRATION),
    "pay-the-fee": Told("SWITCH", date(2027, 1, 1), 8760 * 40, 0.25 * 8760 * 40 + 12 * MOVED + MIGRATION),
    "sell-on-the-marketplace": Told("SWITCH", date(2027, 1, 1), HALF + 6 * ON_DEMAND, SOLD + 12 * MOVED + MIGRATION),
    "notice-missed": Told("SWITCH", date(2028, 2, 1), RENEWED + 5 * ON_DEMAND, RENEWED + 5 * MOVED + MIGRATION),
    "absorbed-by-another-team": Told(
        "SWITCH", date(2027, 1, 1), 8760 * 30, 8760 * 30 - ABSORBED + 12 * MOVED + MIGRATION
    ),
    "split-under-a-cap": Told(
        "SPLIT", date(2027, 1, 1), 12 * 15_000 + 6 * 9_000 + 6 * 15_000, 6 * 15_000 + 6 * 21_000 + MIGRATION
    ),
}


def money(amount: float) -> str:
    return f"${amount:,.2f}".removesuffix(".00")


def readme(name: str) -> str:
    return (FOLDER / "contracts" / name / "README.md").read_text(encoding="utf-8")


def test_every_story_is_worked() -> None:
    assert [f"contracts/{name}" for name in sorted(STORY)] == STORIES


@pytest.mark.parametrize("name", STORY)
def test_a_story_is_decided_as_its_arithmetic_says(name: str) -> None:
    told, found = STORY[name], decision(f"contracts/{name}")
    economics = found.economics
    assert (found.verdict.word, found.verdict.on) == (told.word, told.on)
    assert economics.stay_npv == pytest.approx(told.stay, abs=0.005)
    assert economics.best is not None and economics.best.npv == pytest.approx(told.plan, abs=0.005)
    assert economics.best.saving == pytest.approx(told.stay - told.plan, abs=0.005)


@pytest.mark.parametrize("name", STORY)
def test_a_readme_tells_the_figures_of_the_decision(name: str) -> None:
    found, text = decision(f"contracts/{name}"), readme(name)
    best, stay = found.economics.best, found.economics.stay_npv
    assert best is not None and stay is not None
    assert [a for a in (stay, best.npv, best.saving) if f"= {money(round(a, 2))} |" not in text] == []
    on = found.verdict.on
    assert on is not None
    assert f"{found.verdict.word} on {on.day} {on:%B %Y}" in text


def test_a_month_earlier_or_later_than_the_end_costs_more() -> None:
    economics = decision("contracts/wait-for-the-end").economics
    assert economics.stay_npv is not None
    savings = [economics.stay_npv - economics.switch_npv_by_month[month] for month in (5, 6, 7)]
    assert savings == pytest.approx([86_000, 98_000, 80_000])
    assert [s for s in savings if f"= {money(round(s, 2))} |" not in readme("wait-for-the-end")] == []


def test_a_sale_is_worth_less_without_a_buyer() -> None:
    economics = decision("contracts/sell-on-the-marketplace").economics
    assert economics.certain_saving == pytest.approx(98_000)
    assert economics.certain_plan is not None
    assert economics.months[economics.certain_plan.starts_at].starts_on == date(2027, 7, 1)
    assert "= $98,000 |" in readme("sell-on-the-marketplace")
    (sold,) = economics.move_releases
    assert -sold.cash == pytest.approx(SOLD) and f"= {money(round(SOLD, 2))} |" in readme("sell-on-the-marketplace")


def test_a_missed_notice_is_a_new_obligation() -> None:
    (deadline,) = decision("contracts/notice-missed").economics.deadlines
    assert (deadline.notice_deadline, deadline.days_left) == (date(2026, 12, 2), -13)
    assert deadline.renewed_until == date(2028, 1, 31)
    assert deadline.new_obligation == pytest.approx(8760 * 45)
    assert "= $394,200 |" in readme("notice-missed")
    assert deadline.cost_of_missing is None
    assert deadline.cost_of_having_missed == pytest.approx(250_200)
    assert "= $250,200 |" in readme("notice-missed")


def test_a_missed_notice_whose_renewal_is_the_best_there_is_costs_nothing() -> None:
    cheap = decision("contracts/notice-missed", replaced={"contracts.yml": ("rate: 45.00", "rate: 1.00")})
    (deadline,) = cheap.economics.deadlines
    assert deadline.cost_of_having_missed == 0


def test_hours_that_the_other_team_did_not_need_are_no_gain_of_a_smaller_plan() -> None:
    negotiation = decision("contracts/absorbed-by-another-team").economics.negotiation
    assert negotiation is not None
    assert negotiation.levers[0].worth == pytest.approx(0.10 * 8760 * 30)
