"""The last day for a notice: by length, business day and holidays, each worked out by hand from the calendar."""

from datetime import date

import pytest

from scoring.contracts.holidays import UnknownRegion, holidays_of
from scoring.contracts.notices import notice_deadline
from scoring.model.contract import Notice

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


@pytest.mark.parametrize("region", ["XX", "DE-ZZ"])
def test_unknown_region(region: str) -> None:
    with pytest.raises(UnknownRegion, match=region):
        holidays_of(region, 2027)
