"""The login of a reader with GitHub: the App's OAuth with state and PKCE."""

import hashlib
import secrets
from base64 import urlsafe_b64encode
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlencode

import github
import requests

from bot.github.client import TIMEOUT_S, Connection
from bot.github.errors import Invalid, Later, Refused
from bot.settings import ProcessSettings

MOST_BYTES = 100_000
AS_READER: dict[str, Any] = {"pace": False, "timeout_s": 10, "waits_once": True}
"""Of a connection for which a person waits at a page."""


def new_verifier() -> str:
    """What only the browser's session and we know (RFC 7636)."""
    return secrets.token_urlsafe(48)


def login_url(settings: ProcessSettings, state: str, verifier: str, redirect_uri: str | None) -> str:
    """Where the reader agrees to the login."""
    challenge = urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    asked = {
        "client_id": settings.client_id or "",
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        **({"redirect_uri": redirect_uri} if redirect_uri else {}),
    }
    return f"{settings.pages_url}/login/oauth/authorize?{urlencode(asked)}"


def token_for(settings: ProcessSettings, code: str, verifier: str, redirect_uri: str | None) -> str:
    """The reader's token for a callback's code. Raises Refused for a code that GitHub does not take, Later."""
    asked = {
        "client_id": settings.client_id or "",
        "client_secret": settings.client_secret.get_secret_value() if settings.client_secret else "",
        "code": code,
        "code_verifier": verifier,
        **({"redirect_uri": redirect_uri} if redirect_uri else {}),
    }
    try:
        answer = requests.post(
            f"{settings.pages_url}/login/oauth/access_token",
            data=asked,
            headers={"Accept": "application/json", "User-Agent": "steelyard"},
            timeout=TIMEOUT_S,
            allow_redirects=False,
        )
        told = answer.json() if answer.status_code == 200 and len(answer.content) <= MOST_BYTES else None
    except (requests.RequestException, ValueError) as failure:
        raise Later(f"no answer to the login: {type(failure).__name__}") from None
    if not isinstance(told, dict):
        raise Later("no answer to the login", answer.status_code)
    if told.get("error"):
        raise Refused(f"the login is refused: {str(told['error'])[:60]}", 401)
    if not isinstance(token := told.get("access_token"), str) or not token:
        raise Invalid("an answer to the login without a token")
    return token


def reader_connection(settings: ProcessSettings, token: str) -> Connection:
    """A connection as the reader, who sees what GitHub lets them see."""
    return Connection(github.Auth.Token(token), settings.base_url, **AS_READER)


def login_of(connection: Connection) -> str:
    """The reader's name on GitHub. Raises GitHubError."""
    answer = connection.get("/user")
    name = answer.get("login") if isinstance(answer, dict) else None
    if not isinstance(name, str) or not name:
        raise Invalid("an answer without a login")
    return name


def revoke(settings: ProcessSettings, token: str) -> None:
    """End a token at GitHub; where that fails it ends by itself within hours."""
    secret = settings.client_secret.get_secret_value() if settings.client_secret else ""
    url = f"{settings.base_url.rstrip('/')}/applications/{quote(settings.client_id or '', safe='')}/token"
    with suppress(requests.RequestException):
        requests.delete(
            url, json={"access_token": token}, auth=(settings.client_id or "", secret), timeout=5, allow_redirects=False
        )
