"""What GitHub is told when we cannot take a delivery: always within ten seconds, so that it is sent again."""

import json
import threading
from pathlib import Path

import pytest

from bot.intake import wiring
from bot.intake.inbox import Bounded, Unavailable
from bot.settings import ProcessSettings, StoredApp
from tests.bot.intake.payloads import comment_event
from tests.bot.web.receiving import SECRET, Fake, exchange, hook, serving, status, told

GOOD = json.dumps(comment_event()).encode()


def settings(state: Path, **given: object) -> ProcessSettings:
    return ProcessSettings.read({}, state_dir=state, **{"webhook_secrets": (SECRET,), **given})


def test_a_database_that_fails_is_a_failed_delivery_and_is_not_ready(tmp_path: Path) -> None:
    inbox = Fake(failure=OSError("the host secret-host does not answer"))
    with serving(settings(tmp_path), inbox) as port:
        answer = exchange(port, hook(GOOD))
        assert (status(answer), told(answer)) == (503, {"result": "database"})
        ready = exchange(port, b"GET /readyz HTTP/1.1\r\nConnection: close\r\n\r\n")
        assert (status(ready), told(ready)) == (503, {"ready": False, "reasons": ["database"], "notes": []})
        assert status(exchange(port, b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n")) == 200
        inbox.failure = None
        assert status(exchange(port, hook(GOOD))) == 202


def test_a_database_that_hangs_is_given_up_and_nobody_waits_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a shorter bound than in production, where it is 8 seconds of GitHub's 10."""
    monkeypatch.setattr("bot.intake.webhook.ACCEPT_SECONDS", 0.5)
    monkeypatch.setattr("bot.web.health.READY_SECONDS", 0.5)
    inbox = Fake(hang=threading.Event())
    with serving(settings(tmp_path), inbox) as port:
        threads = [threading.Thread(target=exchange, args=(port, hook(GOOD))) for _ in range(wiring.SLOTS + 4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert not any(thread.is_alive() for thread in threads)
        assert status(exchange(port, hook(GOOD))) == 503
        assert status(exchange(port, b"GET /readyz HTTP/1.1\r\nConnection: close\r\n\r\n")) == 503
        assert status(exchange(port, b"GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n")) == 200
        assert inbox.hang is not None
        inbox.hang.set()
        inbox.hang = None
        assert status(exchange(port, hook(GOOD))) == 202
    assert wiring.ACCEPT_SECONDS < 10


def test_what_is_bounded_keeps_its_result_its_error_and_its_number_of_threads() -> None:
    bounded, hanging = Bounded(2), threading.Event()
    assert bounded.call(lambda: 5, 5) == 5
    with pytest.raises(Unavailable, match="ZeroDivisionError"):
        bounded.call(lambda: 1 // 0, 5)
    others = {t for t in threading.enumerate() if t.name == "inbox"}
    for _ in range(5):
        with pytest.raises(Unavailable):
            bounded.call(hanging.wait, 0.05)
    assert len({t for t in threading.enumerate() if t.name == "inbox"} - others) <= 1, "the first is used again"
    hanging.set()
    assert bounded.call(lambda: 6, 5) == 6


def test_without_a_secret_nothing_is_taken_until_one_is_stored(tmp_path: Path) -> None:
    inbox = Fake()
    with serving(settings(tmp_path, webhook_secrets=()), inbox) as port:
        assert status(exchange(port, hook(GOOD))) == 503
        ready = exchange(port, b"GET /readyz HTTP/1.1\r\nConnection: close\r\n\r\n")
        assert (status(ready), told(ready)["notes"]) == (200, ["setup"])
        app = {"id": "1", "slug": "s", "url": "https://x", "private_key": "key", "webhook_secret": SECRET}
        StoredApp.path(tmp_path).write_text(json.dumps(app), encoding="utf-8")
        assert status(exchange(port, hook(GOOD))) == 202
    assert len(inbox.accepted) == 1


@pytest.mark.parametrize(
    ("wanted", "token", "headers"),
    [
        (200, None, {}),
        (403, None, {"X-Forwarded-For": "203.0.113.9"}),
        (403, None, {"Forwarded": "for=203.0.113.9"}),
        (403, None, {"Via": "1.1 proxy"}),
        (401, "t" * 20, {}),
        (401, "t" * 20, {"Authorization": "Bearer wrong"}),
        (401, "t" * 20, {"Authorization": "Bearer "}),
        (401, "t" * 20, {"Authorization": "Basic dDp0"}),
        (200, "t" * 20, {"Authorization": "Bearer " + "t" * 20}),
        (200, "t" * 20, {"Authorization": "Bearer " + "t" * 20, "X-Forwarded-For": "203.0.113.9"}),
    ],
)
def test_who_may_read_the_metrics(wanted: int, token: str | None, headers: dict[str, str], tmp_path: Path) -> None:
    with serving(settings(tmp_path, metrics_token=token), Fake()) as port:
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        assert status(exchange(port, f"GET /metrics HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())) == wanted


def counted(port: int) -> dict[str, float]:
    text = exchange(port, b"GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n").partition(b"\r\n\r\n")[2].decode()
    samples = [line.rpartition(" ") for line in text.splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, _, value in samples}


def test_metrics_count_what_happened_and_never_under_a_name_from_outside(tmp_path: Path) -> None:
    with serving(settings(tmp_path, webhook_secrets=("another-secret", SECRET)), Fake()) as port:
        before = counted(port)
        exchange(port, hook(GOOD))
        exchange(port, hook(b"{}", event='made-up"} 1'))
        exchange(port, hook(GOOD, X_Hub_Signature_256=None))
        after = counted(port)
    changed = {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)}
    assert {n: v for n, v in changed.items() if not n.endswith("_created") and "_created{" not in n} == {
        'steelyard_deliveries_total{event="issue_comment",result="accepted"}': 1,
        'steelyard_deliveries_total{event="other",result="ignored"}': 1,
        'steelyard_deliveries_total{event="issue_comment",result="signature"}': 1,
        "steelyard_signature_failures_total": 1,
        'steelyard_signature_secret_total{position="2"}': 2,
        'steelyard_jobs{state="queued"}': 1,
    }
