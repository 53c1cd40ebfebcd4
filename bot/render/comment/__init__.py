"""The reply to a comparison: verdict first, then why, figures, contracts, what would flip it, and how it was read."""

from bot.render.comment.details import details, own_details
from bot.render.comment.economics import deadlines, plans
from bot.render.comment.headline import headline
from bot.render.comment.problems import problems
from bot.render.comment.results import notes, results
from bot.render.comment.steps import flips, next_steps
from bot.render.comment.voice import Voice
from bot.render.safe_text import literal
from scoring.model.decision import Decision

LIMIT = 65_536
SECTIONS = (headline, results, plans, deadlines, flips, notes, next_steps, problems, details)
SECTIONS_OF_OTHERS = (*SECTIONS[:-1], own_details)


def render_comment(decision: Decision) -> str:
    """GitHub-flavoured Markdown, at most 65,536 characters; every figure is one of the decision's."""
    comparisons = (decision, *decision.others)
    voice = Voice.of(decision)
    texts = ["\n\n".join(_parts(d, number, len(comparisons))) for number, d in enumerate(comparisons, start=1)]
    return _bounded("\n\n---\n\n".join(texts) + f"\n\n{voice('links')}\n", voice("cut"))


def _parts(decision: Decision, number: int, count: int) -> list[str]:
    voice = Voice.of(decision)
    sections = SECTIONS if number == 1 else SECTIONS_OF_OTHERS
    parts = [text for section in sections if (text := section(decision, voice))]
    if count == 1:
        return parts
    named = [literal(decision.workload or ""), decision.phase.value if decision.phase else ""]
    which = ", ".join(name for name in (named[1:] if decision.workload is None else named) if name) or "–"
    return [voice("which", number=number, count=count, which=which), *parts]


def _bounded(text: str, cut: str) -> str:
    """Cut at a line end; what is cut stands in the decision record, and the cut is said."""
    if len(text) <= LIMIT:
        return text
    end = f"\n\n{cut}\n"
    kept = text[: LIMIT - len(end) - 20]
    kept = kept[: kept.rfind("\n")]
    closing = "\n</details>" * (kept.count("<details>") - kept.count("</details>"))
    return kept + closing + end
