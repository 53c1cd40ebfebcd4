"""The file of signatures: kept once, never removed, safe under writers of the same moment."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from bot.github.errors import Later
from bot.github.index import BrokenIndex, Entry
from bot.github.sign_offs import SignOffs, path_of
from scoring.model.signing import Act, Signature
from tests.bot.github.test_ledger import FILES, commits, keep, ledger
from tests.bot.github.world import World, until_done


def signature(place: str, login: str = "ana", act: Act = Act.APPROVED) -> Signature:
    return Signature(
        login=login, act=act, at=datetime(2026, 12, 2, tzinfo=UTC), place=place, document="d", memo_sha256="m",
        verdict="SWITCH", folder="decisions/2026Q4/issue-12/1",
    )  # fmt: skip


def entry(world: World) -> Entry:
    found = ledger(world).index().last_of(12)
    assert found is not None
    return found


def test_a_signature_is_one_commit_of_its_own_file_and_again_none(world: World) -> None:
    keep(world, 12, "c7")
    done = ledger(world).sign(signature("c8"), entry(world), FILES)
    again = ledger(world).sign(signature("c8"), entry(world), FILES)
    assert done.commit_sha == commits(world)[0]["sha"]
    assert again.commit_sha is None
    assert commits(world)[0]["commit"]["message"] == "Approved by ana: decision for #12"
    assert done.urls == {path_of(12): f"https://github.com/{world.repository}/blob/steelyard/sign-offs/issue-12.json"}
    book = ledger(world)
    book.index()
    assert book.sign_offs(12).signatures == (signature("c8"),)
    assert book.sign_offs(13).signatures == ()


def test_what_was_signed_stays_when_the_decision_is_superseded_or_edited(world: World) -> None:
    keep(world, 12, "c7")
    ledger(world).sign(signature("c8"), entry(world), FILES)
    keep(world, 12, "c7", {**FILES, "comment.md": b"edited"})
    keep(world, 12, "c9")
    assert ledger(world).sign(signature("c8"), entry(world), {}).commit_sha is None
    assert SignOffs.read(ledger(world).read(path_of(12))).signatures == (signature("c8"),)


@pytest.mark.parametrize(
    "change", [("c9", FILES), ("c7", {**FILES, "memo.xlsx": b"PK other"})], ids=["newer", "edited"]
)
def test_a_decision_that_changed_after_it_was_read_is_not_signed(
    world: World, change: tuple[str, dict[str, bytes]]
) -> None:
    keep(world, 12, "c7")
    read = entry(world)
    keep(world, 12, *change)
    with pytest.raises(Later):
        ledger(world).sign(signature("c10"), read, FILES)


def test_people_who_sign_at_once_are_all_kept(world: World) -> None:
    keep(world, 12, "c7")
    read = entry(world)

    def sign(number: int) -> None:
        until_done(lambda: ledger(world).sign(signature(f"c{number}", f"p{number}"), read, FILES))

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(sign, (10, 9, 8)))
    kept = SignOffs.read(ledger(world).read(path_of(12)))
    assert [s.login for s in kept.signatures] == ["p8", "p9", "p10"]
    assert len(commits(world)) == 4


def test_the_order_of_arrival_leaves_no_trace() -> None:
    given = [signature("c8"), signature("c10"), signature("c9")]
    forward, back = SignOffs(), SignOffs()
    for one, other in zip(given, reversed(given), strict=True):
        forward, back = forward.with_signature(one), back.with_signature(other)
    assert forward.written() == back.written()
    assert SignOffs.read(forward.written()) == forward


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"{", "no JSON"),
        (b"[]", "not `steelyard/sign-offs`"),
        (b'{"schema": "steelyard/sign-offs", "version": 2, "signatures": []}', "version 1"),
        (b'{"schema": "steelyard/sign-offs", "version": 1, "signatures": [{"login": 1}]}', "signatures.0"),
    ],
)
def test_a_file_of_another_hand_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(BrokenIndex, match=why):
        SignOffs.read(data)
