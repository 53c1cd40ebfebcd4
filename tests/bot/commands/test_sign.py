"""The rules of a signature, one by one: a comment, what the ledger holds, and what is said to it."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bot.commands import sign
from bot.dossier import Answer, Decided, Dossier, Outcome, Past, SignOff, Spooled
from bot.grammar import commands_in
from bot.record_file import open_record
from bot.render.files import RECORD, files_of
from scoring.history import history_of
from scoring.model.decision import Decision
from scoring.model.signing import Act, Signature, Signer, Signing
from scoring.problems import warning
from tests.bot.commands.dossiers import PILOT
from tests.bot.inert import HOSTILE, assert_inert
from tests.scoring.helpers import csv

DOCUMENT, MEMO = "1a2b3c4d5e6f" + "0" * 52, "9f8e7d6c5b4a" + "0" * 52
FINANCE = Signer(login="walt", name="Walt Example", role="finance")
PLATFORM = Signer(login="tess", role="platform")
BOTH = Signing(signers=(FINANCE, PLATFORM), roles=("finance", "platform"))
ANY = Signing(signers=(FINANCE, PLATFORM))
SWITCH = Decided(
    place="c5", folder="decisions/2026Q4/issue-7/1", verdict="SWITCH", is_before=True, decided_on="2026-12-01",
    asked_by="olga", document=DOCUMENT, memo_sha256=MEMO,
)  # fmt: skip
WALT = SignOff(
    place="c9", url="https://github.example/c9", login="walt", login_id=3, at="2026-12-02T10:00:00Z", is_edited=False,
    via_app=None, is_alone=True, self_approval=False, replied_at="2026-12-02T09:00:00Z",
)  # fmt: skip


def decided(**other: object) -> Decided:
    return SWITCH.model_copy(update=other)


def signature(place: str, login: str = "walt", act: Act = Act.APPROVED, **other: object) -> Signature:
    """One that the ledger has."""
    roles = {"walt": ("finance",), "tess": ("platform",)}.get(login, ())
    values = {
        "login": login,
        "roles": roles,
        "act": act,
        "at": datetime(2026, 12, 2, 9, 30, tzinfo=UTC),
        "place": place,
    }
    values |= {"document": DOCUMENT, "memo_sha256": MEMO, "verdict": "SWITCH", "folder": SWITCH.folder}
    return Signature.model_validate({**values, **other})


def said(
    text: str,
    last: Decided | None = SWITCH,
    signing: Signing = BOTH,
    past: Past | None = None,
    given: tuple[Signature, ...] = (),
    **comment: object,
) -> Answer:
    """What the bot says to a comment."""
    (command,) = commands_in(text)
    dossier = Dossier(
        command=command,
        repository="org/repo",
        issue=7,
        today=date(2026, 12, 2),
        signing=signing,
        past=past or Past(last=last, signatures=given),
        sign_off=WALT.model_copy(update=comment),
    )
    return (sign.approve if command.name == "approve" else sign.reject)(dossier)


@pytest.mark.parametrize(
    ("text", "act", "reason"),
    [
        ("/approve", Act.APPROVED, None),
        (f"/approve {DOCUMENT[:8]}", Act.APPROVED, None),
        (f"/approve {DOCUMENT.upper()}", Act.APPROVED, None),
        (f"/approve {MEMO[:16]}", Act.APPROVED, None),
        ("/reject", Act.REJECTED, None),
        ("/reject the price ends in 2027", Act.REJECTED, "the price ends in 2027"),
        ("/reject 2027 has no budget", Act.REJECTED, "2027 has no budget"),
        (f"/reject {DOCUMENT[:12]} no budget", Act.REJECTED, "no budget"),
        ("/reject " + "x" * 900, Act.REJECTED, "x" * 399 + "…"),
    ],
)
def test_a_signature_holds_who_when_what_and_why(text: str, act: Act, reason: str | None) -> None:
    signed = said(text).signature
    assert signed is not None
    assert (signed.act, signed.reason) == (act, reason)
    assert (signed.login, signed.login_id, signed.name, signed.roles) == ("walt", 3, "Walt Example", ("finance",))
    assert (signed.document, signed.memo_sha256, signed.verdict) == (DOCUMENT, MEMO, "SWITCH")
    assert (signed.place, signed.at) == ("c9", datetime(2026, 12, 2, 10, tzinfo=UTC))


LATER = "2026-12-02T10:00:01Z"
REFUSALS: list[tuple[str, str, dict[str, object]]] = [
    ("names nobody who may sign", "/approve", {"signing": Signing()}),
    ("is not among the approvers", "/approve", {"login": "rita"}),
    ("written by the App `helper-bot`", "/approve", {"via_app": "helper-bot"}),
    ("in a comment of its own", "/approve", {"place": "i7"}),
    ("in a comment of its own", "/approve", {"is_alone": False}),
    ("The comment was edited", "/reject", {"is_edited": True}),
    ("ledger cannot be read", "/approve", {"past": Past(problem=warning("ledger-index-broken", found="no JSON"))}),
    ("no memo yet", "/approve", {"last": None}),
    ("no memo yet", "/approve", {"last": decided(memo_sha256=None)}),
    ("not what was written: `memo.xlsx`", "/approve", {"altered": ("memo.xlsx",)}),
    ("No decision of this issue has a hash", "/approve deadbeefdead", {}),
    ("The memo was changed", "/approve", {"last": decided(is_before=False)}),
    ("The memo was changed", f"/approve {DOCUMENT[:16]}", {"last": decided(is_before=False)}),
    ("The memo was changed", "/approve deadbeef", {"past": Past(last=SWITCH, others=(decided(document="deadbeef"),))}),
    ("after this comment", "/approve", {"replied_at": LATER}),
    ("after this comment", "/reject no", {"replied_at": None}),
    ("gives no verdict", "/reject no", {"last": decided(verdict="NONE")}),
    ("The last decision is BLOCKED", "/approve", {"last": decided(verdict="BLOCKED")}),
    ("who asks does not approve", "/approve", {"last": decided(asked_by="WALT")}),
    ("An approval has no conditions", "/approve if the price holds", {}),
    ("An approval has no conditions", f"/approve {DOCUMENT[:8]} please", {}),
    ("An approval has no conditions", "/approve 1a2b3c", {}),
    ("too short for one", "/reject 1a2b3c no budget", {}),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "text", "scene"), REFUSALS)
def test_what_is_refused_says_why_and_signs_nothing(wanted: str, text: str, scene: dict[str, object]) -> None:
    answer = said(text, **scene)  # type: ignore[arg-type]
    assert wanted in answer.body
    assert (answer.outcome, answer.signature) == (Outcome.REFUSED, None)


@pytest.mark.parametrize(
    ("text", "scene"),
    [
        (f"/approve {DOCUMENT[:16]}", {"replied_at": LATER}),
        ("/reject no", {"last": decided(verdict="BLOCKED")}),
        ("/reject no", {"last": decided(asked_by="walt")}),
        ("/approve", {"last": decided(asked_by="walt"), "self_approval": True}),
        ("/approve", {"last": decided(verdict="EXTEND")}),
        ("/approve", {"last": decided(document=None)}),
        ("/approve", {"login": "WALT"}),
    ],
)
def test_what_is_allowed(text: str, scene: dict[str, object]) -> None:
    assert said(text, **scene).signature is not None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wanted", "text", "signing", "given"),
    [
        ("Still missing: `platform` (`tess`).", "/approve", BOTH, ()),
        ("All who have to sign have approved.", "/approve", BOTH, (signature("c8", "tess"),)),
        ("All who have to sign have approved.", "/approve", ANY, ()),
        ("It stands rejected", "/approve", BOTH, (signature("c8", "tess", Act.REJECTED),)),
        ("It stands rejected", "/reject", BOTH, (signature("c8", "walt"), signature("c7", "tess"))),
        ("Still missing: `platform` (`tess`).", "/approve", BOTH, (signature("c8", "walt", Act.REJECTED),)),
        ("Still missing: `platform` (`tess`).", "/approve", BOTH, (signature("c8", "tess", document="other"),)),
    ],
)
def test_it_says_how_the_document_stands(
    wanted: str, text: str, signing: Signing, given: tuple[Signature, ...]
) -> None:
    answer = said(text, signing=signing, given=given)
    assert wanted in answer.body
    assert answer.signature is not None


def test_saying_the_same_again_adds_nothing() -> None:
    answer = said("/approve", given=(signature("c8"),))
    assert answer.signature is None
    assert "You said so before" in answer.body


def test_a_comment_that_was_kept_is_answered_as_before_whatever_came_later() -> None:
    own, later = (
        signature("c9", name="Walt Example", at=datetime(2026, 12, 2, 10, tzinfo=UTC)),
        signature("c10", "tess"),
    )
    first = said("/approve")
    again = said("/approve", given=(own, later), last=decided(document="other", is_before=False))
    assert (again.body, again.signature) == (first.body, own)


def test_an_approval_of_more_runs_says_that_it_is_no_move() -> None:
    assert "the further runs that the memo asks for, and no move" in said("/approve", decided(verdict="EXTEND")).body


def kept(folder: Path, decision: Decision) -> tuple[Decision, Spooled]:
    """A decision as the ledger has it."""
    path = folder / f"{len(list(folder.iterdir()))}"
    path.write_bytes(files_of(decision)[RECORD])
    read, _ = open_record(path)
    assert read is not None
    return read, Spooled(name=RECORD, path=path)


def test_a_superseded_memo_is_refused_with_what_changed(tmp_path: Path) -> None:
    old, of_old = kept(tmp_path, csv(PILOT, **{"margin.wer": "0.3"}))
    changed = csv(PILOT, **{"margin.wer": "0.3", "price.trn2": "90"})
    new, of_new = kept(tmp_path, changed.model_copy(update={"history": history_of(old, changed)}))
    assert old.document and new.document
    last = decided(document=new.document, verdict="STAY")
    hinted = Past(last=last, others=(decided(document=old.document),), record=of_old, kept=of_new)
    forgotten = Past(last=last, kept=of_new)
    for past in (hinted, forgotten):
        body = said(f"/approve {old.document[:16]}", past=past).body
        assert "the last decision of this issue is `STAY`" in body
        assert "the verdict went from EXTEND to STAY" in body
        assert f"`/approve {new.document[:16]}`" in body


@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: ascii(t[:20]))
def test_a_reason_is_shown_as_text(text: str) -> None:
    answer = said(f"/reject no {' '.join(text.split())}")
    assert_inert(answer.body, text)
