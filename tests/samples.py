"""The samples as decisions, as their README commands give them, with settings on top and files changed."""

import argparse
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from bot.compare import gather
from scoring.analysis import Evidence, analyse
from scoring.model.decision import Decision
from scoring.reading.posted import PostedFile

FOLDER = Path(__file__).parents[1] / "samples"
OTHERS = ("contracts", "pilot", "porting-map", "quarter")
NAMES = sorted(p.name for p in FOLDER.iterdir() if p.is_dir() and p.name not in OTHERS)
STORIES = sorted(f"contracts/{p.name}" for p in (FOLDER / "contracts").iterdir() if p.is_dir())
TODAY = date(2026, 12, 15)


def evidence(name: str, *overrides: str) -> Evidence:
    """What `steelyard compare samples/NAME` reads."""
    args = argparse.Namespace(
        paths=[FOLDER / name], config=None, contracts=None, prices=None, language=None, set=list(overrides), look=None
    )
    return gather(args)


def decision(name: str, *overrides: str, replaced: Mapping[str, tuple[str, str]] | None = None) -> Decision:
    """A sample's decision; `replaced` maps a file's name to a text in it and what stands there instead."""
    found = evidence(name, *overrides)
    changes = dict(replaced or {})

    def changed(posted: PostedFile | None) -> PostedFile | None:
        if posted is None or posted.name not in changes:
            return posted
        old, new = changes.pop(posted.name)
        text = posted.read(10**7).decode()
        assert text.count(old) == 1, f"{old!r} does not stand once in {posted.name}"
        return PostedFile.from_bytes(posted.name, text.replace(old, new).encode())

    postings = tuple(p for p in (changed(p) for p in found.postings) if p is not None)
    settings, contracts = changed(found.settings), changed(found.contracts)
    assert not changes, f"the sample has no {', '.join(changes)}"
    return analyse(Evidence(postings, settings, contracts, found.prices, found.overrides), today=TODAY)
