"""Signatures in a thread: who may give them, on what, what they leave on the ledger, and what the next memo says."""

import io
import json
from base64 import b64encode
from typing import Any

import openpyxl
import pytest

from bot.dossier import Answer
from bot.github.sign_offs import SignOffs, path_of
from bot.record_file import read_record
from bot.render.files import files_of
from bot.sandbox import answer_bounded
from scoring.model.signing import Act
from tests.bot.github.world import World
from tests.bot.test_handle import PILOT, Conversation, commits

COMPARE = "/compare margin.wer=0.3"
APPROVERS = """github:
  approvers:
    - {login: walt, name: Walt Example, role: finance}
    - {login: tess, name: Tess Example, role: platform}
  sign_off: [finance, platform]
"""


@pytest.fixture
def talk(world: World) -> Conversation:
    """A pilot, and two people who both have to sign."""
    talk = Conversation(world)
    for login in ("walt", "tess", "rita"):
        talk.olga.put(f"/repos/{world.repository}/collaborators/{login}", {"permission": "pull"})
    talk.commit(".github/steelyard.yml", APPROVERS)
    return talk


def signatures(talk: Conversation) -> SignOffs:
    return SignOffs.read(talk.ledger.read(path_of(talk.issue)))


def record(talk: Conversation, seq: int = -1) -> dict[str, Any]:
    entry = talk.ledger.index().of_issue(talk.issue)[seq]
    loaded: dict[str, Any] = json.loads(talk.ledger.read(f"{entry.folder}/decision.json"))
    return loaded


def document(talk: Conversation, seq: int = -1) -> str:
    return str(record(talk, seq)["document"])


def edit(talk: Conversation, comment: dict[str, Any], body: str) -> dict[str, Any]:
    """Somebody changes a comment; GitHub's clock has gone on."""
    path = f"/repos/{talk.world.repository}/issues/comments/{comment['id']}"
    edited: dict[str, Any] = talk.olga.patch(path, {"body": body})
    talk.world.lacking.edited.add(edited["node_id"])
    return {**edited, "updated_at": "2027-01-01T00:00:00Z"}


def test_two_roles_sign_and_the_ledger_keeps_who_when_and_which_hash(talk: Conversation) -> None:
    talk.say(COMPARE)
    (entry,) = talk.ledger.index().entries
    assert f"`/approve {entry.document[:16]}`" in talk.replies[0]  # type: ignore[index]
    talk.say("/approve", "walt")
    assert "Still missing: `platform` (`tess`)." in talk.replies[1]
    talk.say(f"/approve {entry.document[:8]}", "TESS".lower())  # type: ignore[index]
    assert "All who have to sign have approved." in talk.replies[2]
    first, second = signatures(talk).signatures
    assert (first.login, first.name, first.roles, first.act) == ("walt", "Walt Example", ("finance",), Act.APPROVED)
    assert first.login_id is not None and first.at.tzinfo is not None
    assert {s.document for s in (first, second)} == {entry.document}
    assert {(s.memo_sha256, s.verdict, s.folder) for s in (first, second)} == {
        (entry.memo_sha256, "SWITCH", entry.folder)
    }
    newest = talk.olga.get(f"/repos/{talk.world.repository}/commits/{commits(talk)[0]}")
    assert newest["commit"]["message"] == f"Approved by tess: decision for #{talk.issue}"
    assert [file["filename"] for file in newest["files"]] == [path_of(talk.issue)]
    assert len(commits(talk)) == 3


def test_done_again_nothing_changes_even_when_the_decision_was_superseded(talk: Conversation) -> None:
    talk.say(COMPARE)
    comment = talk.world.comment(talk.issue, "/reject too dear", "walt")
    talk.answer(comment)
    before = talk.replies[-1], commits(talk)
    talk.answer(comment)
    assert (talk.replies[-1], commits(talk)) == before
    talk.say(f"{COMPARE} price.trn2=34")
    talk.answer(comment)
    assert talk.replies[1] == before[0]
    assert len(commits(talk)) == 3


