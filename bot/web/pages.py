"""Our own pages in the language that the reader's browser asks for, with every sentence from the catalogue `pages`."""

from collections.abc import Callable

from flask import Response, make_response, render_template, request
from markupsafe import Markup, escape

from bot.render.locales import ENGLISH, languages
from bot.render.messages import catalogue

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'self'"
)
"""Our own style sheet and our own script; nothing inline, nothing from anybody else."""


def rendered(template: str, **given: object) -> str:
    """A template of `templates/pages` with `given` and `say`, in the best language that is known."""
    language = page_language()
    return render_template(template, language=language, say=saying(language), **given)


def part(template: str, language: str, **given: object) -> Markup:
    """A part of a page, from a template without a page around it; it is told nothing of the reader."""
    return Markup(render_template(template, language=language, say=saying(language), **given))  # noqa: S704 - escaped


def page_language() -> str:
    """The best language that is known of those that the browser asks for."""
    return request.accept_languages.best_match(languages(), ENGLISH) or ENGLISH


def page(template: str, status: int = 200, **given: object) -> Response:
    """A page of the reading part: with its navigation, under the policy of all pages."""
    from bot.web.reader import has_login, may_try
    from bot.web.session import session

    held = session()
    shown = rendered(template, navigation=True, login=held.login, csrf=held.csrf, has_login=has_login(),
                     may_try=may_try(), here=request.path, **given)  # fmt: skip
    response = make_response(shown, status)
    response.headers["Content-Security-Policy"] = POLICY
    return response


def saying(language: str) -> Callable[..., Markup]:
    """Sentences of the catalogue `pages`; every field is escaped."""
    sentences = catalogue(language, "pages")

    def say(code: str, **fields: object) -> Markup:
        escaped = {name: escape(value) for name, value in fields.items()}
        return Markup(sentences(code, **escaped))  # noqa: S704 - our own text; every field is escaped

    return say
