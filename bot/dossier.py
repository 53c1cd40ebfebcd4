"""What a command works on and what it gives: values that cross the door to the bounded engine process."""

from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from bot.grammar import Command
from scoring.model.deadline import DueDate
from scoring.model.looks import EarlierLook
from scoring.model.problem import Problem
from scoring.model.signing import Signature, Signing
from scoring.reading.posted import PostedFile
from scoring.review.given import Outcome as Happened


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Spooled(_Frozen):
    """A posted file on disk: its name as shown, where it lies, and who posted it where."""

    name: str
    path: Path
    posted_by: str | None = None
    url: str | None = None
    context: tuple[tuple[str, str], ...] = ()

    def opened(self) -> PostedFile:
        """The file as the engine reads it. Raises OSError where it is gone."""
        size = self.path.stat().st_size
        return PostedFile(self.name, size, lambda: self.path.open("rb"), context=self.context, posted_by=self.posted_by)


class Decided(_Frozen):
    """A decision as the ledger knows it: where its files lie and the hashes that they were written with.

    `is_before` is whether its command was written before the one that is answered, in another comment.
    """

    place: str
    folder: str
    verdict: str
    is_before: bool
    decided_on: str | None = None
    asked_by: str | None = None
    comment_url: str | None = None
    document: str | None = None
    memo_sha256: str | None = None


class Past(_Frozen):
    """What the ledger holds of an issue's decisions: `last` of them all, and the signatures that were given before.

    `record` is the last one's before the command, `kept` the one that was written for the very same state of the
    command, which repeats it. `problem` says why the ledger cannot be read.
    """

    last: Decided | None = None
    others: tuple[Decided, ...] = ()
    record: Spooled | None = None
    kept: Spooled | None = None
    signatures: tuple[Signature, ...] = ()
    problem: Problem | None = None


class SignOff(_Frozen):
    """A comment that signs. Times are GitHub's text.

    `altered` are files of the last decision that are no longer what was written; `replied_at` is when the reply to it
    last said something new, None where there is no reply. `is_alone`: the comment neither signs twice nor asks for a
    decision as well.
    """

    place: str
    url: str
    login: str
    login_id: int | None
    at: str
    is_edited: bool
    via_app: str | None
    is_alone: bool
    self_approval: bool
    altered: tuple[str, ...] = ()
    replied_at: str | None = None


class Source(_Frozen):
    """The repository's source as it was fetched for a scan, at a commit.

    `data` holds the bytes of `files`, paths with their sizes, one after the other; `unread` are paths with the code of
    the reason; `stopped_by` is the bound that ended the fetch, `tree` where GitHub listed a part only.
    """

    commit: str
    data: Path
    files: tuple[tuple[str, int], ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    stopped_by: Literal["files", "bytes", "seconds", "tree"] | None = None


class OtherRepository(_Frozen):
    """What a review of one repository reads of another that agrees: its ledger's files by their path, and its books.

    `problems` say what of it could not be read.
    """

    name: str
    signing: Signing
    settings: Spooled | None = None
    contracts: Spooled | None = None
    workloads: Spooled | None = None
    outcomes: Spooled | None = None
    ledger: tuple[Spooled, ...] = ()
    problems: tuple[Problem, ...] = ()


class Dossier(_Frozen):
    """Everything that one command may look at; nothing else is fetched while it is answered.

    `problems` say what of the thread could not be read or was not counted. `place` is the ledger folder that the
    answer's files go to, so that the answer can name them; `today` is the day on which the command is judged; `looks`
    are those of the issue's earlier answers, `past` its decisions; `signing` is who may sign a memo. `sign_off` is the
    comment itself where it signs. For a review `ledger` are files of the ledger by their path, and `workloads` and
    `outcomes` books beside the contracts, `others` further repositories and `lacking` those that could not be read.
    `source` is what a scan reads.
    """

    command: Command
    repository: str
    issue: int
    today: date
    language: str = "en"
    postings: tuple[Spooled, ...] = ()
    settings: Spooled | None = None
    contracts: Spooled | None = None
    prices: Spooled | None = None
    problems: tuple[Problem, ...] = ()
    looks: tuple[EarlierLook, ...] = ()
    past: Past = Past()
    signing: Signing | None = None
    sign_off: SignOff | None = None
    workloads: Spooled | None = None
    outcomes: Spooled | None = None
    ledger: tuple[Spooled, ...] = ()
    others: tuple[OtherRepository, ...] = ()
    lacking: tuple[str, ...] = ()
    source: Source | None = None


class Outcome(StrEnum):
    """How an answer ends, for the reaction, the label and the ledger's index."""

    SWITCH = "switch"
    STAY = "stay"
    SPLIT = "split"
    EXTEND = "extend"
    BLOCKED = "blocked"
    NO_VERDICT = "no-verdict"
    SAID = "said"
    """An answer that decides nothing: help, a plan, a what-if."""
    REFUSED = "refused"
    """A command that was not run: unknown, malformed, not permitted, a broken configuration."""
    FAILED = "failed"
    """The engine did not finish."""


class Answer(_Frozen):
    """What a command says: Markdown without marker or links, and files for the ledger by name (none: no entry).

    `facts` go to the ledger's index: verdict word, workload, arms, the memo's hash. `looks` are what is remembered of
    a verdict that was shown: how many runs it was of. `dates` are the days of the book as the decision of `decided_on`
    knows them, for the calendar; None: it says nothing of them. `signature` is for the ledger; only a command that
    signs gives one, and only one that tells an outcome gives `happened`. `folder` is where the files go that belong to
    no decision.
    """

    body: str
    outcome: Outcome
    files: dict[str, bytes] = {}
    facts: dict[str, str | None] = {}
    looks: tuple[EarlierLook, ...] = ()
    problems: tuple[Problem, ...] = ()
    dates: tuple[DueDate, ...] | None = None
    decided_on: date | None = None
    signature: Signature | None = None
    happened: Happened | None = None
    folder: str | None = None
