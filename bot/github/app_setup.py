"""Registers a GitHub App by the manifest flow: what is asked for, and how what GitHub answers is kept."""

import json
import os
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import SecretStr

from bot.github.client import Connection
from bot.github.errors import Invalid
from bot.settings import ProcessSettings, StoredApp

PERMISSIONS = {"issues": "write", "contents": "write", "metadata": "read"}
EVENTS = ("issue_comment", "issues")


class AlreadyStored(Exception):
    """An App is kept there; it is not replaced."""


def manifest(public_url: str) -> dict[str, Any]:
    """What the App is to be. Names are unique on GitHub, hence the digits; the page lets people change it."""
    root = public_url.rstrip("/")
    return {
        "name": f"steelyard-{secrets.token_hex(3)}",
        "url": root,
        "hook_attributes": {"url": f"{root}/webhook", "active": True},
        "redirect_url": f"{root}/setup/callback",
        "callback_urls": [f"{root}/login/callback"],
        "public": False,
        "default_permissions": PERMISSIONS,
        "default_events": list(EVENTS),
    }


def registration_url(settings: ProcessSettings, state: str, organisation: str = "") -> str:
    """Where the manifest is posted to."""
    owner = f"/organizations/{quote(organisation, safe='')}" if organisation else ""
    return f"{settings.pages_url}{owner}/settings/apps/new?state={quote(state, safe='')}"


def install_url(app: StoredApp) -> str:
    """Where the App is installed on repositories."""
    return f"{app.url.rstrip('/')}/installations/new"


def converted(connection: Connection, code: str) -> StoredApp:
    """The App that a callback's code stands for. Raises GitHubError, Invalid for an answer without credentials."""
    answer = connection.post(f"/app-manifests/{quote(code, safe='')}/conversions", {})
    return _app_of(answer if isinstance(answer, dict) else {})


def _app_of(answer: Mapping[str, Any]) -> StoredApp:
    texts = {name: answer.get(name) for name in ("slug", "html_url", "pem", "webhook_secret")}
    number = answer.get("id")
    if not isinstance(number, int) or not all(isinstance(t, str) and t for t in texts.values()):
        raise Invalid("GitHub's answer lacks the App's id, key or webhook secret")
    client = {name: answer.get(name) for name in ("client_id", "client_secret")}
    has_client = all(isinstance(text, str) and text for text in client.values())
    return StoredApp(
        id=str(number),
        slug=str(texts["slug"]),
        url=str(texts["html_url"]),
        private_key=SecretStr(str(texts["pem"])),
        webhook_secret=SecretStr(str(texts["webhook_secret"])),
        client_id=str(client["client_id"]) if has_client else None,
        client_secret=SecretStr(str(client["client_secret"])) if has_client else None,
    )


def store(state_dir: Path, app: StoredApp) -> None:
    """Keep the App where only this user reads it: whole or not at all. Raises OSError; AlreadyStored for a second."""
    state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(PermissionError):  # a mounted volume may be another user's; the file below is ours in any case
        state_dir.chmod(0o700)
    path = StoredApp.path(state_dir)
    if path.exists():
        raise AlreadyStored(str(path))
    secrets_held = {
        "private_key": app.private_key,
        "webhook_secret": app.webhook_secret,
        "client_secret": app.client_secret,
    }
    plain = {name: secret.get_secret_value() for name, secret in secrets_held.items() if secret is not None}
    held = {**app.model_dump(mode="json", exclude_none=True), **plain}
    number, name = tempfile.mkstemp(prefix=".app-", dir=state_dir)
    temporary = Path(name)
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            json.dump(held, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
