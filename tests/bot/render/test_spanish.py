"""What people read in Spanish: approved replies and memos, no English figure in any, and live formulas that agree."""

import io
import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from bot.render.calendar import Said, calendar_with
from bot.render.comment import render_comment
from bot.render.deadlines import render_deadlines
from bot.render.locales import spoken
from bot.render.messages import catalogue
from bot.render.notices import render_problems, say
from bot.render.plan import Place, render_plan
from bot.render.record import render_record
from bot.render.records import render_records
from bot.render.whatif import render_whatif
from bot.render.workbook import render_workbook
from scoring.model.decision import Decision, Word
from scoring.plan import PlanRequest, plan_runs
from scoring.problems import error
from tests.bot.render.comment.test_golden import POSTED
from tests.bot.render.workbook.libreoffice import needs_libreoffice, recalculated
from tests.bot.render.workbook.test_live import changed, named, opened, same, shown, spoiled, wrong_cells
from tests.bot.render.workbook.test_workbook import shown as shown_value
from tests.samples import NAMES, STORIES, decision
from tests.scoring.helpers import decide

Golden = Callable[[str, str], None]
APPROVED = ("eu-only", "llm-serving", "speech-finetune")
"""BLOCKED without months, a serving pilot with latencies, and one with a contract."""
ENGLISH_FIGURES = re.compile(
    r"(?<!US)\$ ?\d|(?<![\d,])[1-9]\d{0,2},\d{3}(?=[ ,.]?(?:US\$|€|h\b|\)))|\d\.\d+ ?%"
    r"|\b(?:January|February|March|April|May|June|July|August)\b"
)
ENGLISH_WORDS = re.compile(r"\b(?:the|of|and|is|are|with|run|runs|month|months|than|per|hour|each|was|given|better)\b")


@lru_cache(maxsize=32)
def spanish(name: str) -> Decision:
    return decision(name, "language=es")


def prose(text: str) -> str:
    """A text without what was posted and what is typed: both stand in code."""
    return re.sub(r"<code>.*?</code>|`[^`\n]*`", "", text)


@pytest.mark.parametrize("name", APPROVED)
def test_replies_as_approved(name: str, golden: Golden) -> None:
    """Without the settings that have their default: the English replies show a new one."""
    lines = render_comment(spanish(name)).splitlines(keepends=True)
    golden(f"comments/es-{name}.md", "".join(line for line in lines if not line.endswith(" (por defecto)\n")))


@pytest.mark.parametrize("name", APPROVED)
def test_memos_as_approved(name: str, golden: Golden) -> None:
    book = openpyxl.load_workbook(io.BytesIO(render_workbook(spanish(name))), data_only=True)
    sheet = book["Memorando"]
    lines = [
        " | ".join(f"{c.coordinate} {shown_value(c.value)}" for c in row if c.value is not None)
        for row in sheet.iter_rows()
    ]
    text = re.sub(r"(?<=Documento )[0-9a-f]{16}", "…", "\n".join(line for line in lines if line))
    golden(f"memos/es-{name}.txt", f"{text}\n")


@pytest.mark.parametrize("name", [*NAMES, *STORIES])
def test_no_reply_holds_an_english_figure_or_word(name: str) -> None:
    text = prose(render_comment(spanish(name)))
    assert ENGLISH_FIGURES.findall(text) == []
    assert ENGLISH_WORDS.findall(text) == []
    assert spoken() == "en"


@pytest.mark.parametrize("name", sorted(POSTED))
def test_nor_does_one_to_what_people_post_by_mistake(name: str) -> None:
    text = prose(render_comment(decide(*POSTED[name], language="es")))
    assert ENGLISH_FIGURES.findall(text) == []
    assert ENGLISH_WORDS.findall(text) == []


def _texts(told: Decision) -> list[str]:
    """Every text of the workbook that is ours: what was posted stands in columns of its own."""
    posted = {str(v) for _, v in _leaves(told.model_dump(mode="json"))}
    book = openpyxl.load_workbook(io.BytesIO(render_workbook(told)), data_only=True)
    values = [c.value for sheet in book.worksheets for row in sheet.iter_rows() for c in row]
    return [v for v in values if isinstance(v, str) and not any(v == p or (len(p) > 8 and p in v) for p in posted)]


