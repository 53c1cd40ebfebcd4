"""Every language says everything, with the same fields; what it shares with English is listed; figures are its own."""

import ast
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest
import yaml

from bot.render import figures
from bot.render.locales import ENGLISH, languages, locale, speaking, spoken
from bot.render.messages import Messages, catalogue
from bot.render.phrases import phrase, unit_name, unit_names
from bot.templates import template_path
from scoring.model.settings import Language
from tests.shared import ROOT

OPERATORS_ONLY = {"calibrate", "demo", "doctor", "init"}
"""Catalogues that stay English, as docs/configuration.md says."""
OTHERS = [language for language in languages() if language != ENGLISH]
READ = sorted(p.stem for p in template_path("messages/en").glob("*.yml") if p.stem not in OPERATORS_ONLY)
ALIKE = {
    "A", "A/B", "B", "SHA-256", "factor", "no", "plan", "plan: {of} {end}", "ratio", "total", "{candidate}, ms",
    "{hours} h", "{hours} h, {cost}", "{incumbent}, ms", "{unit}s",
}  # fmt: skip
"""Texts with letters that Spanish writes as English does."""
OF_OPERATORS = ("bench", "calibrate", "doctor")
SOURCES = [
    path
    for path in sorted([*(ROOT / "scoring").rglob("*.py"), *(ROOT / "bot").rglob("*.py")])
    if path.relative_to(ROOT).parts[1] not in OF_OPERATORS
]
CODES = {
    "--regions eu-west-1,us-east-1", "UTF-8", "cloud, regions, instance_types", "contracts.yml",
    "ec2:Describe…, savingsplans:Describe…", "folder/file.csv", "instance_type, on_demand_usd_per_hour",
    "kind, months, rate", "portability.hourly_rate",
    "pip install 'steelyard[aws]'", "regionCode", "run_start, run_stop", "workloads.yml",
    "{1} bytes",
}  # fmt: skip
"""What the engine expects in words that are the same in every language: names, commands, paths."""


def fields(messages: Messages, code: str) -> set[tuple[str, str]]:
    parts = Formatter().parse(messages.text(code))
    return {(name, form or "") for _, name, form, _ in parts if name is not None}


def letters(text: str) -> bool:
    return any(c.isalpha() for c in re.sub(r"\{[^}]*\}", "", text))


def test_a_language_is_a_folder_and_a_name() -> None:
    assert set(languages()) == set(get_args(Language))
    assert ENGLISH == languages()[0]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", READ)
def test_every_text_is_there_with_its_fields(language: str, name: str) -> None:
    """A text that is new in English is put into every other language by whoever adds it."""
    english, other = catalogue(ENGLISH, name), catalogue(language, name)
    assert {*english.codes} ^ {*other.codes} == set()
    assert {c for c in english.codes if fields(english, c) != fields(other, c)} == set()
    assert {c for c in english.codes if bool(english.text(c).strip()) != bool(other.text(c).strip())} == set()


@pytest.mark.parametrize("name", READ)
def test_nothing_is_left_in_english(name: str) -> None:
    english, other = catalogue(ENGLISH, name), catalogue("es", name)
    alike = {code: text for code in english.codes if (text := english.text(code)) == other.text(code) and letters(text)}
    assert {code: text for code, text in alike.items() if text not in ALIKE} == {}


@pytest.mark.parametrize("language", OTHERS)
def test_no_catalogue_is_left_over(language: str) -> None:
    known = {p.stem for p in template_path(f"messages/{language}").glob("*.yml")}
    assert known == {*READ, "phrases"}


def test_the_documents_name_what_stays_english() -> None:
    told = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert {name for name in OPERATORS_ONLY if f"`{name}`" not in told} == set()


def _constants(node: ast.expr) -> Iterator[str]:
    """Texts that an expression may be; what stands in a formatted one as {1}, {2}."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        count, parts = 0, list[str]()
        for part in node.values:
            count += not isinstance(part, ast.Constant)
            parts.append(str(part.value) if isinstance(part, ast.Constant) else f"{{{count}}}")
        yield "".join(parts)
    elif isinstance(node, ast.IfExp):
        yield from (*_constants(node.body), *_constants(node.orelse))
    elif isinstance(node, ast.Dict):
        yield from (text for value in node.values for text in _constants(value))


def _expected() -> Iterator[str]:
    """What problems expect: after `expected=` and `why=`, and in the tables and names of that word."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg in ("expected", "why"):
                yield from _constants(node.value)
            elif isinstance(node, ast.Assign):
                names = {t.id.casefold() for t in node.targets if isinstance(t, ast.Name)}
                if names & {"expected", "expected_units"}:
                    yield from _constants(node.value)


