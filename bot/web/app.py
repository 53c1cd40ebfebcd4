"""The Flask app of the receiving process: the webhook, health and the pages; it never loads the engine."""

import logging
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask, Response, g, jsonify, make_response, request
from werkzeug.exceptions import HTTPException

from bot import logs
from bot.intake import webhook
from bot.intake.inbox import Inbox
from bot.intake.wiring import Wiring
from bot.render.safe_text import clean
from bot.settings import ProcessSettings
from bot.templates import template_path
from bot.web import crowd, health, ledger, login, playground, session, setup
from bot.web.access import Access
from bot.web.books import Quarters
from bot.web.desk import ANSWER_S, Desk
from bot.web.made import Made
from bot.web.pages import page
from bot.web.shelf import Shelf

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MIB = 2**20
LARGEST_BODY = 25 * MIB
"""GitHub's own bound on a delivery."""
log = logs.logger(__name__)
DELIVERIES = "/webhook"
TOLD = (400, 403, 404, 405, 413)
QUIET = ("/healthz", "/readyz", "/metrics")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}


def create_app(settings: ProcessSettings, inbox: Inbox) -> Flask:
    """An app that puts jobs into `inbox`. Where credentials are missing it says in the log where to set it up."""
    app = Flask(
        "steelyard",
        template_folder=str(template_path("pages")),
        static_folder=str(template_path("static")),
        static_url_path="/static",
    )
    app.config.update(MAX_CONTENT_LENGTH=LARGEST_BODY, MAX_FORM_MEMORY_SIZE=2**16, PROPAGATE_EXCEPTIONS=False)
    app.jinja_env.filters["clean"] = clean
    app.wsgi_app = _Nameless(app.wsgi_app)  # type: ignore[method-assign]
    app.url_map.merge_slashes = False  # a redirect would repeat the Host header
    wiring = app.extensions["steelyard"] = Wiring(settings, inbox)
    for served in (webhook, health, setup, login, ledger, playground):
        app.register_blueprint(served.blueprint)
    _prepare_pages(app, wiring)
    app.extensions["steelyard-setup"] = setup.Door.opened(wiring.current())
    app.before_request(_begin)
    app.before_request(crowd.enter)
    app.teardown_request(crowd.leave)
    app.after_request(_finish)
    app.register_error_handler(HTTPException, _refused)
    app.register_error_handler(Exception, _failed)
    return app


class _Nameless:
    """No answer depends on the Host header: pages link by path, and GitHub is told the configured address. A name that
    is none would be an error of its own.
    """

    def __init__(self, inner: "WSGIApplication") -> None:
        self._inner = inner

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        environ["HTTP_HOST"] = "localhost"
        return self._inner(environ, start_response)


def _prepare_pages(app: Flask, wiring: Wiring) -> None:
    settings = wiring.current()
    session.install(app, settings)
    app.extensions["steelyard-desk"] = Desk(min(ANSWER_S, settings.job_seconds), settings.job_memory_mb)
    app.extensions["steelyard-access"] = Access(wiring.current)
    app.extensions["steelyard-shelf"] = Shelf()
    app.extensions["steelyard-quarters"] = Quarters()
    app.extensions["steelyard-made"] = Made()
    app.extensions["steelyard-crowd"] = crowd.Crowd()


def _begin() -> None:
    g.began = time.monotonic()


def _finish(response: Response) -> Response:
    """Strict headers where the page set none, and the access line: never the query, which may hold a setup token."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    log.log(
        logging.DEBUG if _is_quiet(response) else logging.INFO,
        "request",
        extra={
            "method": request.method[:16],
            "path": request.path[:200],
            "status": response.status_code,
            "milliseconds": round((time.monotonic() - g.get("began", time.monotonic())) * 1000, 1),
            "peer": request.remote_addr,
        },
    )
    return response


def _is_quiet(response: Response) -> bool:
    """What is asked all the time, and deliveries, which have a line of their own; their refusals are shown."""
    return request.path in QUIET or (request.path == DELIVERIES and response.status_code < 400)


def _refused(failure: HTTPException) -> tuple[Response, int]:
    """Werkzeug's refusals (404, 405, 413 …) in few words, without echoing anything; a page for a browser."""
    status = failure.code or 500
    if failure.response is not None:
        return make_response(failure.response), failure.response.status_code
    if _reads_pages():
        return page("stopped.html", status, reason=status if status in TOLD else 500), status
    answer = jsonify(result=failure.name.lower())
    for name, value in failure.get_headers():
        if name == "Allow":
            answer.headers[name] = value
    return answer, status


def _reads_pages() -> bool:
    """Whether a person's browser asks; whatever asks for nothing in particular gets JSON."""
    wanted = request.accept_mimetypes.best_match(["application/json", "text/html"])
    return wanted == "text/html" and request.path not in (*QUIET, DELIVERIES)


def _failed(failure: Exception) -> tuple[Response, int]:
    """A bug: the trace is for the log, and GitHub shows the delivery as failed."""
    log.error("a request failed", exc_info=failure)
    if _reads_pages():
        return page("stopped.html", 500, reason=500), 500
    return jsonify(result="internal error"), 500
