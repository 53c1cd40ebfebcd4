"""The container as it is described: who it runs as, what it may write; and its install and command, run for real."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.node import free_port
from tests.shared import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
LINES = [re.sub(r"\s+", " ", line) for line in DOCKERFILE.replace("\\\n", " ").splitlines()]
INSTRUCTIONS = [tuple(line.split(" ", 1)) for line in LINES if line and not line.startswith("#")]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
NOBODY = 65534


def given(name: str) -> list[str]:
    return [rest for word, rest in INSTRUCTIONS if word == name]


def test_the_image_is_pinned_and_of_two_stages() -> None:
    images = given("FROM")
    assert len(images) == 2
    assert all(re.fullmatch(r"python:3\.12\.\d+-slim-[a-z]+( AS build)?", image) for image in images)
    assert re.search(r"uv==\d+\.\d+\.\d+", DOCKERFILE) and "--frozen" in DOCKERFILE


def test_it_runs_as_a_user_of_its_own_without_a_shell() -> None:
    assert given("USER") == ["10001:10001"]
    last = [word for word, _ in INSTRUCTIONS]
    assert last.index("USER") > len(last) - 10
    assert json.loads(given("ENTRYPOINT")[0]) == ["steelyard"]
    assert json.loads(given("CMD")[0]) == ["serve"]
    assert "sudo" not in DOCKERFILE and "chmod 777" not in DOCKERFILE


def test_it_takes_nothing_from_the_network_by_address_and_holds_no_secret() -> None:
    assert given("ADD") == []
    assert "http" not in DOCKERFILE.replace("http://127.0.0.1:8080/healthz", "")
    assert not re.search(r"(TOKEN|SECRET|PRIVATE_KEY|PASSWORD)\s*=", DOCKERFILE)


def test_it_copies_what_is_installed_and_nothing_else() -> None:
    copied = {part for line in given("COPY") if "--from" not in line for part in line.split()[:-1]}
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
        "wheel"
    ]
    assert copied == {"pyproject.toml", "uv.lock", "README.md", "LICENSE", *wheel["packages"], *wheel["force-include"]}
    assert all((ROOT / name).exists() for name in copied)


def test_its_health_is_asked_without_a_shell() -> None:
    (health,) = given("HEALTHCHECK")
    command = json.loads(health.partition("CMD ")[2])
    assert command[0] == "python" and "/healthz" in command[2]


def test_the_bot_of_the_composition_can_write_nothing_but_its_state() -> None:
    bot = COMPOSE["services"]["bot"]
    assert bot["read_only"] is True
    assert bot["cap_drop"] == ["ALL"]
    assert bot["security_opt"] == ["no-new-privileges:true"]
    assert [mount.split(":")[0] for mount in bot["tmpfs"]] == ["/tmp"]  # noqa: S108 - a mount
    assert bot["volumes"] == ["state:/var/lib/steelyard"]
    assert all(port.startswith("127.0.0.1:") for port in bot["ports"])


def test_the_database_is_out_of_reach_and_waited_for() -> None:
    database = COMPOSE["services"]["database"]
    assert "ports" not in database
    assert [COMPOSE["networks"][n].get("internal") for n in database["networks"]] == [True]
    assert database["image"].startswith("postgres:17.") and database["healthcheck"]["test"][0] == "CMD"
    assert COMPOSE["services"]["bot"]["depends_on"] == {"database": {"condition": "service_healthy"}}


def test_secrets_come_from_files_that_are_not_committed() -> None:
    values = [
        v for s in COMPOSE["services"].values() for k, v in s["environment"].items() if re.search("PASS|URL_FILE", k)
    ]
    assert values and all(v.startswith("/run/secrets/") for v in values)
    assert {s["file"].split("/")[1] for s in COMPOSE["secrets"].values()} == {"secrets"}
    assert "/secrets/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    named = set(re.findall(r"\bSTEELYARD_(\w+)", DOCKERFILE + json.dumps(COMPOSE)))
    from bot.settings import ProcessSettings

    assert {name.removesuffix("_FILE").lower() for name in named} <= set(ProcessSettings.model_fields)


def test_the_client_of_docker_accepts_the_composition() -> None:
    if not shutil.which("docker") or subprocess.run(["docker", "compose", "version"], capture_output=True).returncode:
        pytest.skip("no docker compose here")
    command = ["docker", "compose", "--file", str(ROOT / "compose.yaml"), "config", "--quiet"]
    done = subprocess.run(command, env={**os.environ, "STEELYARD_PUBLIC_URL": "https://x.example"}, capture_output=True)
    assert done.returncode == 0, done.stderr


def test_it_serves_as_nobody_where_only_the_state_and_tmp_can_be_written(tmp_path: Path) -> None:
    """The image's command with its environment: another user, a home that is not there, code that cannot be written."""
    state, scratch, port = tmp_path / "state", tmp_path / "tmp", free_port()
    for folder in (state, scratch):
        folder.mkdir(mode=0o700)
    who = _other_user(tmp_path, state, scratch)
    environment = {
        "PATH": os.environ["PATH"], "HOME": "/nonexistent", "TMPDIR": str(scratch), "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(ROOT), "STEELYARD_STATE_DIR": str(state), "STEELYARD_PORT": str(port),
    }  # fmt: skip
    command = [sys.executable, "-m", "bot.cli", "serve"]
    with subprocess.Popen(command, cwd=scratch, env=environment, stderr=subprocess.PIPE, text=True, **who) as process:
        try:
            assert _asked(f"http://127.0.0.1:{port}/readyz", process) == {
                "ready": True,
                "reasons": [],
                "notes": ["setup"],
            }
        finally:
            process.send_signal(signal.SIGTERM)
            errors = process.communicate(timeout=30)[1]
    assert process.returncode == 0, errors
    assert {p.name for p in state.iterdir()} >= {"jobs.sqlite"}
    assert not any("Traceback" in line for line in errors.splitlines())


def _other_user(folder: Path, *owned: Path) -> dict[str, Any]:
    """For a root that tests: nobody, where nobody may run this interpreter; else whoever tests."""
    if os.geteuid() != 0:
        return {}
    who = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    try:
        subprocess.run([sys.executable, "-c", ""], cwd="/", check=True, **who)
    except (OSError, subprocess.CalledProcessError):
        return {}
    for path in owned:
        os.chown(path, NOBODY, NOBODY)
    for parent in (folder, *list(folder.parents)[:2]):
        parent.chmod(parent.stat().st_mode | 0o011)
    return who


def _asked(url: str, process: subprocess.Popen[str]) -> object:
    for _ in range(600):
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 - of this test
                return json.load(answer)
        except (urllib.error.URLError, ConnectionError):
            if process.poll() is not None:
                return None
            time.sleep(0.1)
    return None
