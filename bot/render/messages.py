"""Sentences for people, by code and language, from the catalogues in `templates/`; code elsewhere holds none."""

from collections.abc import Mapping
from functools import lru_cache
from string import Formatter
from typing import Any

import yaml

from bot.render.locales import ENGLISH, English, locale_of
from bot.templates import template_path

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Localised(Formatter):
    """A number that a text formats itself, as in `{k:.3g}`, takes the marks of the text's language."""

    def __init__(self, locale: English) -> None:
        self._locale = locale

    def format_field(self, value: Any, format_spec: str) -> str:
        written: str = super().format_field(value, format_spec)
        if not format_spec or not isinstance(value, (int, float)):
            return written
        return self._locale.written(written.replace("%", " %"))


class Messages:
    """One catalogue: a flat mapping of codes to texts with `{name}` fields.

    A missing code or field is a bug of the project and raises KeyError; the tests go through all of them.
    """

    def __init__(self, texts: Mapping[str, str], language: str = ENGLISH) -> None:
        self._texts = texts
        self._formatter = None if language == ENGLISH else _Localised(locale_of(language))

    def __contains__(self, code: str) -> bool:
        return code in self._texts

    def __call__(self, code: str, **arguments: object) -> str:
        if self._formatter is None:
            return self._texts[code].format_map(arguments)
        return self._formatter.vformat(self._texts[code], (), arguments)

    @property
    def codes(self) -> frozenset[str]:
        """All codes of the catalogue."""
        return frozenset(self._texts)

    def text(self, code: str) -> str:
        """A text as it stands in the catalogue."""
        return self._texts[code]

    def fields(self, code: str) -> frozenset[str]:
        """Names of the fields that a text needs."""
        return frozenset(name for _, name, _, _ in Formatter().parse(self._texts[code]) if name)


@lru_cache(maxsize=64)
def catalogue(language: str, name: str) -> Messages:
    """The catalogue `templates/messages/<language>/<name>.yml`; nested keys are joined by dots."""
    text = template_path(f"messages/{language}/{name}.yml").read_text(encoding="utf-8")
    texts = dict(_flat("", yaml.load(text, Loader=LOADER) or {}))  # noqa: S506 - our own file
    return Messages(texts, language)


def _flat(prefix: str, tree: Mapping[str, object]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for key, value in tree.items():
        if isinstance(value, Mapping):
            pairs += _flat(f"{prefix}{key}.", value)
        else:
            pairs.append((f"{prefix}{key}", str(value)))
    return pairs
