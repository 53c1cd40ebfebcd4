"""An event gives one job, or a word that says why not; never an exception, whatever its payload holds."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dossier import Outcome
from bot.github.marker import marked
from bot.intake.events import Ignored, job_of
from bot.job import Job
from tests.bot.intake.payloads import CREATED, UPDATED, comment_event, issue_event, text
from tests.e2e.node import node_modules

COMPARE = hashlib.sha256(b"/compare").hexdigest()[:16]


def test_a_comment_gives_a_job_of_references() -> None:
    assert job_of("issue_comment", comment_event(), "d-1") == Job(
        repository="lab/pilots", issue=7, comment_id=501, updated_at=UPDATED, content=COMPARE, installation_id=9,
        delivery="d-1",
    )  # fmt: skip


def test_an_opened_issue_is_the_state_of_its_creation() -> None:
    assert job_of("issues", issue_event(), "d-1") == Job(
        repository="lab/pilots", issue=7, comment_id=None, updated_at=CREATED, content=COMPARE, installation_id=9,
        delivery="d-1",
    )  # fmt: skip


def from_before(body: str) -> dict[str, Any]:
    return {"changes": {"body": {"from": body}}}


FENCE = "/compare\n```\narm,price\ngpu,{}\n```\n"
REPLY = marked("c500", Outcome.SAID, "/compare\n")


@pytest.mark.parametrize(
    ("wanted", "event", "payload"),
    [
        ("job", "issue_comment", comment_event("thanks\n\n/compare baseline=gpu")),
        ("job", "issue_comment", comment_event("/compare", "edited", **from_before("hello"))),
        ("job", "issue_comment", comment_event("/compare a=1", "edited", **from_before("/compare"))),
        ("job", "issue_comment", comment_event(FENCE.format(2), "edited", **from_before(FENCE.format(1)))),
        ("job", "issue_comment", comment_event(issue={"number": 7, "pull_request": {"url": "x"}})),
        ("job", "issue_comment", comment_event(installation=None)),
        ("job", "issues", issue_event("/compare", "edited", **from_before(""))),
        ("job", "issues", issue_event("### Which command?\n\n/compare")),
        ("job", "issue_comment", comment_event(f"> {REPLY}\n\n/compare")),
        ("event", "ping", {"zen": "Design for failure."}),
        ("event", "push", comment_event()),
        ("event", "", comment_event()),
        ("action", "issue_comment", comment_event(action="deleted")),
        ("action", "issues", issue_event(action="labeled")),
        ("action", "issues", issue_event(action="created")),
        ("action", "issue_comment", comment_event(action="opened")),
        ("action", "issue_comment", {}),
        ("no command", "issue_comment", comment_event("nice work")),
        ("no command", "issue_comment", comment_event("> /compare")),
        ("no command", "issue_comment", comment_event("```\n/compare\n```")),
        ("no command", "issue_comment", comment_event("")),
        ("no command", "issue_comment", comment_event(None)),
        ("same commands", "issue_comment", comment_event("/compare\nmended", "edited", **from_before("/compare"))),
        ("same commands", "issues", issue_event("/compare", "edited", changes={"title": {"from": "x"}})),
        ("same commands", "issues", issue_event("/compare", "edited")),
        ("bot", "issue_comment", comment_event(comment=text("/compare", id=1, user={"type": "Bot"}))),
        ("bot", "issue_comment", comment_event(comment=text("/compare", id=1, user=None))),
        ("own", "issue_comment", comment_event(REPLY)),
        ("own", "issue_comment", comment_event(REPLY.replace("\n", "\r\n"))),
        ("malformed", "issue_comment", comment_event(comment=None)),
        ("malformed", "issue_comment", comment_event(comment=text("/compare", id="501"))),
        ("malformed", "issue_comment", comment_event(comment=text("/compare", id=True))),
        ("malformed", "issue_comment", comment_event(comment=text("/compare", id=2**63))),
        ("malformed", "issue_comment", comment_event(comment=text("/compare", id=10**400))),
        ("job", "issue_comment", comment_event(comment=text("/compare \ud800", id=1))),
        ("malformed", "issue_comment", comment_event(comment=text(5, id=1))),  # type: ignore[arg-type]
        ("malformed", "issue_comment", comment_event(comment=text("/compare", id=1, updated_at="now"))),
        ("malformed", "issue_comment", comment_event(comment=text("/compare", id=1, updated_at=UPDATED + "\n"))),
        ("malformed", "issue_comment", comment_event(issue={"number": -1})),
        ("malformed", "issue_comment", comment_event(issue={"number": 7.0})),
        ("malformed", "issue_comment", comment_event(issue={"number": float("inf")})),
        ("malformed", "issue_comment", comment_event(repository={"full_name": "lab/../pilots"})),
        ("malformed", "issue_comment", comment_event(repository={"full_name": "lab/pilots?x=1"})),
        ("malformed", "issue_comment", comment_event(repository={"full_name": "lab"})),
        ("malformed", "issue_comment", comment_event(repository=[])),
        ("malformed", "issue_comment", comment_event(installation={"id": "9"})),
        ("malformed", "issue_comment", comment_event(action="edited", changes={"body": "x"})),
    ],
)  # fmt: skip
def test_what_gives_a_job(wanted: str, event: str, payload: dict[str, Any]) -> None:
    found = job_of(event, payload, "d-1")
    assert ("job" if isinstance(found, Job) else found.reason) == wanted


@pytest.mark.parametrize(("wanted", "given"), [("d-1", "d-1"), ("", "a b"), ("", "x" * 65), ("", "a\nb"), ("", "é")])
def test_a_delivery_id_that_is_none_is_left_out(wanted: str, given: str) -> None:
    found = job_of("issue_comment", comment_event(), given)
    assert isinstance(found, Job) and found.delivery == wanted


def test_two_hooks_give_one_key_and_an_edit_back_a_new_one() -> None:
    first = job_of("issue_comment", comment_event(), "d-1")
    second = job_of("issue_comment", comment_event(repository={"full_name": "Lab/Pilots"}), "d-2")
    back = job_of(
        "issue_comment", comment_event(comment=text("/compare", id=501, updated_at="2026-11-02T11:00:00Z")), "d"
    )
    assert isinstance(first, Job) and isinstance(second, Job) and isinstance(back, Job)
    assert first.key == second.key != back.key


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("/compare"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
PATHS = [
    (), ("action",), ("issue",), ("issue", "number"), ("comment",), ("comment", "id"), ("comment", "body"),
    ("comment", "user"), ("comment", "user", "type"), ("comment", "created_at"), ("comment", "updated_at"),
    ("repository",), ("repository", "full_name"), ("installation",), ("installation", "id"), ("changes",),
    ("issue", "body"), ("issue", "user"), ("changes", "body"), ("changes", "body", "from"),
]  # fmt: skip


@given(
    event=st.sampled_from(["issue_comment", "issues"]),
    action=st.sampled_from(["created", "opened", "edited"]),
    path=st.sampled_from(PATHS),
    junk=JUNK,
    delivery=st.text(max_size=8),
)
def test_junk_anywhere_gives_a_job_or_a_word(
    event: str, action: str, path: tuple[str, ...], junk: Any, delivery: str
) -> None:
    whole = {**issue_event("/compare", action), **comment_event("/compare", action), **from_before("hello")}
    whole["issue"] = issue_event()["issue"]
    payload: Any = json.loads(json.dumps(whole))
    inner = payload
    for key in path[:-1]:
        inner = inner[key]
    if path:
        inner[path[-1]] = junk
    elif isinstance(junk, dict):
        payload = junk
    found = job_of(event, payload, delivery)
    assert isinstance(found, Ignored) or Job.model_validate_json(found.model_dump_json()) == found


@pytest.fixture(scope="module")
def examples() -> Callable[[str], list[dict[str, Any]]]:
    """All payloads of an event that the octokit community collected, of github.com and Enterprise Servers."""
    files = sorted(Path(node_modules(), "@octokit", "webhooks-examples").glob("*/index.json"))
    assert files
    events = [event for file in files for event in json.loads(file.read_text(encoding="utf-8"))]
    return lambda name: [example for event in events if event["name"] == name for example in event["examples"]]


@pytest.mark.parametrize(("event", "least"), [("issue_comment", 9), ("issues", 29), ("ping", 4), ("installation", 7)])
def test_real_payloads_are_understood(examples: Callable[[str], list[dict[str, Any]]], event: str, least: int) -> None:
    """As collected none holds a command; with one written into its text each gives the job of its own ids."""
    found = examples(event)
    assert len(found) >= least
    for payload in found:
        told = job_of(event, payload, "d-1")
        assert isinstance(told, Ignored) and told.reason in {"event", "action", "no command"}
        if event in ("ping", "installation") or told.reason == "action":
            continue
        written = payload["comment" if event == "issue_comment" else "issue"]
        written["body"] = "/compare"
        if payload["action"] == "edited":
            payload["changes"] = {"body": {"from": "hello"}}
        job = job_of(event, payload, "d-1")
        assert isinstance(job, Job), payload
        assert (job.repository, job.issue) == (payload["repository"]["full_name"], payload["issue"]["number"])
        assert job.comment_id == (written["id"] if event == "issue_comment" else None)
        assert job.installation_id == payload.get("installation", {}).get("id")
