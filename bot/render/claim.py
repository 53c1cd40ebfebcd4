"""The reply to `/claim` and `steelyard claim`: how the statement was read, what was measured, and how it stands."""

from collections.abc import Sequence

from bot.render import figures
from bot.render.comment.problems import alerts
from bot.render.comment.voice import Voice
from bot.render.locales import in_language
from bot.render.notices import Markup, say
from bot.render.safe_text import literal
from scoring.model.decision import Decision
from scoring.model.estimates import BLOCKS, LEAST
from scoring.model.problem import Problem, Severity
from scoring.vendor_claims import Judgement, Metric, Reading, Statement, Unclear, Word

SHOWN = 10
WEIGHING = (Severity.ERROR, Severity.QUESTION)


@in_language(lambda unclear, language, *_, **__: language)
def render_unclear(unclear: Unclear, language: str) -> str:
    """The question that a statement leaves open, with the readings that it may have and how each is written."""
    lines = [f"### {say(language, 'claim.unclear-title')}", say(language, "claim.stated", text=unclear.text)]
    lines.append(say(language, f"claim.unclear.{unclear.code}"))
    if unclear.readings:
        lines.append("\n".join(_reading(reading, unclear.is_limit, language) for reading in unclear.readings))
    lines.append(say(language, "claim.unclear-how"))
    return "\n\n".join(lines) + "\n"


def _reading(reading: Reading, is_limit: bool, language: str) -> str:
    """What is to be written keeps an "up to" of the statement."""
    code, told_ratio = "example", reading.ratio
    if is_limit and reading.ratio < 1:
        code, told_ratio = "example-limit", 100 * (1 - reading.ratio)
    ratio = f"{float(f'{told_ratio:.3g}'):g}"
    example = Markup(literal(say(language, f"claim.{code}-{reading.metric.value}", ratio=Markup(ratio))))
    told = {"ratio": Markup(figures.ratio(reading.ratio)), "example": example}
    return f"- {say(language, f'claim.reading-{reading.metric.value}', **told)}"


@in_language(lambda judged, decision, *_, **__: decision.settings.language)
def render_claim(judged: Sequence[Judgement], decision: Decision, gathered: Sequence[Problem] = ()) -> str:
    """Markdown; `judged` is of `decision` and its others, in their order. `gathered` is what a thread withheld."""
    language = decision.settings.language
    parts = [
        f"### {say(language, 'claim.title')}",
        say(language, "claim.stated", text=judged[0].statement.text),
    ]
    compared = (decision, *decision.others)
    for one, its in list(zip(judged, compared, strict=True))[:SHOWN]:
        if len(compared) > 1:
            parts.append(f"#### {say(language, 'claim.of', work=its.workload or '–')}")
        parts += _told(one, language)
    weighing = [p for p in decision.problems if p in gathered or (p.severity in WEIGHING and _untested(judged))]
    parts += [alerts(weighing, Voice.of(decision)), say(language, "claim.ending")]
    return "\n\n".join(part for part in parts if part) + "\n"


def _untested(judged: Sequence[Judgement]) -> bool:
    return any(one.word is Word.NOT_TESTED for one in judged)


def _told(one: Judgement, language: str) -> list[str]:
    names = {"incumbent": one.incumbent or "–", "candidate": one.candidate or "–"}
    said = f"said.{one.word.value}" if one.reason is None else f"why-not.{one.reason}"
    word = say(language, f"claim.word.{one.word.value}")
    lines = [f"**{word}**: {say(language, f'claim.{said}')}"]
    if one.statement.ratio is not None and one.reason not in ("other-arms", "both-arms"):
        lines.append(" ".join([_read(one.statement, names, language), *_notes(one, names, language)]))
    if one.lower is not None and one.upper is not None and one.point is not None and one.alpha is not None:
        ends = {name: Markup(figures.ratio(value)) for name, value in (("lower", one.lower), ("upper", one.upper))}
        wrong = Markup(figures.percent(one.alpha, 1))
        lines.append(say(language, "claim.measured", point=Markup(figures.ratio(one.point)), alpha=wrong, **ends))
    elif one.point is not None and one.reason is not None:
        lines.append(say(language, "claim.point", point=Markup(figures.ratio(one.point))))
    if one.as_least is not None:
        lines.append(say(language, "claim.as-least", word=Markup(say(language, f"claim.word.{one.as_least.value}"))))
    return [*lines, _more(one, language)]


def _read(statement: Statement, names: dict[str, str], language: str) -> str:
    """The claim as it was understood: of what, and how far the ratio may lie."""
    metric = "time" if statement.metric is Metric.TIME else "cost"
    low, high = (None if x is None else Markup(figures.ratio(x)) for x in (statement.low, statement.high))
    shape = "between" if low and high else "at-most" if high else "at-least"
    fields = {name: value for name, value in (("low", low), ("high", high)) if value is not None}
    return say(language, f"claim.read.{metric}-{shape}", **fields, **names)


def _notes(one: Judgement, names: dict[str, str], language: str) -> list[str]:
    told = [say(language, f"claim.note.{note}") for note in (*one.statement.notes, *one.notes)]
    return [*told, *([say(language, "claim.note.inverted", **names)] if one.inverted else [])]


def _more(one: Judgement, language: str) -> str:
    """Runs that decide an open claim, or that a first test of it takes."""
    more = one.more
    if more is None:
        return ""
    if more.goal in (LEAST, BLOCKS):
        return say(language, f"claim.more-{more.goal}", runs=more.likely or 1)
    if more.likely is None:
        return say(language, "claim.more-none", limit=more.limit)
    if more.safe is None:
        return say(language, "claim.more-likely", runs=more.likely, limit=more.limit)
    return say(language, "claim.more", runs=more.likely, safe=more.safe)
