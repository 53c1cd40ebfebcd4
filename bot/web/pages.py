"""Our own pages in the language that the reader's browser asks for, with every sentence from the catalogue `pages`."""

from collections.abc import Callable

from flask import render_template, request
from markupsafe import Markup, escape

from bot.render.locales import ENGLISH, languages
from bot.render.messages import catalogue


def rendered(template: str, **given: object) -> str:
    """A template of `templates/pages` with `given` and `say`, in the best language that is known."""
    language = request.accept_languages.best_match(languages(), ENGLISH) or ENGLISH
    return render_template(template, language=language, say=_saying(language), **given)


def _saying(language: str) -> Callable[..., Markup]:
    sentences = catalogue(language, "pages")

    def say(code: str, **fields: object) -> Markup:
        escaped = {name: escape(value) for name, value in fields.items()}
        return Markup(sentences(code, **escaped))  # noqa: S704 - our own text; every field is escaped

    return say
