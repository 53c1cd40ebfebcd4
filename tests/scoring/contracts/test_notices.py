"""The last day for a notice: by length, business day and holidays, each worked out by hand from the calendar."""

from datetime import date

import pytest

from scoring.contracts.notices import deadline_of, notice_deadline
from scoring.model.contract import Notice
from scoring.public_holidays import UnknownRegion, holidays_of
from scoring.reading.posted import PostedFile
from scoring.setup import Evidence, read_setup

CASES = [
    # 2027-05-01 is a Saturday.
    (date(2027, 5, 1), date(2027, 5, 31), {"days": 30}),
    (date(2027, 4, 30), date(2027, 5, 31), {"days": 30, "business_day": "previous"}),
    (date(2027, 5, 3), date(2027, 5, 31), {"days": 30, "business_day": "next"}),
    # 2027-01-06, a Wednesday, is Epiphany: a holiday in Spain and in Bavaria, not in Berlin.
    (date(2027, 1, 5), date(2027, 2, 6), {"months": 1, "business_day": "previous", "holidays": "ES"}),
    (date(2027, 1, 7), date(2027, 2, 6), {"months": 1, "business_day": "next", "holidays": "DE-BY"}),
    (date(2027, 1, 6), date(2027, 2, 6), {"months": 1, "business_day": "next", "holidays": "DE-BE"}),
    (date(2027, 1, 6), date(2027, 2, 6), {"months": 1, "business_day": "none", "holidays": "ES"}),
    # New Year 2028 is a Saturday; the days before it are working days in Spain, 2027-12-25 is a Saturday.
    (date(2027, 12, 31), date(2028, 1, 31), {"days": 30, "business_day": "previous", "holidays": "ES"}),
    (date(2028, 1, 3), date(2028, 1, 31), {"days": 30, "business_day": "next", "holidays": "ES"}),
]


@pytest.mark.parametrize(("wanted", "last_day", "terms"), CASES)
def test_deadline(wanted: date, last_day: date, terms: dict[str, object]) -> None:
    assert notice_deadline(last_day, Notice.model_validate(terms)) == wanted


BOOK = """\
- {{id: c, kind: take_or_pay, starts_on: 2026-02-07, ends_on: 2027-02-06, instances: 1, rate: 5, notice: {notice}}}
"""
DEFAULTS = [
    (date(2027, 1, 5), "ES", "{months: 1, business_day: previous}"),
    (date(2027, 1, 7), "ES", "{months: 1, business_day: next, holidays: DE-BY}"),
    (date(2027, 1, 6), "DE-BE", "{months: 1, business_day: previous}"),
    (date(2027, 1, 6), "ES", "{months: 1, business_day: previous, holidays: DE-BE}"),
    (date(2027, 1, 6), "ES", "{months: 1}"),
    (date(2027, 1, 6), None, "{months: 1, business_day: previous}"),
]


@pytest.mark.parametrize(("wanted", "region", "notice"), DEFAULTS)
def test_holidays_of_the_settings_hold_where_a_notice_names_none(wanted: date, region: str | None, notice: str) -> None:
    book = PostedFile.from_bytes("contracts.yml", BOOK.format(notice=notice).encode())
    setup = read_setup(Evidence((), contracts=book, overrides=(f"holidays={region}",) if region else ()))
    assert setup.problems == ()
    assert [deadline_of(contract) for contract in setup.contracts] == [wanted]


@pytest.mark.parametrize("region", ["XX", "DE-ZZ"])
def test_unknown_region(region: str) -> None:
    with pytest.raises(UnknownRegion, match=region):
        holidays_of(region, 2027)
