"""Values of AWS outputs, checked: instants to days, zones to regions, amounts to decimals, tags to an owner."""

import re
from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from scoring.contracts.sources.interface import Entry, Record
from scoring.model.problem import Problem
from scoring.problems import error, info, question, warning

MAX_AMOUNT = Decimal(10**12)
YEARS = range(2000, 2200)
NOON = timedelta(hours=12)
HOUR = 3_600
_ZONE = re.compile(r"([a-z]{2}(?:-[a-z]+){1,3}-\d)(?:-[a-z]{3,4}-\d)?[a-z]\Z")
_AMOUNT = re.compile(r"\+?\d{1,15}(?:\.\d{1,20})?(?:[eE][-+]?\d{1,2})?\Z", re.ASCII)
_OWNER = ("owner", "team", "contact")


class Refused(Exception):
    """A field that does not hold what the service's model says."""

    def __init__(self, column: str, found: object, expected: str) -> None:
        super().__init__(column)
        self.column, self.found, self.expected = column, found, expected

    def problem(self, record: Record) -> Problem:
        """The error with the record's place."""
        found = "not given" if self.found is None else self.found
        return error("record-invalid", **record.place(self.column, found, expected=self.expected))


def text_of(record: Record, name: str, required: bool = False) -> str | None:
    """A text field; an empty one counts as not given."""
    value = record.fields.get(name)
    if value in (None, "") and not required:
        return None
    if not isinstance(value, str) or not value.strip() or len(value) > 500:
        raise Refused(name, value, "a text")
    return value.strip()


def needed(record: Record, name: str) -> str:
    """A text field that must be there."""
    return text_of(record, name, required=True) or ""


def choice_of(record: Record, name: str, allowed: Collection[str], default: str | None = None) -> str:
    """One of the values of the service's enumeration."""
    value = record.fields.get(name, default)
    if not isinstance(value, str) or value not in allowed:
        raise Refused(name, value, ", ".join(allowed))
    return value


def amount_of(value: Any, name: str, default: Decimal | None = None) -> Decimal:
    """A number from 0 on, whether the service sends it as a number or as a text."""
    if value in (None, "") and default is not None:
        return default
    text = str(value).strip()
    if isinstance(value, bool) or not _AMOUNT.match(text):
        raise Refused(name, value, "a number from 0 on")
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise Refused(name, value, "a number from 0 on") from None
    if amount > MAX_AMOUNT:
        raise Refused(name, value, f"at most {MAX_AMOUNT:,}")
    return amount


def count_of(value: Any, name: str) -> int:
    """A whole number above 0."""
    amount = amount_of(value, name)
    if amount != amount.to_integral_value() or not 0 < amount <= 10**6:
        raise Refused(name, value, "a whole number from 1 to 1,000,000")
    return int(amount)


def instant_of(record: Record, name: str, required: bool = True) -> datetime | None:
    """A timestamp in UTC, as the command line prints it or in seconds since 1970."""
    value = record.fields.get(name)
    if value in (None, "") and not required:
        return None
    try:
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
            found = datetime.fromtimestamp(float(value), UTC)
        else:
            found = datetime.fromisoformat(str(value).strip())
    except (ValueError, OverflowError, OSError):
        raise Refused(name, value, "an instant such as 2027-06-30T00:00:00+00:00") from None
    found = found.replace(tzinfo=UTC) if found.tzinfo is None else found
    if found.year not in YEARS:
        raise Refused(name, value, f"a year from {YEARS.start} to {YEARS.stop - 1}")
    return found.astimezone(UTC)


def first_day(instant: datetime) -> date:
    """The first day of a term: the nearest midnight, so that a term keeps its number of whole days."""
    return (instant + NOON).date()


def last_day(instant: datetime) -> date:
    """The last day of a term that ends at an instant, or within its second (`23:59:59`)."""
    return (instant + timedelta(seconds=1) + NOON).date() - timedelta(days=1)


def region_of(record: Record, zone: str | None) -> str:
    """The region of a zone's name such as `us-east-1a`, else the one that was asked for."""
    match = _ZONE.match(zone) if zone else None
    if zone and match is None:
        raise Refused("AvailabilityZone", zone, "a zone such as us-east-1a")
    return match[1] if match else (record.region or "")


def region_missing(record: Record, name: str) -> list[Problem]:
    """The question for the region of an output that does not say it."""
    return [question("contract-region-unknown", **record.place("Region", name, expected="its region"))]


def tags_of(record: Record) -> dict[str, str]:
    """Tags as a mapping, from either form of the services."""
    value = record.fields.get("Tags", record.fields.get("tags"))
    if isinstance(value, Mapping):
        return {str(k)[:100]: str(v)[:200] for k, v in value.items()}
    pairs = [t for t in value if isinstance(t, Mapping)] if isinstance(value, list) else []
    return {str(t.get("Key"))[:100]: str(t.get("Value"))[:200] for t in pairs}


def owner_of(tags: Mapping[str, str]) -> str | None:
    """Whom the tags name as owner."""
    by_name = {key.casefold(): value for key, value in tags.items() if value.strip()}
    return next((by_name[name] for name in _OWNER if name in by_name), None)


def kept(record: Record, used: Collection[str], known: Collection[str]) -> tuple[dict[str, str], list[Problem]]:
    """Fields that no term of a contract holds, and the ones among them that the service's model does not know."""
    rest = {name: value for name, value in record.fields.items() if name not in used and value not in (None, "", [])}
    texts = {str(name)[:100]: plain(value)[:300] for name, value in rest.items()}
    unknown = sorted(str(name)[:60] for name in record.fields if name not in known)
    if not unknown:
        return texts, []
    return texts, [info("record-fields-kept", **record.place(None, ", ".join(unknown[:20])))]


def plain(value: Any) -> str:
    """A value as a text."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return ", ".join(f"{k}={plain(v)}" for k, v in list(value.items())[:20])
    if isinstance(value, list):
        return ", ".join(plain(v) for v in value[:20])
    return str(value)


def not_counted(record: Record, name: str, state: str) -> list[Problem]:
    """What is not in force is told and not counted."""
    return [info("contract-not-in-force", **record.place("State", f"{name}: {state}"))]


def narrower(record: Record, column: str, name: str, what: str) -> list[Problem]:
    """A promise that holds only for some of the instances of its type."""
    return [warning("contract-covers-less", **record.place(column, f"{name}: {what}"))]


def written(amount: Decimal) -> str:
    """A decimal in plain notation without zeros at its end."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def without_nothing(entry: Entry) -> Entry:
    """The entry without fields that hold nothing."""
    return {key: value for key, value in entry.items() if value not in (None, "", {}, [])}
