"""The reply to a comparison: verdict first, then why, figures, contracts, what would flip it, and how it was read."""

from bot.render.comment.details import details, own_details
from bot.render.comment.economics import deadlines, plans
from bot.render.comment.headline import headline
from bot.render.comment.links import SHOWN, Links
from bot.render.comment.problems import problems
from bot.render.comment.results import notes, results
from bot.render.comment.steps import flips, next_steps
from bot.render.comment.voice import Voice
from bot.render.safe_text import literal
from scoring.model.decision import Decision

LIMIT = 65_536
RESERVED = 3_000
"""Of the limit, for the absolute addresses and the hidden marker that a posted reply carries."""
SECTIONS = (headline, results, plans, deadlines, flips, notes, next_steps, problems, details)
SECTIONS_OF_OTHERS = (*SECTIONS[:-1], own_details)


def render_comment(decision: Decision, links: Links | None = None) -> str:
    """GitHub-flavoured Markdown, at most 65,536 characters; every figure is one of the decision's.

    With `links` it is a reply in a thread: steps are slash commands, and its last line leads to the files.
    """
    comparisons = (decision, *decision.others)
    voice = Voice.of(decision, in_thread=links is not None)
    texts = ["\n\n".join(_parts(d, n, len(comparisons), links)) for n, d in enumerate(comparisons, start=1)]
    text = "\n\n---\n\n".join(texts)
    if links is None:
        return _bounded(text + f"\n\n{voice('links')}\n", f"{voice('cut')}\n", LIMIT)
    last = f"{_linked(links, voice)}\n"
    return _bounded(f"{text}\n\n{last}", f"{voice('cut')}\n\n{last}", LIMIT - RESERVED)


def _parts(decision: Decision, number: int, count: int, links: Links | None) -> list[str]:
    voice = Voice.of(decision, in_thread=links is not None)
    sections = SECTIONS if number == 1 else SECTIONS_OF_OTHERS
    parts = [text for section in sections if (text := section(decision, voice))]
    if count == 1:
        return parts
    named = [literal(decision.workload or ""), decision.phase.value if decision.phase else ""]
    which = ", ".join(name for name in (named[1:] if decision.workload is None else named) if name) or "–"
    return [voice("which", number=number, count=count, which=which), *parts]


def _linked(links: Links, voice: Voice) -> str:
    memos = ", ".join(voice("linked.file", file=memo) for memo in links.memos[:SHOWN])
    more = len(links.memos) - SHOWN
    memos += voice("linked.more", count=more) if more > 0 else ""
    return voice("linked.line", memos=memos, record=voice("linked.file", file=links.record))


def _bounded(text: str, end: str, limit: int) -> str:
    """Cut at a line end; what is cut stands in the decision record, and the cut is said."""
    if len(text) <= limit:
        return text
    kept = text[: limit - len(end) - 22]
    kept = kept[: kept.rfind("\n")]
    closing = "\n</details>" * (kept.count("<details>") - kept.count("</details>"))
    return f"{kept}{closing}\n\n{end}"
