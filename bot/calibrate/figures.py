"""Numbers of a calibration as they are shown: shares to a tenth of a per cent, the rest to three figures."""

import math

from bot.calibrate.judgement import Bar


def shown(value: float) -> str:
    """A value: three decimals below 10, thousands set apart above."""
    if not math.isfinite(value):
        return str(value)
    if abs(value) < 10:
        return f"{value:.3f}"
    return f"{value:.1f}" if abs(value) < 1000 else f"{value:,.0f}"


def span(low: float, high: float) -> str:
    """One value, or from the smallest to the largest."""
    first, last = shown(low), shown(high)
    return first if first == last else f"{first} – {last}"


def bar_shown(bar: Bar) -> str:
    """What a bar allows."""
    if math.isinf(bar.low):
        return f"≤ {bar.high:g}"
    return f"≥ {bar.low:g}" if math.isinf(bar.high) else f"{bar.low:g} – {bar.high:g}"
