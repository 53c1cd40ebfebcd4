"""The report: a line for each finding, a fix for each that is not in order, and no secret in any of them."""

import ast
import json
from pathlib import Path

import pytest

from bot.cli import main
from bot.doctor import Line
from bot.doctor.finding import Finding, Level
from bot.emulator import APP_ID, Emulator
from bot.logs import Redactor
from bot.render.messages import catalogue
from tests.shared import ROOT

LEVELS = {"ok", "warn", "fail", "unchecked"}


def codes() -> dict[str, set[str]]:
    """Codes as the sources give them, with the levels that they are given."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "bot" / "doctor").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            named = {n.id for n in ast.walk(node.func) if isinstance(n, ast.Name)} & LEVELS
            for text in ast.walk(node.args[0]):
                if named and isinstance(text, ast.Constant) and isinstance(text.value, str) and " " not in text.value:
                    found.setdefault(text.value, set()).update(named)
    return found


def test_every_finding_has_a_sentence_and_none_is_left_over() -> None:
    said = {code.rsplit(".", 1)[0] for code in catalogue("en", "doctor").codes}
    built = {f"app{end}" for end in ("-permissions", "-permissions-lacking", "-permissions-beyond")}
    seen = {
        "configuration-broken",
        "delivery-signature",
        "delivery-unreachable",
        "delivery-elsewhere",
        "delivery-broken",
    }
    plain = {code for code in codes() if not code.startswith("-")}
    assert len(plain) > 40
    assert plain - said == set()
    assert said - plain - built - seen == set()


@pytest.mark.parametrize("code", sorted(code for code, levels in codes().items() if levels & {"warn", "fail"}))
def test_what_is_not_in_order_has_a_fix(code: str) -> None:
    if not code.startswith("-"):
        assert catalogue("en", "doctor")(
            f"{code}.fix", **dict.fromkeys(catalogue("en", "doctor").fields(f"{code}.fix"), "x")
        )


def environment(emulate: Emulator, folder: Path, monkeypatch: pytest.MonkeyPatch, **more: str) -> None:
    given = {
        "BASE_URL": emulate.url, "STATE_DIR": str(folder / "state"), "APP_ID": str(APP_ID),
        "PRIVATE_KEY": emulate.private_key, "WEBHOOK_SECRETS": "of-the-hook-" * 3, **more,
    }  # fmt: skip
    for name, value in given.items():
        monkeypatch.setenv(f"STEELYARD_{name}", value)


def test_all_in_order(
    emulate: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment(emulate, tmp_path, monkeypatch)
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert "ok    app           GitHub takes the key: steelyard of " in shown
    assert "–     webhook       not checked: this GitHub does not tell the App's webhook" in shown
    assert "FAIL" not in shown


def test_for_machines(
    emulate: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment(emulate, tmp_path, monkeypatch, APP_ID="1")
    assert main(["doctor", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["healthy"] is False
    assert {f["code"] for f in told["findings"] if f["level"] == "fail"} & {"app-refused", "app-unknown"}
    assert all(f["fix"] for f in told["findings"] if f["level"] in ("fail", "warn"))


def test_no_secret_is_shown(
    emulate: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = "postgresql://bot:of-the-database@127.0.0.1:9/jobs"
    environment(emulate, tmp_path, monkeypatch, **{"DATABASE_URL": url, "TOKEN": "ghp_of-the-token-0123456789"})
    for arguments in (["doctor"], ["doctor", "--json"], ["doctor", "--repo", "lab/pilots"]):
        main(arguments)
    shown = "".join(capsys.readouterr())
    assert "@127.0.0.1:9/jobs does not answer" in shown
    secret = ["of-the-database", "of-the-token", "of-the-hook", *emulate.private_key.splitlines()[1:-1]]
    assert [s for s in secret if s in shown] == []


def test_a_fact_that_holds_a_secret_or_steers_a_terminal_is_cleaned() -> None:
    finding = Finding("github-said", Level.UNCHECKED, {"cause": "token of-the-hook\x1b[2J"})
    shown = Line.of("app", finding, Redactor(["of-the-hook"])).shown()
    assert "of-the-hook" not in shown and "\x1b" not in shown


@pytest.mark.parametrize(
    ("wanted", "name", "value"),
    [("setting port", "PORT", "none"), ("STEELYARD_TOKEN_FILE names a file", "TOKEN_FILE", "/nowhere/token")],
)
def test_settings_that_cannot_be(
    wanted: str, name: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(f"STEELYARD_{name}", value)
    assert main(["doctor"]) == 2
    assert wanted in capsys.readouterr().err


def test_a_repository_is_named_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--repo", "pilots"]) == 2
    assert "OWNER/NAME" in capsys.readouterr().err
