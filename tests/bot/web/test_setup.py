"""The App is registered once, by whoever reads the log; nobody else gets in, and only we read its credentials."""

import html
import io
import json
import logging
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from pydantic import SecretStr, ValidationError

from bot import logs
from bot.github.app_setup import AlreadyStored, store
from bot.settings import ProcessSettings, StoredApp
from bot.web.app import create_app
from bot.web.setup import MOST_STATES, STATE_SECONDS, Door
from tests.bot.web.receiving import Fake, exchange, hook, serving, signature, status
from tests.e2e.faults import Asked, FaultProxy, Said

PUBLIC = "https://bot.example.org"
KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAuVb\n-----END RSA PRIVATE KEY-----\n"
SECRET = "made-by-github-for-the-webhook"  # noqa: S105
CREATED = {
    "id": 4711, "slug": "steelyard-x", "node_id": "n", "name": "x", "html_url": "https://github.com/apps/steelyard-x",
    "pem": KEY, "webhook_secret": SECRET, "client_id": "Iv1.abc", "client_secret": "the-secret-for-logins",
}  # fmt: skip


@dataclass
class Conversions:
    """GitHub's end of it: each code once."""

    answer: Any = field(default_factory=lambda: dict(CREATED))
    status: int = 201
    codes: list[str] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Said | None:
        found = re.fullmatch(r"/app-manifests/([^/]+)/conversions", asked.path)
        if not found or asked.method != "POST":
            return Said.of(404, {"message": "Not Found"})
        assert "Authorization" not in asked.headers
        self.codes.append(found[1])
        return Said.of(self.status if self.codes.count(found[1]) == 1 else 404, self.answer)


@dataclass
class Scene:
    """A process without credentials, spoken to over its socket."""

    port: int
    github: Conversions
    state_dir: Path
    log: io.StringIO
    inbox: Fake

    def get(self, path: str, language: str = "", **query: str) -> tuple[int, str]:
        target = path + (f"?{urlencode(query)}" if query else "")
        asked = f"Accept-Language: {language}\r\n" if language else ""
        head = f"GET {target} HTTP/1.1\r\nHost: x\r\n{asked}Connection: close\r\n\r\n"
        answer = exchange(self.port, head.encode())
        return status(answer), answer.decode()

    @property
    def entry(self) -> str:
        """The token, as whoever reads the log finds it."""
        return re.findall(rf"open {re.escape(PUBLIC)}/setup\?entry=([\w-]+)", self.log.getvalue())[0]

    def form(self, **query: str) -> tuple[str, dict[str, Any]]:
        """Where the page's button leads, and the manifest that it posts."""
        code, page = self.get("/setup", entry=self.entry, **query)
        assert code == 200
        action = html.unescape(re.findall(r'<form method="post" action="([^"]+)"', page)[0])
        return action, json.loads(html.unescape(re.findall(r'name="manifest" value="([^"]+)"', page)[0]))

    def state(self) -> str:
        return parse_qs(urlsplit(self.form()[0]).query)["state"][0]

    @property
    def stored(self) -> StoredApp | None:
        return StoredApp.read(self.state_dir)


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    github, log, state_dir = Conversions(), io.StringIO(), tmp_path / "state"
    monkeypatch.setattr("bot.web.setup.log", _logger_into(log))
    with FaultProxy("http://localhost:9", [github]) as proxy:
        given = {
            "STEELYARD_PUBLIC_URL": PUBLIC,
            "STEELYARD_BASE_URL": proxy.url,
            "STEELYARD_WEB_URL": "https://gh.example",
        }
        settings, inbox = ProcessSettings.read(given, state_dir=state_dir), Fake()
        with serving(settings, inbox) as port:
            yield Scene(port, github, state_dir, log, inbox)


def _logger_into(stream: io.StringIO) -> Any:
    logger = logging.Logger("bot.web.setup")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.LineFormatter(logs.REDACTOR))
    logger.addHandler(handler)
    return logger


@pytest.mark.parametrize(
    ("asked", "language", "title"),
    [
        ("es-ES,es;q=0.9,en;q=0.8", "es", "Configurar Steelyard"),
        ("fr,en;q=0.5,es;q=0.3", "en", "Set up Steelyard"),
        ("fr", "en", "Set up Steelyard"),
        ("", "en", "Set up Steelyard"),
        ("../../etc/passwd", "en", "Set up Steelyard"),
    ],
)
def test_the_page_speaks_the_browsers_language(scene: Scene, asked: str, language: str, title: str) -> None:
    code, page = scene.get("/setup", asked, entry=scene.entry)
    assert code == 200
    assert f'<html lang="{language}">' in page and f"<h1>{title}</h1>" in page


