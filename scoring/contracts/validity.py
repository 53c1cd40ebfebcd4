"""Whether an entry is a contract that this engine can count: each field within bounds, each further term weighed."""

import re
from datetime import date
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from typing import Any, Protocol

from pydantic import ValidationError

from scoring.contracts.entry import IMPORTED, REMARKS, Path, Shaped, says_nothing, speaks_of_money
from scoring.contracts.kinds import KINDS, Kind, Weight, kind_named
from scoring.contracts.places import with_regions_of_zones
from scoring.contracts.terms import contradictions, settle
from scoring.model.contract import Contract, RenewalKind
from scoring.model.leaving import Resale
from scoring.model.problem import Problem
from scoring.problems import error, info, warning
from scoring.public_holidays import A_REGION
from scoring.reading.asked_for import asked_for
from scoring.reading.headers import normalised

ONE_COMMITMENT = "instances, instance_hours_per_month, currency_per_hour or currency_total, one of them"
AMOUNT = "an amount an hour, from 0 to 10,000,000"
EXPECTED = {
    "id": "a name of at most 100 characters",
    "starts_on": "a day such as 2027-06-30",
    "ends_on": "a day such as 2027-06-30",
    "rate": AMOUNT,
    "overage_rate": AMOUNT,
    "renewal.rate": AMOUNT,
    "commitment": ONE_COMMITMENT,
    "commitment.instances": "a number above 0",
    "commitment.instance_hours_per_month": "a number above 0",
    "currency": "three letters such as USD",
    "notice": "days or months, one of them",
    "notice.days": "whole days, from 0 to 3,660",
    "notice.months": "whole months, from 0 to 120",
    "notice.business_day": "none, previous or next",
    "notice.holidays": A_REGION,
    "commitment.currency_per_hour": "a number above 0",
    "commitment.currency_total": "a number above 0",
    "payment": "all_upfront, partial_upfront, none or monthly",
    "payment.kind": "all_upfront, partial_upfront, none or monthly",
    "payment.upfront": "an amount, from 0",
    "early_termination": "fee_share with its share, fixed with its amount, or none",
    "early_termination.kind": "fee_share, fixed or none",
    "early_termination.amount": "an amount, from 0",
    "early_termination.notice_days": "whole days, from 0 to 3,660",
    "resale.from_months": "whole months, from 0 to 120",
    "refund_cap": "amount a year, and what is used of it",
    "refund_cap.amount": "an amount, from 0",
    "refund_cap.used": "an amount, from 0",
    "other_spend_per_month": "an amount a month, from 0",
    "ramp": "steps, each with from and an amount or a rate",
    "covered_rates": "an amount an hour above 0 for each instance type",
    "renewal": "kind, months, rate",
    "renewal.kind": "none, automatic or on_request",
    "renewal.months": "whole months, from 1 to 120",
    "covers": "cloud, regions, instance_types",
    "synthetic": "true or false",
}
LIMITS: dict[Path, int] = {
    ("rate",): 10**7,
    ("overage_rate",): 10**7,
    ("renewal", "rate"): 10**7,
    ("renewal", "months"): 120,
    ("notice", "days"): 3_660,
    ("notice", "months"): 120,
    ("commitment", "instances"): 10**6,
    ("commitment", "instance_hours_per_month"): 10**9,
    ("commitment", "currency_per_hour"): 10**9,
    ("commitment", "currency_total"): 10**13,
    ("payment", "upfront"): 10**13,
    ("early_termination", "amount"): 10**13,
    ("early_termination", "notice_days"): 3_660,
    ("resale", "from_months"): 120,
    ("refund_cap", "amount"): 10**13,
    ("refund_cap", "used"): 10**13,
    ("other_spend_per_month",): 10**13,
}
FEE_BY_RULE = ("reserved_standard",)
DAYS = (("starts_on",), ("ends_on",))
YEARS = range(2000, 2200)
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]00:00(?::00)?)?\Z", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?\Z", re.ASCII)


