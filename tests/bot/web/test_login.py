"""Readers log in with GitHub: nobody else's login, code, form or cookie will do, and nothing outlives GitHub's word."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.emulator import Emulator
from bot.settings import ProcessSettings
from bot.web.app import create_app
from bot.web.login import LOGIN_S
from bot.web.reader import local_path
from bot.web.session import SESSION_S, Seals, Session
from tests.bot.web.readers import CLIENT_SECRET, Pages, query_of, reading
from tests.bot.web.receiving import Fake
from tests.e2e.faults import Fault


@pytest.fixture(scope="module")
def served(emulate: Emulator, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    with reading(emulate.url, tmp_path_factory.mktemp("state")) as pages:
        yield pages


@pytest.fixture
def pages(served: Pages) -> Pages:
    served.github.calm()
    served.logins.ended.clear()
    served.logins.agrees = "olga"
    served.clock.now += 1_000
    return served


def begun(pages: Pages) -> tuple[dict[str, str], str]:
    """The parameters that GitHub is asked with, and the value of the cookie of a login that was begun."""
    answer = pages.browser().get("/login", follow=False)
    return query_of(answer.headers["Location"]), answer.cookies["steelyard-login"]


def test_the_first_page_says_what_this_is_and_offers_the_login(pages: Pages) -> None:
    page = pages.browser().get("/")
    assert page.status_code == 200 and 'href="/login"' in page.text and "Steelyard" in page.text
    assert "GitHub" in pages.browser().get("/", **{"Accept-Language": "es"}).text


def test_without_an_app_the_first_page_says_how_there_is_a_login(tmp_path: Path) -> None:
    client = create_app(ProcessSettings.read({}, state_dir=tmp_path), Fake()).test_client()
    page = client.get("/")
    assert page.status_code == 200 and "STEELYARD_CLIENT_ID" in page.text and 'href="/login"' not in page.text
    assert client.get("/login").status_code == 404 and client.get("/r/lab/pilots").status_code == 404


def test_a_reader_logs_in_and_comes_back_to_the_page_that_was_asked_for(pages: Pages) -> None:
    browser = pages.browser()
    page = browser.get("/playground")
    assert page.url.endswith("/playground") and "olga" in page.text
    cookies = {cookie.name: cookie for cookie in browser.session.cookies}
    assert set(cookies) == {"steelyard"}, "the cookie of the login is gone"
    assert cookies["steelyard"].has_nonstandard_attr("HttpOnly")
    assert cookies["steelyard"].get_nonstandard_attr("SameSite") == "Lax"
    assert "token-of-olga" not in (cookies["steelyard"].value or "")


def test_by_https_cookies_are_secure_and_of_this_host_alone(tmp_path: Path) -> None:
    given = {"client_id": "x", "client_secret": "s" * 20, "public_url": "https://bot.example.org"}
    client = create_app(ProcessSettings.read({}, state_dir=tmp_path, **given), Fake()).test_client()
    answer = client.get("/login")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-steelyard-login=") and "Secure" in cookie and "Path=/" in cookie
    assert "Domain" not in cookie
    assert query_of(answer.headers["Location"])["redirect_uri"] == "https://bot.example.org/login/callback"


def test_state_and_challenge_are_new_each_time(pages: Pages) -> None:
    (first, _), (second, _) = begun(pages), begun(pages)
    assert first["state"] != second["state"] and first["code_challenge"] != second["code_challenge"]


def test_a_code_of_another_login_gives_nothing(pages: Pages) -> None:
    """An attacker's code in the victim's browser: the state is not the victim's; with it, the verifier is not."""
    attacker, victim = pages.browser(), pages.browser()
    location = attacker.get("/login", follow=False).headers["Location"]
    back = query_of(attacker.session.get(location, allow_redirects=False, timeout=10).headers["Location"])
    own = query_of(victim.get("/login", follow=False).headers["Location"])
    refused = victim.get(f"/login/callback?code={back['code']}&state={back['state']}")
    assert refused.status_code == 403 and "was not begun here" in refused.text
    victim.get("/login", follow=False)
    victim_state = query_of(victim.get("/login", follow=False).headers["Location"])["state"]
    assert own["state"] != victim_state
    refused = victim.get(f"/login/callback?code={back['code']}&state={victim_state}")
    assert refused.status_code == 403 and "not logged in" in refused.text
    assert "olga" not in victim.get("/").text


