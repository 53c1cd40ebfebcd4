"""Numbers for people: amounts to the cent, rates to three digits."""

import pytest

from bot.render import figures


@pytest.mark.parametrize(
    ("wanted", "amount", "digits"),
    [
        ("$0", 0.0, 3),
        ("less than $0.01", 3.07e-9, 3),
        ("less than $0.01", 3.07e-9, None),
        ("more than −$0.01", -0.004, 3),
        ("$0.01", 0.01, 3),
        ("$0.12", 0.1234, 3),
        ("−$0.50", -0.5, 3),
        ("$1.23", 1.2345, 3),
        ("$53,700", 53_738.0, 3),
        ("$53,738", 53_738.0, None),
        ("$12.35", 12.345678, None),
    ],
)
def test_amounts(wanted: str, amount: float, digits: int | None) -> None:
    assert figures.money(amount, "USD", digits) == wanted


def test_a_currency_without_a_sign_is_named() -> None:
    assert figures.money(1e-6, "CHF") == "less than CHF 0.01"
    assert figures.rate(0.00123, "CHF") == "CHF 0.00123"


@pytest.mark.parametrize(
    ("wanted", "amount"),
    [("$0.00000123", 1.23e-6), ("−$0.125", -0.125), ("$0", 0.0), ("$49.09", 49.09), ("$1,234", 1234.4)],
)
def test_rates(wanted: str, amount: float) -> None:
    assert figures.rate(amount, "USD") == wanted
