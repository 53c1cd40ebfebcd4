"""`steelyard action` as a run of GitHub Actions starts it: the event's file, the run's token, the job summary."""

import json
import subprocess
import sys
from pathlib import Path

import github
import requests

from bot.emulator import APP_ID, INSTALLATION_ID
from bot.github.identity import Identity
from bot.github.reply import OwnReply
from tests.e2e.conftest import PRIVATE, GitHub
from tests.e2e.people import until
from tests.e2e.serving import environment
from tests.e2e.test_conversation import BLOCK, COMPARE
from tests.shared import ROOT

BOT = Identity.of_app(APP_ID, "steelyard")


def token(chain: GitHub) -> str:
    """What GITHUB_TOKEN is: an installation's, with no person behind it."""
    jwt = github.Auth.AppAuth(str(APP_ID), chain.private_key).create_jwt()
    url = f"{chain.behind}/app/installations/{INSTALLATION_ID}/access_tokens"
    return str(requests.post(url, headers={"Authorization": f"Bearer {jwt}"}, timeout=10).json()["token"])


def event_of(chain: GitHub, comment: int) -> dict[str, object]:
    """The payload that GitHub announced, without the installation, which a run is not told."""

    def announced() -> dict[str, object] | None:
        payloads = (d["kept"][1] for d in chain.double.deliveries)
        return next((p for p in payloads if (p.get("comment") or {}).get("id") == comment), None)

    return {k: v for k, v in until(announced, "the event").items() if k != "installation"}


def act(chain: GitHub, folder: Path, event: dict[str, object]) -> subprocess.CompletedProcess[str]:
    (folder / "event.json").write_text(json.dumps(event), encoding="utf-8")
    run = {
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_EVENT_NAME": "issue_comment",
        "GITHUB_TOKEN": token(chain),
        "GITHUB_API_URL": chain.api_url,
        "GITHUB_SERVER_URL": chain.pages_url,
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "GITHUB_OUTPUT": str(folder / "output.txt"),
        "RUNNER_TEMP": str(folder),
    }
    return subprocess.run(
        [sys.executable, "-m", "bot.cli", "action"],
        cwd=ROOT,
        env={**environment(), **run},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_action_answers_like_the_server_and_shows_it_in_the_summary(chain: GitHub, tmp_path: Path) -> None:
    olga = chain.person("olga")
    chain.double.hook_target = None
    issue = olga.opens("By a workflow", BLOCK)
    event = event_of(chain, asked := olga.comments(issue, COMPARE))
    before = len(chain.front.calls)

    done = [act(chain, tmp_path, event) for _ in range(2)]

    assert [run.returncode for run in done] == [0, 0], done[0].stderr
    (reply,) = [r for comment in olga.sees(issue) if (r := OwnReply.of(comment, BOT))]
    assert reply.marked.place == f"c{asked}"
    assert reply.marked.body.startswith("### SWITCH: move to `trn2`")
    summaries = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summaries == 2 * (reply.marked.body.rstrip() + "\n")
    assert (tmp_path / "output.txt").read_text(encoding="utf-8") == 2 * f"outcome=switch\nurl={reply.url}\n"
    assert olga.finds(f"decisions/2026Q4/issue-{issue}/1/memo.xlsx", "steelyard")
    broken = [(c.path, c.request_violations) for c in chain.front.calls[before:] if c.request_violations]
    assert broken == []
    assert f"/repos/{PRIVATE}/issues/{issue}/comments" in {c.path for c in chain.front.calls[before:]}
