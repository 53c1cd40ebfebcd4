"""The calendar of deadlines (RFC 5545): one all-day event a day of the book, updated in place and never doubled."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from icalendar import Alarm, Calendar, Event

from bot.render import figures
from bot.render.locales import in_language, spoken
from bot.render.messages import Messages, catalogue
from bot.render.safe_text import clean
from scoring.model.deadline import DueDate, DueKind
from scoring.model.economics import DeadlineStatus

Component = Any
"""What the library reads: its types hold every form that a hand may have given a property."""
SCOPE = "X-STEELYARD-SCOPE"
CONTRACTS, SETTINGS = "contracts", "settings"
ALARM_DAYS = {
    DueKind.NOTICE: (30, 14, 7),
    DueKind.QUOTE: (14, 7),
    DueKind.OPTION: (14, 7),
    DueKind.CAPACITY: (14, 7),
    DueKind.EXTENSION: (14, 7),
    DueKind.EARLY_NOTICE: (30, 14, 7),
    DueKind.EARLY_END: (14, 7),
}
"""Days before, for what somebody has to act on."""
OF_SETTINGS = (DueKind.QUOTE, DueKind.OPTION, DueKind.CAPACITY)
KEPT_DAYS = 400
"""Events that lie further back are left out, so that the file does not grow for ever."""
MOST_BYTES = 4_000_000
_NAMESPACE = UUID("6f1f5f7e-6f0b-5d2c-9f0a-3c9a5e7f4b11")
_ID_LIMIT = 100
_TAGS = str.maketrans("<>", "()")
"""Some calendars show a description as HTML."""
_OF_A_REVISION = (b"DTSTAMP", b"SEQUENCE")


class BrokenCalendar(ValueError):
    """The file that is there is no calendar that can be read."""


@dataclass(frozen=True)
class Said:
    """What one decision says of the days of a book.

    `repository` and `issue` tell whose they are; an offline decision has neither.
    """

    dates: tuple[DueDate, ...]
    decided_on: date
    language: str = "en"
    repository: str = ""
    issue: int | None = None

    @property
    def scopes(self) -> frozenset[str]:
        """Of what it knows every day: an event of these that it does not have is gone.

        A command that puts other prices or capacity over the settings hides what stands there.
        """
        overridden = any(due.in_command and due.kind in OF_SETTINGS for due in self.dates)
        return frozenset({CONTRACTS, self.of_command, *([] if overridden else [SETTINGS])})

    @property
    def of_command(self) -> str:
        """The scope of days that only a command has given."""
        return "command" if self.issue is None else f"issue-{self.issue}"


@in_language(lambda there, said: said.language)
def calendar_with(there: bytes | None, said: Said) -> bytes | None:
    """The calendar that was there, with what a decision says in it; None where both are empty.

    An event that says something else than before keeps its UID and gets a higher SEQUENCE; one that is gone is
    CANCELLED; one of the past, one of others, and one that says the same stay as they are. The same again gives the
    same bytes. Raises BrokenCalendar.
    """
    if there is None and not said.dates:
        return None
    words = catalogue(said.language, "calendar")
    before = _read(there)
    ours = {str(event["UID"]): event for event in before if SCOPE in event}
    now = {str(event["UID"]): event for event in (_event(due, said, words) for due in said.dates)}
    merged = {uid: _revised(ours.get(uid), event) for uid, event in now.items()}
    merged |= {uid: _without(event, said, words) for uid, event in ours.items() if uid not in now}
    kept = [event for event in merged.values() if (said.decided_on - _day(event)).days <= KEPT_DAYS]
    others = [component for component in before if SCOPE not in component]
    return _written([*sorted(kept, key=lambda e: (_day(e), str(e["UID"]))), *others], words)


def calendar_file(path: Path, said: Said) -> None:
    """Write or update a calendar of one's own; a file that is no calendar is replaced. Raises OSError."""
    there = path.read_bytes() if path.is_file() else None
    try:
        wanted = calendar_with(there, said)
    except BrokenCalendar:
        wanted = calendar_with(None, said)
    if wanted is not None and wanted != there:
        path.write_bytes(wanted)


def _read(there: bytes | None) -> list[Component]:
    """What stands in the file; every event of ours in it has all that this module reads of it."""
    if there is None:
        return []
    if len(there) > MOST_BYTES:
        raise BrokenCalendar(f"{len(there):,} bytes")
    try:
        components: list[Component] = list(Calendar.from_ical(there.decode("utf-8")).subcomponents)
        for event in components:
            _checked(event)
    except Exception as failure:  # whatever stands in that file, a decision is not lost for it
        raise BrokenCalendar(type(failure).__name__) from None
    return components


def _checked(event: Component) -> None:
    """Raises whatever it meets where something of an event of ours could not be read later."""
    event.to_ical()
    if SCOPE in event and not (isinstance(_day(event), date) and int(event["SEQUENCE"]) >= 0 and event["UID"]):
        raise ValueError("an event of ours without its own")


def _day(event: Component) -> date:
    day: date = event["DTSTART"].dt
    return day.date() if isinstance(day, datetime) else day


