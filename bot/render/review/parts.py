"""What the parts of the comment share: headed parts, tables, amounts and names."""

from collections.abc import Sequence
from datetime import date, timedelta

from bot.render import figures
from bot.render.locales import spoken
from bot.render.messages import Messages, catalogue
from bot.render.safe_text import literal
from scoring.review.values import Review

MOST_ROWS = 40
NOTHING = "–"


class Voice:
    """Speaks of problems."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, code: str, **arguments: object) -> str:
        return catalogue(self.language, "comment")(code, **arguments)


def section(code: str, words: Messages, *parts: str) -> str:
    """A headed part of the comment."""
    return "\n\n".join([f"### {words(f'section.{code}')}", *parts])


def table(head: Sequence[str], rows: Sequence[Sequence[str]], sides: str, words: Messages) -> str:
    """A Markdown table; of many rows the first ones, and it says so."""
    rule = ["---:" if side == "r" else "---" for side in sides]
    lines = [f"| {' | '.join(row)} |" for row in (head, rule, *rows[:MOST_ROWS])]
    if len(rows) > MOST_ROWS:
        lines += ["", words("more", count=len(rows) - MOST_ROWS)]
    return "\n".join(lines)


def named(text: str | None) -> str:
    """Somebody's name shown literally."""
    return literal(text) if text else NOTHING


def issue_link(repository: str | None, issue: int) -> str:
    """What GitHub makes a link of: `#7` in the home's own thread, `octo-org/train#7` to another repository."""
    return f"{repository or ''}#{issue}"


def verdict_word(word: object, words: Messages) -> str:
    """A verdict as it is told; None is no verdict."""
    return words("no-verdict") if word is None else catalogue(spoken(), "comment")(f"word.{word}")


def money(amount: float | None, review: Review) -> str:
    """An amount in the review's currency to three digits."""
    return NOTHING if amount is None else figures.money(amount, review.currency, 3)


def ranged(point: float, lo: float | None, hi: float | None, currency: str) -> str:
    """An amount with its range, where it has one."""
    amount = figures.money(point, currency, 3)
    if lo is None or hi is None or lo == hi:
        return amount
    return f"{amount} ({figures.money(lo, currency, 3)} – {figures.money(hi, currency, 3)})"


def percent(share: float | None) -> str:
    """A share to three digits."""
    return NOTHING if share is None else figures.percent(share, 3)


def period_of(first: date, last: date) -> str:
    """A month, or the first and the last day."""
    is_whole = first.day == 1 and (last + timedelta(days=1)).day == 1
    if is_whole and (first.year, first.month) == (last.year, last.month):
        return f"{first:%Y-%m}"
    return f"{first.isoformat()} – {last.isoformat()}"
