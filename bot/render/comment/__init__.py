"""The reply to a comparison: verdict first, then why, figures, contracts, what would flip it, and how it was read."""

from bot.render.comment.details import details
from bot.render.comment.economics import deadlines, plans
from bot.render.comment.headline import headline
from bot.render.comment.problems import problems
from bot.render.comment.results import notes, results
from bot.render.comment.steps import flips, next_steps
from bot.render.comment.voice import Voice
from scoring.model.decision import Decision

LIMIT = 65_536
SECTIONS = (headline, results, plans, deadlines, flips, notes, next_steps, problems, details)


def render_comment(decision: Decision) -> str:
    """GitHub-flavoured Markdown, at most 65,536 characters; every figure is one of the decision's."""
    voice = Voice.of(decision)
    parts = _parts(decision, voice)
    for other in decision.others:
        parts += ["---", *_parts(other, Voice.of(other))]
    parts.append(voice("links"))
    return _bounded("\n\n".join(parts) + "\n")


def _parts(decision: Decision, voice: Voice) -> list[str]:
    return [text for section in SECTIONS if (text := section(decision, voice))]


def _bounded(text: str) -> str:
    """Cut at a line end; what is cut stands in the decision record, and the cut is said."""
    if len(text) <= LIMIT:
        return text
    end = "\n\n…\n"
    kept = text[: LIMIT - len(end) - 20]
    kept = kept[: kept.rfind("\n")]
    closing = "\n</details>" * (kept.count("<details>") - kept.count("</details>"))
    return kept + closing + end
