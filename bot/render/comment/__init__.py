"""The reply to a comparison: verdict first, then why, figures, contracts, what would flip it, and how it was read."""

from bot.render.comment.closing import closing, since
from bot.render.comment.deadlines import deadlines
from bot.render.comment.details import details, own_details
from bot.render.comment.economics import plans
from bot.render.comment.headline import headline
from bot.render.comment.links import SHOWN, Links
from bot.render.comment.problems import problems
from bot.render.comment.results import notes, results
from bot.render.comment.steps import flips, next_steps
from bot.render.comment.together import overview
from bot.render.comment.voice import Voice
from bot.render.comment.worth import worth
from bot.render.locales import in_language
from bot.render.safe_text import literal
from scoring.model.decision import Decision

LIMIT = 65_536
RESERVED = 3_000
"""Of the limit, for the absolute addresses and the hidden marker that a posted reply carries."""


def _read_once(_: Decision, voice: Voice) -> str:
    return voice("read-once")


SECTIONS = (headline, results, worth, plans, deadlines, flips, notes, next_steps, problems, details)
SECTIONS_OF_OTHERS = (*SECTIONS[:-1], own_details, _read_once)


@in_language(lambda decision, *_, **__: decision.settings.language)
def render_comment(decision: Decision, links: Links | None = None, files_written: bool = True) -> str:
    """GitHub-flavoured Markdown, at most 65,536 characters; every figure is one of the decision's.

    With `links` it is a reply in a thread: steps are slash commands, and its last line leads to the files. Without,
    its last line names the files beside it, where they are written.
    """
    comparisons = (decision, *decision.others)
    voice = Voice.of(decision, in_thread=links is not None)
    texts = ["\n\n".join(_parts(d, n, len(comparisons), links, files_written)) for n, d in enumerate(comparisons, 1)]
    if decision.others:
        texts.insert(0, overview(decision, voice))
    text = "\n\n---\n\n".join(text for text in texts if text)
    if links is None:
        ending = [since(decision, voice), _named(decision, voice) if files_written else ""]
        return _bounded(_paragraphs(text, *ending), f"{voice('cut')}\n", LIMIT)
    ending = [closing(decision, voice), _linked(links, voice)]
    return _bounded(_paragraphs(text, *ending), _paragraphs(voice("cut"), *ending), LIMIT - RESERVED)


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"


def _parts(decision: Decision, number: int, count: int, links: Links | None, files_written: bool) -> list[str]:
    voice = Voice.of(decision, in_thread=links is not None)
    sections = SECTIONS if number == 1 else SECTIONS_OF_OTHERS
    parts = [text for section in sections if (text := section(decision, voice))]
    if count == 1:
        return [part for part in (*parts[:1], overview(decision, voice), *parts[1:]) if part]
    named = [literal(decision.workload or ""), decision.phase.value if decision.phase else ""]
    which = ", ".join(name for name in (named[1:] if decision.workload is None else named) if name) or "–"
    memo = _memo_names(count, links, voice)[number - 1]
    told = [voice("memo-of", memo=memo)] if files_written or links is not None else []
    return [voice("which", number=number, count=count, which=which), *told, *parts]


def _memo_names(count: int, links: Links | None, voice: Voice) -> list[str]:
    """A memo for each comparison, as a link in a thread."""
    if links is not None:
        return [voice("linked.file", file=memo) for memo in links.memos]
    return [f"`{memo}`" for memo in Links.of(count).memos]


def _linked(links: Links, voice: Voice) -> str:
    line = voice(
        "linked.line",
        memos=_shown(_memo_names(len(links.memos), links, voice), voice),
        record=voice("linked.file", file=links.record),
    )
    line += voice("linked.records", target=links.records) if links.records else ""
    return line + (voice("linked.calendar", target=links.calendar) if links.calendar else "")


def _shown(memos: list[str], voice: Voice) -> str:
    more = len(memos) - SHOWN
    return ", ".join(memos[:SHOWN]) + (voice("linked.more", count=more) if more > 0 else "")


def _named(decision: Decision, voice: Voice) -> str:
    drafted = any(d.records for d in (decision, *decision.others))
    memos = _shown(_memo_names(1 + len(decision.others), None, voice), voice)
    line = voice("links", memos=memos) + (voice("links-records") if drafted else "")
    return line + (voice("links-calendar") if decision.dates else "")


def _bounded(text: str, end: str, limit: int) -> str:
    """Cut at a line end; what is cut stands in the decision record, and the cut is said."""
    if len(text) <= limit:
        return text
    kept = text[: limit - len(end) - 22]
    kept = kept[: kept.rfind("\n")]
    closing = "\n</details>" * (kept.count("<details>") - kept.count("</details>"))
    return f"{kept}{closing}\n\n{end}"
