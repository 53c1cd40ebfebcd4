"""What GitHub says of the App: each state gives its finding, with the fix that belongs to it."""

from typing import Any

import pytest

from bot.doctor.finding import Level
from bot.github.app_setup import EVENTS, PERMISSIONS
from tests.bot.doctor.patients import Clinic

APP = {"slug": "steelyard", "owner": {"login": "lab"}, "permissions": PERMISSIONS, "events": list(EVENTS)}
INSTALLED = {"id": 1, "account": {"login": "lab"}, "permissions": PERMISSIONS, "repository_selection": "all"}
HOOK = {"url": "https://bot.example.com/webhook", "content_type": "json", "insecure_ssl": "0", "secret": "********"}
OK, WARN, FAIL, UNCHECKED = Level.OK, Level.WARN, Level.FAIL, Level.UNCHECKED


def delivery(status: int, said: str = "OK") -> dict[str, Any]:
    return {
        "id": status,
        "guid": f"g{status}",
        "status": said,
        "status_code": status,
        "delivered_at": "2026-12-01T10:00:00Z",
    }


def test_an_app_in_order_and_what_this_github_cannot_tell(clinic: Clinic) -> None:
    found = clinic.findings()
    in_order = ("credentials-app", "github", "clock", "app", "app-permissions", "app-events", "installation")
    assert {code: found[code][0] for code in in_order} == dict.fromkeys(in_order, OK)
    assert {code for code, (level, _) in found.items() if level is FAIL} == set()
    assert found["webhook-unknown"][0] is UNCHECKED
    assert found["deliveries-unknown"][0] is UNCHECKED
    assert found["limit-without-repository"][0] is UNCHECKED


@pytest.mark.parametrize(
    ("wanted", "level", "ahead_s"),
    [
        ("clock", OK, 0), ("clock", OK, -15), ("clock-skewed", WARN, 30), ("clock-skewed", WARN, -30),
        ("clock-skewed", FAIL, 70), ("clock-skewed", FAIL, -3600),
    ],
)  # fmt: skip
def test_the_clock_is_compared_with_githubs(wanted: str, level: Level, ahead_s: float, clinic: Clinic) -> None:
    found = clinic.findings("github", ahead_s=ahead_s)
    assert found[wanted][0] is level
    if wanted == "clock-skewed":
        assert found[wanted][1]["side"] == ("ahead of" if ahead_s > 0 else "behind")


APPS: list[tuple[str, Level, int, Any]] = [
    ("app-refused", FAIL, 401, {"message": "A JSON web token could not be decoded"}),
    ("app-unknown", FAIL, 404, {"message": "Integration not found"}),
    ("app-permissions-lacking", FAIL, 200, {**APP, "permissions": {**PERMISSIONS, "contents": "read"}}),
    ("app-permissions-beyond", WARN, 200, {**APP, "permissions": {**PERMISSIONS, "administration": "write"}}),
    ("app-deaf", FAIL, 200, {**APP, "events": ["issues"]}),
    ("app", OK, 200, APP),
]


@pytest.mark.parametrize(("wanted", "level", "status", "answer"), APPS, ids=[a[0] for a in APPS])
def test_the_app(wanted: str, level: Level, status: int, answer: Any, clinic: Clinic) -> None:
    clinic.github.answers["/app"] = (status, answer)
    assert clinic.findings("app")[wanted][0] is level


INSTALLATIONS: list[tuple[str, Level, list[dict[str, Any]]]] = [
    ("installations-none", FAIL, []),
    ("installation-suspended", WARN, [{**INSTALLED, "suspended_at": "2026-12-01T10:00:00Z"}]),
    ("installation-permissions", FAIL, [{**INSTALLED, "permissions": {"metadata": "read", "issues": "read"}}]),
    ("installation", OK, [INSTALLED]),
]


