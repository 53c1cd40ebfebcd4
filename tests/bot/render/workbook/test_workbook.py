"""What must hold of any memo's bytes: no posted text becomes a formula, no formula lacks its value, equal bytes."""

import hashlib
import io
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from bot.render.workbook import render_workbook
from bot.render.workbook.pilot import FIRST
from bot.render.workbook.working import Working
from scoring.model.decision import Decision
from tests.bot.render.workbook.worlds import told_by_month
from tests.samples import NAMES, STORIES, decision
from tests.scoring.helpers import csv, decide
from tests.shared import ROOT

SHEETS = ["Memo", "Inputs", "Pilot", "Statistics", "Contracts", "Cash flow", "Sensitivity", "Negotiation", "Serving",
          "Compliance", "Audit"]  # fmt: skip
HOSTILE = ("=HYPERLINK(\"https://e.example\",\"x\")", "+1+1", "-1+1", "@SUM(A1)", "=cmd|'/c calc'!A1", "\t=1", "{=1}",
           "a\x00b", "\ud800", "]]>", "<x>&amp;", "x" * 40_000, "_x0041_", "'=1")  # fmt: skip
OF_MONTHS = ("Cash flow", "Sensitivity", "Negotiation")
FORMULA = re.compile(rb"<f>(.*?)</f>", re.DOTALL)


def parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def runs(n_gpu: int, n_trn: int, tail: str = "") -> Decision:
    rows = [f"gpu,{i},{3600 + 7 * (i % 5)},55,{7 + (i % 3) / 100}" for i in range(n_gpu)]
    rows += [f"trn2,{i},{4000 + 9 * (i % 4)},35,{7 + (i % 4) / 100}" for i in range(n_trn)]
    return csv("arm,run,duration_s,price_usd_per_hour,wer\n" + "\n".join(rows) + tail)


@pytest.mark.parametrize("name", NAMES)
def test_sheets_of_the_samples(name: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(render_workbook(decision(name))))
    months = bool(decision(name).economics.months)
    contracts = bool(decision(name).contracts)
    told, capacity = decision(name), decision(name).settings.capacity
    absent = {
        *(() if months else OF_MONTHS),
        *(() if contracts else ("Contracts",)),
        *(() if told.latency else ("Serving",)),
        *(() if told.settings.approved_regions or told.records or capacity.confirmed_by else ("Compliance",)),
    }
    wanted = [s for s in SHEETS if s not in absent]
    assert book.sheetnames == wanted
    assert book.active is not None and book.active.title == "Memo"


def test_a_month_of_other_demand_needs_its_own_hours_in_the_sheet() -> None:
    """The months before the step hang on the input cell, those after it hold the step's work."""
    step = ("  unit: audio_hour", "  unit: audio_hour\n  changes: [{from: 2027-04-01, units_per_month: 3000}]")
    changed = decision("speech-finetune", replaced={"steelyard.yml": step})
    assert changed.economics.months[0].demand_units != 3000 == changed.economics.months[3].demand_units
    flow = openpyxl.load_workbook(io.BytesIO(render_workbook(changed)))["Cash flow"]
    needs = [str(flow.cell(7 + i, 5).value) for i in (0, 2, 3)]
    assert ["demand" in need for need in needs] == [True, True, False]
    assert "3000" in needs[2]


def test_a_contract_beyond_one_rate_stands_as_the_records_values_with_text_for_inputs_and_the_rest_is_live() -> None:
    told = told_by_month()
    assert set(told.economics.contracts_by_month) == {"plan", "growing", "stepped"}
    book = openpyxl.load_workbook(io.BytesIO(render_workbook(told)))
    sheet, heads = book["Contracts"], {str(c.value): c.column for c in book["Contracts"][5]}
    note = str(sheet["A3"].value)
    assert all(name in note for name in ("plan", "growing", "stepped", "do not recalculate"))
    assert "p5-2026" not in note
    february = [sheet.cell(7, heads[name]).value for name in ("plan: hours", "plan: cost", "p5-2026: hours")]
    assert february[:2] == [672 * 9 / 24, pytest.approx(10000 + 672 * 9 * 68840 / 78840)]
    assert str(february[2]).startswith("=")
    staying = sheet.cell(6 + 5, heads["stepped: hours when staying"]).value
    assert (sheet.cell(6 + 5, heads["stepped: hours"]).value, staying) == (0, 720 * 0.2)
    inputs = {row[0].value: row for row in book["Inputs"].iter_rows(min_row=20) if row[0].value}
    assert all(isinstance(cell.value, str | None) and cell.style != "st_input" for cell in inputs["growing"])
    assert "from 2027-06-01: instances 0.5, rate 18 USD/h" in str(inputs["growing"][14].value)
    assert "9 USD an hour" in str(inputs["plan"][14].value)
    assert str(book["Cash flow"].cell(8, 9).value).count("Contracts") == 4


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 5), (2, 2), (3, 2), (30, 30), (200, 200), (0, 3), (0, 0)])
def test_any_number_of_runs_gives_a_memo(a: int, b: int) -> None:
    book = openpyxl.load_workbook(io.BytesIO(render_workbook(runs(a, b))), data_only=True)
    counted = [named(book, name) for name in ("n_a", "n_b")]
    assert counted == ([a, b] if a and b else [0, 0])
    texts = [row[0].value for row in book["Pilot"].iter_rows(min_row=FIRST) if row[0].value in ("gpu", "trn2")]
    assert len(texts) == a + b


