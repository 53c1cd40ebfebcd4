"""The memo recalculated by LibreOffice: every formula is the engine's value, before and after a change."""

import io
import os
import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from bot.render.messages import catalogue
from bot.render.workbook import render_workbook
from scoring.model.decision import Basis, Decision
from tests.bot.render.workbook.libreoffice import needs_libreoffice, recalculated
from tests.bot.render.workbook.worlds import at_least, of_both, spent, told_by_month, world
from tests.samples import NAMES, decision
from tests.scoring.helpers import csv

pytestmark = needs_libreoffice
CLOSE = 1e-9
NOTHING, NOTHING_OF_MONEY = 2e-9, 1e-6
"""Below it a figure is none: differences of equal sums of money and hours are rounding."""
MONEY = re.compile(r"#,##0(?!\.00#)")

WORLDS = int(os.environ.get("STEELYARD_WORLDS", "24"))
"""Random postings whose memos are recalculated."""
SPLIT_WORLD = 19
"""One that is to be split, which none of the first is."""
WEIGH_AGAIN = catalogue("en", "workbook")("memo.weigh-again")
Replaced = Mapping[str, tuple[str, str]]
Change = tuple[str, dict[str, Any], tuple[str, ...], Replaced]

LLAMA, SPEECH = "llama2-70b-lora", "speech-finetune"
SOLD = {"contracts.yml": ("    rate: 38.00", "    resale: {discount: 1 %, fee: 2 %}\n    rate: 38.00")}
OPTION = {
    "steelyard.yml": (
        "margins:",
        """commitment_options:
  - {id: half-year, term_months: 6, rate: 7}
margins:""",
    )
}
OTHER_WORK = {
    "steelyard.yml": (
        "margins:",
        """other_workloads:
  - {name: search, instance_type: p5.48xlarge, hours_per_month: 200, on_demand_price: 50}
  - {name: ads, instance_type: p5.48xlarge, hours_per_month: 100, on_demand_price: 30}
margins:""",
    )
}
CHANGES: dict[str, Change] = {
    "dearer": (LLAMA, {"price_b": 15.9}, ("price.gaudi2=15.9",), {}),
    "too-dear": (LLAMA, {"price_b": 30}, ("price.gaudi2=30",), {}),
    "incumbent-cheaper": (LLAMA, {"price_a": 41}, ("price.h100=41",), {}),
    "reuse": (LLAMA, {"reuse_share": 0.9}, ("reuse_share=0.9",), {}),
    "speech-discount": (SPEECH, {"annual_discount_rate": 0}, ("annual_discount_rate=0",), {}),
    "migration": (LLAMA, {"migration_cost": 140000}, ("migration_cost=140000",), {}),
    "demand-high": (LLAMA, {"demand": 6000}, ("demand=6000",), {}),
    "discount": (LLAMA, {"annual_discount_rate": 0.12}, ("annual_discount_rate=0.12",), {}),
    "margin": (LLAMA, {"margin_0": 0.0002}, ("margins.eval_loss=0.02%",), {}),
    "confidence": (LLAMA, {"confidence": 0.999}, ("confidence=0.999",), {}),
    "initialisation": (LLAMA, {"count_initialisation": "yes"}, ("count_initialisation=true",), {}),
    "contract-ends": (LLAMA, {"contract0_ends": datetime(2027, 9, 30)}, (),
                      {"contracts.yml": ("2027-06-30", "2027-09-30")}),
    "contract-rate": (LLAMA, {"contract0_renewal_rate": 20}, (), {"contracts.yml": ("rate: 55.04", "rate: 20")}),
    "two-instances": (LLAMA, {"contract0_instances": 2}, (), {"contracts.yml": ("instances: 1", "instances: 2")}),
    "run-left-out": (LLAMA, {"counts": 12}, (), {"pilot.csv": ("13101,1845.871", "13101,NaN")}),
    "speech-margin": (SPEECH, {"margin_0": 0.05}, ("margin.wer=0.05",), {}),
}  # fmt: skip