class Where(Protocol):
    """Tells where a key of an entry stands."""

    def of(self, path: Path, found: object, **more: str) -> dict[str, Any]:
        """Details of a problem with a key."""

    def line(self, path: Path = ()) -> int | None:
        """Line of a key."""

    @property
    def file(self) -> str:
        """The book."""


def contract_of(entry: Shaped, place: Where) -> tuple[Contract | None, list[Problem]]:
    """The contract, where it stands, and all that is wrong with it or not counted of it."""
    named = str(entry.fields.get(("kind",), "none"))
    kind = kind_named(named)
    if kind is None:
        known = _nearest_kind(named) or ", ".join(k.name for k in KINDS)
        path = entry.posted.get(("kind",), ("kind",))
        return None, [error("contract-kind-unknown", **place.of(path, named, expected=known))]
    problems = [_invalid(place, path, "twice", "one value") for path in entry.twice]
    problems += [
        error("contract-key-unknown", **place.of(path, ".".join(path), expected=meant))
        for path, meant in entry.misspelt.items()
    ]
    problems += _weighed(entry, kind, place)
    if kind.refused is not None:
        return None, [_invalid(place, entry.posted[("kind",)], kind.name, kind.refused)]
    unsettled = [_invalid(place, _posted(entry, path), found, wanted) for path, found, wanted in settle(entry)]
    unsound = [*unsettled, *_out_of_bounds(entry, place)]
    contract, more = _built(entry, kind, place)
    if unsound:
        told = {problem.column for problem in unsound}
        return None, [*problems, *unsound, *(p for p in more if p.code == "contract-invalid" and p.column not in told)]
    return contract, [*problems, *more]


def _nearest_kind(named: str) -> str | None:
    names = [name for kind in KINDS for name in (kind.name, *kind.aliases)]
    near = get_close_matches(named[:60].casefold(), names, n=1)
    return near[0] if near else None


def _invalid(place: Where, path: Path, found: object, expected: str) -> Problem:
    return error("contract-invalid", **place.of(path, found, expected=expected))


def _weighed(entry: Shaped, kind: Kind, place: Where) -> list[Problem]:
    """Every term that no field holds is said; one that changes what is paid refuses the contract."""
    problems = []
    for path, value in entry.others.items():
        name = normalised(path[-1])
        weight = kind.weight_of(name)
        below = len(path) > 1 or speaks_of_money(value)
        if name == IMPORTED or path == ("source",):
            continue
        if below and weight is Weight.NOTHING and name not in REMARKS:
            weight = Weight.CHANGES_CASH
        if weight is not Weight.NOTHING and says_nothing(value):
            continue
        if weight is Weight.CHANGES_CASH:
            expected = "a term that this version models"
            problems.append(error("contract-term-not-supported", **place.of(path, value, expected=expected)))
        elif weight is Weight.ONLY_RECOVERS:
            problems.append(warning("contract-recovery-not-counted", **place.of(path, value)))
        else:
            problems.append(info("contract-field-kept", **place.of(path, value)))
    if not kind.promises:
        given = [(p, v) for p, v in entry.fields.items() if p[0] == "commitment"]
        problems += [info("contract-field-kept", **place.of(entry.posted[p], v)) for p, v in given]
    return problems


def _out_of_bounds(entry: Shaped, place: Where) -> list[Problem]:
    """Values that the model would take and the calendar or a sum would not."""
    problems = []
    for path, value in entry.fields.items():
        sound = _sound_day(value) if path in DAYS else _sound_number(value, LIMITS[path]) if path in LIMITS else True
        if path == ("id",):
            sound = isinstance(value, str) and 0 < len(value.strip()) <= 100
        if not sound:
            problems.append(_invalid(place, entry.posted[path], value, EXPECTED[".".join(path)]))
    return problems


def _sound_day(value: object) -> bool:
    match = _DAY.match(str(value).strip())
    try:
        return match is not None and date.fromisoformat(match[1]).year in YEARS
    except ValueError:
        return False


def _sound_number(value: object, limit: int) -> bool:
    text = str(value).strip()
    try:
        return _NUMBER.match(text) is not None and Decimal(text) <= limit
    except InvalidOperation:
        return False