def _written(components: Iterable[Component], words: Messages) -> bytes:
    calendar = Calendar()
    calendar.add("prodid", f"-//Steelyard//deadlines//{spoken().upper()}")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("name", words("name"))
    calendar.add("x-wr-calname", words("name"))
    calendar.add("description", words("description"))
    for component in components:
        calendar.add_component(component)
    written: bytes = calendar.to_ical(sorted=True)
    return written


def _event(due: DueDate, said: Said, words: Messages) -> Event:
    """All-day, in no time zone: the day is the day wherever it is read."""
    summary = _summary(due, words)
    event = Event()
    event.add("uid", _uid(due, said))
    event.add("dtstamp", _stamp(said))
    event.add("sequence", 0)
    event.add("dtstart", due.day)
    event.add("dtend", due.day + timedelta(days=1))
    event.add("transp", "TRANSPARENT")
    event.add("status", "CONFIRMED")
    event.add("summary", summary)
    event.add("description", "\n".join(_lines(due, words)))
    event.add("categories", [due.kind.value])
    event.add(SCOPE, _scope(due, said))
    if due.status is not DeadlineStatus.MISSED:
        for days in ALARM_DAYS.get(due.kind, ()):
            event.add_component(_alarm(days, words("alarm", summary=summary, days=days)))
    return event


def _alarm(days: int, text: str) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", text)
    alarm.add("trigger", timedelta(days=-days))
    return alarm


def _scope(due: DueDate, said: Said) -> str:
    if due.in_command:
        return said.of_command
    return SETTINGS if due.kind in OF_SETTINGS else CONTRACTS


def _uid(due: DueDate, said: Said) -> str:
    """Of what the day is of and not of its date, so that another date changes the event and adds none."""
    scope = said.of_command if due.in_command else ""
    named = [said.repository.casefold(), scope, due.kind.value, due.subject, due.number]
    return str(uuid5(_NAMESPACE, json.dumps(named)))


def _stamp(said: Said) -> datetime:
    """Of the decision's day: a clock would give other bytes each time."""
    return datetime.combine(said.decided_on, time(), UTC)


def _summary(due: DueDate, words: Messages) -> str:
    missed = due.kind is DueKind.NOTICE and due.status is DeadlineStatus.MISSED
    return words(f"summary.{due.kind.value}{'-missed' if missed else ''}", subject=_subject(due, words))


def _subject(due: DueDate, words: Messages) -> str:
    return _plain(due.subject) if due.subject.strip() else words("nothing-named")


def _plain(text: str) -> str:
    """A poster's text: one line, nothing that steers, no tags."""
    return clean(text, _ID_LIMIT).translate(_TAGS)


def _lines(due: DueDate, words: Messages) -> list[str]:
    lines = [words(f"text.{_text_code(due)}", **_fields(due, words))]
    if due.provider:
        lines.append(words("provider", provider=_plain(due.provider)))
    if due.owner:
        code = {DueKind.CAPACITY: "by", DueKind.QUOTE: "from", DueKind.OPTION: "from"}.get(due.kind, "owner")
        lines.append(words(code, owner=_plain(due.owner)))
    if due.source.file:
        lines.append(words("file", file=_plain(due.source.file)))
    return lines


def _text_code(due: DueDate) -> str:
    if due.kind is DueKind.NOTICE:
        missed = "-missed" if due.status is DeadlineStatus.MISSED else ""
        return f"notice{missed}{'-renews' if due.renewed_until else ''}"
    if due.kind is DueKind.TERM_END and due.renewal != "none":
        return f"term-end-{due.renewal}"
    return due.kind.value


def _fields(due: DueDate, words: Messages) -> dict[str, object]:
    money = "–" if due.obligation is None else figures.money(due.obligation, due.currency or "")
    return {
        "subject": _subject(due, words),
        "until": figures.day(due.renewed_until) if due.renewed_until else "–",
        "opens": figures.day(due.opens_on) if due.opens_on else "–",
        "months": due.renewal_months,
        "obligation": money,
    }


def _revised(before: Component | None, now: Event) -> Component:
    """What was there where it says the same, else the new with a higher SEQUENCE."""
    if before is None:
        return now
    if _content(before) == _content(now):
        return before
    return _numbered(now, before)


def _without(event: Component, said: Said, words: Messages) -> Component:
    """An event that the decision does not have: cancelled where it should have it, and has not passed."""
    if str(event[SCOPE]) not in said.scopes or _day(event) < said.decided_on or event.get("STATUS") == "CANCELLED":
        return event
    cancelled = Event()
    for name, value in event.property_items(recursive=False, sorted=False):
        if name not in ("BEGIN", "END", "STATUS", "SUMMARY", "DTSTAMP", "SEQUENCE"):
            cancelled.add(name, value, encode=False)
    cancelled.add("status", "CANCELLED")
    cancelled.add("summary", words("summary.cancelled", summary=str(event.get("SUMMARY", ""))))
    cancelled.add("dtstamp", _stamp(said))
    return _numbered(cancelled, event)


def _numbered(event: Event, before: Component) -> Event:
    event.pop("SEQUENCE", None)
    event.add("sequence", int(before["SEQUENCE"]) + 1)
    return event


def _content(event: Component) -> list[bytes]:
    """All that it says, without what belongs to a revision."""
    lines = event.to_ical(sorted=True).split(b"\r\n")
    return [line for line in lines if not line.startswith(_OF_A_REVISION)]
