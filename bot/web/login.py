"""The login with GitHub, the way back, and the logout; the first page."""

import hmac
import json
import secrets
from math import ceil
from typing import Any

from flask import Blueprint, Response, make_response, redirect, request
from pydantic import SecretStr

from bot import logs, metrics
from bot.github import oauth
from bot.github.client import TOO_LARGE
from bot.github.errors import GitHubError, Later, Refused
from bot.web.access import Access
from bot.web.pages import page
from bot.web.reader import HOME, has_login, local_path, reader, settings
from bot.web.session import Session, begin, cookie_name, guard_form, seals, session, set_cookie

blueprint = Blueprint("login", __name__)
log = logs.logger(__name__)
LOGIN_S = 600
COOKIE = "steelyard-login"
MOST_CODE = 200
LIMITS = (403, 429)
UNTOLD_S = 60.0
"""Until a limit may have ended whose end GitHub does not tell."""


@blueprint.get("/")
def first() -> Response:
    """The reader's repositories; for everybody else what this is, and the login."""
    held = session()
    if held.token is None or not has_login():
        return page("welcome.html")
    try:
        return page("repositories.html", repositories=Access.of_app().repositories(held))
    except GitHubError as failure:
        return without(failure)


@blueprint.get("/login")
def start() -> Response:
    """To GitHub, with a state and a challenge that this browser alone can answer."""
    if not has_login():
        return page("stopped.html", 404, reason=404)
    kept = {
        "state": secrets.token_urlsafe(24),
        "verifier": oauth.new_verifier(),
        "next": local_path(request.args.get("next", HOME)),
    }
    response = _away(oauth.login_url(settings(), kept["state"], kept["verifier"], _way_back()))
    set_cookie(response, COOKIE, seals().seal("login", json.dumps(kept)), LOGIN_S)
    return response


@blueprint.get("/login/callback")
def callback() -> Response:
    """GitHub's way back: the code becomes a session of eight hours."""
    kept = _kept()
    state = request.args.get("state", "")
    if not has_login() or not kept or not hmac.compare_digest(state.encode("utf-8", "replace"), kept["state"].encode()):
        return _over(page("login_stopped.html", 403, cause="state"))
    code = request.args.get("code", "")
    if not code or len(code) > MOST_CODE or "error" in request.args:
        return _over(page("login_stopped.html", 403, cause="refused"))
    try:
        token = oauth.token_for(settings(), code, kept["verifier"], _way_back())
        logs.REDACTOR.learn((token,))
        name = oauth.login_of(oauth.reader_connection(settings(), token))
    except GitHubError as failure:
        metrics.github_failed(failure)
        log.warning("a login failed", extra={"cause": str(failure)})
        cause = "refused" if isinstance(failure, Refused) else "github"
        return _over(page("login_stopped.html", 403 if cause == "refused" else 502, cause=cause))
    begin(Session(login=name, token=SecretStr(token)))
    log.info("a reader logged in", extra={"login": name})
    return _over(_away(local_path(kept["next"])))


@blueprint.post("/logout")
def end() -> Response:
    """The session ends, and so does GitHub's token."""
    guard_form()
    held = reader()
    if held.token is not None:
        oauth.revoke(settings(), held.token.get_secret_value())
    begin(Session())
    return _away(HOME)


def ended(refusal: Refused) -> Response:
    """GitHub does not take the reader's token any more: the session ends, and the login is offered again."""
    log.info("a session ended at GitHub", extra={"status": refusal.status})
    begin(Session())
    return page("login_stopped.html", 403, cause="ended")


def without(failure: GitHubError) -> Response:
    """A page that GitHub gave no answer for; where it does not take the token any more, the end of the session."""
    if isinstance(failure, Refused) and failure.status == 401:
        return ended(failure)
    if failure.status == TOO_LARGE:
        return page("without.html", TOO_LARGE, cause="large")
    metrics.github_failed(failure)
    log.warning("GitHub did not give what a page needs", extra={"cause": str(failure), "status": failure.status})
    if isinstance(failure, Later) and failure.status in LIMITS:
        return _limited(failure.retry_after_s or UNTOLD_S)
    return page("without.html", 502, cause="github")


def _limited(seconds: float) -> Response:
    answer = page("without.html", 503, cause="limited", minutes=ceil(seconds / 60))
    answer.headers["Retry-After"] = str(ceil(seconds))
    return answer


def _kept() -> dict[str, Any]:
    text = seals().open("login", request.cookies.get(cookie_name(COOKIE), ""), LOGIN_S)
    found = json.loads(text) if text else {}
    return found if isinstance(found, dict) else {}


def _way_back() -> str | None:
    """None: the first of the addresses that the App has."""
    public = settings().public_url
    return f"{public.rstrip('/')}/login/callback" if public else None


def _away(address: str) -> Response:
    return make_response(redirect(address, 303))


def _over(response: Response) -> Response:
    """A state counts once."""
    set_cookie(response, COOKIE, "", 0)
    return response
