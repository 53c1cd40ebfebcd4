"""The held plan at another assumption costs what the engine says that it costs; what is changed in a cell follows."""

import io
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.workbook import Workbook

from bot.render.workbook import render_workbook
from scoring.model.decision import Decision
from tests.bot.render.workbook.libreoffice import needs_libreoffice, recalculated
from tests.bot.render.workbook.test_live import CHANGES, changed, named, same
from tests.samples import decision

SPEECH, CAPPED = "speech-finetune", "contracts/split-under-a-cap"
RENEWED_ONCE = "contracts/notice-missed price.gpu=44"
"""At 45 an hour no second renewal pays, whatever the demand: what staying holds is the same."""
TABLE = ("assumption", "now", "change", "low", "high", "at_low", "at_high", "swing")


@cache
def memo(name: str, *settings: str) -> Workbook:
    """A sample's memo as its values."""
    return opened(render_workbook(decision(name, *settings)))


def opened(data: bytes) -> Workbook:
    return openpyxl.load_workbook(io.BytesIO(data), data_only=True)


def tornado(book: Workbook) -> dict[str, dict[str, Any]]:
    """The rows of the first table that has a change in its third column, by assumption."""
    rows = list(book["Sensitivity"].iter_rows(max_col=8))
    head = next(i for i, row in enumerate(rows) if row[2].value == "change")
    found = {}
    for row in rows[head + 1 :]:
        if row[0].value is None:
            break
        found[str(row[0].value)] = {key: cell for key, cell in zip(TABLE, row, strict=True)}
    return found


def saves(of: Decision, month: int) -> float:
    """What moving everything in a month saves against staying, by the engine."""
    assert of.economics.stay_npv is not None
    return of.economics.stay_npv - of.economics.switch_npv_by_month[month]


@pytest.mark.parametrize(
    ("sample", "assumption", "setting"),
    [
        (SPEECH, "price of trn2", "price.trn2={}"),
        (SPEECH, "price of gpu", "price.gpu={}"),
        (SPEECH, "demand a month", "demand={}"),
        (SPEECH, "cost of moving", "migration_cost={}"),
        (SPEECH, "discount rate a year", "annual_discount_rate={}"),
        (SPEECH, "freed hours that other work uses", "reuse_share={}"),
        (CAPPED, "capacity of the candidate", "capacity={}"),
        (CAPPED, "demand a month", "demand={}"),
        (RENEWED_ONCE, "demand a month", "demand={}"),
    ],
)
def test_the_held_plan_at_another_assumption_saves_what_the_engine_says(
    sample: str, assumption: str, setting: str
) -> None:
    sample, *settings = sample.split()
    of = decision(sample, *settings)
    assert of.economics.best is not None and of.economics.best.starts_at == of.economics.best.full_at
    row = tornado(memo(sample, *settings))[assumption]
    for end in ("low", "high"):
        otherwise = decision(sample, *settings, setting.format(repr(row[end].value)))
        wanted = saves(otherwise, of.economics.best.starts_at)
        assert row[f"at_{end}"].value == pytest.approx(wanted, rel=1e-9, abs=1e-6), (assumption, end)


def test_the_ratio_takes_the_ends_that_the_record_has() -> None:
    of = decision(SPEECH)
    row = tornado(memo(SPEECH))["ratio of instance-hours"]
    assert of.economics.saving is not None
    assert (row["at_low"].value, row["at_high"].value) == pytest.approx(
        (of.economics.saving.hi, of.economics.saving.lo)
    )