def named(book: openpyxl.Workbook, name: str) -> object:
    ((title, coordinate),) = book.defined_names[name].destinations
    return book[title][coordinate].value


def shown(value: object) -> str:
    """Nine digits: the last ones differ between processors."""
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def posted_names(text: str) -> Decision:
    quoted = '"' + text.replace('"', '""') + '"'
    head = "arm,run,workload,duration_s,price_usd_per_hour,quality_metric,quality_value,region,instance_type,block\n"
    rows = "".join(
        f"{arm},{i},{quoted},{3600 + i * 3 + (40 if arm == 'gpu' else 0)},{price},{quoted},{7 + i / 10},"
        f"{quoted},{quoted},{quoted}\n"
        for arm, price in ((quoted, 55), ("gpu", 70))
        for i in range(3)
    )
    return decide(((text[:100] or "x") + ".csv", (head + rows).encode("utf-8", "replace")), settings=SETTINGS)


SETTINGS = """
prices: {gpu: {per_hour: 70, source: "=HYPERLINK(1)"}}
demand: {units_per_month: 100, source: "=1+1"}
capacity: {confirmed_by: "=1", confirmed_until: 2027-01-01}
"""


@pytest.mark.parametrize("text", HOSTILE)
def test_no_posted_text_becomes_a_formula(text: str) -> None:
    data = render_workbook(posted_names(text))
    ours = {f for name, part in parts(data).items() if "worksheets/sheet" in name for f in FORMULA.findall(part)}
    assert ours
    assert not [f for f in ours if b"HYPERLINK" in f or b"cmd" in f or b"|" in f or f.startswith(b"+1")]
    assert not [n for n in parts(data) if "externalLink" in n or "vba" in n.lower()]
    openpyxl.load_workbook(io.BytesIO(data))


def test_no_memo_has_links_to_elsewhere() -> None:
    for name in NAMES:
        for part, data in parts(render_workbook(decision(name))).items():
            if part.endswith(".rels"):
                assert b'TargetMode="External"' not in data, part


def test_equal_input_gives_equal_bytes_in_any_process() -> None:
    script = (
        "import hashlib; from tests.samples import decision; from bot.render.workbook import render_workbook;"
        "from bot.render.record import render_record; d = decision('speech-finetune');"
        "print(hashlib.sha256(render_workbook(d) + render_record(d).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, zone in (("0", "UTC"), ("1", "Asia/Tokyo"), ("random", "America/New_York"))
    }
    assert len(digests) == 1


def test_a_memo_names_no_machine_and_no_time_of_writing() -> None:
    data = render_workbook(decision("llama2-70b-lora"))
    core = parts(data)["docProps/core.xml"].decode()
    assert "2026-12-15T00:00:00Z" in core
    assert all(str(ROOT).encode() not in part for part in parts(data).values())
    assert hashlib.sha256(data).hexdigest() == hashlib.sha256(render_workbook(decision("llama2-70b-lora"))).hexdigest()


def test_the_memo_sheet_as_approved(golden: Callable[[str, str], None]) -> None:
    for name in NAMES:
        sheet = openpyxl.load_workbook(io.BytesIO(render_workbook(decision(name))), data_only=True)["Memo"]
        lines = [
            " | ".join(f"{c.coordinate} {shown(c.value)}" for c in row if c.value is not None)
            for row in sheet.iter_rows()
        ]
        golden(f"memos/{name}.txt", "\n".join(line for line in lines if line) + "\n")


def test_figures_of_the_reply_stand_in_the_memo(tmp_path: Path) -> None:
    wanted = decision("llama2-70b-lora")
    book = openpyxl.load_workbook(io.BytesIO(render_workbook(wanted)), data_only=True)
    numbers = {
        round(float(c.value), 6)
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for c in row
        if isinstance(c.value, (int, float))
    }
    assert wanted.cost is not None and wanted.economics.best is not None
    theta, band = wanted.cost.theta, wanted.economics.walk_away.candidate_price
    assert band is not None
    shown = [theta.point, theta.lo, theta.hi, wanted.economics.stay_npv, wanted.economics.best.npv, band.point, band.lo]
    assert [v for v in shown if v is None or round(v, 6) not in numbers] == []


@pytest.mark.parametrize("name", [*NAMES, *STORIES])
def test_a_walk_away_price_in_closed_form_is_the_records_or_is_left_out(name: str) -> None:
    """Where a contract can be sold, staying sells it too once the price is low: no closed form tells that price."""
    told = decision(name)
    if not told.economics.months:
        return
    plans, prices = Working(told).plans, told.economics.walk_away
    for cell, band in (("walk_away_a", prices.incumbent_price), ("walk_away_b", prices.candidate_price)):
        assert plans[cell] == "" or (band is not None and plans[cell] == pytest.approx(band.point))
    if name.endswith("sell-on-the-marketplace"):
        assert plans["walk_away_a"] == ""


def test_a_failed_run_of_a_workload_with_one_arm_has_a_memo() -> None:
    head = "arm,quality_metric,status,quality_value,workload\n"
    told = csv(head + "gpu,wer,ok,1,a\ngpu,wer,ok,1,a\ntrn2,wer,ok,1,a\ntrn2,wer,failed,0.01,b\n")
    for comparison in (told, *told.others):
        assert openpyxl.load_workbook(io.BytesIO(render_workbook(comparison))).sheetnames
