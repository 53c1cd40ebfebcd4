"""The engine's own words in a problem, a column's reading or a unit of work, in the language that is rendered in.

English is what the engine says. Another language has them in `phrases.yml`, by the field they stand in; `{1}` there is
whatever stands between the words, as in `at most {1}`. What is not in it was posted by somebody, and stays as it is.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import yaml

from bot.render.locales import ENGLISH, locale, spoken
from bot.render.messages import LOADER, catalogue
from bot.render.safe_text import words
from bot.templates import template_path

_BLANK = re.compile(r"\\\{(\d)\\\}")
_NUMBER = re.compile(r"(\d{1,3}(,\d{3})+|\d+)(\.\d+)?%?", re.ASCII)


@dataclass(frozen=True)
class _Phrases:
    """Those of one field: whole ones, and patterns with blanks."""

    whole: Mapping[str, str]
    patterns: tuple[tuple[re.Pattern[str], str], ...]

    def told(self, text: str) -> str:
        if text in self.whole:
            return self.whole[text]
        for pattern, translation in self.patterns:
            if match := pattern.fullmatch(text):
                blanks = (locale().written(b) if _NUMBER.fullmatch(b) else b for b in match.groups())
                return translation.format("", *blanks)
        return text


@lru_cache(maxsize=8)
def _phrases(language: str) -> Mapping[str, _Phrases]:
    text = template_path(f"messages/{language}/phrases.yml").read_text(encoding="utf-8")
    tree: dict[str, dict[str, str]] = yaml.load(text, Loader=LOADER)  # noqa: S506 - our own file
    return {field: _compiled(entries) for field, entries in tree.items()}


def _compiled(entries: Mapping[str, str]) -> _Phrases:
    whole = {english: told for english, told in entries.items() if "{" not in english}
    patterns = [(_BLANK.sub("(.+?)", re.escape(english)), told) for english, told in entries.items() if "{" in english]
    return _Phrases(whole, tuple((re.compile(pattern), told) for pattern, told in patterns))


def phrase(field: str, text: str) -> str:
    """The engine's text of that field of a problem or a column's reading; any other text as it is."""
    known = {} if spoken() == ENGLISH else _phrases(spoken())
    return known[field].told(text) if field in known else text


def unit_name(unit: str) -> str:
    """A unit of work, in a sentence."""
    told = phrase("unit", unit)
    return told if told != unit else words(unit)


def unit_names(unit: str) -> str:
    """Several of it."""
    told = phrase("units", unit)
    return told if told != unit else catalogue(spoken(), "figures")("units", unit=words(unit))