def _leaves(value: Any, path: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in _leaves(inner, f"{path}.{key}")]
    if isinstance(value, (list, tuple)):
        return [leaf for inner in value for leaf in _leaves(inner, path)]
    return [(path, value)]


@pytest.mark.parametrize("name", ["llama2-70b-lora", "llm-serving", "messy"])
def test_no_cell_of_a_memo_is_english(name: str) -> None:
    texts = _texts(spanish(name))
    assert len(texts) > 100
    assert [t for t in texts if ENGLISH_WORDS.search(prose(t)) and "=" not in t] == []


def test_every_other_text_speaks_spanish() -> None:
    told = spanish("speech-finetune")
    plan = plan_runs(told, PlanRequest(seed=1))
    said = Said(told.dates or (), told.decided_on, "es", "o/r", 1)
    texts = {
        "plan": (render_plan(plan, told, Place("/compare")), "ya dan un veredicto, **CAMBIAR (SWITCH)**"),
        "whatif": (render_whatif(told, told, ["language=es"]), "El veredicto sigue siendo **CAMBIAR (SWITCH)**."),
        "calendar": ((calendar_with(None, said) or b"").decode(), "Vence el preaviso"),
        "deadlines": (render_deadlines(told.dates or (), told.decided_on, "es"), "días restantes"),
        "problems": (render_problems([error("one-arm", found="gpu", expected="two arms")], "es"), "Solo hay un brazo"),
        "notice": (say("es", "too-many-commands", count=12_345, most=5), "12.345"),
        "record": (render_record(told), "vence el 31 de marzo de 2027"),
    }
    assert {name: wanted for name, (text, wanted) in texts.items() if wanted not in text} == {}
    assert [n for n, (text, _) in texts.items() if n != "record" and ENGLISH_FIGURES.search(prose(text))] == []


def test_the_draft_record_of_processing_is_spanish() -> None:
    records = "records: {controller: ACME, countries: {eu-west-1: IE}}"
    head = "arm,run,duration_s,price_usd_per_hour,region\n"
    rows = "".join(f"{arm},{run},{100 + run},5,eu-west-1\n" for arm in ("gpu", "trn2") for run in (1, 2, 3))
    draft = render_records(decide(("pilot.csv", head + rows), settings=f"language: es\n{records}\n"))
    assert draft is not None
    assert "| a) | responsable del tratamiento | `ACME` |" in draft
    assert "**Decisión:** AMPLIAR (EXTEND), " in draft
    assert ENGLISH_WORDS.findall(prose(draft)) == []


@needs_libreoffice
def test_formulas_ask_for_the_words_that_cells_hold(tmp_path: Path) -> None:
    """Yes, no and the verdicts are words of the language; changed in a cell, formulas understand them."""
    memo = render_workbook(spanish("llama2-70b-lora"))
    books = {name: render_workbook(spanish(name)) for name in APPROVED}
    books |= {"initialised": changed(memo, {"count_initialisation": "sí"}), "dear": changed(memo, {"price_b": 30})}
    found = recalculated({name: spoiled(data) for name, data in books.items()}, tmp_path)
    assert [cell for name in APPROVED for cell in wrong_cells(books[name], found[name])] == []
    counted = decision("llama2-70b-lora", "language=es", "count_initialisation=true")
    assert counted.cost is not None
    assert same(counted.cost.theta.point, shown(found["initialised"], books["initialised"], "theta"))
    words = {name: shown(found[name], books[name], "verdict") for name in ("speech-finetune", "eu-only", "dear")}
    told = catalogue("es", "comment")
    verdicts = {"speech-finetune": Word.SWITCH, "eu-only": Word.BLOCKED, "dear": Word.STAY}
    assert words == {name: told(f"word.{word}") for name, word in verdicts.items()}
    assert named(opened(memo), "count_initialisation").value == "no"


def test_the_same_day_in_both_languages_is_the_same_number() -> None:
    """Cells are native: only their texts differ between the languages."""
    books = [openpyxl.load_workbook(io.BytesIO(render_workbook(d)), data_only=True) for d in
             (spanish("speech-finetune"), decision("speech-finetune"))]  # fmt: skip
    numbers = [
        [c.value for s in book.worksheets[:-1] for row in s.iter_rows() for c in row if _is_number(c.value)]
        for book in books
    ]
    assert numbers[0] == numbers[1]
    assert len(numbers[0]) > 300


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, date))
