"""Random changes of every sample's inputs: a forced recalculation says what the engine says of the same inputs.

`STEELYARD_CHANGES` is how many changes of each sample: few in CI, 50 for the long run.
"""

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.render.messages import catalogue
from bot.render.workbook import render_workbook
from scoring.model.decision import Decision
from tests.bot.render.workbook.changes import Change, Sample, figures
from tests.bot.render.workbook.libreoffice import Values, needs_libreoffice, recalculated
from tests.bot.render.workbook.test_live import WEIGH_AGAIN, is_weighed, same
from tests.samples import NAMES, STORIES, decision

pytestmark = needs_libreoffice
CHANGES = int(os.environ.get("STEELYARD_CHANGES", "2"))
AT_ONCE = 60
"""Workbooks in one call of LibreOffice."""
NO_VERDICT = catalogue("en", "workbook")("memo.no-verdict")
OF_PLANS = ("stay_npv", "full_best_npv", "full_start", "plan_npv", "plan_start", "plan_full", "plan_saving",
            "saving_lo", "saving_hi", "walk_away_a", "walk_away_b", "walk_away_b_lo", "walk_away_b_hi")  # fmt: skip
"""Figures of contracts left early or renewed more than once: stale, and said to be, once an input is another."""

BENT = ("walk_away_b_lo", "walk_away_b_hi")
"""Where nothing moves and capacity bends the costs these have no closed form; the cells are empty then."""


def cell(found: Values, sample: Sample, name: str) -> Any:
    named = dict(sample.named)
    return found[named[name].parent.title].get(named[name].coordinate) if name in named else None


def differing(sample: Sample, of: Decision, found: Values) -> Mapping[str, tuple[Any, Any]]:
    """Figures of the sheet that are not the engine's and are not said to be stale."""
    stale = bool(cell(found, sample, "verdict_stale"))
    wanted = {"verdict": of.verdict.word.value if of.verdict.word else NO_VERDICT, **figures(of)}
    names = {name for name, _ in sample.named}
    left = set(OF_PLANS) if stale and sample.held_otherwise else {"walk_away_a"} if sample.held_otherwise else set()
    got = {name: cell(found, sample, name) for name in wanted if name in names and name not in left}
    if sample.record.settings.capacity.hours_per_month is not None and got["plan_start"] == cell(
        found, sample, "horizon"
    ):
        got = {name: value for name, value in got.items() if name not in BENT}
    wrong = {name: (wanted[name], got[name]) for name in got if not same(wanted[name], got[name])}
    if got["verdict"] == WEIGH_AGAIN and (stale or is_weighed(of)):
        del wrong["verdict"]
    return wrong


def test_a_changed_memo_says_what_the_engine_says_of_the_same_inputs(tmp_path: Path) -> None:
    samples = [Sample(name, render_workbook(decision(name))) for name in (*NAMES, *STORIES)]
    cases: dict[str, tuple[Sample, Change]] = {
        f"{sample.name.replace('/', '-')}-{number}": (sample, sample.change(Random(f"{sample.name}-{number}")))
        for sample in samples
        for number in range(CHANGES)
    }
    words, wrong = set(), {}
    for batch in range(0, len(cases), AT_ONCE):
        some = dict(list(cases.items())[batch : batch + AT_ONCE])
        folder = tmp_path / str(batch)
        folder.mkdir()
        found = recalculated({key: sample.changed(change) for key, (sample, change) in some.items()}, folder)
        for key, (sample, change) in some.items():
            of = sample.engine(change)
            words.add(of.verdict.word)
            assert cell(found[key], sample, "changed_inputs") > 0, (key, change.told)
            if differs := differing(sample, of, found[key]):
                wrong[key] = (dict(differs), change.told)
    assert wrong == {}
    assert len(words) >= 4, "the changes should lead to different verdicts"


def test_a_contract_that_begins_or_ends_within_a_month_is_not_weighed_by_formulas(tmp_path: Path) -> None:
    sample = Sample("contracts/wait-for-the-end", render_workbook(decision("contracts/wait-for-the-end")))
    days = {"starts": datetime(2027, 3, 15), "ends": datetime(2027, 8, 23), "whole": datetime(2027, 8, 31),
            "later": datetime(2029, 8, 23)}  # fmt: skip
    changed = {day: Change({f"contract0_{'starts' if day == 'starts' else 'ends'}": at}) for day, at in days.items()}
    found = recalculated({day: sample.changed(change) for day, change in changed.items()}, tmp_path)
    answers = {day: cell(of, sample, "verdict") for day, of in found.items()}
    assert {day for day, answer in answers.items() if answer == WEIGH_AGAIN} == {"starts", "ends"}
    assert {cell(of, sample, "changed_inputs") for of in found.values()} == {1}


@pytest.mark.parametrize("name", [*NAMES, *STORIES])
def test_every_input_of_a_memo_has_its_setting(name: str) -> None:
    """A blue cell that no change covers would be one that nobody knows to be followed."""
    sample = Sample(name, render_workbook(decision(name)))
    assert sample.inputs
    random = Random(1)
    for _ in range(20):
        sample.change(random)


HELD = ("contracts/pay-the-fee", "contracts/sell-on-the-marketplace")


def test_a_plan_that_only_the_engine_can_weigh_shows_no_amount_on_the_first_page_once_it_is_stale(
    tmp_path: Path,
) -> None:
    """A stale saving beside a verdict that asks for another comparison would be signed."""
    words = catalogue("en", "workbook")
    samples = {name.replace("/", "-"): Sample(name, render_workbook(decision(name))) for name in HELD}
    assert all(sample.held_otherwise for sample in samples.values())
    changes = {"as-it-was": lambda value: value, "dearer": lambda value: 1.2 * value}
    books = {
        f"{key}-{how}": sample.changed(Change({"price_b": change(sample.inputs["price_b"].value)}))
        for key, sample in samples.items()
        for how, change in changes.items()
    }
    labels = {words(f"memo.{name}") for name in ("stay", "full", "recommended", "saving-range")}
    for key, found in recalculated(books, tmp_path).items():
        memo = found[words("sheet.memo")]
        rows = [at[1:] for at, value in memo.items() if value in labels]
        assert len(rows) == len(labels), key
        amounts = [memo[f"{column}{row}"] for row in rows for column in "BCDE" if f"{column}{row}" in memo]
        stale = [value for value in amounts if value == words("memo.stale-plan")]
        figures_shown = [value for value in amounts if isinstance(value, (int, float))]
        assert bool(stale) is not bool(figures_shown), (key, amounts)
        assert bool(stale) is key.endswith("dearer"), (key, amounts)
