"""How people write numbers, and what each means."""

import math
from decimal import Decimal

import pytest

from scoring.reading.numbers import (
    Convention,
    convention_of,
    evidence,
    is_missing,
    is_short_clock,
    parse_duration,
    parse_number,
)

POINT, COMMA = Convention("."), Convention(",")


@pytest.mark.parametrize(
    ("want", "text", "convention"),
    [
        (12.0, "12", POINT),
        (-3.5, "-3.5", POINT),
        (-3.5, "−3.5", POINT),
        (3.0, "+3", POINT),
        (0.5, ".5", POINT),
        (5.0, "5.", POINT),
        (0.5, ",5", COMMA),
        (1500.0, "1.5e3", POINT),
        (0.0015, "1,5E-3", COMMA),
        (1234.5, "1,234.5", POINT),
        (1234.5, "1.234,5", COMMA),
        (1048576.0, "1,048,576", POINT),
        (1048576.0, "1.048.576", COMMA),
        (1234567.5, "1 234 567,5", COMMA),
        (1234.5, "1\u00a0234,5", COMMA),
        (1234.5, "1\u202f234,5", COMMA),
        (1234.5, "1'234.5", POINT),
        (1234.5, "1’234.5", POINT),
        (3200.0, "3.2k", POINT),
        (3200.0, "3.2 K", POINT),
        (1.5e6, "1.5M", POINT),
        (2e6, "2 mio", POINT),
        (3e9, "3bn", POINT),
        (3.0, "٣", POINT),
        (10000.0, "10,000", POINT),
        (10.0, "10,000", COMMA),
    ],
)
def test_number(want: float, text: str, convention: Convention) -> None:
    number = parse_number(text, convention)
    assert number is not None
    assert number.value == pytest.approx(want, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "convention"),
    [
        ("", POINT),
        ("-", POINT),
        ("abc", POINT),
        ("NaN", POINT),
        ("nan", POINT),
        ("inf", POINT),
        ("-Infinity", POINT),
        ("1e400", POINT),
        ("1e-400", POINT),
        ("1.2.3", POINT),
        ("1,2,3", COMMA),
        ("1,23", POINT),
        ("1.23", COMMA),
        ("12,34,567", POINT),
        ("1_000", POINT),
        ("0x10", POINT),
        ("½", POINT),
        ("²", POINT),
        ("1/2", POINT),
        ("5 to 6", POINT),
        (">5", POINT),
        ("~5", POINT),
        ("± 0.4", POINT),
        ("12.3 ±", POINT),
        ("12.3 h ± 0.4 min", POINT),
        ("2026-11-02", POINT),
        ("9" * 5000, POINT),
        ("1" + " " * 100_000 + "x1", POINT),
    ],
)
def test_no_number(text: str, convention: Convention) -> None:
    assert parse_number(text, convention) is None


@pytest.mark.parametrize(
    ("mean", "spread", "percent", "unit", "text", "convention"),
    [
        (12.3, 0.4, False, None, "12.3 ± 0.4", POINT),
        (12.3, 0.4, False, None, "12.3±0.4", POINT),
        (12.3, 0.4, False, None, "12.3 +/- 0.4", POINT),
        (12.3, 0.4, False, None, "12.3 +- 0.4", POINT),
        (12.3, 0.4, False, None, "12.3 (0.4)", POINT),
        (12.3, 0.4, False, None, "12.3 (±0.4)", POINT),
        (12.3, 0.4, False, None, "12,3 ± 0,4", COMMA),
        (12.3, 0.4, True, None, "12.3 ± 0.4 %", POINT),
        (12.3, 0.4, True, None, "12.3% ± 0.4%", POINT),
        (12.3, 0.4, True, None, "12.3% ± 0.4", POINT),
        (6.21, 0.08, False, "h", "6.21 ± 0.08 h", POINT),
        (6.21, 0.08, False, "h", "6.21 h ± 0.08 h", POINT),
        (12.3, 0.4, False, None, "$12.3 ± $0.4", POINT),
        (3200.0, 100.0, False, None, "3.2 ± 0.1 k", POINT),
        (12.3, 0.4, False, None, "12.3 ± -0.4", POINT),
    ],
)
def test_plus_minus(
    mean: float, spread: float, percent: bool, unit: str | None, text: str, convention: Convention
) -> None:
    number = parse_number(text, convention)
    assert number is not None
    assert (number.value, number.spread_value) == (pytest.approx(mean), pytest.approx(spread))
    assert (number.percent, number.unit) == (percent, unit)


