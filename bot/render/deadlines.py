"""A book's deadlines as a list for the screen."""

from collections.abc import Sequence
from datetime import date

from bot.render import figures
from bot.render.locales import in_language
from bot.render.messages import catalogue
from bot.render.safe_text import clean
from scoring.model.deadline import DueDate, DueKind
from scoring.model.economics import DeadlineStatus

NARROW = 40


@in_language(lambda dates, on, language="en": language)
def render_deadlines(dates: Sequence[DueDate], on: date, language: str = "en") -> str:
    """One line a day: the day, days left, what, of what, whose, and what missing it leads to."""
    words = catalogue(language, "calendar")
    if not dates:
        return words("list.none", on=figures.day(on)) + "\n"
    rows = [[words(f"list.head-{name}") for name in ("day", "left", "what", "of", "owner", "missing")]]
    for due in dates:
        missed = due.kind is DueKind.NOTICE and due.status is DeadlineStatus.MISSED
        what = words(f"list.{due.kind.value}{'-missed' if missed else ''}")
        left = figures.number(due.days_left)
        rows.append([due.day.isoformat(), left, what, _plain(due.subject), _plain(due.owner or "")])
        rows[-1].append(_missing(due, language))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return clean(text, NARROW) if text.strip() else "-"


def _missing(due: DueDate, language: str) -> str:
    if due.renewed_until is None or due.obligation is None:
        return "-"
    amount = figures.money(due.obligation, due.currency or "")
    return catalogue(language, "calendar")("list.renews", until=figures.day(due.renewed_until), amount=amount)
