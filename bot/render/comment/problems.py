"""Problems as sentences: what, where, and how to fix it."""

from collections.abc import Iterable
from itertools import groupby

from bot.render import figures
from bot.render.comment.voice import Voice
from bot.render.messages import catalogue
from bot.render.safe_text import literal
from scoring.model.decision import Decision
from scoring.model.problem import Problem, Severity

SHOWN_OF_A_KIND = 3
ALERTS = {Severity.ERROR: "CAUTION", Severity.QUESTION: "IMPORTANT", Severity.WARNING: "WARNING"}
_SHARES = frozenset({"rate", "share"})
_SECONDS = frozenset({"first_incumbent", "first_candidate", "mean_incumbent", "mean_candidate"})


def problems(decision: Decision, voice: Voice) -> str:
    """Refusals, questions and warnings as alerts; what was done on the reader's behalf stands in the details."""
    blocks = []
    for severity, alert in ALERTS.items():
        lines = list(problem_lines((p for p in decision.problems if p.severity is severity), voice))
        if lines:
            quoted = "\n".join(f"> {line}" for line in lines)
            blocks.append(f"> [!{alert}]\n> **{voice(f'problems.{severity.value}')}**\n{quoted}")
    return "\n\n".join(blocks)


def problem_lines(found: Iterable[Problem], voice: Voice) -> Iterable[str]:
    """One bullet a problem; of many of one kind the first few."""
    ordered = sorted(found, key=lambda p: p.code)
    for _, group in groupby(ordered, key=lambda p: p.code):
        alike = list(group)
        for problem in alike[:SHOWN_OF_A_KIND]:
            told = (sentence(problem, voice.language), fix(problem, voice.language), _place(problem, voice))
            yield f"- {' '.join(text for text in told if text)}"
        if len(alike) > SHOWN_OF_A_KIND:
            yield f"- {voice('problems.more', count=len(alike) - SHOWN_OF_A_KIND)}"


def sentence(problem: Problem, language: str) -> str:
    """What is wrong."""
    return _told(problem, language, "text")


def fix(problem: Problem, language: str) -> str:
    """What to do about it; empty where nothing is to be done."""
    return _told(problem, language, "fix")


def _told(problem: Problem, language: str, part: str) -> str:
    sentences, code = catalogue(language, "problems"), f"{problem.code}.{part}"
    absent = dict.fromkeys(sentences.fields(code), "–")
    return sentences(code, **{**absent, **_fields(problem)})


def _fields(problem: Problem) -> dict[str, str]:
    known: dict[str, object] = {"found": problem.found, "expected": problem.expected, "column": problem.column}
    known |= {"file": problem.file, "row": problem.row, **problem.arguments}
    return {name: _field(name, value) for name, value in known.items()}


def _field(name: str, value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float) and name in _SHARES:
        return figures.percent(value)
    if isinstance(value, float) and name in _SECONDS:
        return figures.duration(value)
    if isinstance(value, float):
        return figures.significant(value)
    return f"{value:,}" if isinstance(value, int) else literal(str(value))


def _place(problem: Problem, voice: Voice) -> str:
    if problem.file is None:
        return ""
    row = voice("problems.row", row=problem.row) if problem.row is not None else ""
    column = voice("problems.column", column=literal(problem.column)) if problem.column else ""
    return f"({voice('problems.place', file=literal(problem.file), row=row, column=column)})"