@pytest.mark.parametrize("language", OTHERS)
def test_what_the_engine_expects_is_told_in_the_readers_words(language: str) -> None:
    tree = yaml.safe_load(template_path(f"messages/{language}/phrases.yml").read_text(encoding="utf-8"))
    known = {*tree["expected"], *tree["why"], *CODES}
    said = {text for text in _expected() if letters(text)}
    assert len(said) > 60
    assert said - known == set()


def blanks(text: str) -> set[str]:
    return set(re.findall(r"\{\d\}", text))


@pytest.mark.parametrize("language", OTHERS)
def test_a_phrase_has_no_blank_that_the_english_one_has_not(language: str) -> None:
    tree = yaml.safe_load(template_path(f"messages/{language}/phrases.yml").read_text(encoding="utf-8"))
    pairs = [(english, told) for entries in tree.values() for english, told in entries.items()]
    assert [english for english, told in pairs if not blanks(told) <= blanks(str(english))] == []


@pytest.mark.parametrize(
    ("field", "english", "spanish"),
    [
        ("expected", "a price per hour", "un precio por hora"),
        ("expected", "at most 5.00%", "como máximo 5,00%"),
        ("found.file-too-large", "over 1,000,000 cells", "más de 1.000.000 celdas"),
        ("meaning", "quality wer (lower is better)", "calidad wer (menos es mejor)"),
        ("found.setting-invalid", "over 1,000,000 cells", "over 1,000,000 cells"),
        ("found.one-arm", "gpu", "gpu"),
        ("column", "a price per hour", "a price per hour"),
    ],
)
def test_phrases(field: str, english: str, spanish: str) -> None:
    assert phrase(field, english) == english
    with speaking("es"):
        assert phrase(field, english) == spanish


@pytest.mark.parametrize(
    ("unit", "one", "several"),
    [("run", "ejecución", "ejecuciones"), ("audio_hour", "hora de audio", "horas de audio"), ("job", "job", "jobs")],
)
def test_units(unit: str, one: str, several: str) -> None:
    with speaking("es"):
        assert (unit_name(unit), unit_names(unit)) == (one, several)


def test_figures_in_spanish() -> None:
    with speaking("es"):
        assert figures.money(85_000, "USD") == "85.000 US$"
        assert figures.money(-1_234.4, "EUR") == "−1.234 €"
        assert figures.money(0.001, "USD") == "menos de 0,01 US$"
        assert figures.rate(0.001234, "CHF") == "0,00123 CHF"
        assert figures.price(35.4, "USD") == "35,40 US$"
        assert figures.percent(12.345, 5) == "1.234,5 %"
        assert figures.ratio(0.6131) == "× 0,613"
        assert figures.interval(0.5719, 0.6573) == "[0,572; 0,657]"
        assert figures.duration(0.3081) == "308 ms"
        assert figures.points(0.005) == "0,500 puntos"
        assert figures.day(date(2027, 7, 1)) == "1 de julio de 2027"
        assert locale().money_format("#,##0", "USD") == '#,##0 "US$"'


def test_a_number_that_a_text_formats_has_the_marks_of_its_language() -> None:
    told = catalogue("es", "reasons")("one-side-proven", confidence=0.95)
    assert "del 95 % alcanza" in told
    assert "0,84:" in catalogue("es", "reasons")("cheaper-proven", hi=0.6581, k=0.84, planned=30)


def test_a_language_is_spoken_until_its_door_closes() -> None:
    with speaking("es"):
        with speaking("en"):
            assert figures.money(1_234, "USD") == "$1,234"
        assert spoken() == "es"
    assert spoken() == ENGLISH


@pytest.mark.parametrize("path", sorted((ROOT / "templates" / "pages").glob("*.html")), ids=lambda p: Path(p).stem)
def test_a_page_holds_no_text_of_its_own(path: Path) -> None:
    bare = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|<[^>]*>", "", path.read_text(encoding="utf-8"))
    assert not letters(bare.replace("Steelyard", ""))
