"""The calendar file: RFC 5545 by its own library, the same bytes twice, changes in place, nothing of others lost."""

from datetime import date, timedelta
from typing import Any

import pytest
from icalendar import Calendar

from bot.render.calendar import BrokenCalendar, Said, calendar_with
from scoring.model.deadline import DueDate, DueKind

ON = date(2026, 12, 15)
NOTICE = DueDate(
    kind=DueKind.NOTICE,
    subject="p5-2026",
    day=date(2027, 4, 1),
    days_left=107,
    renewal="automatic",
    renewal_months=12,
    renewed_until=date(2028, 6, 30),
    obligation=456768.0,
    currency="USD",
)
HOSTILE = "x\r\nBEGIN:VALARM\r\nACTION:EMAIL; a,b\\n <script>" + "é" * 90


def written(*dates: DueDate, there: bytes | None = None, on: date = ON, **more: Any) -> bytes:
    data = calendar_with(there, Said(dates, on, **more))
    assert data is not None
    return data


def events(data: bytes) -> list[Any]:
    return list(Calendar.from_ical(data).events)


def test_an_all_day_event_with_alarms_that_the_library_reads_back() -> None:
    (event,) = events(written(NOTICE))
    assert (event["DTSTART"].dt, event["DTEND"].dt) == (date(2027, 4, 1), date(2027, 4, 2))
    assert event["DTSTART"].params["VALUE"] == "DATE"
    assert [a["TRIGGER"].dt for a in event.subcomponents] == [timedelta(days=-n) for n in (30, 14, 7)]
    assert (event["SEQUENCE"], event["STATUS"], event["SUMMARY"]) == (0, "CONFIRMED", "Notice due: p5-2026")
    assert event["DTSTAMP"].dt.isoformat() == "2026-12-15T00:00:00+00:00"
    assert "30 June 2028: $456,768" in event["DESCRIPTION"]


def test_the_same_again_gives_the_same_bytes_also_on_a_later_day() -> None:
    data = written(NOTICE)
    assert written(NOTICE) == data
    assert written(NOTICE.model_copy(update={"days_left": 100}), there=data, on=date(2026, 12, 22)) == data


def test_a_changed_day_updates_the_event() -> None:
    first = written(NOTICE)
    moved = NOTICE.model_copy(update={"day": date(2027, 3, 31)})
    (before,), (after,) = events(first), events(written(moved, there=first, on=date(2026, 12, 16)))
    assert (after["UID"], after["SEQUENCE"]) == (before["UID"], 1)
    assert after["DTSTART"].dt == date(2027, 3, 31)


def test_a_deadline_that_is_gone_is_cancelled_once_and_one_of_the_past_stays() -> None:
    first = written(NOTICE)
    gone = written(there=first, on=date(2026, 12, 16))
    (event,) = events(gone)
    assert (event["STATUS"], event["SEQUENCE"], list(event.subcomponents)) == ("CANCELLED", 1, [])
    assert written(there=gone, on=date(2026, 12, 17)) == gone
    assert written(there=first, on=date(2027, 4, 2)) == first


def test_issues_share_the_file_and_what_only_one_command_gave_is_its_own() -> None:
    quote = DueDate(kind=DueKind.QUOTE, subject="trn2", day=date(2027, 1, 31), days_left=47, in_command=True)
    first = written(NOTICE, quote, repository="o/r", issue=12)
    both = events(written(NOTICE, there=first, repository="o/r", issue=13))
    assert [e["STATUS"] for e in both] == ["CONFIRMED", "CONFIRMED"]
    cancelled = events(written(NOTICE, there=first, repository="o/r", issue=12))
    assert [e["STATUS"] for e in cancelled] == ["CANCELLED", "CONFIRMED"]


def test_an_event_of_others_stays() -> None:
    foreign = b"BEGIN:VEVENT\r\nUID:hand\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Team\r\nEND:VEVENT\r\n"
    data = written(NOTICE).replace(b"END:VCALENDAR", foreign + b"END:VCALENDAR")
    assert [e["UID"] for e in events(written(there=data))][-1] == "hand"


@pytest.mark.parametrize("field", ["subject", "owner", "provider"])
def test_hostile_text_stays_text(field: str) -> None:
    data = written(NOTICE.model_copy(update={field: HOSTILE}))
    (event,) = events(data)
    assert len(event.subcomponents) == 3
    assert b"<script" not in data and b"ACTION:EMAIL\r\n" not in data
    lines = data.split(b"\r\n")
    assert lines[-1] == b"" and all(b"\n" not in line and b"\r" not in line for line in lines)
    assert max(len(line) for line in lines) <= 75


@pytest.mark.parametrize("there", [b"", b"nothing", b"\xff\xfe", b"BEGIN:VCALENDAR", b"x" * 4_000_001])
def test_a_file_that_is_no_calendar_is_said_to_be_none(there: bytes) -> None:
    with pytest.raises(BrokenCalendar):
        calendar_with(there, Said((NOTICE,), ON))


def test_nothing_to_say_makes_no_file() -> None:
    assert calendar_with(None, Said((), ON)) is None
