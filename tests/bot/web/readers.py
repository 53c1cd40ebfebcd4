"""Readers of the pages: GitHub's login in front of `emulate`, a served app, and browsers that keep cookies."""

import base64
import hashlib
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_urlsafe
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import requests
from flask import Flask

from bot.emulator import INSTALLATION_ID, token_of
from bot.settings import ProcessSettings
from bot.web.app import create_app
from bot.web.desk import Desk
from bot.web.made import Made
from bot.web.server import server
from bot.web.shelf import Shelf
from tests.bot.web.receiving import Fake
from tests.e2e.faults import Asked, FaultProxy, Said
from tests.e2e.web import Request, ask

CLIENT, CLIENT_SECRET = "Iv23.of-the-tests", "the-client-secret-of-the-tests"
PERSON = "olga"


@dataclass
class Logins:
    """GitHub's OAuth of an App, as strict as its documentation, its lists for a user, and ETags of branches.

    `agrees` is who sits at GitHub's page, None: who declines. `ended` are tokens that GitHub no longer takes.
    """

    emulate: str
    callback: str = ""
    agrees: str | None = PERSON
    ended: set[str] = field(default_factory=set)
    repositories: dict[str, list[str]] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    _codes: dict[str, dict[str, str]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, asked: Asked) -> Said | None:
        path, _, query = asked.path.partition("?")
        headers = {name.lower(): value for name, value in asked.headers.items()}
        token = headers.get("authorization", "").rpartition(" ")[2]
        with self._lock:
            self.asked[f"{asked.method} {path}"] += 1
        if path == "/login/oauth/authorize":
            return self._authorize(dict(parse_qsl(query)))
        if path == "/login/oauth/access_token" and asked.method == "POST":
            return self._exchange(dict(parse_qsl(asked.body.decode())))
        if path == f"/applications/{CLIENT}/token" and asked.method == "DELETE":
            return self._revoke(headers["authorization"], asked.json["access_token"])
        if token in self.ended:
            return Said.of(401, {"message": "Bad credentials"})
        if path == "/user/installations":
            return Said.of(200, {"total_count": 1, "installations": [{"id": INSTALLATION_ID}]})
        if path == f"/user/installations/{INSTALLATION_ID}/repositories":
            names = self.repositories.get(token.removeprefix("token-of-"), [])
            return Said.of(200, {"total_count": len(names), "repositories": [{"full_name": n} for n in names]})
        return self._branch(path, headers) if re.search(r"/git/ref/heads/", path) else None

    def _authorize(self, given: dict[str, str]) -> Said:
        assert given["client_id"] == CLIENT and given["code_challenge_method"] == "S256" and given["state"]
        assert given.get("redirect_uri", self.callback) == self.callback
        told = {"state": given["state"]}
        if self.agrees is None:
            told |= {"error": "access_denied"}
        else:
            told["code"] = token_urlsafe(8)
            self._codes[told["code"]] = {"challenge": given["code_challenge"], "login": self.agrees}
        return Said(302, b"", {"Location": f"{self.callback}?{urlencode(told)}"})

    def _exchange(self, given: dict[str, str]) -> Said:
        known = self._codes.pop(given["code"], None)
        digest = hashlib.sha256(given["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        own = given["client_id"] == CLIENT and given["client_secret"] == CLIENT_SECRET
        if known is None or not own or known["challenge"] != challenge:
            return Said.of(200, {"error": "bad_verification_code"})
        return Said.of(200, {"access_token": token_of(known["login"]), "token_type": "bearer", "scope": ""})

    def _revoke(self, authorization: str, token: str) -> Said:
        given = base64.b64decode(authorization.removeprefix("Basic ")).decode()
        if given != f"{CLIENT}:{CLIENT_SECRET}":
            return Said.of(401, {"message": "Bad credentials"})
        self.ended.add(token)
        return Said(204, b"")

    def _branch(self, path: str, headers: dict[str, str]) -> Said:
        answer = ask(self.emulate, Request("GET", path, "", {"authorization": headers.get("authorization", "")}))
        etag = f'"{hashlib.sha256(answer.body).hexdigest()}"'
        if answer.status == 200 and headers.get("if-none-match") == etag:
            with self._lock:
                self.asked["304"] += 1
            return Said(304, b"", {"ETag": etag})
        return Said(answer.status, answer.body, {"Content-Type": "application/json; charset=utf-8", "ETag": etag})


@dataclass
class Clock:
    """Seconds that a test moves on."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Pages:
    """The served app, GitHub behind it, and the clock by which it asks GitHub again."""

    url: str
    github: FaultProxy
    logins: Logins
    clock: Clock
    desk: Desk
    shelf: Shelf
    made: Made
    browsers: list["Browser"] = field(default_factory=list)

    def browser(self, login: str | None = None) -> "Browser":
        """A browser of its own; `login`: of a reader who has logged in."""
        found = Browser(self)
        self.browsers.append(found)
        if login is not None:
            self.logins.agrees = login
            answer = found.get("/login")
            assert answer.status_code == 200 and login in answer.text, answer.text[:500]
        return found


class Browser:
    """Cookies, redirects, forms."""

    def __init__(self, pages: Pages) -> None:
        self.pages, self.session = pages, requests.Session()
        self.session.headers["Accept"] = "text/html"

    def get(self, path: str, follow: bool = True, **headers: str) -> requests.Response:
        """A page, after redirects."""
        return self.session.get(self.pages.url + path, headers=headers, allow_redirects=follow, timeout=30)

    def post(self, path: str, follow: bool = True, **fields: str) -> requests.Response:
        """A form."""
        return self.session.post(self.pages.url + path, data=fields, allow_redirects=follow, timeout=30)

    def csrf(self) -> str:
        """What the forms of this session hold."""
        return re.findall(r'name="csrf" value="([^"]+)"', self.get("/").text)[0]


@contextmanager
def reading(emulate: str, state_dir: Path, **given: object) -> Iterator[Pages]:
    """The pages on the production server, with that GitHub behind them."""
    logins, clock = Logins(emulate), Clock()
    with FaultProxy(emulate, [logins]) as github:
        settings = ProcessSettings.read(
            {}, state_dir=state_dir, base_url=github.url, client_id=CLIENT, client_secret=CLIENT_SECRET, **given
        )
        app = create_app(settings, Fake())
        for name in ("steelyard-access", "steelyard-shelf"):
            app.extensions[name].clock = clock
        app.extensions["steelyard-access"].away.clock = clock
        desk = app.extensions["steelyard-desk"]
        with running(app) as url:
            logins.callback = f"{url}/login/callback"
            kept = (app.extensions[f"steelyard-{name}"] for name in ("shelf", "made"))
            pages = Pages(url, github, logins, clock, desk, *kept)
            try:
                yield pages
            finally:
                for browser in pages.browsers:  # the server waits for kept connections
                    browser.session.close()
                desk.sandbox.close()


@contextmanager
def running(app: Flask) -> Iterator[str]:
    """The address of an app on the production server."""
    bound = server(app, "127.0.0.1", 0)
    thread = threading.Thread(target=bound.run, name="waitress")
    thread.start()
    try:
        yield f"http://127.0.0.1:{bound.effective_port}"
    finally:
        bound.trigger.pull_trigger(bound.close)
        thread.join(10)
        bound.task_dispatcher.shutdown()


def query_of(address: str) -> dict[str, str]:
    """The parameters of an address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
