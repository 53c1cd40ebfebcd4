"""The sheet Portability: there with a map alone, its figures those of the record, live from hours and rate."""

import io
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from bot.record_file import read_record
from bot.render.record import render_record
from bot.render.workbook import render_workbook
from scoring.analysis import analyse
from scoring.model.decision import Decision
from scoring.model.portability import Portability, PortabilitySetting, PortingSummary
from scoring.model.settings import Settings
from scoring.portability.assess import assess
from scoring.portability.report import read_report, report_of
from scoring.portability.scan import SourceFile, scan
from scoring.portability.summary import LONGEST, MOST_FINDINGS, MOST_FOLDERS, summary_of
from scoring.reading.posted import PostedFile
from tests.bot.render.workbook.libreoffice import needs_libreoffice, recalculated
from tests.bot.render.workbook.test_live import formulas, spoiled, wrong_cells
from tests.samples import TODAY, evidence
from tests.samples import decision as of_sample

HOSTILE = '=HYPERLINK("https://e.example","x")/=cmd|\'!A1.py'
TREE = {
    HOSTILE: "x.cuda()\n",
    "a/train.py": 'import apex\nif torch.cuda.is_available():\n    x.cuda()\nelse:\n    y = 1\nd = "cuda:0"\n',
    "csrc/add.cu": "__global__ void add() {}",
    "csrc/old.cu": "__global__ void old() {}",
    "tests/test_a.py": "x.cuda()\n",
}
RATE = "portability.hourly_rate=95.5"
SETTLED = PostedFile.from_bytes("steelyard.yml", b"portability: {kernels_settled: [csrc/old.cu]}")


def posted(tree: Mapping[str, str]) -> PostedFile:
    files = [SourceFile(path, text.encode()) for path, text in tree.items()]
    found = assess(scan(files), PortabilitySetting(), "trainium")
    return PostedFile.from_bytes("map.json", report_of(found, "9.9").encode())


def compared(*words: str) -> Decision:
    pilot = evidence("first-look", "demand=1000", *words)
    return analyse(replace(pilot, settings=SETTLED, portability=posted(TREE)), today=TODAY)


def summary(decision: Decision) -> PortingSummary:
    assert decision.portability is not None
    return decision.portability


def labelled(data: bytes, title: str = "Portability") -> dict[str, list[Any]]:
    """Rows by their first cell, the first of a name."""
    sheet = openpyxl.load_workbook(io.BytesIO(data), data_only=True)[title]
    rows: dict[str, list[Any]] = {}
    for row in sheet.iter_rows(values_only=True):
        rows.setdefault(str(row[0]), list(row))
    return rows


def test_a_decision_without_a_map_has_neither_sheet_nor_field() -> None:
    without = of_sample("first-look")
    assert "Portability" not in openpyxl.load_workbook(io.BytesIO(render_workbook(without))).sheetnames
    assert "portability" not in json.loads(render_record(without))


@pytest.mark.parametrize(
    ("words", "sets_cost", "reads"),
    [
        ((RATE,), True, "the map's, to rounding"),
        ((RATE, "migration_cost=7"), False, "another amount was given, and it wins"),
        ((), False, "no rate is given, so the map sets no cost"),
    ],
)
def test_the_sheets_figures_are_the_records(words: tuple[str, ...], sets_cost: bool, reads: str) -> None:
    told = compared(*words)
    found, rows = summary(told), labelled(render_workbook(told))
    assert found.sets_cost == sets_cost
    for effort, counted in found.efforts.items():
        wanted = [counted.findings, counted.guarded, counted.units, counted.hours.low, counted.hours.high]
        assert rows[effort.value][1:6] == wanted
    assert rows["all classes"][4:6] == pytest.approx([found.hours.low, found.hours.high])
    assert rows["cost of moving on Inputs"][4] == float(told.settings.migration_cost)
    assert rows["cost of moving on Inputs"][6] == reads
    assert [rows["csrc/add.cu"][3], rows["csrc/old.cu"][3]] == ["blocks", "settled"]
    assert rows["read by Steelyard"][1] == "9.9"
    assert rows["moving to"][1] == "AWS Trainium (TorchNeuron)"


def test_a_record_gives_the_same_sheet_again() -> None:
    told = compared(RATE)
    again, problems = read_record(render_record(told).encode(), "decision.json")
    assert problems == []
    assert again is not None
    assert again.portability == told.portability
    assert labelled(render_workbook(again)) == labelled(render_workbook(told))


def test_the_summary_is_bounded_and_starts_with_what_costs_most() -> None:
    many = {f"d{i:03}/{'n' * 400}.py": "x.cuda()\n" for i in range(MOST_FINDINGS + 30)}
    found = summary_of(_read(posted({**many, "z/k.cu": "__global__ void k() {}"})), Settings())
    assert len(found.findings) == MOST_FINDINGS
    assert found.findings_cut == 31
    assert len(found.folders) == MOST_FOLDERS
    assert (found.findings[0].file, found.folders[0].folder) == ("z/k.cu", "z")
    assert max(len(one.file) for one in found.findings) == LONGEST


def _read(report: PostedFile) -> Portability:
    found, problems = read_report(report)
    assert problems == []
    assert found is not None
    return found


@needs_libreoffice
def test_every_formula_is_the_engines_value_and_a_rate_moves_the_cost(tmp_path: Path) -> None:
    data = render_workbook(compared(RATE))
    book = openpyxl.load_workbook(io.BytesIO(spoiled(data)))
    sheet = book["Portability"]
    rate: Any = next(row[4] for row in sheet.iter_rows() if row[0].value == "an hour of work costs")
    rate.value = 200
    out = io.BytesIO()
    book.save(out)
    found = recalculated({"same": spoiled(data), "dearer": out.getvalue()}, tmp_path)
    assert wrong_cells(data, found["same"]) == []
    ours = set(formulas(data))
    converted = openpyxl.load_workbook(tmp_path / "out" / "same.xlsx")
    after = {(s.title, c.coordinate) for s in converted for row in s.iter_rows() for c in row if c.data_type == "f"}
    assert after <= ours
    assert HOSTILE in found["same"]["Portability"].values()
    row, dearer = rate.row, found["dearer"]["Portability"]
    assert [dearer[f"{c}{row + 1}"] for c in "EF"] == pytest.approx([200 * dearer[f"{c}{row - 2}"] for c in "EF"])
    assert str(dearer[f"G{row + 3}"]).startswith("another amount than the map's")
