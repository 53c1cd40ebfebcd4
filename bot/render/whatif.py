"""The short reply to a what-if: the verdict, and the figures that changed beside those without the changes."""

from collections.abc import Sequence

from bot.render import figures
from bot.render.comment.headline import verdict_line
from bot.render.comment.problems import alerts
from bot.render.comment.results import ratio_text
from bot.render.comment.voice import Voice
from bot.render.comment.worth import chance, losses
from bot.render.locales import in_language
from bot.render.notices import Markup, say
from bot.render.safe_text import literal
from scoring.model.decision import Decision
from scoring.model.economics import Economics, Plan
from scoring.model.problem import Problem

SHOWN = 10
"""Comparisons of one posting that are told; the rest are counted."""


@in_language(lambda before, after, *_, **__: after.settings.language)
def render_whatif(before: Decision, after: Decision, settings: Sequence[str], gathered: Sequence[Problem] = ()) -> str:
    """Markdown, far below GitHub's limit; `before` and `after` are of the same posting, `gathered` what the thread
    withheld of it."""
    language = after.settings.language
    named = Markup(", ".join(literal(pair) for pair in settings[:SHOWN]))
    pairs = _pairs((before, *before.others), (after, *after.others))
    parts = [f"### {say(language, 'whatif.title', settings=named)}"]
    for number, (old, new) in enumerate(pairs[:SHOWN], start=1):
        if len(pairs) > 1:
            which = Markup(_which(new))
            parts.append(say(language, "whatif.which", number=number, count=len(pairs), which=which))
        parts += [f"**{verdict_line(new, Voice.of(new, in_thread=True))}**", _change(old, new), _table(old, new)]
    parts.append(alerts(_told(before, after, gathered), Voice.of(after)))
    parts.append(say(language, "whatif.unkept"))
    return "\n\n".join(part for part in parts if part) + "\n"


def _pairs(before: Sequence[Decision], after: Sequence[Decision]) -> list[tuple[Decision | None, Decision]]:
    """Comparisons that belong together by workload and phase; a setting may have left one alone."""
    known = {(d.workload, d.phase): d for d in before}
    return [(known.get((d.workload, d.phase)) or (before[0] if len(after) == 1 else None), d) for d in after]


def _which(decision: Decision) -> str:
    named = [literal(decision.workload) if decision.workload else "", decision.phase.value if decision.phase else ""]
    return ", ".join(name for name in named if name) or "–"


def _word(decision: Decision) -> Markup:
    word = decision.verdict.word
    return Markup(f"**{Voice.of(decision).word(word)}**" if word else say(decision.settings.language, "whatif.none"))


def _change(before: Decision | None, after: Decision) -> str:
    if before is None:
        return ""
    language = after.settings.language
    if before.verdict.word is after.verdict.word:
        return say(language, "whatif.same", word=_word(after))
    return say(language, "whatif.changed", before=_word(before), after=_word(after))


def _table(before: Decision | None, after: Decision) -> str:
    """Verdict lines and the figures that settings can move, side by side."""
    language = after.settings.language
    columns = [dict[str, str]() if d is None else _figures(d) for d in (before, after)]
    nothing = say(language, "whatif.no-figure")
    rows = [say(language, "whatif.head"), say(language, "whatif.rule")]
    for label in dict.fromkeys(label for column in columns for label in column):
        rows.append(f"| {label} | {' | '.join(column.get(label, nothing) for column in columns)} |")
    return "\n".join(rows)


def _figures(decision: Decision) -> dict[str, str]:
    voice, language = Voice.of(decision, in_thread=True), decision.settings.language
    shown = {say(language, "whatif.verdict"): verdict_line(decision, voice)}
    cost = decision.cost
    if cost is not None and decision.incumbent is not None and decision.candidate is not None:
        for side, name in (("incumbent", decision.incumbent), ("candidate", decision.candidate)):
            per_unit = cost.arms[name].cost_per_unit
            fields = {"unit": Markup(voice.unit_name), side: Markup(literal(name))}
            if per_unit is not None:
                shown[say(language, f"whatif.{side}-cost", **fields)] = voice.rate(per_unit * voice.unit_scale)
        ratio = say(language, "whatif.cost", confidence=Markup(voice.confidence))
        shown[ratio] = ratio_text(cost.theta)
    shown |= _chances(decision, voice)
    economics = decision.economics
    if economics.best is not None and economics.months:
        shown[say(language, "whatif.saving")] = _saving(economics, economics.best, voice)
    return shown


def _chances(decision: Decision, voice: Voice) -> dict[str, str]:
    regret, language = decision.regret, decision.settings.language
    if regret is None:
        return {}
    shown = {say(language, "whatif.chance"): chance(regret.p_saves)}
    return shown | ({say(language, "whatif.losses"): lost} if (lost := losses(regret, voice)) else {})


def _saving(economics: Economics, plan: Plan, voice: Voice) -> str:
    amount = Markup(voice.money(plan.saving, 3))
    told = say(voice.language, "whatif.saving-over", saving=amount, months=economics.horizon_months)
    if economics.saving is None or economics.saving.lo is None or economics.saving.hi is None:
        return told
    ends = (economics.saving.lo, economics.saving.hi)
    return f"{told} [{figures.joined(*(voice.money(end, 3) for end in ends))}]"


def _told(before: Decision, after: Decision, gathered: Sequence[Problem]) -> list[Problem]:
    """What the changes brought, what was not counted, and everything that keeps a verdict back."""
    known = set(p.model_dump_json() for p in before.problems)
    unanswered = after.verdict.word is None
    return [p for p in after.problems if unanswered or p in gathered or p.model_dump_json() not in known]
