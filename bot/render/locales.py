"""How a language writes numbers, amounts and days: English in the project's own style, every other one by CLDR.

A language is a name in `scoring.model.settings.Language` and a folder of `templates/messages`. A renderer speaks one
language from its door on, so that no figure on the way needs to be told which.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

from bot.templates import template_path

P = ParamSpec("P")
R = TypeVar("R")
ENGLISH = "en"
MONTHS = "January February March April May June July August September October November December".split()
SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}
_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)


class English:
    """The style of the project's English; `number` is always one as Python writes it, 1,234.5."""

    @property
    def separator(self) -> str:
        """Between two numbers."""
        return ", "

    def written(self, number: str) -> str:
        """The number with this language's marks."""
        return number

    def money(self, number: str, currency: str) -> str:
        """An amount in a currency (ISO 4217)."""
        symbol = SYMBOLS.get(currency)
        return f"{symbol}{number}" if symbol else f"{currency} {number}"

    def money_format(self, digits: str, currency: str) -> str:
        """The number format of a cell that holds an amount; `digits` is its part without the currency, `#,##0`."""
        return f'"{SYMBOLS.get(currency, currency + " ")}"{digits}'

    def day(self, value: date) -> str:
        """1 July 2027."""
        return f"{value.day} {MONTHS[value.month - 1]} {value.year}"


@dataclass(frozen=True)
class Published(English):
    """A language as the Unicode consortium publishes it (CLDR); loaded when it is first needed."""

    language: str

    @cached_property
    def _locale(self) -> Any:
        from babel import Locale

        return Locale.parse(self.language)

    @cached_property
    def _marks(self) -> dict[int, str]:
        from babel.numbers import get_decimal_symbol, get_group_symbol

        return str.maketrans({",": get_group_symbol(self._locale), ".": get_decimal_symbol(self._locale)})

    @property
    def separator(self) -> str:
        """A semicolon where a comma is the decimal mark."""
        return "; " if self._marks[ord(".")] == "," else ", "

    def written(self, number: str) -> str:
        """1.234,5 in Spanish."""
        return number.translate(self._marks)

    def money(self, number: str, currency: str) -> str:
        """85.000 US$ in Spanish."""
        return self._placed(self.written(number), self._symbol(currency))

    def money_format(self, digits: str, currency: str) -> str:
        """`#,##0 "US$"` in Spanish: a format is written with English marks, and shown with the reader's."""
        return self._placed(digits, f'"{self._symbol(currency)}"')

    def day(self, value: date) -> str:
        """1 de julio de 2027 in Spanish."""
        from babel.dates import format_date

        return format_date(value, "long", locale=self._locale)

    def _symbol(self, currency: str) -> str:
        from babel.numbers import get_currency_symbol

        return get_currency_symbol(currency, locale=self._locale) or currency

    def _placed(self, number: str, symbol: str) -> str:
        """The symbol before or behind the number; a space that does not break is written as a plain one."""
        before, behind = self._locale.currency_formats["standard"].pattern.split(";")[0].split("#,##0.00")
        return f"{before}{number}{behind}".replace("\u00a4", symbol).replace("\u00a0", " ")


@lru_cache(maxsize=1)
def languages() -> tuple[str, ...]:
    """Every language that has its messages, English first."""
    found = sorted(folder.name for folder in template_path("messages").iterdir() if folder.is_dir())
    return (ENGLISH, *(language for language in found if language != ENGLISH))


@lru_cache(maxsize=8)
def locale_of(language: str) -> English:
    """How that language writes figures."""
    return English() if language == ENGLISH else Published(language)


def spoken() -> str:
    """The language that is rendered in now."""
    return _spoken.get()


def locale() -> English:
    """How the language that is rendered in now writes figures."""
    return locale_of(spoken())


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Render in this language meanwhile, also what is called from within."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def in_language(of: Callable[P, str]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A renderer's door: it speaks the language that `of` takes from its arguments."""

    def door(render: Callable[P, R]) -> Callable[P, R]:
        @wraps(render)
        def speaks(*args: P.args, **kwargs: P.kwargs) -> R:
            with speaking(of(*args, **kwargs)):
                return render(*args, **kwargs)

        return speaks

    return door
