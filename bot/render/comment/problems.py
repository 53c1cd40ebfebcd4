"""Problems as sentences: what, where, and how to fix it."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import groupby

from bot.render import figures
from bot.render.comment.voice import Speaks, Voice
from bot.render.locales import speaking
from bot.render.messages import catalogue
from bot.render.phrases import phrase
from bot.render.safe_text import literal
from scoring.model.decision import Decision
from scoring.model.problem import Problem, Severity

SHOWN_OF_A_KIND = 3
ALERTS = {Severity.ERROR: "CAUTION", Severity.QUESTION: "IMPORTANT", Severity.WARNING: "WARNING"}
_TYPED = re.compile(r"[\w.-]{1,60}\Z", re.ASCII)
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
_SHARES = frozenset({"rate", "share"})
_REGIONS = frozenset({"priced", "unpriced"})
_DAYS = frozenset(
    {
        "capacity-confirmed",
        "capacity-ends-before-move",
        "capacity-expired",
        "contract-has-renewed",
        "currency-rate-old",
        "offer-expired",
        "offer-expires-before-move",
        "option-expires-before-move",
        "quote-expired",
    }
)
"""Problems whose days are ours, to be written as the language writes them; what somebody typed stays as it is."""
_SECONDS = frozenset({"first_incumbent", "first_candidate", "mean_incumbent", "mean_candidate"})


def problems(decision: Decision, voice: Voice) -> str:
    """Refusals, questions and warnings as alerts; what was done on the reader's behalf stands in the details."""
    return alerts(decision.problems, voice)


def alerts(found: Sequence[Problem], voice: Speaks, most: int = SHOWN_OF_A_KIND) -> str:
    """A block for each severity above information, none where there is nothing to say; `most` of one kind."""
    blocks = []
    for severity, alert in ALERTS.items():
        lines = list(problem_lines((p for p in found if p.severity is severity), voice, most))
        if lines:
            quoted = "\n".join(f"> {line}" for line in lines)
            blocks.append(f"> [!{alert}]\n> **{voice(f'problems.{severity.value}')}**\n{quoted}")
    return "\n\n".join(blocks)


def problem_lines(found: Iterable[Problem], voice: Speaks, most: int = SHOWN_OF_A_KIND) -> Iterable[str]:
    """One bullet a problem; of many of one kind the first few."""
    ordered = sorted(found, key=lambda p: p.code)
    for _, group in groupby(ordered, key=lambda p: p.code):
        alike = list(group)
        for problem in alike[:most]:
            text = sentence(problem, voice.language)
            told = (text, fix(problem, voice.language), _place(problem, voice, text))
            yield f"- {' '.join(part for part in told if part)}"
        if len(alike) > most:
            yield f"- {voice('problems.more', count=len(alike) - most)}"


def sentence(problem: Problem, language: str) -> str:
    """What is wrong."""
    return _told(problem, language, "text")


def fix(problem: Problem, language: str) -> str:
    """What to do about it; empty where nothing is to be done."""
    return _told(problem, language, "fix")


def _told(problem: Problem, language: str, part: str) -> str:
    sentences, code = catalogue(language, "problems"), f"{problem.code}.{part}"
    absent = dict.fromkeys(sentences.fields(code), "–")
    with speaking(language):
        return sentences(code, **{**absent, **_fields(problem)})


def _fields(problem: Problem) -> dict[str, str]:
    known: dict[str, object] = {"found": problem.found, "expected": problem.expected, "column": problem.column}
    known |= {"file": problem.file, "row": problem.row, **problem.arguments}
    shown = {name: _field(name, value, problem.code) for name, value in known.items()}
    names = {f"{name}_name": _key(value) for name, value in known.items() if isinstance(value, str)}
    return {**names, **shown}


def _key(value: str) -> str:
    """A name as it may stand inside a command that is shown as code; NAME for one that could not be typed so."""
    return value if _TYPED.match(value) else "NAME"


def _field(name: str, value: object, code: str) -> str:
    if value is None:
        return "–"
    if name in _REGIONS and value == "none":
        return phrase(name, value)
    if code in _DAYS and isinstance(value, str) and (day := _day(value)):
        return day
    if isinstance(value, float) and name in _SHARES:
        return figures.percent(value)
    if isinstance(value, float) and name == "price":
        return figures.number(value, ",.2f") if value >= 1 else figures.significant(value)
    if isinstance(value, float) and name in _SECONDS:
        return figures.duration(value)
    if isinstance(value, float):
        return figures.significant(value)
    return figures.number(value) if isinstance(value, int) else literal(phrase(_said(name, code), str(value)))


def _day(value: str) -> str | None:
    return figures.day(date.fromisoformat(value)) if _ISO_DAY.match(value) else None


def _said(name: str, code: str) -> str:
    """Where a field's own words stand: what was found is mostly somebody's, and ours only by the problem's code."""
    return f"{name}.{code}" if name == "found" else name


def _place(problem: Problem, voice: Speaks, text: str) -> str:
    """File, line and column, unless the sentence names the file and there is no more to say."""
    if problem.file is None or (problem.row is None and literal(problem.file) in text):
        return ""
    row = voice("problems.row", row=problem.row) if problem.row is not None else ""
    column = voice("problems.column", column=literal(problem.column)) if problem.column else ""
    return f"({voice('problems.place', file=literal(problem.file), row=row, column=column)})"
