"""Collapsed: how every column was read, the method, the settings in force, the months, the files."""

from bot.render import figures
from bot.render.comment.diagnostics import diagnostic_lines, within_lines
from bot.render.comment.leaving import recovery_lines
from bot.render.comment.looks import looks_line
from bot.render.comment.negotiation import lever_lines, odds_line
from bot.render.comment.problems import problem_lines
from bot.render.comment.results import latency_row
from bot.render.comment.voice import Voice
from bot.render.comment.worth import posterior
from bot.render.phrases import phrase
from bot.render.safe_text import literal, words
from scoring.model.decision import Decision
from scoring.model.economics import Month
from scoring.model.problem import Severity
from scoring.moving import WHOLE

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
    own = {
        "months": _months,
        "latency": _latencies,
        "leaving": recovery_lines,
        "negotiation": lever_lines,
        "runs": diagnostic_lines,
        "method": _method,
    }
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
        unit, note = phrase("column-unit", column.unit or ""), phrase("note", column.note or "")
        told = {
            "meaning": words(phrase("meaning", column.meaning)),
            "unit": voice("details.unit", unit=words(unit)) if unit else "",
            "note": f" ({literal(note)})" if note else "",
        }
        read = voice("details.column", column=literal(column.column), **told)
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
    slow = not decision.economics.moves_at_once
    more = ("plan-head", "plan-rule") if slow else ()
    capped = any(month.full_share < WHOLE for month in decision.economics.months)
    heads = (voice("details.months-head-capped" if capped else "details.months-head"), voice("details.months-rule"))
    rows = [head + (voice(f"details.{more[i]}") if more else "") for i, head in enumerate(heads)]
    for month in decision.economics.months:
        cells = [
            f"{month.starts_on:%Y-%m}",
            voice("details.hours", hours=figures.number(month.need_incumbent_hours, ",.0f")),
            _committed(decision, month, voice),
            *(voice.money(cost) for cost in (_staying(decision, month), month.partial_cost, month.full_cost)),
            *(_of_plan(month, voice) if slow else ()),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return [*rows, "", voice("details.plan-note")] if slow else rows


def _of_plan(month: Month, voice: Voice) -> list[str]:
    """What the plan costs, how much has moved, and what runs on both arms at what cost."""
    return [
        voice.money(month.plan_cost or 0.0),
        figures.percent(month.moved_share or 0.0),
        voice("details.hours", hours=f"{month.parallel_hours:,.0f}"),
        voice.money(month.parallel_cost),
    ]


def _committed(decision: Decision, month: Month, voice: Voice) -> str:
    """Hours of the incumbent's contracts; both, where moving leaves one early that staying keeps."""
    moving = figures.number(month.committed_incumbent_hours, ",.0f")
    staying = figures.number(month.renewed_committed_hours, ",.0f")
    if not decision.economics.move_releases or staying == moving:
        return voice("details.hours", hours=moving)
    return voice("details.hours-staying", hours=staying, moving=moving)


def _staying(decision: Decision, month: Month) -> float:
    """Where moving leaves contracts early, staying is told as it would be."""
    return month.stay_renewed_cost if decision.economics.move_releases else month.stay_cost


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
        lines.append(f"- {_judged_at(decision, voice)}")
        lines += [f"- {line}" for line in _scopes(decision, voice)]
    if decision.latency:
        lines.append(f"- {voice('method.latency')}")
        lines += [f"- {line}" for line in within_lines(decision, voice)]
    if decision.looks is not None:
        lines.append(f"- {looks_line(decision.looks, voice)}")
    if decision.regret is not None:
        lines.append(f"- {posterior(decision.regret, voice)}")
    if decision.economics.odds is not None:
        lines.append(f"- {odds_line(decision, decision.economics.odds, voice)}")
    if decision.cost is not None:
        lines.append(f"- {voice('method.k', k=figures.significant(decision.economics.break_even_theta))}")
    return lines


def _judged_at(decision: Decision, voice: Voice) -> str:
    """The one-sided level at which this look judges quality: that of the looks, 1 − confidence before there are any."""
    if decision.looks is None:
        return voice("method.quality-alone", held=voice.confidence)
    level = decision.looks.level
    if level <= 0:
        return voice("method.quality-none-left")
    return voice("method.quality", held=figures.percent(1 - level, 3), level=figures.percent(level, 3))


def _scopes(decision: Decision, voice: Voice) -> list[str]:
    """Of what each quality bound speaks: other runs, other items, or both."""
    metrics: dict[str, list[str]] = {}
    for quality in decision.quality:
        if quality.difference.lower is not None:
            metrics.setdefault(quality.difference.scope, []).append(words(quality.metric))
    return [voice(f"method.scope-{scope}", metrics=", ".join(of)) for scope, of in metrics.items()]


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
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        items = (item.items() for item in value)
        return [(name, ", ".join(f"{key} {inner}" for key, inner in item if inner not in ("", None))) for item in items]
    if isinstance(value, list):
        return [(name, ", ".join(str(item) for item in value))] if value else []
    return [] if value in ("", None) else [(name, str(value).lower() if isinstance(value, bool) else str(value))]