@pytest.mark.parametrize(
    ("currency", "exact", "text", "convention"),
    [
        ("USD", "1.20", "$1.20", POINT),
        ("USD", "1.20", "US$ 1.20", POINT),
        ("USD", "1234.50", "$1,234.50", POINT),
        ("EUR", "1.20", "1,20 €", COMMA),
        ("EUR", "1.20", "€1,20", COMMA),
        ("EUR", "1234.50", "1.234,50 EUR", COMMA),
        ("GBP", "0.1", "£0.1", POINT),
        (None, "0.1", "0.1", POINT),
    ],
)
def test_money_is_exact(currency: str | None, exact: str, text: str, convention: Convention) -> None:
    number = parse_number(text, convention)
    assert number is not None
    assert (number.currency, number.exact) == (currency, Decimal(exact))


@pytest.mark.parametrize(
    ("want", "text"),
    [
        (".", "1.5"),
        (",", "1,5"),
        (".", "1,234.5"),
        (",", "1.234,5"),
        (".", "1,234,567"),
        (",", "1.234.567"),
        ("?.", "1.234"),
        ("?,", "1,234"),
        (",", "0,500"),
        (".", "0.500"),
        (",", "1234,567"),
        (None, "1234"),
        (None, "text"),
        (None, ""),
        (",", "1,20 €"),
        (".", "1.20 USD"),
        (",", "12 ± 0,4"),
        (".", "12 (0.4)"),
        (",", "-1,5"),
        (".", "1.5e3"),
    ],
)
def test_what_a_text_shows_of_its_decimal_mark(want: str | None, text: str) -> None:
    assert evidence(text) == want


@pytest.mark.parametrize(
    ("want", "texts", "hint"),
    [
        (Convention("."), ["1", "2"], None),
        (Convention("."), ["1.5", "1,234.5"], None),
        (Convention(","), ["1,5", "1.234"], None),
        (Convention("."), ["1.234", "2.345"], None),
        (Convention(",", ambiguous=True), ["1,234", "2,345"], None),
        (Convention("."), ["1,234", "2,345"], "."),
        (Convention(","), ["1,234", "2,345"], ","),
        (Convention("."), ["1,234", "2,345.5"], ","),
        (Convention(".", mixed=True), ["1,5", "2.5"], None),
    ],
)
def test_convention_of_a_column(want: Convention, texts: list[str], hint: str | None) -> None:
    assert convention_of(texts, hint) == want


@pytest.mark.parametrize(
    ("want", "text", "convention"),
    [
        (4980.0, "1h 23m", POINT),
        (4980.0, "1 h 23 min", POINT),
        (5025.0, "1h23m45s", POINT),
        (11100.0, "3 hours 5 minutes", POINT),
        (3900.0, "1 hora 5 minutos", POINT),
        (5025.0, "01:23:45", POINT),
        (5025.5, "1:23:45.5", POINT),
        (5025.5, "1:23:45,5", COMMA),
        (93784.0, "1 d 02:03:04", POINT),
        (90000.0, "1 day, 1:00:00", POINT),
        (176400.0, "2 days 01:00:00", POINT),
        (90000.0, "1 día 01:00:00", POINT),
        (360000.0, "100:00:00", POINT),
        (4980.0, "83 min", POINT),
        (300.0, "5 m", POINT),
        (90.0, "90 s", POINT),
        (90.0, "90s", POINT),
        (90.0, "90 sec.", POINT),
        (0.5, "500 ms", POINT),
        (5400.0, "1.5 h", POINT),
        (5400.0, "1,5 h", COMMA),
        (1234.0, "1,234 s", POINT),
        (1.234, "1,234 s", COMMA),
        (172800.0, "2 days", POINT),
        (172800.0, "2d", POINT),
        (-5.0, "-5 s", POINT),
    ],
)
def test_duration(want: float, text: str, convention: Convention) -> None:
    assert parse_duration(text, convention) == pytest.approx(want)


@pytest.mark.parametrize(
    "text",
    [
        "", "5", "h", "12:34", "-1:00:00", "00:90:00", "1:23:75", "1:99:99", "1,5 h", "5 tokens", "5 k", "PT1H",
        "9" * 400 + ":00:00", "9" * 5000 + " h", "9" * 5000 + " d 01:00:00", "1h " + " " * 100_000 + "x",
    ],
)  # fmt: skip
def test_no_duration(text: str) -> None:
    assert parse_duration(text, POINT) is None


def test_durations_are_finite() -> None:
    longest = parse_duration("9" * 55 + " days", POINT)
    assert longest is not None and math.isfinite(longest)


@pytest.mark.parametrize(
    ("want", "text"), [(True, "12:34"), (True, " 90:00 "), (False, "12:34:56"), (False, "12"), (False, "12:3")]
)
def test_short_clock(want: bool, text: str) -> None:
    assert is_short_clock(text) is want


@pytest.mark.parametrize("text", ["", " ", "-", "–", "—", "n/a", "N/A", "NA", "null", "None", "#N/A", "?"])
def test_missing(text: str) -> None:
    assert is_missing(text)


@pytest.mark.parametrize("text", ["0", "NaN", "x", "--"])
def test_not_missing(text: str) -> None:
    assert not is_missing(text)
