"""The Action: an event of a run gives the webhook's job, once; its files and the workflow hold to what they promise."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.action import IGNORED, LONGEST_WAIT_S, TRIES, act, settings_of
from bot.cli import main
from bot.dossier import Outcome
from bot.github.errors import Later, Refused
from bot.handle import NOTHING, Handled
from bot.intake.events import ACTIONS, job_of
from bot.job import Job
from bot.settings import ProcessSettings
from bot.templates import template_path
from tests.bot.test_source_tree import git
from tests.shared import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
WORKFLOW = yaml.safe_load(template_path("workflows/steelyard.yml").read_text(encoding="utf-8"))
EVENT = {
    "action": "created",
    "issue": {"number": 7},
    "comment": {
        "id": 42,
        "body": "/compare",
        "user": {"login": "olga", "type": "User"},
        "created_at": "2026-12-01T10:00:00Z",
        "updated_at": "2026-12-01T10:00:00Z",
    },
    "repository": {"full_name": "lab/pilots"},
}


SWITCHED = Handled(Outcome.SWITCH, "**SWITCH**\n", "https://github.com/lab/pilots/issues/7#issuecomment-43")


@dataclass
class Handler:
    """Takes jobs as the handler does, and fails first with what it is given."""

    result: Handled = SWITCHED
    failures: list[Exception] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)

    def __call__(self, job: Job, today: date, settings: ProcessSettings) -> Handled:
        self.jobs.append(job)
        if self.failures:
            raise self.failures.pop(0)
        return self.result


@dataclass
class Run:
    """One run of the Action in a folder of its own."""

    folder: Path
    waited: list[float] = field(default_factory=list)

    def environment(self, payload: Any = EVENT, event: str = "issue_comment") -> dict[str, str]:
        path = self.folder / "event.json"
        path.write_text(payload if isinstance(payload, str) else json.dumps(payload))
        return {
            "GITHUB_EVENT_PATH": str(path),
            "GITHUB_EVENT_NAME": event,
            "GITHUB_TOKEN": "ghs_0123456789abcdef",
            "GITHUB_API_URL": "https://ghe.example.com/api/v3",
            "GITHUB_SERVER_URL": "https://ghe.example.com",
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_RUN_ID": "99",
            "RUNNER_TEMP": str(self.folder),
        }

    def __call__(self, handler: Handler, payload: Any = EVENT, event: str = "issue_comment") -> int:
        environment = self.environment(payload, event)
        return act(environment, settings_of(environment), handler, self.waited.append)

    def wrote(self, name: str) -> str:
        path = self.folder / name
        return path.read_text() if path.exists() else ""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def test_a_comment_is_the_job_that_its_webhook_gives(run: Run) -> None:
    handler = Handler()
    assert run(handler) == 0
    assert handler.jobs == [job_of("issue_comment", EVENT, "run-99-1")]
    assert run.wrote("summary.md") == "**SWITCH**\n"
    assert run.wrote("output") == f"outcome=switch\nurl={SWITCHED.url}\n"


def test_it_speaks_to_the_server_of_the_run(run: Run) -> None:
    settings = settings_of(run.environment())
    assert (settings.base_url, settings.pages_url) == ("https://ghe.example.com/api/v3", "https://ghe.example.com")
    assert settings.token is not None and settings.token.get_secret_value().startswith("ghs_")
    assert settings.app_id is None


@pytest.mark.parametrize(
    ("event", "change"),
    [
        ("push", {}),
        ("issue_comment", {"action": "deleted"}),
        ("issue_comment", {"comment": {**EVENT["comment"], "body": "no command"}}),  # type: ignore[dict-item]
        ("issue_comment", {"comment": {**EVENT["comment"], "user": {"type": "Bot"}}}),  # type: ignore[dict-item]
    ],
)
def test_what_asks_for_nothing_is_no_failure(event: str, change: dict[str, Any], run: Run) -> None:
    handler = Handler()
    assert run(handler, {**EVENT, **change}, event) == 0
    assert handler.jobs == []
    assert run.wrote("output") == "outcome=ignored\nurl=\n"


@pytest.mark.parametrize(
    ("wanted", "failures"),
    [
        ([5.0], [Later("502")]),
        ([30.0, 10.0], [Later("limit", 403, 30.0), Later("502")]),
        ([LONGEST_WAIT_S], [Later("limit", 403, 3600.0)]),
    ],
)
def test_what_github_puts_off_is_tried_again(wanted: list[float], failures: list[Exception], run: Run) -> None:
    handler = Handler(failures=failures)
    assert run(handler) == 0
    assert run.waited == wanted
    assert len(handler.jobs) == len(wanted) + 1


def test_it_gives_up_in_the_end(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    handler = Handler(failures=[Later("502")] * 50)
    assert run(handler) == 1
    assert len(handler.jobs) == TRIES
    assert run.wrote("output") == "outcome=failed\nurl=\n"
    assert "GitHub: 502" in capsys.readouterr().err


def test_what_github_refuses_is_not_tried_again(run: Run) -> None:
    handler = Handler(failures=[Refused("Resource not accessible by integration", 403)])
    assert run(handler) == 1
    assert (len(handler.jobs), run.waited) == (1, [])


@pytest.mark.parametrize(("status", "outcome"), [(1, Outcome.FAILED), (0, Outcome.REFUSED), (0, Outcome.NO_VERDICT)])
def test_only_a_failed_job_fails_the_run(status: int, outcome: Outcome, run: Run) -> None:
    assert run(Handler(replace(SWITCHED, outcome=outcome))) == status
    assert run.wrote("summary.md") == SWITCHED.body


def test_a_reply_cannot_set_another_output(run: Run) -> None:
    assert run(Handler(replace(SWITCHED, url="https://x/\noutcome=stay"))) == 0
    assert run.wrote("output") == "outcome=switch\n"


@pytest.mark.parametrize("text", ["", "[1]", "no json"])
def test_an_event_that_is_none_is_told(text: str, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(Handler(), text) == 2
    assert "holds no event" in capsys.readouterr().err


def test_outside_of_a_run_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("GITHUB_EVENT_PATH", "GITHUB_EVENT_NAME", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    assert main(["action"]) == 2
    assert "GITHUB_EVENT_PATH, GITHUB_EVENT_NAME, GITHUB_TOKEN" in capsys.readouterr().err


def test_nothing_of_an_event_reaches_a_shell() -> None:
    steps = ACTION["runs"]["steps"]
    assert [step["run"] for step in steps if "${{" in str(step.get("run", ""))] == []
    given = {value for step in steps for value in step.get("env", {}).values() if "${{" in value}
    assert {re.sub(r"^.*\$\{\{ ([\w.-]+) \}\}.*$", r"\1", value).split(".")[0] for value in given} == {
        "inputs",
        "runner",
    }
    assert "run" not in str(WORKFLOW["jobs"]["answer"]["steps"])


@pytest.mark.parametrize(
    ("command", "added", "base", "status", "told"),
    [
        ("portability", "y = 1\n", "main", 0, "No new hard-coded device use."),
        ("portability", "y.cuda()\n", "", 1, "New hard-coded device uses: 1"),
        ("portability", "y = 1\n", "gone", 2, None),
        ("portabilty", "y = 1\n", "main", 2, None),
    ],
)
def test_its_step_fails_for_new_devices_alone(
    command: str, added: str, base: str, status: int, told: str | None, tmp_path: Path
) -> None:
    """The step's own script, as a runner starts it, in a checkout whose base has a device already."""
    tree, tools = tmp_path / "tree", tmp_path / "steelyard" / "bin"
    tree.mkdir()
    git(tree, "init", "-q", "-b", "work")
    for text in ("x.cuda()\n", f"x.cuda()\n{added}"):
        (tree / "train.py").write_text(text, encoding="utf-8")
        git(tree, "add", ".")
        git(tree, "commit", "-q", "-m", "work")
    git(tree, "update-ref", "refs/remotes/origin/main", "HEAD~1")
    tools.mkdir(parents=True)
    (tools / "steelyard").symlink_to(Path(sys.executable).parent / "steelyard")
    (step,) = (s for s in ACTION["runs"]["steps"] if s.get("id") == "answer")
    given = {"GITHUB_WORKSPACE": tree, "GITHUB_BASE_REF": base, "GITHUB_STEP_SUMMARY": tmp_path / "summary"}
    given |= {"STEELYARD_COMMAND": command, "STEELYARD_BASELINE": "", "STEELYARD_SARIF": "portability.sarif"}
    environment = {**os.environ, "RUNNER_TEMP": str(tmp_path), **{name: str(value) for name, value in given.items()}}
    ended = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=tree, env=environment, capture_output=True, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr.count(b"Traceback")) == (status, 0)
    assert (tree / "portability.sarif").exists() is (told is not None)
    assert (b"fetch-depth: 0" in ended.stdout) is (base == "gone")
    if told is not None:
        assert told in (tmp_path / "summary").read_text(encoding="utf-8")