def test_the_plan_saves_nothing_at_its_walk_away_price_and_at_its_break_even_ratio() -> None:
    of = decision(SPEECH)
    price, even = of.economics.walk_away.candidate_price, of.economics.break_even_hours_ratio
    assert price is not None and even is not None and of.economics.hours_ratio is not None
    rows = {row[0].value: [c.value for c in row[1:8]] for row in memo(SPEECH)["Sensitivity"].iter_rows(max_col=8)}
    below = rows["saves below this price, USD/h"]
    assert below[3] == pytest.approx(price.point)
    ratios = next(v for k, v in rows.items() if k is not None and "ratio →" in str(k))
    moving, staying = (rows[k] for k in rows if k and str(k).startswith(("cost of the plan", "cost of staying")))
    gaps = [m - s for m, s in zip(moving, staying, strict=True)]
    slope = (gaps[-1] - gaps[0]) / (ratios[-1] - ratios[0])
    assert ratios[0] - gaps[0] / slope == pytest.approx(even)


def test_the_order_is_by_what_changes_most_and_the_first_page_names_three() -> None:
    book = memo(SPEECH)
    rows = tornado(book)
    order = sorted(rows, key=lambda name: -rows[name]["swing"].value)
    told = [str(named(book, f"matters_{rank}").value) for rank in (1, 2, 3)]
    assert told == order[:3]
    first_page = [cell.value for row in book["Memo"].iter_rows(max_col=1) for cell in row]
    assert all(name in first_page for name in told)


FOLLOWED = ("incumbent-cheaper", "reuse", "two-instances", "contract-ends", "speech-discount")
"""Changes of one input after most of which another plan is the best one, and is held."""


@needs_libreoffice
def test_a_changed_input_moves_the_tornado_and_a_changed_limit_the_serving_verdict(tmp_path: Path) -> None:
    serving = render_workbook(decision("llm-serving"))
    cell = next(row[3] for row in memo("llm-serving")["Serving"].iter_rows(min_row=9) if row[0].value == "ttft_p99")
    book = openpyxl.load_workbook(io.BytesIO(serving))
    book["Serving"][cell.coordinate].value = 320
    out = io.BytesIO()
    book.save(out)
    originals = {CHANGES[key][0]: render_workbook(decision(CHANGES[key][0])) for key in FOLLOWED}
    books = {key: changed(originals[CHANGES[key][0]], CHANGES[key][1]) for key in FOLLOWED}
    found = recalculated({**books, "limit": out.getvalue()}, tmp_path)
    for key in FOLLOWED:
        sample, _, overrides, replaced, *_ = CHANGES[key]
        wanted = tornado(opened(render_workbook(decision(sample, *overrides, replaced=replaced))))
        places = tornado(memo(sample))
        for name, row in wanted.items():
            got = [found[key]["Sensitivity"].get(places[name][end].coordinate) for end in ("at_low", "at_high")]
            assert all(same(row[e].value, g) for e, g in zip(("at_low", "at_high"), got, strict=True)), (key, name)
    tighter = {"steelyard.yml": ("ttft_p99_ms: 400", "ttft_p99_ms: 320")}
    again = opened(render_workbook(decision("llm-serving", replaced=tighter)))
    assert again["Serving"]["B4"].value == found["limit"]["Serving"]["B4"] != memo("llm-serving")["Serving"]["B4"].value
    for name in ("latency_failed", "latency_open", "verdict"):
        place = named(again, name)
        assert found["limit"][place.parent.title][place.coordinate] == place.value, name


@pytest.mark.parametrize(("demand", "wide"), [("300000", False), ("300000000", True)])
def test_columns_hold_amounts_of_any_size(demand: str, wide: bool) -> None:
    """A spreadsheet shows # signs for a number that its column cannot hold."""
    of = decision("speech-finetune", f"demand={demand}")
    book = openpyxl.load_workbook(io.BytesIO(render_workbook(of)), data_only=True)
    assert of.economics.stay_npv is not None
    assert (of.economics.stay_npv > 10**8) is wide
    sheet = book["Sensitivity"]
    for column in "BCDEFGH":
        held = sheet.column_dimensions[column].width
        amounts = [c.value for c in sheet[column] if isinstance(c.value, (int, float))]
        assert held >= len(f"loses {max(amounts, key=abs):,.0f}")
