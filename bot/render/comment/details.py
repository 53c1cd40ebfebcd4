"""Collapsed: how every column was read, the method, the settings in force, the months, the files."""

from bot.render import figures
from bot.render.comment.problems import problem_lines
from bot.render.comment.results import latency_row
from bot.render.comment.voice import Voice
from bot.render.safe_text import literal, words
from scoring.model.decision import Decision
from scoring.model.problem import Severity

SHOWN_COLUMNS = 40
SHOWN_FILES = 40


def details(decision: Decision, voice: Voice) -> str:
    """Folded sections; an empty one is absent."""
    reading, settings = (_reading(decision, voice), _settings(decision, voice))
    sections = (
        _section("reading", reading, voice),
        own_details(decision, voice),
        _section("settings", settings, voice),
    )
    return "\n\n".join(section for section in sections if section)


def own_details(decision: Decision, voice: Voice) -> str:
    """What each comparison of a posting has for itself: months, latencies and method."""
    own = {"months": _months, "latency": _latencies, "method": _method}
    sections = [_section(name, of(decision, voice), voice) for name, of in own.items()]
    return "\n\n".join(section for section in sections if section)


def _section(name: str, lines: list[str], voice: Voice) -> str:
    return _folded(voice(f"details.{name}"), lines) if lines else ""


def _folded(title: str, lines: list[str]) -> str:
    body = "\n".join(lines)
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def _reading(decision: Decision, voice: Voice) -> list[str]:
    lines = []
    for column in decision.pilot.columns[:SHOWN_COLUMNS]:
        unit = voice("details.unit", unit=words(column.unit)) if column.unit else ""
        note = f" ({literal(column.note)})" if column.note else ""
        read = voice(
            "details.column", column=literal(column.column), meaning=words(column.meaning), unit=unit, note=note
        )
        lines.append(f"- {read}")
    lines += problem_lines((p for p in decision.problems if p.severity is Severity.INFO), voice)
    for posted in decision.pilot.inputs[:SHOWN_FILES]:
        counts = {"rows": posted.rows_read, "left": posted.rows_left_out, "sha": posted.sha256[:12]}
        by = voice("details.posted-by", login=literal(posted.posted_by)) if posted.posted_by else ""
        lines.append(f"- {voice('details.file', file=literal(posted.file), by=by, **counts)}")
    return lines


def _months(decision: Decision, voice: Voice) -> list[str]:
    if not decision.economics.months or decision.economics.best is None:
        return []
    rows = [voice("details.months-head"), voice("details.months-rule")]
    for month in decision.economics.months:
        cells = [
            f"{month.starts_on:%Y-%m}",
            voice("details.hours", hours=f"{month.need_incumbent_hours:,.0f}"),
            voice("details.hours", hours=f"{month.committed_incumbent_hours:,.0f}"),
            *(voice.money(cost) for cost in (month.stay_cost, month.partial_cost, month.full_cost)),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def _latencies(decision: Decision, voice: Voice) -> list[str]:
    incumbent, candidate = decision.incumbent, decision.candidate
    if incumbent is None or candidate is None or all(x.is_guardrail for x in decision.latency):
        return []
    rows = [latency_row(x, incumbent, candidate, voice) for x in decision.latency]
    head = [voice("table.head"), voice("table.rule")]
    return head + [f"| {' | '.join(row)} |" for row in rows]


def _method(decision: Decision, voice: Voice) -> list[str]:
    methods = [c.theta.method for c in (decision.cost, decision.time) if c is not None and c.theta.point is not None]
    lines = [f"- {voice(f'method.{m}')}" for m in dict.fromkeys(methods) if f"method.{m}" in voice.messages]
    if decision.quality:
        lines.append(f"- {voice('method.quality')}")
    if decision.latency:
        lines.append(f"- {voice('method.latency')}")
    if decision.cost is not None:
        lines.append(f"- {voice('method.k', k=figures.significant(decision.economics.break_even_theta))}")
    return lines


def _settings(decision: Decision, voice: Voice) -> list[str]:
    lines = []
    for name, value in decision.settings.model_dump(mode="json", exclude_none=True).items():
        code = "details.setting-given" if name in decision.settings_given else "details.setting-default"
        lines += [f"- {voice(code, name=literal(key), value=literal(text, 400))}" for key, text in leaves(name, value)]
    return lines


def leaves(name: str, value: object) -> list[tuple[str, str]]:
    """Every value with the dotted key that `--set` takes; an empty one is absent."""
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(f"{name}.{key}", inner)]
    if isinstance(value, list):
        return [(name, ", ".join(str(item) for item in value))] if value else []
    return [] if value in ("", None) else [(name, str(value).lower() if isinstance(value, bool) else str(value))]
