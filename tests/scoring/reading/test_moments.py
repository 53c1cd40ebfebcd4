"""When a run began: what can be read in one way only is read, and nothing else."""

import datetime as dt

import pytest

from scoring.reading.moments import day_first, read_moment

NINE = dt.datetime(2026, 11, 3, 9, tzinfo=dt.UTC)
MIDNIGHT = dt.datetime(2026, 11, 3, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-03T09:00:00Z", "2026-11-03-09-00-00Z",
        "2026-11-03T9:00:00Z", "2026-11-3 9:00Z", "2026/11/03 09:00 UTC", "2026.11.03 09:00Z",
        "2026-11-03t09:00:00.000z", "2026-11-03T09:00:00,5Z", "2026-11-03 10:00+01:00", "2026-11-03 10:00 +0100",
        "2026-11-03T10:00+1", "2026-11-03 04:00-05", "2026-11-03 09:00 GMT", "2026-11-03 11:30 UTC+2:30",
        "20261103T090000Z", "20261103T0900Z", "2026-11-03, 09:00Z", "2026-11-03_09:00:00Z", "2026-11-03 9:00 AM Z",
        "3 Nov 2026 09:00 UTC", "3-Nov-2026 09:00Z", "Nov 3, 2026 9:00 a.m. UTC", "November 3rd, 2026, 09:00Z",
        "3 de noviembre de 2026, 9:00 UTC", "Tue, 03 Nov 2026 09:00:00 GMT", "Tue Nov  3 09:00:00 UTC 2026",
        "03.11.2026 09:00Z", "1793696400", "1793696400000",
    ],
)  # fmt: skip
def test_a_moment_in_one_reading(text: str) -> None:
    moment, naive = read_moment(text)
    assert moment is not None
    assert (moment.replace(microsecond=0), naive) == (NINE, False)


@pytest.mark.parametrize("text", ["2026-11-03 9:00", "20261103-090000", "20261103_090000", "3 nov 2026 09:00"])
def test_a_clock_without_a_zone_is_read_as_utc(text: str) -> None:
    assert read_moment(text) == (NINE, True)


@pytest.mark.parametrize(
    "text", ["2026-11-03", "2026/11/3", "20261103", "3.11.2026", "3 noviembre 2026", "2026-11-03Z", "3-nov-2026"]
)
def test_a_day_alone(text: str) -> None:
    assert read_moment(text) == (MIDNIGHT, False)


@pytest.mark.parametrize(
    "text",
    [
        "", "yesterday", "9:00", "03/11/2026", "3-11-2026 09:00", "3/11/26", "2026-13-03", "2026-11-31",
        "2026-11-03 24:00", "2026-11-03 09:60", "2026-11-03 13:00 PM", "2026-11-03 09:00 CET", "2026-11-03 09:00+99:00",
        "1969-12-31",
        "2026-11", "Nov 2026", "32 Nov 2026", "46329.375", "2026-11-03T09:00:00Z or so", "9" * 10_000,
    ],
)  # fmt: skip
def test_what_two_readings_fit_is_none(text: str) -> None:
    assert read_moment(text) == (None, False)


@pytest.mark.parametrize(
    ("wanted", "texts"),
    [
        (True, ["03/11/2026", "13/11/2026"]),
        (False, ["03/11/2026", "11/13/2026 9:00"]),
        (None, ["03/11/2026", "04/11/2026"]),
        (None, ["13/11/2026", "11/13/2026"]),
        (None, ["13.11.2026", "2026-11-13", "x"]),
    ],
)
def test_a_column_tells_whether_days_stand_first(wanted: bool | None, texts: list[str]) -> None:
    assert day_first(texts) is wanted


def test_the_order_of_the_column_is_used() -> None:
    assert read_moment("03/11/2026 09:00Z", True) == (NINE, False)
    assert read_moment("11/03/2026 09:00Z", False) == (NINE, False)
    assert read_moment("13/11/2026", False)[0] == dt.datetime(2026, 11, 13, tzinfo=dt.UTC)
    assert read_moment("03/03/2026")[0] == dt.datetime(2026, 3, 3, tzinfo=dt.UTC)