def test_what_was_typed_is_escaped_in_every_language(scene: Scene) -> None:
    code, page = scene.get("/setup", "es", entry=scene.entry, organisation="a-b")
    assert code == 200 and "Registrar la App para a-b" in page
    assert scene.get("/setup", "es", entry=scene.entry, organisation="<b>")[0] == 400


def test_from_the_log_to_the_first_delivery(scene: Scene) -> None:
    action, manifest = scene.form()
    assert action.startswith("https://gh.example/settings/apps/new?state=")
    assert manifest["hook_attributes"] == {"url": f"{PUBLIC}/webhook", "active": True}
    assert manifest["redirect_url"] == f"{PUBLIC}/setup/callback"
    assert manifest["callback_urls"] == [f"{PUBLIC}/login/callback"]
    assert manifest["default_permissions"] == {"issues": "write", "contents": "write", "metadata": "read"}
    assert (manifest["default_events"], manifest["public"]) == (["issue_comment", "issues"], False)
    code, page = scene.get("/setup/callback", code="c0de-_1", state=scene.state())
    assert code == 200 and "https://github.com/apps/steelyard-x/installations/new" in page
    assert KEY.splitlines()[1] not in page and SECRET not in page
    assert scene.github.codes == ["c0de-_1"]
    app = scene.stored
    assert app is not None
    assert (app.id, app.slug) == ("4711", "steelyard-x")
    assert (app.private_key.get_secret_value(), app.webhook_secret.get_secret_value()) == (KEY, SECRET)
    path = StoredApp.path(scene.state_dir)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(scene.state_dir.stat().st_mode) == 0o700
    assert [p.name for p in scene.state_dir.iterdir()] == ["app.json"]
    assert (app.client_id, app.client_secret) == (CREATED["client_id"], SecretStr(CREATED["client_secret"]))
    assert status(exchange(scene.port, hook(b"{}", X_Hub_Signature_256=signature(b"{}", SECRET)))) == 202
    assert SECRET not in scene.log.getvalue()


def test_once_set_up_nobody_gets_in_again(scene: Scene) -> None:
    open_state, entry = scene.state(), scene.entry
    assert scene.get("/setup/callback", code="first", state=scene.state())[0] == 200
    kept = StoredApp.path(scene.state_dir).read_bytes()
    assert scene.get("/setup", entry=entry)[0] == 403
    assert scene.get("/setup/callback", code="second", state=open_state)[0] == 403
    assert scene.github.codes == ["first"]
    assert StoredApp.path(scene.state_dir).read_bytes() == kept


@pytest.mark.parametrize("entry", ["", "guess", "é", "x" * 5_000])
def test_without_the_token_of_the_log_there_is_no_page(entry: str, scene: Scene) -> None:
    code, page = scene.get("/setup", entry=entry)
    assert code == 403 and "manifest" not in page and scene.entry not in page


def test_a_state_counts_once_and_only_if_given_out(scene: Scene) -> None:
    state = scene.state()
    for wrong in ("", "guess", scene.entry):
        assert scene.get("/setup/callback", code="c", state=wrong)[0] == 403
    scene.github.answer = {"message": "no"}
    assert scene.get("/setup/callback", code="c", state=state)[0] == 502
    assert scene.get("/setup/callback", code="d", state=state)[0] == 403
    assert scene.github.codes == ["c"] and scene.stored is None


@pytest.mark.parametrize("code", ["", "../../user", "a/b", "a?b", "é", "x" * 201, "a b"])
def test_a_code_that_is_none_is_not_passed_on(code: str, scene: Scene) -> None:
    assert scene.get("/setup/callback", code=code, state=scene.state())[0] == 403
    assert scene.github.codes == []


@pytest.mark.parametrize("missing", ["id", "pem", "webhook_secret", "slug", "html_url"])
def test_an_answer_without_credentials_stores_nothing(missing: str, scene: Scene) -> None:
    scene.github.answer[missing] = None
    assert scene.get("/setup/callback", code="c", state=scene.state())[0] == 502
    assert scene.stored is None


@pytest.mark.parametrize("code", [404, 422, 500])
def test_a_refusal_stores_nothing(code: int, scene: Scene) -> None:
    scene.github.status = code
    assert scene.get("/setup/callback", code="c", state=scene.state())[0] == 502
    assert scene.stored is None


def test_a_state_directory_that_cannot_be_written_is_said(scene: Scene) -> None:
    state = scene.state()
    scene.state_dir.write_text("a file where a folder should be")
    code, page = scene.get("/setup/callback", code="c", state=state)
    assert code == 500 and "Delete the App on GitHub" in page


