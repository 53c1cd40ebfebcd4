"""The bench's GitHub is strict, counts, and fails in the way it says."""

import base64
import random
from collections.abc import Callable
from typing import Any

import pytest

from bot.bench.github import faults as faults_module
from bot.bench.github.faults import BEFORE, Fault, Faults
from bot.github.client import Connection
from bot.github.connect import app_connection
from bot.github.errors import Conflict, GitHubError, Invalid, Later, NotFound, Refused
from bot.github.ledger import Entry, Ledger
from tests.bot.bench.conftest import Start

REPOSITORY = "/repos/lab/pilots"
ZERO = "0" * 40


def test_who_asks_is_told_from_who_may_not(start: Start) -> None:
    bench = start()
    assert app_connection(bench.settings).get("/app")["slug"] == "steelyard"
    assert bench.bot().get(REPOSITORY)["private"] is True
    assert bench.holder("token-of-olga").get("/user")["login"] == "olga"
    for token in ("token-of-nobody", "olga", "ghs_made-up", "a.b.c"):
        with pytest.raises(Refused) as refused:
            bench.holder(token).get(REPOSITORY)
        assert refused.value.status == 401
    bot = bench.bot()
    bench.now.seconds += 3601
    with pytest.raises(Later, match="fresh"):
        bot.get(REPOSITORY)


WRONG: dict[str, tuple[type[GitHubError], int, Callable[[Connection], Any]]] = {
    "another repository": (NotFound, 404, lambda c: c.get("/repos/lab/other")),
    "an issue that is not there": (NotFound, 404, lambda c: c.get(f"{REPOSITORY}/issues/99")),
    "a path that nothing serves": (NotFound, 404, lambda c: c.get("/marketplace")),
    "a stranger's permission": (NotFound, 404, lambda c: c.get(f"{REPOSITORY}/collaborators/eve/permission")),
    "an empty comment": (Invalid, 422, lambda c: c.post(f"{REPOSITORY}/issues/1/comments", {"body": ""})),
    "a long comment": (Invalid, 422, lambda c: c.post(f"{REPOSITORY}/issues/1/comments", {"body": "x" * 65_537})),
    "an unknown reaction": (Invalid, 422, lambda c: c.post(f"{REPOSITORY}/issues/1/reactions", {"content": "no"})),
    "somebody else's comment": (
        Refused,
        403,
        lambda c: c.patch(f"{REPOSITORY}/issues/comments/{_first_comment(c)}", {"body": "mine"}),
    ),
    "a ref that is there": (
        Conflict,
        422,
        lambda c: c.post(f"{REPOSITORY}/git/refs", {"ref": "refs/heads/main", "sha": _head(c)}),
    ),
    "a ref to nothing": (
        Later,
        422,
        lambda c: c.post(f"{REPOSITORY}/git/refs", {"ref": "refs/heads/x", "sha": ZERO}),
    ),
    "a commit of no tree": (
        Invalid,
        422,
        lambda c: c.post(f"{REPOSITORY}/git/commits", {"message": "m", "tree": ZERO, "parents": []}),
    ),
    "a blob that is no base64": (
        Invalid,
        422,
        lambda c: c.post(f"{REPOSITORY}/git/blobs", {"content": "?", "encoding": "base64"}),
    ),
    "a tree outside": (
        Invalid,
        422,
        lambda c: c.post(
            f"{REPOSITORY}/git/trees",
            {"tree": [{"path": "../x", "mode": "100644", "type": "blob", "content": "x"}]},
        ),
    ),
}


def _head(connection: Connection) -> str:
    return str(connection.get(f"{REPOSITORY}/git/ref/heads/main")["object"]["sha"])


def _first_comment(connection: Connection) -> int:
    return int(connection.get(f"{REPOSITORY}/issues/1/comments")[0]["id"])


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_use_is_refused(wrong: str, start: Start) -> None:
    kind, status, act = WRONG[wrong]
    bench = start()
    bench.world.open_issue("olga", "Pilot", "text")
    bench.world.write_comment(bench.world.person("olga"), 1, "/compare")
    with pytest.raises(kind) as refused:
        act(bench.bot())
    assert refused.value.status == status


def test_a_branch_only_moves_forward(start: Start) -> None:
    connection = start().bot()
    first = _head(connection)
    tree = connection.get(f"{REPOSITORY}/git/commits/{first}")["tree"]["sha"]

    def commit(message: str) -> str:
        body = {"message": message, "tree": tree, "parents": [first]}
        return str(connection.post(f"{REPOSITORY}/git/commits", body)["sha"])

    ours, theirs = commit("ours"), commit("theirs")
    connection.patch(f"{REPOSITORY}/git/refs/heads/main", {"sha": theirs, "force": False})
    with pytest.raises(Conflict):
        connection.patch(f"{REPOSITORY}/git/refs/heads/main", {"sha": ours, "force": False})
    assert _head(connection) == theirs


def test_the_ledger_is_counted_commit_by_commit(start: Start) -> None:
    bench = start()
    ledger = Ledger(bench.bot(), "lab/pilots")
    entry = Entry(issue=1, seq=1, quarter="2026Q4", place="c5")
    files = {"memo.xlsx": b"PK\0\1", "comment.md": b"text\n"}
    assert ledger.record(entry, files).commit_sha
    assert ledger.record(entry, files).commit_sha is None
    objects = bench.world.objects
    commits = list(objects.history(objects.refs["refs/heads/steelyard"]))
    folder = "decisions/2026Q4/issue-1/1"
    assert [objects.changed(sha) for sha in commits] == [
        [f"{folder}/comment.md", f"{folder}/memo.xlsx", "index.json"],
    ]
    assert ledger.read(f"{folder}/memo.xlsx") == b"PK\0\1"
    blob = objects.files(objects.commits[commits[0]].tree)[f"{folder}/comment.md"]
    shown = bench.bot().get(f"{REPOSITORY}/git/blobs/{blob}")
    assert base64.b64decode(shown["content"]) == b"text\n"


class _Once(Faults):
    """One fault for the first comment that is posted, and no other."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(1.0, random.Random(1))
        self.planned: list[Fault | None] = [None, fault]

    def next(self) -> Fault | None:
        return self.planned.pop(0) if self.planned else None


@pytest.mark.parametrize("fault", list(Fault))
def test_a_fault_comes_before_or_after_the_effect(fault: Fault, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.bench.github.server.SILENT_SECONDS", 0.05)
    bench = start(_Once(fault))
    bench.world.open_issue("olga", "Pilot", "text")
    bot = bench.bot()
    with pytest.raises(Later) as later:
        bot.post(f"{REPOSITORY}/issues/1/comments", {"body": "a reply"})
    assert len(bench.world.comments) == (0 if fault in BEFORE else 1)
    assert bench.world.requests[f"fault: {fault}"] == 1
    assert (later.value.retry_after_s is not None) == (fault is Fault.LIMIT)


def test_a_seed_gives_the_same_faults() -> None:
    drawn = [[Faults(0.3, random.Random(seed)).next() for _ in range(1)] for seed in range(200)]
    again = [[Faults(0.3, random.Random(seed)).next() for _ in range(1)] for seed in range(200)]
    assert drawn == again
    assert 30 < sum(faults != [None] for faults in drawn) < 90
    assert set(faults_module.WEIGHTS) == set(Fault)
