"""Which decisions of several ledgers a review reads, where they are too many."""

from collections.abc import Sequence

from bot.github.index import Entry

MOST_ASKED = 300
"""Each record is a request of its own the first time."""


def newest(ledgers: Sequence[Sequence[Entry]], most: int) -> list[list[Entry]]:
    """Of all entries together the last `most`, in the order of their days, each ledger's apart."""
    dated = [(e.decided_on or "", n, e.issue, e.seq, e) for n, entries in enumerate(ledgers) for e in entries]
    kept = sorted(dated, key=lambda one: one[:4])[-most:] if most else []
    return [[entry for _, n, _, _, entry in kept if n == number] for number in range(len(ledgers))]