@lru_cache(maxsize=4)
def opened(data: bytes) -> openpyxl.Workbook:
    """A workbook to read formulas and formats from; opening one takes longer than all that is asked of it."""
    return openpyxl.load_workbook(io.BytesIO(data))


def formulas(data: bytes) -> list[tuple[str, str]]:
    sheets = opened(data).worksheets
    return [(s.title, c.coordinate) for s in sheets for row in s.iter_rows() for c in row if c.data_type == "f"]


def cached(data: bytes) -> dict[tuple[str, str], Any]:
    book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    return {(s.title, c.coordinate): c.value for s in book.worksheets for row in s.iter_rows() for c in row}


def wrong_cells(
    data: bytes, found: dict[str, dict[str, Any]], nothing_of_money: float = NOTHING_OF_MONEY
) -> list[tuple[str, str, Any, Any]]:
    """Formulas whose cached value is not what a recalculation gives."""
    values, book = cached(data), opened(data)
    wrong = []
    for sheet, cell in formulas(data):
        nothing = nothing_of_money if MONEY.search(book[sheet][cell].number_format) else NOTHING
        if not same(values[sheet, cell], found[sheet].get(cell), nothing):
            wrong.append((sheet, cell, values[sheet, cell], found[sheet].get(cell)))
    return wrong


def same(wanted: Any, got: Any, nothing: float = NOTHING) -> bool:
    if wanted in (None, "") or got in (None, ""):
        return wanted in (None, "") and got in (None, "")
    if isinstance(wanted, (int, float)) and isinstance(got, (int, float)):
        if nothing >= NOTHING_OF_MONEY and abs(wanted - got) < nothing:
            return True
        return abs(wanted - got) <= CLOSE * max(abs(wanted), abs(got)) or max(abs(wanted), abs(got)) < nothing
    return bool(wanted == got)


def spoiled(data: bytes) -> bytes:
    """The same workbook with no cached value, so that only a recalculation can fill it."""
    out = io.BytesIO()
    opened(data).save(out)
    return out.getvalue()


def test_every_formula_of_every_sample_is_the_engines_value(tmp_path: Path) -> None:
    books = {name: render_workbook(decision(name)) for name in NAMES}
    found = recalculated({name: spoiled(data) for name, data in books.items()}, tmp_path)
    for name, data in books.items():
        assert wrong_cells(data, found[name]) == [], name
        assert len(formulas(data)) > 50, name


def named(book: openpyxl.Workbook, name: str) -> Any:
    ((title, coordinate),) = book.defined_names[name].destinations
    return book[title][coordinate]


def changed(data: bytes, cells: Mapping[str, Any]) -> bytes:
    book = openpyxl.load_workbook(io.BytesIO(data))
    for name, value in cells.items():
        if name == "counts":
            sheet = book["Pilot"]
            runs = [row for row in sheet.iter_rows(min_row=6) if row[2].value == "9" and row[0].value == "h100"]
            runs[0][6].value = "no"
        else:
            named(book, name).value = value
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def shown(book_values: dict[str, dict[str, Any]], data: bytes, name: str) -> Any:
    cell = named(opened(data), name)
    return book_values[cell.parent.title].get(cell.coordinate)


def is_weighed(wanted: Decision) -> bool:
    """Whether nothing is proven: what further runs are worth, or which answer loses less, no sheet can weigh."""
    codes = [reason.code for reason in wanted.verdict.reasons]
    return wanted.verdict.basis is Basis.ECONOMIC and "cheaper-proven" not in codes


def engine(wanted: Decision) -> dict[str, Any]:
    theta, economics = (wanted.cost.theta if wanted.cost else None), wanted.economics
    assert theta is not None
    assert economics.best is not None
    return {
        "verdict": WEIGH_AGAIN if is_weighed(wanted) else wanted.verdict.word,
        "theta": theta.point,
        "theta_lo": theta.lo,
        "theta_hi": theta.hi,
        "stay_npv": economics.stay_npv,
        "plan_npv": economics.best.npv,
        "plan_start": economics.best.starts_at,
        "plan_full": economics.best.full_at,
        "theta_upper": wanted.looks.theta_upper if wanted.looks else None,
        "q0_lower": wanted.quality[0].proven_lower,
        "walk_away_b": economics.walk_away.candidate_price.point if economics.walk_away.candidate_price else None,
        "walk_away_a": economics.walk_away.incumbent_price.point if economics.walk_away.incumbent_price else None,
        "saving_lo": economics.saving.lo if economics.saving and economics.saving.lo is not None else None,
    }


