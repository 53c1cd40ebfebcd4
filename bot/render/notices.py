"""What the bot says without a decision: refusals, mistakes, failures, and replies made of problems alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.render.comment.problems import SHOWN_OF_A_KIND, alerts
from bot.render.locales import in_language, locale_of
from bot.render.messages import catalogue
from bot.render.safe_text import literal
from scoring.model.problem import Problem


@dataclass(frozen=True)
class _Plain:
    """Speaks of problems where there is no decision."""

    language: str

    def __call__(self, code: str, **arguments: object) -> str:
        return catalogue(self.language, "comment")(code, **arguments)


class Markup(str):
    """Markdown made here, shown as it is; never a text of somebody else's."""

    __slots__ = ()


def code(text: str) -> Markup:
    """A text of our own, without backticks, as inline code."""
    return Markup(f"`{text}`")


def say(language: str, sentence: str, **fields: object) -> str:
    """A sentence of the catalogue `bot`; every text is shown literally, numbers with separated thousands."""
    return catalogue(language, "bot")(sentence, **{name: _field(value, language) for name, value in fields.items()})


def _field(value: object, language: str) -> object:
    if isinstance(value, str):
        return value if isinstance(value, Markup) else literal(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return locale_of(language).written(f"{value:,}")
    return value


@in_language(lambda problems, language, *_, **__: language)
def render_problems(
    problems: Sequence[Problem], language: str, title: str = "broken-configuration.title", shorten: bool = True
) -> str:
    """A reply of problems alone: each with file, line, what was found and how to fix it; `title` is a code of `bot`.

    Of many of one kind the first few are told, or all of them unless it is to be shortened.
    """
    most = SHOWN_OF_A_KIND if shorten else len(problems)
    return f"### {say(language, title)}\n\n{alerts(problems, _Plain(language), most)}\n"
