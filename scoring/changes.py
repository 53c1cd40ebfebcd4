"""What differs between two decisions on the same question: the answer first, then its figures, then what went in."""

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from math import isclose
from typing import Any

from scoring.model.decision import Comparison, Decision
from scoring.model.history import Change

SAME = 1e-9
"""Relative; figures that are no further apart are one."""
LONGEST = 80
MOST = 200
NOTHING = "–"


def changes(before: Decision, now: Decision) -> tuple[Change, ...]:
    """The weightiest first, at most 200. Comparisons of a posting are matched by workload and phase."""
    earlier, later = ({_key(d): d for d in (whole, *whole.others)} for whole in (before, now))
    if len(earlier) == len(later) == 1:
        answers = list(_answers(before, now))
    else:
        pairs = [(earlier[key], later[key]) for key in later if key in earlier]
        answers = [change for pair in pairs for change in _answers(*pair, workload=_named(_key(pair[1])))]
        answers += [_change("comparison-added", workload=_named(key)) for key in later if key not in earlier]
        answers += [_change("comparison-removed", workload=_named(key)) for key in earlier if key not in later]
    priced = {f"prices.{c.arguments['arm']}.per_hour" for c in answers if c.code == "price"}
    settings = [c for c in _settings(before, now) if c.arguments["key"] not in priced]
    found = [*answers, *_files(before, now), *settings, *_contracts(before, now)]
    return tuple(found[:MOST])


def _key(decision: Decision) -> tuple[str | None, str | None]:
    return decision.workload, decision.phase.value if decision.phase else None


def _named(key: tuple[str | None, str | None]) -> str:
    return ", ".join(part for part in key if part) or NOTHING


def saving_of(decision: Decision) -> float | None:
    """The recommended plan's saving in the currency of its economics."""
    economics = decision.economics
    if economics.saving is not None:
        return economics.saving.point
    return economics.best.saving if economics.best else None


def theta_of(decision: Decision) -> float | None:
    """The cost ratio, candidate by incumbent."""
    return decision.cost.theta.point if decision.cost else None


def _answers(before: Decision, now: Decision, **which: str) -> Iterator[Change]:
    words = [d.verdict.word.value if d.verdict.word else NOTHING for d in (before, now)]
    if words[0] != words[1]:
        yield _change("verdict", before=words[0], after=words[1], **which)
    if before.verdict.on != now.verdict.on:
        days = [d.verdict.on.isoformat() if d.verdict.on else NOTHING for d in (before, now)]
        yield _change("moves-on", before=days[0], after=days[1], **which)
    for name in ("incumbent", "candidate"):
        arms = [getattr(d, name) or NOTHING for d in (before, now)]
        if arms[0] != arms[1]:
            yield _change(name, before=arms[0], after=arms[1], **which)
    currencies = [d.economics.currency for d in (before, now)]
    if currencies[0] == currencies[1]:
        yield from _figure("saving", saving_of(before), saving_of(now), currency=currencies[0], **which)
    yield from _figure("ratio", theta_of(before), theta_of(now), **which)
    yield from _arms(before.cost, now.cost, which)


def _arms(before: Comparison | None, now: Comparison | None, which: dict[str, str]) -> Iterator[Change]:
    """Prices and runs of the arms that both compare."""
    if before is None or now is None:
        return
    for name in (name for name in now.arms if name in before.arms):
        old, new = before.arms[name], now.arms[name]
        if before.currency == now.currency:
            currency = now.currency or ""
            yield from _figure("price", old.price_per_hour, new.price_per_hour, arm=name, currency=currency, **which)
        if old.n != new.n:
            yield _change("runs", arm=name, before=old.n, after=new.n, **which)


def _figure(code: str, before: float | None, after: float | None, **more: str) -> Iterator[Change]:
    if before is None and after is None:
        return
    if before is not None and after is not None and isclose(before, after, rel_tol=SAME, abs_tol=SAME):
        return
    known = {key: value for key, value in (("before", before), ("after", after)) if value is not None}
    yield _change(code, **known, **more)


def _files(before: Decision, now: Decision) -> Iterator[Change]:
    old, new = ({i.file: i.sha256 for i in d.pilot.inputs} for d in (before, now))
    yield from (_change("file-added", file=name) for name in new if name not in old)
    yield from (_change("file-changed", file=name) for name in new if name in old and old[name] != new[name])
    yield from (_change("file-removed", file=name) for name in old if name not in new)


def _settings(before: Decision, now: Decision) -> Iterator[Change]:
    old, new = (dict(_leaves("", d.settings.model_dump(mode="json", exclude_none=True))) for d in (before, now))
    for key in dict.fromkeys([*new, *old]):
        values = old.get(key, NOTHING), new.get(key, NOTHING)
        if not _same(*values):
            told = {"before": values[0][:LONGEST], "after": values[1][:LONGEST]}
            yield _change("setting", key=key[:LONGEST], **told)


def _same(before: str, after: str) -> bool:
    """`12.00` and `12` are one number."""
    if before == after:
        return True
    try:
        return Decimal(before) == Decimal(after)
    except InvalidOperation:
        return False


def _leaves(prefix: str, tree: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """`margins.wer.value` → `0.2`."""
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _leaves(f"{prefix}{key}.", value)
        elif value not in ([], ()):
            yield f"{prefix}{key}", str(value)


def _contracts(before: Decision, now: Decision) -> Iterator[Change]:
    old, new = ({c.id: c.model_dump(exclude={"source"}) for c in d.contracts} for d in (before, now))
    yield from (_change("contract-added", contract=name) for name in new if name not in old)
    yield from (_change("contract-changed", contract=name) for name in new if name in old and old[name] != new[name])
    yield from (_change("contract-removed", contract=name) for name in old if name not in new)


def _change(code: str, **arguments: str | int | float) -> Change:
    return Change(code=code, arguments=arguments)
