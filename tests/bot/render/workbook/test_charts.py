"""Every chart has a title, titled axes that are drawn and a text for those who do not see it; none is of no data."""

import io
import re
import zipfile
from functools import cache
from xml.etree.ElementTree import Element, fromstring

import openpyxl
import pytest

from bot.render.workbook import render_workbook
from tests.samples import NAMES, decision

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
WANTED = {"speech-finetune": 5, "llama2-70b-lora": 5, "llm-serving": 5, "first-look": 1}
SAMPLES = [*NAMES, "contracts/split-under-a-cap"]


@cache
def _memo(name: str) -> bytes:
    return render_workbook(decision(name))


def _parts(name: str) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(_memo(name))) as archive:
        return {part: archive.read(part) for part in archive.namelist()}


def _charts(parts: dict[str, bytes]) -> list[Element]:
    return [fromstring(data) for part, data in parts.items() if part.startswith("xl/charts/")]  # noqa: S314 - our own


@pytest.mark.parametrize("name", SAMPLES)
def test_titles_axes_and_alternative_text(name: str) -> None:
    parts = _parts(name)
    charts = _charts(parts)
    assert len(charts) == WANTED.get(name, len(charts))
    for chart in charts:
        axes = [axis for kind in ("catAx", "valAx", "dateAx") for axis in chart.iter(f"{C}{kind}")]
        assert chart.find(f"{C}chart/{C}title") is not None
        assert len(axes) >= 2
        assert all(axis.find(f"{C}title") is not None for axis in axes)
        assert all(axis.find(f"{C}delete").get("val") == "0" for axis in axes)  # type: ignore[union-attr]
    drawings = b"".join(data for part, data in parts.items() if part.startswith("xl/drawings/drawing"))
    assert len(re.findall(rb'descr="[^"]{30,}"', drawings)) == len(charts)


@pytest.mark.parametrize("name", SAMPLES)
def test_no_chart_is_of_no_data(name: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(_memo(name)), data_only=True)
    for chart in _charts(_parts(name)):
        for values in chart.iter(f"{C}val"):
            title, area = (values.findtext(f"{C}numRef/{C}f") or "").rsplit("!", 1)
            cells = book[title.strip("'")][area.replace("$", "")]
            assert any(isinstance(c.value, (int, float)) for row in cells for c in row), area


def test_an_arms_own_interval_is_drawn_with_the_cost_of_its_unit() -> None:
    bars = [c for c in _charts(_parts("speech-finetune")) if c.find(f".//{C}errBars") is not None]
    assert len(bars) == 1


@pytest.mark.parametrize("name", SAMPLES)
def test_the_first_page_is_one_upright_page_and_says_how_many_checks_hold(name: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(_memo(name)), data_only=True)
    memo = book["Memo"]
    assert (memo.page_setup.orientation, memo.page_setup.fitToHeight) == ("portrait", 1)
    texts = [str(c.value) for row in memo.iter_rows() for c in row if c.value]
    assert [t for t in texts if re.fullmatch(r"\d+ of \d+ agree", t)]
    for sheet in book.worksheets:
        assert sheet.sheet_properties.pageSetUpPr.fitToPage and "&P" in str(sheet.oddFooter.right.text)
