"""Several claims at once: Holm for what is asserted, Benjamini–Hochberg for what is looked at first."""

from collections.abc import Sequence


def holm(p: Sequence[float]) -> list[float]:
    """Holm's step-down adjusted p, in the order given (Holm 1979)."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    adjusted, running = [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        running = max(running, min(1.0, (len(p) - rank) * p[i]))
        adjusted[i] = running
    return adjusted


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Benjamini–Hochberg adjusted p, in the order given (Benjamini and Hochberg 1995)."""
    order = sorted(range(len(p)), key=lambda i: p[i], reverse=True)
    adjusted, running = [0.0] * len(p), 1.0
    for rank, i in enumerate(order):
        running = min(running, p[i] * len(p) / (len(p) - rank))
        adjusted[i] = running
    return adjusted