def test_a_changed_input_gives_the_engines_answer(tmp_path: Path) -> None:
    originals = {name: render_workbook(decision(name)) for name in (LLAMA, SPEECH)}
    books = {key: changed(originals[sample], cells) for key, (sample, cells, _, _) in CHANGES.items()}
    found = recalculated(books, tmp_path)
    words = set()
    for key, (sample, _, overrides, replaced) in CHANGES.items():
        wanted = engine(decision(sample, *overrides, replaced=replaced))
        words.add(wanted["verdict"])
        moving = wanted["saving_lo"] is not None
        got = {name: shown(found[key], originals[sample], name) for name in wanted if name != "saving_lo" or moving}
        wrong = {name: (wanted[name], value) for name, value in got.items() if not same(wanted[name], value)}
        assert wrong == {}, key
    assert len(words) >= 4, "the changes should lead to different verdicts"


def test_a_changed_input_gives_the_engines_answer_where_contracts_are_paid_in_part(tmp_path: Path) -> None:
    original = render_workbook(at_least())
    changes = {"price_a": (61, "price.gpu=61"), "price_b": (17, "price.trn2=17")}
    changes |= {"demand": (300000, "demand=300000")}
    books = {name: changed(original, {name: value}) for name, (value, _) in changes.items()}
    found = recalculated(books, tmp_path)
    for name, (_, override) in changes.items():
        told = engine(at_least(override)).items()
        left = ("walk", "verdict")  # two contracts may renew: which of them, only the engine weighs
        wanted = {key: value for key, value in told if not key.startswith(left) and value is not None}
        got = {key: shown(found[name], original, key) for key in wanted}
        assert {k: (wanted[k], v) for k, v in got.items() if not same(wanted[k], v)} == {}, name
        assert shown(found[name], original, "verdict") == WEIGH_AGAIN


def test_where_the_record_holds_the_months_a_changed_input_says_so_and_is_to_be_weighed_again(tmp_path: Path) -> None:
    wanted = of_both()
    original = render_workbook(wanted)
    changes: dict[str, dict[str, Any]] = {
        "as-it-was": {}, "price": {"price_b": 36}, "contract": {"contract1_rate": 39},
        "empty": {"migration_cost": None},
    }  # fmt: skip
    found = recalculated({name: changed(original, cells) for name, cells in changes.items()}, tmp_path)
    for name in changes:
        same_as_recorded = name == "as-it-was"
        assert (shown(found[name], original, "recorded_changed") == 0) is same_as_recorded, name
        assert shown(found[name], original, "verdict") == (wanted.verdict.word if same_as_recorded else WEIGH_AGAIN)
        told = found[name]["Cash flow"]["A3"]
        assert told == catalogue("en", "workbook")(f"cash-flow.{'unchanged' if same_as_recorded else 'changed'}")
        assert shown(found[name], original, "plan_npv") == pytest.approx(wanted.economics.best.npv)  # type: ignore[union-attr]


def test_where_moves_take_months_the_sheet_is_the_records_and_a_changed_input_asks_to_weigh_again(
    tmp_path: Path,
) -> None:
    slow = decision(SPEECH, "migration_ramp=30%,60%,100%", "parallel_months=1")
    original, economics = render_workbook(slow), slow.economics
    books = {"dearer": changed(original, {"price_b": 33}), "as-it-was": spoiled(original)}
    found = recalculated(books, tmp_path)
    assert wrong_cells(original, found["as-it-was"]) == []
    assert shown(found["as-it-was"], original, "verdict") == slow.verdict.word == "SWITCH"
    assert shown(found["dearer"], original, "verdict") == WEIGH_AGAIN
    assert economics.best is not None and economics.parallel_cost
    assert same(economics.best.npv, shown(found["dearer"], original, "plan_npv"))
    assert same(economics.parallel_cost, shown(found["dearer"], original, "parallel_npv"))
    told = catalogue("en", "workbook")
    assert found["dearer"][told("sheet.cash-flow")]["A3"] == told("cash-flow.changed")


