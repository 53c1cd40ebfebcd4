"""A decision's place in its issue: each record carries those before it, so the last one is enough to go on from."""

from collections.abc import Iterable

from scoring.changes import changes, saving_of, theta_of
from scoring.model.decision import Decision
from scoring.model.history import EarlierDecision, History
from scoring.model.signing import Signature

MOST_EARLIER = 50


def history_of(previous: Decision, now: Decision, signatures: Iterable[Signature] = ()) -> History:
    """What `previous` knew and itself, with the signatures on each of them, and what changed since.

    Signatures that an earlier record knew stay where `signatures` has none for it.
    """
    given = tuple(sorted(signatures, key=lambda s: s.order))
    before = previous.history.earlier if previous.history else ()
    earlier = [_signed(one, given) for one in (*before, earlier_of(previous))]
    return History(earlier=tuple(earlier[-MOST_EARLIER:]), changes=changes(previous, now))


def earlier_of(decision: Decision) -> EarlierDecision:
    """A decision as a later one remembers it."""
    return EarlierDecision(
        decided_on=decision.decided_on,
        word=decision.verdict.word.value if decision.verdict.word else None,
        candidate=decision.candidate,
        saving=saving_of(decision),
        currency=decision.economics.currency,
        theta=theta_of(decision),
        document=decision.document,
    )


def _signed(one: EarlierDecision, given: tuple[Signature, ...]) -> EarlierDecision:
    on_it = tuple(s for s in given if s.document is not None and s.document == one.document)
    return one.model_copy(update={"signatures": on_it}) if on_it else one
