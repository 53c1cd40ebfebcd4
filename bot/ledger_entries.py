"""Which decisions of several ledgers a review reads, where they are too many."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

MOST_ASKED = 300
"""Each record is a request of its own the first time."""


class Dated(Protocol):
    """An entry of an index."""

    @property
    def decided_on(self) -> str | None:
        """Its day as it is written: 2026-12-03."""

    @property
    def issue(self) -> int:
        """Its issue's number."""

    @property
    def seq(self) -> int:
        """Which of the issue's it is."""


E = TypeVar("E", bound=Dated)


def newest(ledgers: Sequence[Sequence[E]], most: int) -> list[list[E]]:
    """Of all entries together the last `most`, in the order of their days, each ledger's apart."""
    dated = [(e.decided_on or "", n, e.issue, e.seq, e) for n, entries in enumerate(ledgers) for e in entries]
    kept = sorted(dated, key=lambda one: one[:4])[-most:] if most else []
    return [[entry for _, n, _, _, entry in kept if n == number] for number in range(len(ledgers))]