def test_an_empty_price_blocks_and_a_filled_one_decides(tmp_path: Path) -> None:
    blocked = render_workbook(decision("first-look"))
    asked = {"empty": changed(blocked, {"price_b": None}), "full": changed(blocked, {"price_b": 30})}
    found = recalculated(asked, tmp_path)
    assert shown(found["empty"], blocked, "verdict") == "BLOCKED"
    assert shown(found["full"], blocked, "verdict") == "EXTEND"


def test_of_several_comparisons_a_claim_stands_in_the_memo_as_it_does_in_the_record(tmp_path: Path) -> None:
    """One workload is proven alone only; one of two candidates is proven and saves less than the other."""
    head = "workload,arm,run,duration_s,price_usd_per_hour,wer\n"
    means = [("asr", "gpu", 1000), ("asr", "trn2", 976), ("tts", "gpu", 1000), ("tts", "trn2", 990)]
    means += [("mt", "gpu", 1000), ("mt", "trn2", 800), ("mt", "tpu", 700)]
    text = head + "".join(
        f"{work},{arm},{i},{mean * (1 + x):.3f},36,{7 + x}\n"
        for work, arm, mean in means
        for i, x in enumerate((-0.015, 0.0, 0.015, 0.01, -0.01))
    )
    posted = csv(text, settings="margins: {wer: 0.3}\n")
    decisions = {str(d.workload): d for d in (posted, *posted.others)}
    assert {name: d.verdict.word for name, d in decisions.items()} == {"asr": "EXTEND", "tts": "EXTEND", "mt": "SWITCH"}
    assert decisions["asr"].claim is not None and decisions["asr"].claim.alone == "SWITCH"
    assert [rival.candidate for rival in decisions["mt"].rivals] == ["trn2"]
    books = {name: render_workbook(d) for name, d in decisions.items()}
    found = recalculated({name: spoiled(data) for name, data in books.items()}, tmp_path)
    for name, data in books.items():
        assert wrong_cells(data, found[name]) == [], name
    assert "another" not in texts(books["asr"])
    assert "proven too, and tpu saves more" in texts(books["mt"])


def texts(data: bytes) -> str:
    memo = openpyxl.load_workbook(io.BytesIO(data))["Memo"]
    return " ".join(str(c.value) for row in memo.iter_rows() for c in row if c.value)


def test_every_formula_of_any_memo_is_the_engines_value(tmp_path: Path) -> None:
    decisions = {f"world-{seed}": world(seed) for seed in (*range(WORLDS), SPLIT_WORLD)}
    decisions["looked-at"] = decision(SPEECH, "earlier_looks=3,5")
    decisions["left-early"] = decision(LLAMA, "price.gaudi2=4", replaced=SOLD)
    decisions["option"] = decision(LLAMA, replaced=OPTION)
    assert decisions["left-early"].economics.move_releases and decisions["option"].economics.option
    decisions["other-work"] = decision(LLAMA, replaced=OTHER_WORK)
    decisions["used-up"] = decision(SPEECH, "earlier_looks=30")
    decisions["told-by-month"] = told_by_month()
    decisions["of-both"], decisions["spent"] = of_both(), spent()
    decisions["at-least"] = at_least()
    decisions["at-least-capped"] = at_least("capacity=900", "reuse_share=0.5")
    assert len({d.verdict.word for d in decisions.values()}) >= 5
    books = {name: render_workbook(d) for name, d in decisions.items()}
    found = recalculated({name: spoiled(data) for name, data in books.items()}, tmp_path)
    for name, data in books.items():
        assert wrong_cells(data, found[name]) == [], name