def test_the_next_memo_and_reply_tell_who_signed_and_what_changed(talk: Conversation) -> None:
    talk.say(COMPARE)
    talk.say("/approve", "walt")
    talk.say("/reject no budget", "tess")
    talk.say(f"{COMPARE} price.trn2=90")
    reply = talk.replies[-1]
    assert "**Since the last decision** (SWITCH, 15 December 2026, approved by `walt`" in reply
    assert "rejected by `tess`" in reply
    assert "the verdict went from SWITCH to STAY" in reply
    (folder,) = [e.folder for e in talk.ledger.index().of_issue(talk.issue)][1:]
    book = openpyxl.load_workbook(io.BytesIO(talk.ledger.read(f"{folder}/memo.xlsx")), data_only=True)
    memo = [str(c.value) for row in book["Memo"].iter_rows() for c in row if c.value is not None]
    assert any("approved by walt (Walt Example, finance); rejected by tess" in text for text in memo)
    assert {"Walt Example", "finance", "Tess Example", "platform"} <= set(memo)
    audit = [[c.value for c in row] for row in book["Audit"].iter_rows()]
    (row,) = [r for r in audit if str(r[4]).startswith(document(talk, 0)[:16])]
    assert row[1] == "SWITCH"
    assert any("The verdict went from SWITCH to STAY." == r[0] for r in audit)


def test_what_is_committed_is_rebuilt_from_the_record_and_done_again_the_same_memo(talk: Conversation) -> None:
    talk.say(COMPARE)
    second = talk.world.comment(talk.issue, f"{COMPARE} horizon=24m")
    talk.answer(second)
    folder = talk.ledger.index().of_issue(talk.issue)[-1].folder
    read, problems = read_record(talk.ledger.read(f"{folder}/decision.json"), "decision.json")
    assert read is not None
    assert problems == []
    assert {name: talk.ledger.read(f"{folder}/{name}") for name in files_of(read)} == files_of(read)
    talk.say("/approve", "walt")
    before = commits(talk)
    talk.answer(second)
    assert commits(talk) == before


def test_an_edited_comparison_is_told_against_its_own_earlier_answer_and_wants_new_signatures(
    talk: Conversation,
) -> None:
    asked = talk.world.comment(talk.issue, COMPARE)
    talk.answer(asked)
    first = document(talk)
    talk.say("/approve", "walt")
    talk.answer(edit(talk, asked, f"{COMPARE} price.trn2=90"))
    assert "the verdict went from SWITCH to STAY" in talk.replies[0]
    assert "approved by `walt`" in talk.replies[0]
    talk.say(f"/approve {first[:16]}", "tess")
    assert "The memo was changed" in talk.replies[-1]
    assert "the verdict went from SWITCH to STAY" in talk.replies[-1]
    assert [s.login for s in signatures(talk).signatures] == ["walt"]


def test_a_superseded_memo_is_refused_with_what_changed_also_where_the_sign_off_is_older(talk: Conversation) -> None:
    talk.say(COMPARE)
    old = document(talk)
    waiting = talk.world.comment(talk.issue, "/approve", "walt")
    talk.say(f"{COMPARE} price.trn2=90")
    talk.answer(waiting)
    assert "The memo was changed" in talk.replies[-1] + talk.replies[-2]
    assert talk.ledger.index().of_issue(talk.issue)[-1].verdict == "STAY"
    assert len(commits(talk)) == 2
    talk.say(f"/approve {old[:16]}", "walt")
    reply = talk.replies[-1]
    assert "The memo was changed: the last decision of this issue is `STAY`" in reply
    assert "the verdict went from SWITCH to STAY" in reply
    assert f"`/approve {document(talk)[:16]}`" in reply
    assert "the price of `trn2` went from $35.00 to $90.00" in reply
    assert len(commits(talk)) == 2


def test_a_memo_that_somebody_changed_on_the_branch_is_refused(talk: Conversation) -> None:
    talk.say(COMPARE)
    (entry,) = talk.ledger.index().entries
    path = f"/repos/{talk.world.repository}/contents/{entry.folder}/memo.xlsx"
    there = talk.olga.get(path, ref="steelyard")
    body = {"message": "x", "content": b64encode(b"PK other").decode(), "sha": there["sha"], "branch": "steelyard"}
    talk.olga.put(path, body)
    talk.say("/approve", "walt")
    assert "not what was written: `memo.xlsx`" in talk.replies[-1]


REFUSED = [
    ("rita", "/approve", "is not among the approvers"),
    ("walt", "/approve deadbeefdeadbeef", "No decision of this issue has a hash"),
    ("walt", "/approve if the price holds", "An approval has no conditions"),
    ("walt", "/approve\n/reject", "in a comment of its own"),
    ("walt", "/compare margin.wer=0.3\n/approve", "in a comment of its own"),
]


