"""The page that registers the GitHub App, and GitHub's way back; open to the holder of the token in the log alone."""

import hmac
import json
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from flask import Blueprint, Response, current_app, make_response, request

from bot import logs, metrics
from bot.github import app_setup
from bot.github.client import Connection
from bot.github.errors import GitHubError
from bot.intake.wiring import Wiring
from bot.settings import ProcessSettings
from bot.web.pages import rendered

blueprint = Blueprint("setup", __name__)
log = logs.logger(__name__)
STATE_SECONDS = 600.0
MOST_STATES = 100
_ORGANISATION = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?", re.ASCII)
_CODE = re.compile(r"[A-Za-z0-9_-]{1,200}", re.ASCII)


@dataclass
class Door:
    """Who may set this process up: the token of its start, and the states of requests that are under way.

    States live in this process's memory, hence setup is done with one web process.
    """

    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    clock: Callable[[], float] = time.monotonic
    _states: dict[str, float] = field(default_factory=dict)
    storing: threading.Lock = field(default_factory=threading.Lock)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def opened(cls, settings: ProcessSettings) -> "Door":
        """A door; where setup is needed the log says its address, once."""
        door = cls()
        if not is_set_up(settings):
            root = (settings.public_url or f"http://{settings.host}:{settings.port}").rstrip("/")
            log.warning("setup is needed: open %s/setup?entry=%s", root, door.token)
        return door

    def admits(self, token: str) -> bool:
        """Whether this is the token."""
        return hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def begin(self) -> str:
        """A new state, for one use within STATE_SECONDS."""
        state = secrets.token_urlsafe(24)
        with self._lock:
            self._states = dict(list(self._states.items())[-MOST_STATES:])
            self._states[state] = self.clock()
        return state

    def end(self, state: str) -> bool:
        """Whether the state was open; it no longer is."""
        with self._lock:
            began = self._states.pop(state, None)
        return began is not None and self.clock() - began <= STATE_SECONDS


def is_set_up(settings: ProcessSettings) -> bool:
    """Whether any credentials are there."""
    return bool(settings.app_id or settings.private_key or settings.webhook_secrets or settings.token)


@blueprint.get("/setup")
def page() -> Response:
    """One button that posts the manifest to GitHub, for oneself or for an organisation."""
    wiring, door = Wiring.of(current_app), _door()
    settings = wiring.current()
    if is_set_up(settings):
        return _stop("done", 403)
    if not door.admits(request.args.get("entry", "")):
        return _stop("token", 403)
    if not settings.public_url:
        return _stop("address", 409)
    organisation = request.args.get("organisation", "").strip()
    if organisation and not _ORGANISATION.fullmatch(organisation):
        return _stop("organisation", 400)
    manifest = app_setup.manifest(settings.public_url)
    shown = rendered(
        "setup.html",
        action=app_setup.registration_url(settings, door.begin(), organisation),
        manifest=json.dumps(manifest),
        webhook=manifest["hook_attributes"]["url"],
        organisation=organisation,
        entry=door.token,
    )
    return _page(shown, 200, f"'self' {settings.pages_url}")


@blueprint.get("/setup/callback")
def callback() -> Response:
    """GitHub's way back: the code is exchanged for the App's credentials, which are stored."""
    wiring, door = Wiring.of(current_app), _door()
    settings = wiring.current()
    if is_set_up(settings):
        return _stop("done", 403)
    code = request.args.get("code", "")
    if not door.end(request.args.get("state", "")) or not _CODE.fullmatch(code):
        return _stop("state", 403)
    try:
        app = app_setup.converted(Connection(None, settings.base_url), code)
    except GitHubError as failure:
        metrics.github_failed(failure)
        log.error("GitHub did not give the App's credentials", extra={"cause": str(failure)})
        return _stop("github", 502)
    held = (app.private_key, app.webhook_secret, app.client_secret)
    logs.REDACTOR.learn(tuple(secret.get_secret_value() for secret in held if secret is not None))
    try:
        with door.storing:
            app_setup.store(settings.state_dir, app)
    except app_setup.AlreadyStored:
        return _stop("done", 403)
    except OSError as failure:
        log.error("the App's credentials cannot be stored", extra={"cause": type(failure).__name__})
        return _stop("storage", 500)
    log.info("the App is registered", extra={"app": app.slug})
    return _page(rendered("setup_done.html", slug=app.slug, install=app_setup.install_url(app)), 200)


def _door() -> Door:
    door = current_app.extensions["steelyard-setup"]
    assert isinstance(door, Door)  # noqa: S101 - only create_app puts it there
    return door


def _stop(reason: str, status: int) -> Response:
    return _page(rendered("setup_stop.html", reason=reason), status)


def _page(html: str, status: int, forms: str = "'none'") -> Response:
    """A page with our own style sheet, no script, and forms that lead where they must."""
    response = make_response(html, status)
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action {forms}"
    )
    return response