def test_every_other_action_is_pinned_by_its_commit() -> None:
    used = [s["uses"] for s in ACTION["runs"]["steps"] if "uses" in s]
    workflows = (ROOT / ".github" / "workflows").glob("*.yml")
    used += [u for path in workflows for u in re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8"))]
    assert len(used) > 5
    assert [u for u in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", u)] == []


def test_the_workflow_may_do_what_it_needs_and_no_more() -> None:
    job = WORKFLOW["jobs"]["answer"]
    assert WORKFLOW["permissions"] == {}
    assert job["permissions"] == {"issues": "write", "contents": "write"}
    assert job["concurrency"]["cancel-in-progress"] is False
    assert job["concurrency"]["queue"] == "max"
    assert job["concurrency"]["group"] == "steelyard-${{ github.event.issue.number }}"


def test_the_workflow_hears_what_gives_a_job() -> None:
    told = WORKFLOW[True]  # YAML reads `on` as a truth
    assert {event: tuple(given["types"]) for event, given in told.items()} == ACTIONS


def condition(event: Mapping[str, Any]) -> bool:
    """The workflow's `if:` as GitHub evaluates it: absent values are null, `&&` and `||` as in Python."""

    def value(path: str) -> Any:
        found: Any = {"event": event}
        for part in path.split(".")[1:]:
            found = found.get(part) if isinstance(found, Mapping) else None
        return found

    def text(given: Any) -> str:
        return str(given or "").casefold()

    source = " ".join(str(WORKFLOW["jobs"]["answer"]["if"]).split())
    source = source.replace("\\", "\\\\")  # a backslash is a plain letter in GitHub's texts
    source = re.sub(r"github(\.\w+)+", lambda m: f"value('{m[0]}')", source)
    source = source.replace("&&", " and ").replace("||", " or ").replace("!value", "not value")
    names = {
        "value": value,
        "contains": lambda whole, part: text(part) in text(whole),
        "startsWith": lambda whole, part: text(whole).startswith(text(part)),
        "fromJSON": json.loads,
    }
    return bool(eval(source, {"__builtins__": {}}, names))  # noqa: S307 - our own file


def comment(body: str, kind: str = "User", **issue: object) -> dict[str, Any]:
    return {"comment": {"body": body, "user": {"type": kind}}, "issue": {"body": "/compare", "user": {}, **issue}}


@pytest.mark.parametrize(
    ("wanted", "event"),
    [
        (True, comment("/compare")),
        (True, comment("Look:\r\n/compare margin.wer=0.2\r\n")),
        (False, comment("see src/compare and/or this")),
        (False, comment("/compare", kind="Bot")),
        (False, comment("/compare", pull_request={"url": "…"})),
        (True, {"issue": {"body": "### Command\n\n/compare", "user": {"type": "User"}}}),
        (False, {"issue": {"body": "### Command\n\n/compare", "user": {"type": "Bot"}}}),
        (False, {"issue": {"body": None, "user": {"type": "User"}}}),
    ],
)
def test_the_workflow_starts_for_texts_that_may_hold_a_command(wanted: bool, event: dict[str, Any]) -> None:
    assert condition(event) is wanted


def test_the_outputs_are_those_that_the_program_writes(run: Run) -> None:
    run(Handler())
    assert set(ACTION["outputs"]) == {line.partition("=")[0] for line in run.wrote("output").splitlines()}
    described = ACTION["outputs"]["outcome"]["description"]
    assert [o for o in (*(o.value for o in Outcome), NOTHING.outcome, IGNORED) if o not in described] == []


def test_every_installed_package_is_locked() -> None:
    install = next(s["run"] for s in ACTION["runs"]["steps"] if "uv" in str(s.get("run")))
    assert "--frozen" in install and "$GITHUB_ACTION_PATH" in install
    assert re.search(r"uv==\d+\.\d+\.\d+", install)
