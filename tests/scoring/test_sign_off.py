"""How a document stands: of each person the last word, of each role an approval."""

from datetime import UTC, datetime

import pytest

from scoring.model.signing import Act, Signature, Signer, Signing
from scoring.sign_off import State, of_document, standing

ROLES = {"ana": ("finance",), "ben": ("platform",), "eva": ("finance", "platform"), "leo": ()}


def signed(words: str, document: str | None = "d") -> list[Signature]:
    """`+ana -ben`: who approves and who rejects, in order."""
    return [
        Signature(
            login=word[1:], roles=ROLES[word[1:].lower()], act=Act.APPROVED if word[0] == "+" else Act.REJECTED,
            at=datetime(2026, 12, 2, tzinfo=UTC), place=f"c{n}", document=document, memo_sha256="m", verdict="SWITCH",
            folder="f",
        )
        for n, word in enumerate(words.split(), start=1)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "missing", "roles", "words"),
    [
        (State.OPEN, (), (), ""),
        (State.APPROVED, (), (), "+leo"),
        (State.REJECTED, (), (), "-leo"),
        (State.REJECTED, (), (), "+ana -leo"),
        (State.APPROVED, (), (), "-leo +leo"),
        (State.REJECTED, (), (), "+leo -leo"),
        (State.APPROVED, (), (), "-LEO +leo"),
        (State.OPEN, ("finance", "platform"), ("finance", "platform"), "+leo"),
        (State.OPEN, ("platform",), ("finance", "platform"), "+ana"),
        (State.APPROVED, (), ("Finance", "platform"), "+ana +ben"),
        (State.APPROVED, (), ("finance", "platform"), "+eva"),
        (State.REJECTED, ("finance",), ("finance", "platform"), "+ana +ben -ana"),
    ],
)
def test_standing(state: State, missing: tuple[str, ...], roles: tuple[str, ...], words: str) -> None:
    found = standing(Signing(roles=roles), signed(words))
    assert (found.state, found.missing) == (state, missing)


def test_of_one_person_the_last_word_is_shown_whatever_order_they_arrive_in() -> None:
    given = signed("+ana -ben +ben")
    assert [s.place for s in standing(None, reversed(given)).signatures] == ["c1", "c3"]


def test_signatures_on_another_document_do_not_count() -> None:
    given = [*signed("+ana"), *signed("+ben", document="other"), *signed("+eva", document=None)]
    assert [s.login for s in of_document(given, "d", "m")] == ["ana"]
    assert [s.login for s in of_document(given, None, "m")] == ["eva"]


def test_a_login_may_have_several_roles_in_any_case_of_letters() -> None:
    signing = Signing(signers=(Signer(login="Eva", role="finance"), Signer(login="eva", role="platform")))
    assert [s.role for s in signing.named("EVA")] == ["finance", "platform"]
    assert signing.named("ev") == ()
