"""Terms as people write them, settled or refused and never guessed; and terms that contradict each other."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from scoring.contracts.entry import Path, Shaped
from scoring.contracts.kinds import Kind
from scoring.contracts.places import zone_elsewhere
from scoring.model.contract import COMMITMENTS, HOLIDAY_REGION, Contract
from scoring.model.paying import PaymentKind
from scoring.public_holidays import A_REGION, is_known
from scoring.reading.headers import normalised

SHARES: tuple[Path, ...] = (
    ("minimum_utilisation",),
    ("true_up",),
    ("resale", "discount"),
    ("resale", "fee"),
    ("early_termination", "share"),
)
STEP_NAMES = {"from": "starts_on", "on": "starts_on", "starts_on": "starts_on"}
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)\s*%\Z", re.ASCII)
_REGION = re.compile(HOLIDAY_REGION, re.ASCII)
Said = tuple[Path, object, str]
"""Path of the field in the model, what was found, what was expected."""


def settle(entry: Shaped) -> Iterator[Said]:
    """Bring shares, ramp and implied kinds into the model's form; what cannot be settled is said."""
    for path in SHARES:
        if path in entry.fields:
            yield from _settle_share(entry, path)
    ramp = entry.fields.get(("ramp",))
    if ramp is not None:
        yield from _settle_ramp(entry, ramp)
    rates = entry.fields.get(("covered_rates",))
    if rates is not None and not isinstance(rates, dict):
        yield ("covered_rates",), rates, "a rate for each instance type, as a mapping in a YAML book"
    yield from _settle_holidays(entry)
    _imply(entry, ("early_termination", "kind"), {"share": "fee_share", "amount": "fixed"})
    for group, evidence in (("resale", ("discount", "fee")), ("exchange", ("families", "terms")), ("transfer", ())):
        if any((group, name) in entry.fields for name in (*evidence, "accounts", "teams", "regions", "consent")):
            entry.fields.setdefault((group, "allowed"), True)


def _settle_share(entry: Shaped, path: Path) -> Iterator[Said]:
    value = entry.fields[path]
    percent = _PERCENT.match(str(value).strip())
    if percent:
        entry.fields[path] = Decimal(percent[1]) / 100
        value = entry.fields[path]
    try:
        sound = 0 <= Decimal(str(value).strip()) <= 1
    except ArithmeticError:
        sound = False
    if not sound:
        yield path, value, "a share from 0 to 1, or a percentage such as 50 %"


def _settle_holidays(entry: Shaped) -> Iterator[Said]:
    path = ("notice", "holidays")
    region = str(entry.fields.get(path, "")).strip().upper()
    if not region:
        return
    if not _REGION.match(region) or not is_known(region):
        yield path, entry.fields[path], A_REGION
    entry.fields[path] = region


def _settle_ramp(entry: Shaped, ramp: Any) -> Iterator[Said]:
    if not isinstance(ramp, list) or not all(isinstance(step, dict) for step in ramp):
        yield ("ramp",), ramp, "a list of steps, each with from and an amount or a rate, in a YAML book"
        return
    steps = []
    for step in ramp:
        named = {normalised(str(key)): value for key, value in step.items()}
        steps.append({STEP_NAMES.get(name, name): value for name, value in named.items()})
    entry.fields[("ramp",)] = steps


def _imply(entry: Shaped, path: Path, by: dict[str, str]) -> None:
    """`early_termination: {share: 0.5}` says its kind by what it holds."""
    implied = [kind for name, kind in by.items() if (path[0], name) in entry.fields]
    if path not in entry.fields and len(implied) == 1:
        entry.fields[path] = implied[0]


def contradictions(contract: Contract, kind: Kind, given: frozenset[str]) -> Iterator[Said]:
    """What cannot hold at once; `given` are the terms that the book names."""
    for check in CHECKS:
        yield from check(contract, kind, given)


def _of_kind(contract: Contract, kind: Kind, given: frozenset[str]) -> Iterator[Said]:
    for name in sorted(kind.never & given):
        if not _says_no(getattr(contract, name)):
            yield (name,), "given", f"no {name}, which a {kind.name} does not have"
    form = next(name for name in COMMITMENTS if getattr(contract.commitment, name) is not None)
    if kind.promises and form not in kind.commitments:
        yield ("commitment", form), form, f"{' or '.join(sorted(kind.commitments))} for a {kind.name}"


def _says_no(term: Any) -> bool:
    if getattr(term, "allowed", None) is False or getattr(term, "kind", None) in ("none", "monthly"):
        return True
    return term is None or term == () or term == 1


def _payment(contract: Contract, kind: Kind, given: frozenset[str]) -> Iterator[Said]:
    how, upfront = contract.payment.kind, contract.payment.upfront
    plan = contract.commitment.currency_per_hour is not None
    if "payment" not in given:
        return
    if how is PaymentKind.PARTIAL_UPFRONT and not upfront:
        yield ("payment", "kind"), how.value, "payment.upfront with it, the amount of the whole contract"
    if how in (PaymentKind.NONE, PaymentKind.MONTHLY) and upfront:
        yield ("payment", "kind"), how.value, "partial_upfront or all_upfront, since an upfront amount is given"
    if how is PaymentKind.ALL_UPFRONT and contract.rate and not plan:
        yield ("rate",), contract.rate, "0, since all is paid at the start: its amount is payment.upfront"
    total = _total(contract)
    if total is not None and upfront > total:
        yield ("payment", "upfront"), upfront, f"at most the whole commitment, {total:,.2f}"


def _total(contract: Contract) -> Decimal | None:
    """What a commitment in currency comes to over its term."""
    commitment, days = contract.commitment, (contract.ends_on - contract.starts_on).days + 1
    if commitment.currency_per_hour is not None:
        return commitment.currency_per_hour * 24 * days
    if commitment.currency_total is not None:
        return commitment.currency_total * (-(-days // 365) if commitment.per_year else 1)
    return None


def _ramp(contract: Contract, kind: Kind, given: frozenset[str]) -> Iterator[Said]:
    form = next(name for name in COMMITMENTS if getattr(contract.commitment, name) is not None)
    seen: set[date] = set()
    for step in contract.ramp:
        if not contract.starts_on <= step.starts_on <= contract.ends_on:
            yield ("ramp",), step.starts_on, f"steps from {contract.starts_on} to {contract.ends_on}"
        if step.starts_on in seen:
            yield ("ramp",), step.starts_on, "one step a day"
        if step.amounts and form not in step.amounts:
            yield ("ramp",), next(iter(step.amounts)), f"{form}, as the commitment"
        seen.add(step.starts_on)


def _plan_rate(contract: Contract, kind: Kind, given: frozenset[str]) -> Iterator[Said]:
    if contract.commitment.per_year and contract.commitment.currency_total is None:
        yield ("commitment", "per_year"), "true", "currency_total with it"


def _places(contract: Contract, kind: Kind, given: frozenset[str]) -> Iterator[Said]:
    """Hours of a zone of which nobody says where it lies would be counted wherever the arm runs."""
    zone = zone_elsewhere(contract)
    if zone is not None:
        yield ("covers", "zones"), zone, "covers.regions with the region that the zone lies in"


CHECKS: tuple[Callable[[Contract, Kind, frozenset[str]], Iterator[Said]], ...] = (
    _of_kind,
    _payment,
    _ramp,
    _plan_rate,
    _places,
)