@pytest.mark.parametrize(("wanted", "level", "answer"), INSTALLATIONS, ids=[i[0] for i in INSTALLATIONS])
def test_installations(wanted: str, level: Level, answer: Any, clinic: Clinic) -> None:
    clinic.github.answers["/app/installations"] = (200, answer)
    assert clinic.findings("installations")[wanted][0] is level


HOOKS: list[tuple[str, Level, dict[str, Any]]] = [
    ("webhook", OK, HOOK),
    ("webhook-none", FAIL, {**HOOK, "url": ""}),
    ("webhook-elsewhere", FAIL, {**HOOK, "url": "https://bot.example.com/hook"}),
    ("webhook-elsewhere", FAIL, {**HOOK, "url": "https://old.example.com/webhook"}),
    ("webhook-form", FAIL, {**HOOK, "content_type": "form"}),
    ("webhook-not-https", WARN, {**HOOK, "insecure_ssl": "1"}),
    ("webhook-unsigned", FAIL, {k: v for k, v in HOOK.items() if k != "secret"}),
]


@pytest.mark.parametrize(("wanted", "level", "answer"), HOOKS)
def test_the_webhook(wanted: str, level: Level, answer: Any, clinic: Clinic) -> None:
    clinic.github.answers["/app/hook/config"] = (200, answer)
    assert clinic.findings("webhook", public_url="https://bot.example.com")[wanted][0] is level


DELIVERIES: list[tuple[str, Level, list[dict[str, Any]]]] = [
    ("deliveries-none", UNCHECKED, []),
    ("deliveries", OK, [delivery(202), delivery(202)]),
    ("deliveries-failed", WARN, [delivery(202), delivery(500)]),
    ("delivery-signature", FAIL, [delivery(401, "Unauthorized"), delivery(202)]),
    ("delivery-unreachable", FAIL, [delivery(0, "timed out")]),
    ("delivery-unreachable", FAIL, [delivery(502, "failed to connect to host")]),
    ("delivery-elsewhere", FAIL, [delivery(404, "Not Found")]),
    ("delivery-broken", FAIL, [delivery(500, "Internal Server Error")]),
]


@pytest.mark.parametrize(("wanted", "level", "answer"), DELIVERIES)
def test_deliveries(wanted: str, level: Level, answer: Any, clinic: Clinic) -> None:
    clinic.github.answers["/app/hook/deliveries"] = (200, answer)
    assert clinic.findings("deliveries")[wanted][0] is level


@pytest.mark.parametrize(
    ("wanted", "level", "changes"),
    [
        ("github-not-https", FAIL, {"base_url": "http://ghe.example.com/api/v3"}),
        ("github-unreachable", FAIL, {"base_url": "http://127.0.0.1:9"}),
        ("github-address", WARN, {}),
    ],
)
def test_the_address(wanted: str, level: Level, changes: dict[str, object], clinic: Clinic) -> None:
    assert clinic.findings("github", **changes)[wanted][0] is level


def test_an_enterprise_server_tells_its_version(clinic: Clinic) -> None:
    clinic.github.answers["/"] = (200, {})
    clinic.github.headers["X-GitHub-Enterprise-Version"] = "3.18.2"
    assert clinic.findings("github")["github"][1]["server"] == "Enterprise Server 3.18.2"


@pytest.mark.parametrize("status", [500, 301])
def test_an_address_that_answers_wrongly(status: int, clinic: Clinic) -> None:
    clinic.github.answers["/"] = (status, {})
    assert clinic.findings("github")["github-status"][0] is FAIL


def test_an_outage_ends_a_check_and_not_the_examination(clinic: Clinic) -> None:
    clinic.github.answers["/app/installations"] = (500, {"message": "Server Error"})
    clinic.github.answers["/app/hook/config"] = (200, HOOK)
    found = clinic.findings("installations", "webhook")
    assert found["github-said"][0] is UNCHECKED
    assert found["webhook"][0] is OK