def test_what_is_no_signature(talk: Conversation) -> None:
    talk.say(COMPARE)
    for login, body, wanted in REFUSED:
        comment = talk.world.comment(talk.issue, body, login)
        talk.answer(comment)
        assert wanted in talk.replies[-1], body
        if body.startswith("/approve"):
            talk.answer(comment)
            assert wanted in talk.replies[-1], f"{body}, done again"
    before = len(talk.replies)
    talk.answer(edit(talk, talk.world.comment(talk.issue, "let me read it first", "walt"), "/approve"))
    assert len(talk.replies) == before + 1
    assert "The comment was edited" in talk.replies[-1]
    assert all(entry["path"] != path_of(talk.issue) for entry in _tree(talk))


def _tree(talk: Conversation) -> list[dict[str, Any]]:
    tree: dict[str, Any] = talk.olga.get(f"/repos/{talk.world.repository}/git/trees/steelyard", recursive="1")
    return list(tree["tree"])


def test_an_edit_changes_nothing_of_what_was_signed(talk: Conversation) -> None:
    talk.say(COMPARE)
    signed = talk.world.comment(talk.issue, "/approve", "walt")
    talk.answer(signed)
    talk.answer(edit(talk, signed, "/reject after all"))
    assert "The comment was edited after it was signed" in talk.replies[-1]
    assert [s.act for s in signatures(talk).signatures] == [Act.APPROVED]


def test_in_a_public_repository_a_listed_approver_needs_no_greater_role(world: World) -> None:
    name = f"{world.repository.split('/')[1]}-open"
    world.straight("olga").post("/orgs/lab/repos", {"name": name, "private": False, "auto_init": True})
    world.repository = f"lab/{name}"
    talk = Conversation(world)
    for login in ("walt", "rita"):
        talk.olga.put(f"/repos/{world.repository}/collaborators/{login}", {"permission": "pull"})
    talk.commit(".github/steelyard.yml", "github: {approvers: [walt]}\n")
    talk.say(COMPARE)
    assert talk.say("/approve", "walt").outcome == "said"
    assert talk.say("/approve", "rita").outcome == "refused"
    assert [s.login for s in signatures(talk).signatures] == ["walt"]


def test_it_speaks_the_language_of_the_repository(world: World) -> None:
    talk = Conversation(world)
    talk.commit(".github/steelyard.yml", "language: es\n")
    talk.say("/approve")
    assert "No se ha firmado nada" in talk.replies[0]


def test_nothing_that_the_engine_says_is_a_signature(talk: Conversation, monkeypatch: pytest.MonkeyPatch) -> None:
    talk.say(COMPARE)
    talk.say("/approve", "walt")
    (real,) = signatures(talk).signatures
    forged = real.model_copy(update={"login": "tess", "place": "c999"})

    def taken_over(*asked: Any) -> Answer:
        return answer_bounded(*asked).model_copy(update={"signature": forged})

    def written_there(*asked: Any) -> Answer:
        book = SignOffs(signatures=(real, forged)).written()
        files = {f"issue-{talk.issue}.json": book}
        return answer_bounded(*asked).model_copy(update={"folder": "sign-offs", "files": files})

    for engine, asking in ((taken_over, "horizon=24m"), (written_there, "horizon=30m")):
        monkeypatch.setattr("bot.handle.answer_bounded", engine)
        talk.say(f"{COMPARE} {asking}")
        assert signatures(talk).signatures == (real,)


def test_without_approvers_it_says_how_to_name_them(world: World) -> None:
    talk = Conversation(world)
    talk.say("/approve")
    assert "`approvers: [octocat]`" in talk.replies[0]


def test_who_asked_does_not_approve_unless_it_is_allowed(world: World) -> None:
    talk = Conversation(world)
    talk.commit(".github/steelyard.yml", "github: {approvers: [olga]}\n")
    talk.say(COMPARE)
    talk.say("/approve")
    assert "who asks does not approve" in talk.replies[-1]
    alone = Conversation(world, PILOT)
    path = f"/repos/{world.repository}/contents/.github/steelyard.yml"
    allowed = b64encode(b"github: {approvers: [olga], self_approval: true}\n").decode()
    alone.olga.put(path, {"message": "alone", "content": allowed, "sha": alone.olga.get(path)["sha"]})
    alone.say(COMPARE)
    alone.say("/approve")
    assert "All who have to sign have approved." in alone.replies[-1]