def test_a_state_counts_once(pages: Pages) -> None:
    browser = pages.browser()
    location = browser.get("/login", follow=False).headers["Location"]
    back = browser.session.get(location, allow_redirects=False, timeout=10).headers["Location"]
    assert browser.session.get(back, timeout=10).status_code == 200
    assert browser.session.get(back, timeout=10).status_code == 403


@pytest.mark.parametrize("query", ["", "?state=x&code=y", "?state=\u00e9&code=y", "?code=y"])
def test_a_callback_that_nobody_began_gives_nothing(query: str, pages: Pages) -> None:
    page = pages.browser().get(f"/login/callback{query}")
    assert page.status_code == 403 and "was not begun here" in page.text


def test_who_declines_is_told_so(pages: Pages) -> None:
    pages.logins.agrees = None
    page = pages.browser().get("/login")
    assert page.status_code == 403 and "declined" in page.text


def test_github_away_is_told_and_nobody_is_logged_in(pages: Pages) -> None:
    pages.github.plan(Fault.ERROR, "GET", "/user$", times=9)
    browser = pages.browser()
    page = browser.get("/login")
    assert page.status_code == 502 and "GitHub did not answer" in page.text
    assert 'href="/login"' in browser.get("/").text


def test_logging_out_needs_the_sessions_own_form_and_ends_githubs_token(pages: Pages) -> None:
    browser = pages.browser("olga")
    assert browser.post("/logout", csrf="guessed").status_code == 403
    assert "olga" in browser.get("/").text
    page = browser.post("/logout", csrf=browser.csrf())
    assert page.status_code == 200 and 'href="/login"' in page.text
    assert pages.logins.ended == {"token-of-olga"}


def test_a_token_that_github_ended_ends_the_session(pages: Pages) -> None:
    browser = pages.browser("olga")
    pages.logins.ended.add("token-of-olga")
    pages.clock.now += 61
    page = browser.get("/")
    assert page.status_code == 403 and "session has ended" in page.text
    assert 'href="/login"' in browser.get("/").text


def test_the_session_is_another_after_the_login(pages: Pages) -> None:
    browser = pages.browser()
    before = browser.get("/") and browser.session.cookies["steelyard"]
    seals = Seals(CLIENT_SECRET)
    browser.get("/login")
    after = browser.session.cookies["steelyard"]
    opened = [Session.model_validate_json(seals.open("session", one or "", SESSION_S) or "") for one in (before, after)]
    assert opened[0].csrf != opened[1].csrf and opened[0].id != opened[1].id


def test_seals_are_of_one_purpose_one_secret_and_end() -> None:
    seals = Seals("a" * 32)
    sealed = seals.seal("login", "text")
    assert seals.open("login", sealed, LOGIN_S) == "text"
    assert seals.open("session", sealed, LOGIN_S) is None and Seals("b" * 32).open("login", sealed, LOGIN_S) is None
    assert seals.open("login", sealed[:-2] + "AA", LOGIN_S) is None and seals.open("login", "", LOGIN_S) is None
    assert seals.open("login", sealed, -1) is None


@pytest.mark.parametrize(
    ("wanted", "led"),
    [
        ("/r/lab/pilots?quarter=2027Q1", "/r/lab/pilots?quarter=2027Q1"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("/\t/evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("//[", "/"),
        ("r/lab", "/"),
        ("/login", "/"),
        ("/login/callback?code=x", "/"),
        ("/logout", "/"),
        ("/r/login/x", "/r/login/x"),
        ("/" + "x" * 600, "/"),
    ],
)
def test_the_login_leads_back_to_our_own_pages_alone(wanted: str, led: str) -> None:
    assert local_path(wanted) == led


def test_pages_before_the_login_hold_nothing_of_anybody_else(pages: Pages) -> None:
    for path in ("/", "/login/callback"):
        page = pages.browser().get(path)
        assert not re.search(r"<script(?! src=\"/static/)|\son\w+=|\sstyle=|(?:src|href)=\"(?:https?:)?//", page.text)
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
