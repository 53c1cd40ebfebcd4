"""What is otherwise than in the last review, by what stands in both."""

from collections.abc import Iterator, Mapping

from scoring.review.given import issue_name
from scoring.review.values import Review, ReviewChange

STEP = 0.05
"""A utilisation that differs by less is not told."""


def changes_since(before: Review, now: Review) -> tuple[ReviewChange, ...]:
    """Contracts, their use in the quarters that both know, verdicts and signatures, days, risks.

    Of other repositories than before, use is not compared, and what a missing one held is not taken to be over.
    """
    return (
        *_keys("repository", _named(before), _named(now)),
        *_contracts(before, now),
        *_decisions(before, now),
        *_dates(before, now),
        *_risks(before, now),
    )


def _named(review: Review) -> Mapping[str, object]:
    return dict.fromkeys(review.repositories)


def _lost(before: Review, now: Review) -> bool:
    return not set(before.repositories) <= set(now.repositories)


def _contracts(before: Review, now: Review) -> Iterator[ReviewChange]:
    earlier, later = ({c.contract_id: c for c in review.contracts} for review in (before, now))
    alike = before.repositories == now.repositories
    yield from _keys("contract", earlier, later, with_gone=not _lost(before, now))
    for name in sorted(earlier.keys() & later.keys()):
        old, new = earlier[name], later[name]
        if old.ends_on != new.ends_on:
            yield _change("contract-ends", name, old.ends_on.isoformat(), new.ends_on.isoformat())
        known = {p.quarter: p.utilisation for p in old.quarters}
        for position in new.quarters:
            was, share = known.get(position.quarter), position.utilisation
            if alike and was is not None and share is not None and abs(share - was) >= STEP:
                yield _change("utilisation", f"{name} {position.quarter}", f"{was:.4f}", f"{share:.4f}")


def _decisions(before: Review, now: Review) -> Iterator[ReviewChange]:
    earlier = {row.fact.key: row for row in before.decisions}
    for row in now.decisions:
        subject, old = issue_name(row.fact.repository, row.fact.issue), earlier.get(row.fact.key)
        if old is None:
            verdict = row.fact.verdict.value if row.fact.verdict else "NONE"
            yield _change("decision-new", subject, None, verdict)
        elif old.state != row.state:
            yield _change("decision-state", subject, old.state and old.state.value, row.state and row.state.value)


def _dates(before: Review, now: Review) -> Iterator[ReviewChange]:
    earlier, later = (
        {f"{d.due.subject} {d.due.kind.value} {d.due.number}": d.due for d in review.dates} for review in (before, now)
    )
    for name in sorted(later.keys() - earlier.keys()):
        yield _change("date-new", later[name].subject, later[name].kind.value, later[name].day.isoformat())
    for name in sorted(earlier.keys() & later.keys()):
        old, new = earlier[name], later[name]
        if old.day != new.day:
            yield _change("date-moved", new.subject, old.day.isoformat(), new.day.isoformat())
        elif old.status != new.status:
            yield _change("date-missed", new.subject, old.day.isoformat(), new.status.value)


def _risks(before: Review, now: Review) -> Iterator[ReviewChange]:
    earlier, later = (
        {f"{r.code.value} {r.subject} {r.repository or ''} {r.issue or ''}": r for r in review.risks}
        for review in (before, now)
    )
    for name in sorted(later.keys() - earlier.keys()):
        yield _change("risk-new", later[name].subject, None, later[name].code.value)
    for name in () if _lost(before, now) else sorted(earlier.keys() - later.keys()):
        yield _change("risk-gone", earlier[name].subject, earlier[name].code.value, None)


def _keys(
    code: str, earlier: Mapping[str, object], later: Mapping[str, object], with_gone: bool = True
) -> Iterator[ReviewChange]:
    for name in sorted(later.keys() - earlier.keys()):
        yield _change(f"{code}-new", name)
    for name in sorted(earlier.keys() - later.keys()) if with_gone else ():
        yield _change(f"{code}-gone", name)


def _change(code: str, subject: str, before: str | None = None, after: str | None = None) -> ReviewChange:
    return ReviewChange(code=code, subject=subject, before=before, after=after)