def _built(entry: Shaped, kind: Kind, place: Where) -> tuple[Contract | None, list[Problem]]:
    tree = entry.tree()
    tree |= {"kind": kind.name, "source": _source(entry, place)}
    tree["other"] = {".".join(path): str(value) for path, value in entry.others.items()}
    for (name,) in DAYS:
        tree |= {name: str(tree[name]).strip()[:10]} if name in tree else {}
    if "currency" in tree:
        tree["currency"] = str(tree["currency"]).strip().upper()
    if not kind.promises:
        tree["commitment"] = {"instances": 1}
    if not kind.needs_rate:
        tree.setdefault("rate", "0")
    payment = tree.get("payment")
    if isinstance(payment, dict) and "upfront" in payment:
        payment.setdefault("kind", "partial_upfront")
    try:
        contract = Contract.model_validate(tree)
    except ValidationError as failure:
        return None, [_refused(item, tree, entry, place) for item in failure.errors()]
    given = frozenset(path[0] for path in entry.fields)
    said = [
        _invalid(place, _posted(entry, p), found, wanted) for p, found, wanted in contradictions(contract, kind, given)
    ]
    problems = [*said, *_unfinished(contract, entry, place), *_not_counted(contract, entry, place)]
    return with_regions_of_zones(contract), problems


def _not_counted(contract: Contract, entry: Shaped, place: Where) -> list[Problem]:
    """A resale without its price, which no decision can weigh."""
    resale = contract.resale
    if resale is None or not resale.allowed or not _lacks_its_price(contract, resale):
        return []
    return [warning("contract-recovery-not-counted", **place.of(_posted(entry, ("resale",)), "as written"))]


def _lacks_its_price(contract: Contract, resale: Resale) -> bool:
    """A discount is the seller's to say; the fee is too, where no vendor's rule has it."""
    return resale.discount is None or (resale.fee is None and contract.kind not in FEE_BY_RULE)


def _posted(entry: Shaped, path: Path) -> Path:
    """Where a field was written, or else the first of its group."""
    return entry.posted.get(path) or next((w for p, w in entry.posted.items() if p[:1] == path[:1]), path)


def _source(entry: Shaped, place: Where) -> dict[str, Any]:
    """Where the contract stands, and what it names as its source: a text, or an origin with its page and day."""
    named = entry.others.get(("source",))
    told = named if isinstance(named, dict) else {"origin": named}
    texts = [str(told[key])[:300] for key in ("origin", "url") if told.get(key)]
    day = str(told.get("date", "")).strip()[:10]
    on = day if _sound_day(day) else None
    return {"file": place.file, "row": place.line(), "origin": ", ".join(texts) or None, "on": on}


def _refused(item: Any, tree: dict[str, Any], entry: Shaped, place: Where) -> Problem:
    path = tuple(str(p) for p in item["loc"] if not isinstance(p, int)) or ("ends_on",)
    posted = entry.posted.get(path) or next((w for p, w in entry.posted.items() if p[:1] == path[:1]), path)
    if path == ("ends_on",) and item["loc"] == ():
        return _invalid(place, posted, tree["ends_on"], f"a day on or after {tree['starts_on']}")
    found = "not given" if item["type"] == "missing" else item["input"]
    if isinstance(found, dict):
        found = ", ".join(map(str, found))
    return _invalid(place, posted, found, EXPECTED.get(".".join(path)) or asked_for(item))


def _unfinished(contract: Contract, entry: Shaped, place: Where) -> list[Problem]:
    """An automatic renewal without its length or its notice would silently never come."""
    if contract.renewal.kind is not RenewalKind.AUTOMATIC:
        return []
    problems = []
    path = entry.posted[("renewal", "kind")]
    if contract.renewal.months == 0:
        problems.append(_invalid(place, path, "automatic", "renewal.months with it"))
    if contract.notice is None:
        problems.append(_invalid(place, path, "automatic", "notice.days or notice.months with it"))
    return problems
