"""Drawings: every label stays within them, names are text, and what is not known is not drawn as nothing used."""

import re
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from bot.web.charts import NARROW, Bar, interval, timeline

MONTHS = [date(2027, month, 1) for month in (1, 2, 3)]
RATIO = st.floats(0.01, 100)


@given(RATIO, RATIO, RATIO, RATIO)
def test_points_and_labels_of_an_interval_stay_within_the_drawing(a: float, b: float, c: float, even: float) -> None:
    lo, point, hi = sorted((a, b, c))
    drawn = str(interval("A ratio", point, lo, hi, even, ("× 0.763 [0.645, 0.902]", "break-even × 1.00")))
    places = [float(x) for x in re.findall(r'(?:x|x1|x2|cx)="([0-9.]+)"', drawn)]
    assert len(places) == 9 and all(0 <= place <= NARROW for place in places)
    texts = [float(x) for x in re.findall(r'<text[^>]* x="([0-9.]+)"', drawn)]
    assert all(60 <= x <= NARROW - 60 for x in texts), "half of a label's width"


def test_a_month_is_filled_by_what_is_used_and_empty_where_that_is_not_told() -> None:
    whole = (date(2026, 1, 1), date(2027, 12, 31))
    bars = [Bar("<b>half</b>", *whole, (0.5, 1.0, 0.0)), Bar("n" * 90, *whole, (None, None, None))]
    drawn = str(timeline("Contracts", MONTHS, bars, date(2027, 1, 11)))
    assert drawn.count('class="ended"') == 3 and drawn.count('class="untold"') == 3
    assert [float(high) for high in re.findall(r'class="bar"[^>]* height="([0-9.]+)"', drawn)] == [10.0, 20.0, 0.0]
    assert "<b>" not in drawn and "n" * 26 not in drawn and 'class="now"' in drawn
