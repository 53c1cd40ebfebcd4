"""How a document stands with those who have to sign it: of each person the last signature counts."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from scoring.model.signing import Act, Signature, Signing


class State(StrEnum):
    """`open` until every role has approved and nobody rejects."""

    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True)
class Standing:
    """The last signature of each person in the order of signing, and the roles whose approval is missing."""

    state: State
    signatures: tuple[Signature, ...]
    missing: tuple[str, ...]


def standing(signing: Signing | None, signatures: Iterable[Signature]) -> Standing:
    """All `signatures` are of one document. A rejection stands until who gave it approves.

    A signature counts in the roles that its signer had when it was given. Without roles one approval is enough.
    """
    latest = {s.login.casefold(): s for s in sorted(signatures, key=lambda s: s.order)}
    given = tuple(sorted(latest.values(), key=lambda s: s.order))
    approvals = [s for s in given if s.act is Act.APPROVED]
    filled = {role.casefold() for s in approvals for role in s.roles}
    missing = tuple(role for role in (signing.roles if signing else ()) if role.casefold() not in filled)
    if len(approvals) < len(given):
        return Standing(State.REJECTED, given, missing)
    return Standing(State.APPROVED if approvals and not missing else State.OPEN, given, missing)


def of_document(
    signatures: Iterable[Signature], document: str | None, memo_sha256: str | None
) -> tuple[Signature, ...]:
    """Those on one document; one that was made before records had a hash is known by its memo."""
    return tuple(s for s in signatures if (s.document, s.memo_sha256) == (document, memo_sha256))