@pytest.mark.parametrize(
    ("wanted", "organisation"),
    [
        (200, "lab"), (200, "a-b-1"), (400, "-a"), (400, "a/b"), (400, "../x"), (400, 'x"><script>'), (400, "x" * 40),
    ],
)  # fmt: skip
def test_an_organisations_page(wanted: int, organisation: str, scene: Scene) -> None:
    code, page = scene.get("/setup", entry=scene.entry, organisation=organisation)
    assert code == wanted and "<script" not in page
    if wanted == 200:
        action = scene.form(organisation=organisation)[0]
        assert action.startswith(f"https://gh.example/organizations/{organisation}/settings/apps/new?state=")


def test_the_page_runs_nothing_and_tells_nobody_its_address(scene: Scene) -> None:
    _, page = scene.get("/setup", entry=scene.entry)
    head, _, body = page.partition("\r\n\r\n")
    policy = re.findall(r"Content-Security-Policy: (.+)", head)[0].strip()
    assert policy == (
        "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
        "form-action 'self' https://gh.example"
    )
    assert "Referrer-Policy: no-referrer" in head and "Cache-Control: no-store" in head
    assert not re.search(r"<script|\son\w+=|style=|https?://(?!gh\.example|bot\.example)", body)


def test_without_a_public_address_the_page_says_what_is_missing(tmp_path: Path) -> None:
    app = create_app(ProcessSettings.read({}, state_dir=tmp_path), Fake())
    answer = app.test_client().get("/setup", query_string={"entry": app.extensions["steelyard-setup"].token})
    assert answer.status_code == 409 and "STEELYARD_PUBLIC_URL" in answer.text


@pytest.mark.parametrize("name", ["APP_ID", "TOKEN", "WEBHOOK_SECRETS", "PRIVATE_KEY"])
def test_any_credentials_of_the_environment_close_the_door(name: str, tmp_path: Path) -> None:
    environment = {f"STEELYARD_{name}": "given", "STEELYARD_PUBLIC_URL": PUBLIC}
    app = create_app(ProcessSettings.read(environment, state_dir=tmp_path), Fake())
    client, door = app.test_client(), app.extensions["steelyard-setup"]
    assert client.get("/setup", query_string={"entry": door.token}).status_code == 403
    assert client.get("/setup/callback", query_string={"code": "c", "state": door.begin()}).status_code == 403


def test_states_expire_and_are_not_collected_without_end() -> None:
    now = [0.0]
    door = Door(clock=lambda: now[0])
    early, late = door.begin(), door.begin()
    now[0] = STATE_SECONDS
    assert door.end(early)
    now[0] += 0.1
    assert not door.end(late)
    states = [door.begin() for _ in range(MOST_STATES + 10)]
    assert not door.end(states[0]) and door.end(states[-1])
    assert Door().token != Door().token


APP = StoredApp(id="5", slug="s", url="https://x", private_key=SecretStr(KEY), webhook_secret=SecretStr(SECRET))


def test_what_is_stored_fills_settings_that_name_no_credentials(tmp_path: Path) -> None:
    before = ProcessSettings.read({}, state_dir=tmp_path)
    store(tmp_path, APP)
    assert before.app_id is None
    for found in (before.with_stored_app(), ProcessSettings.read({}, state_dir=tmp_path)):
        assert found.app_id == "5" and found.private_key is not None
        assert [s.get_secret_value() for s in found.webhook_secrets] == [SECRET]
    with pytest.raises(AlreadyStored):
        store(tmp_path, APP)
    environment = {"STEELYARD_APP_ID": "9", "STEELYARD_WEBHOOK_SECRETS": "new, old"}
    won = ProcessSettings.read(environment, state_dir=tmp_path)
    assert (won.app_id, won.private_key) == ("9", None)
    assert [s.get_secret_value() for s in won.webhook_secrets] == ["new", "old"]


@pytest.mark.parametrize("content", ["", "{", "[]", json.dumps({"id": KEY, "private_key": 5}), json.dumps({"id": "1"})])
def test_a_broken_file_is_said_without_its_content(content: str, tmp_path: Path) -> None:
    StoredApp.path(tmp_path).write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match="set the App up again") as failure:
        ProcessSettings.read({}, state_dir=tmp_path)
    assert "MIIEow" not in str(failure.value) and failure.value.__cause__ is None


@pytest.mark.parametrize(
    "url", ["bot.example.org", "ftp://x", "https://", "https://x y", "https://x/?a=1", "javascript:x"]
)
def test_a_public_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValidationError):
        ProcessSettings.read({"STEELYARD_PUBLIC_URL": url})
