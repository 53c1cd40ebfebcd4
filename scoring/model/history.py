"""What an issue was told before: its earlier decisions, and what changed since the last of them."""

from datetime import date

from scoring.model.base import Value
from scoring.model.signing import Signature


class EarlierDecision(Value):
    """An earlier answer to the same question. `saving` is in `currency`, `theta` the cost ratio.

    `document` is its record's hash. `signatures` are those on it when the later decision was made.
    """

    decided_on: date
    word: str | None = None
    candidate: str | None = None
    saving: float | None = None
    currency: str | None = None
    theta: float | None = None
    document: str | None = None
    signatures: tuple[Signature, ...] = ()


class Change(Value):
    """One thing that differs, as a code with arguments; its sentence stands in the catalogue `history`."""

    code: str
    arguments: dict[str, str | int | float] = {}


class History(Value):
    """`earlier` begins with the oldest; `changes` are those since the last of them, the weightiest first."""

    earlier: tuple[EarlierDecision, ...] = ()
    changes: tuple[Change, ...] = ()
