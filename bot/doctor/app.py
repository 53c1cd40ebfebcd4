"""What GitHub says of the App: that it answers, the clock, the key, what the App may do, and whether hooks arrive."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import requests

from bot.doctor.finding import Finding, Patient, fail, ok, unchecked, warn
from bot.github.app_setup import EVENTS, PERMISSIONS
from bot.github.errors import NotFound, Refused
from bot.settings import PUBLIC_API

ANSWER_S = 15
SKEW_WARN_S = 20
SKEW_FAIL_S = 50
"""A token of the App says when it was made; GitHub takes it up to a minute before its own time."""
RANKS = ("none", "read", "write", "admin")
SHOWN_DELIVERIES = 30
LEAST_LEFT = 0.1


def github(patient: Patient) -> Iterator[Finding]:
    """Whether GitHub answers at the address, and whose clock is wrong."""
    address = patient.settings.base_url.rstrip("/")
    parts = urlsplit(address)
    if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        yield fail("github-not-https", address=address)
        return
    if address != PUBLIC_API and not (parts.path.endswith("/api/v3") or (parts.hostname or "").startswith("api.")):
        yield warn("github-address", address=address)
    before = patient.clock()
    try:
        answer = requests.get(address, timeout=ANSWER_S, allow_redirects=False)
    except requests.RequestException as failure:
        yield fail("github-unreachable", address=address, cause=type(failure).__name__)
        return
    after = patient.clock()
    if answer.status_code >= 500 or 300 <= answer.status_code < 400:
        yield fail("github-status", address=address, status=answer.status_code)
        return
    server = answer.headers.get("X-GitHub-Enterprise-Version")
    yield ok("github", address=address, server=f"Enterprise Server {server}" if server else "GitHub")
    yield _clock(before + (after - before) / 2, answer.headers.get("Date"))


def _clock(here: datetime, stated: str | None) -> Finding:
    try:
        there = parsedate_to_datetime(stated or "")
    except ValueError:
        return unchecked("clock-unknown")
    skew = (here - (there if there.tzinfo else there.replace(tzinfo=UTC))).total_seconds()
    seconds = f"{abs(skew):.0f}"
    if abs(skew) < SKEW_WARN_S:
        return ok("clock", seconds=seconds)
    side = "ahead of" if skew > 0 else "behind"
    return (fail if abs(skew) > SKEW_FAIL_S else warn)("clock-skewed", seconds=seconds, side=side)


def app(patient: Patient) -> Iterator[Finding]:
    """Whether GitHub takes the key, and what the App may do and hears."""
    try:
        told = patient.app.get("/app")
    except Refused as refused:
        yield fail("app-refused", cause=str(refused))
        return
    except NotFound:
        yield fail("app-unknown", app=patient.settings.app_id)
        return
    yield ok("app", slug=told.get("slug"), owner=(told.get("owner") or {}).get("login", "–"))
    yield from _granted(told.get("permissions") or {}, "app")
    deaf = [event for event in EVENTS if event not in (told.get("events") or [])]
    yield fail("app-deaf", events=", ".join(deaf)) if deaf else ok("app-events", events=", ".join(EVENTS))


def _granted(given: Mapping[str, str], where: str) -> Iterator[Finding]:
    lacking = [f"{name}: {level}" for name, level in PERMISSIONS.items() if _rank(given.get(name)) < _rank(level)]
    beyond = [f"{name}: {level}" for name, level in given.items() if _rank(level) > _rank(PERMISSIONS.get(name))]
    if lacking:
        yield fail(f"{where}-permissions-lacking", permissions=", ".join(lacking))
    if beyond:
        yield warn(f"{where}-permissions-beyond", permissions=", ".join(sorted(beyond)))
    if not lacking and not beyond:
        yield ok(f"{where}-permissions", permissions=", ".join(f"{n}: {p}" for n, p in PERMISSIONS.items()))


def _rank(level: str | None) -> int:
    return RANKS.index(level) if level in RANKS else 0


def installations(patient: Patient) -> Iterator[Finding]:
    """Where the App is installed, and whether what it may do was accepted there."""
    found = list(patient.app.pages("/app/installations"))
    if not found:
        yield fail("installations-none", page=f"{patient.settings.pages_url}/settings/apps")
    for one in found:
        account = (one.get("account") or {}).get("login", "–")
        if one.get("suspended_at"):
            yield warn("installation-suspended", account=account)
            continue
        given = one.get("permissions") or {}
        lacking = [f"{name}: {level}" for name, level in PERMISSIONS.items() if _rank(given.get(name)) < _rank(level)]
        if lacking:
            yield fail("installation-permissions", account=account, permissions=", ".join(lacking))
        else:
            yield ok("installation", account=account, repositories=one.get("repository_selection", "–"))


def webhook(patient: Patient) -> Iterator[Finding]:
    """Where GitHub sends what happens."""
    try:
        told = patient.app.get("/app/hook/config")
    except NotFound:
        yield unchecked("webhook-unknown")
        return
    url = str(told.get("url") or "")
    parts = urlsplit(url)
    expected = f"{patient.settings.public_url.rstrip('/')}/webhook" if patient.settings.public_url else None
    if not url:
        yield fail("webhook-none")
    elif not parts.path.endswith("/webhook") or (expected and url != expected):
        yield fail("webhook-elsewhere", url=url, expected=expected or f"{parts.scheme}://{parts.netloc}/webhook")
    elif told.get("content_type") not in (None, "json"):
        yield fail("webhook-form")
    elif parts.scheme != "https" or str(told.get("insecure_ssl", "0")) != "0":
        yield warn("webhook-not-https", url=url)
    else:
        yield ok("webhook", url=url)
    if url and not told.get("secret"):
        yield fail("webhook-unsigned")


def deliveries(patient: Patient) -> Iterator[Finding]:
    """What became of the last deliveries: the one test of reachability and secret that GitHub itself makes."""
    try:
        last = patient.app.get("/app/hook/deliveries", per_page=SHOWN_DELIVERIES)
    except NotFound:
        yield unchecked("deliveries-unknown")
        return
    if not last:
        yield unchecked("deliveries-none")
        return
    failed = [one for one in last if not _arrived(one)]
    newest = last[0]
    if newest in failed:
        facts = {"status": newest.get("status_code"), "said": newest.get("status"), "at": newest.get("delivered_at")}
        yield fail(_why(newest), **facts)
    elif failed:
        yield warn("deliveries-failed", failed=len(failed), of=len(last))
    else:
        yield ok("deliveries", of=len(last), at=newest.get("delivered_at"))


def _arrived(delivery: Mapping[str, Any]) -> bool:
    return 200 <= int(delivery.get("status_code") or 0) < 300


def _why(delivery: Mapping[str, Any]) -> str:
    status = int(delivery.get("status_code") or 0)
    if status in (401, 403):
        return "delivery-signature"
    if status in (0, 502, 503, 504):
        return "delivery-unreachable"
    return "delivery-elsewhere" if status < 500 else "delivery-broken"


def rate_limit(patient: Patient) -> Iterator[Finding]:
    """How many requests are left this hour, for the identity that works on the repository."""
    connection = patient.there if patient.repository or not patient.settings.app_id else None
    if connection is None:
        yield unchecked("limit-without-repository")
        return
    try:
        core = connection.get("/rate_limit")["resources"]["core"]
    except NotFound:
        yield ok("limit-none")
        return
    except (KeyError, TypeError):
        yield unchecked("limit-unknown")
        return
    left, limit = int(core["remaining"]), int(core["limit"])
    resets = datetime.fromtimestamp(int(core["reset"]), UTC).strftime("%H:%M UTC")
    facts = {"left": left, "limit": limit, "resets": resets}
    yield warn("limit-low", **facts) if left < limit * LEAST_LEFT else ok("limit", **facts)
