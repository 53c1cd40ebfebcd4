"""The reader's session: an encrypted cookie that ends; the server keeps nothing of it."""

import base64
import hmac
import json
import secrets
from dataclasses import dataclass, field

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from flask import Flask, Request, Response, abort, current_app, g, request
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from bot.settings import ProcessSettings

SESSION_S = 8 * 3600
"""As long as GitHub's own token of a user lives."""
FORM_FIELD = "csrf"


class Session(BaseModel):
    """Who reads. `csrf` stands in every form; `login` and `token` are those of GitHub, None before the login."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(default_factory=lambda: secrets.token_urlsafe(12))
    csrf: str = Field(default_factory=lambda: secrets.token_urlsafe(24))
    login: str | None = None
    token: SecretStr | None = None

    def sealed(self) -> str:
        """All of it as JSON, for encryption."""
        token = self.token.get_secret_value() if self.token else None
        return json.dumps({**self.model_dump(exclude={"token"}), "token": token})


@dataclass
class Seals:
    """Encrypts what browsers keep for us. All processes with the same secret read each other's."""

    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    _known: dict[str, Fernet] = field(default_factory=dict, repr=False)

    def seal(self, purpose: str, text: str) -> str:
        """The text for the browser to keep, readable for nobody but us."""
        return self._fernet(purpose).encrypt(text.encode()).decode()

    def open(self, purpose: str, sealed: str, seconds: int) -> str | None:
        """The text again; None for what is older, altered, of another purpose or another secret."""
        try:
            return self._fernet(purpose).decrypt(sealed.encode("utf-8", "replace"), ttl=seconds).decode()
        except (InvalidToken, ValueError):
            return None

    def _fernet(self, purpose: str) -> Fernet:
        if purpose not in self._known:
            derive = HKDF(SHA256(), 32, salt=None, info=f"steelyard/{purpose}".encode())
            self._known[purpose] = Fernet(base64.urlsafe_b64encode(derive.derive(self.secret.encode())))
        return self._known[purpose]


def install(app: Flask, settings: ProcessSettings) -> None:
    """Seals by the configured secret, else by the App's client secret, else by one that lives as long as the app."""
    given = settings.session_secret or settings.client_secret
    app.extensions["steelyard-seals"] = Seals(given.get_secret_value()) if given else Seals()
    app.after_request(_keep)


def seals() -> Seals:
    """The seals of the app that serves this request."""
    held = current_app.extensions["steelyard-seals"]
    assert isinstance(held, Seals)  # noqa: S101 - only install puts it there
    return held


def session() -> Session:
    """The session of this request; a new one, which the answer then sets, where there is none."""
    if "session" not in g:
        g.session = _read(request)
        g.session_changed = g.session is None
        g.session = g.session or Session()
    found = g.session
    assert isinstance(found, Session)  # noqa: S101 - only set here and in begin
    return found


def begin(fresh: Session) -> None:
    """Set another session: after the login, or an empty one at its end."""
    g.session, g.session_changed = fresh, True


def guard_form() -> None:
    """Refuse a form that did not come from a page of this session (403)."""
    given, held = request.form.get(FORM_FIELD, ""), _read(request)
    if held is None or not hmac.compare_digest(given.encode("utf-8", "replace"), held.csrf.encode()):
        abort(403)


def is_secure() -> bool:
    """Whether browsers reach us by https."""
    public = _settings().public_url
    return public.startswith("https://") if public else request.is_secure


def set_cookie(response: Response, name: str, value: str, seconds: int) -> None:
    """A cookie that scripts and other sites never see, of this host alone; an empty one is removed."""
    response.set_cookie(
        cookie_name(name), value, max_age=seconds, secure=is_secure(), httponly=True, samesite="Lax", path="/"
    )


def cookie_name(name: str) -> str:
    """By https under a name that no other host can set."""
    return f"__Host-{name}" if is_secure() else name


def _read(asked: Request) -> Session | None:
    text = seals().open("session", asked.cookies.get(cookie_name("steelyard"), ""), SESSION_S)
    try:
        return Session.model_validate_json(text) if text else None
    except ValidationError:
        return None


def _keep(response: Response) -> Response:
    if g.get("session_changed"):
        sealed = seals().seal("session", g.session.sealed())
        set_cookie(response, "steelyard", sealed, SESSION_S)
    return response


def _settings() -> ProcessSettings:
    from bot.intake.wiring import Wiring

    return Wiring.of(current_app).current()
