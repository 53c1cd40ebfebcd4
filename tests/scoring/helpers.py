"""A decision in one line: texts posted, settings as pairs."""

from datetime import date

from scoring.analysis import Evidence, analyse
from scoring.model.decision import Decision
from scoring.reading.posted import PostedFile

TODAY = date(2026, 12, 1)


def decide(
    *posted: tuple[str, str | bytes], settings: str = "", contracts: str = "", prices: str = "", **over: str
) -> Decision:
    """What the engine says of files given as (name, content)."""
    files = tuple(PostedFile.from_bytes(n, c if isinstance(c, bytes) else c.encode()) for n, c in posted)
    return analyse(
        Evidence(
            postings=files,
            settings=PostedFile.from_bytes("steelyard.yml", settings.encode()) if settings else None,
            contracts=PostedFile.from_bytes("contracts.yml", contracts.encode()) if contracts else None,
            prices=PostedFile.from_bytes("prices.csv", prices.encode()) if prices else None,
            overrides=tuple(f"{k}={v}" for k, v in over.items()),
        ),
        today=TODAY,
    )


def csv(text: str, **more: str) -> Decision:
    """What the engine says of one csv file."""
    return decide(("pilot.csv", text), **more)


def codes(decision: Decision) -> set[str]:
    """Codes of all problems."""
    return {p.code for p in decision.problems}
