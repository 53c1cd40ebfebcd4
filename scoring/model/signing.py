"""Signatures on a memo: who may give them, which roles have to, and what was signed."""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from scoring.model.base import Value


class Act(StrEnum):
    """What a signature says of the memo's recommendation as it stands."""

    APPROVED = "approved"
    REJECTED = "rejected"


class Signer(Value):
    """Somebody who may sign: a GitHub login, and as whom. Without a role the signature fills no particular one."""

    login: str
    name: str | None = None
    role: str | None = None


class Signature(Value):
    """What one person said of one document, and when.

    `document` is the hash of the decision record, `memo_sha256` the one of the workbook's file, `verdict` what they say
    and `folder` where they lie on the ledger. `place` is the comment that it stands in (`c<id>`): a later comment has
    the greater number. `roles` are those of the time of signing.
    """

    login: str
    login_id: int | None = None
    name: str | None = None
    roles: tuple[str, ...] = ()
    act: Act
    at: AwareDatetime
    place: str = Field(pattern=r"^c[0-9]{1,20}$")
    url: str | None = None
    reason: str | None = Field(default=None, max_length=500)
    document: str | None = None
    memo_sha256: str
    verdict: str
    folder: str

    @property
    def order(self) -> int:
        """Signatures in the order in which they were written."""
        return int(self.place[1:])


class Signing(Value):
    """Who may sign a memo of this repository. `roles` are those that must approve; none: one approval is enough."""

    signers: tuple[Signer, ...] = ()
    roles: tuple[str, ...] = ()

    def named(self, login: str) -> tuple[Signer, ...]:
        """The entries of a login, which GitHub takes in any case of letters; none: it may not sign."""
        return tuple(s for s in self.signers if s.login.casefold() == login.casefold())
