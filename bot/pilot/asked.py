"""The `/compare` that a comment ends in, with the pilot's settings, so that the thread answers as the file does."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.model.settings import Settings
from scoring.settings_file import apply_overrides

OF_REPOSITORY = (".github", "steelyard.yml")
"""The file that the bot itself reads; what stands there is not said again."""
NOT_OF_COMPARE = frozenset({"portability", "language"})
_PLAIN = re.compile(r"[\w .,:;%/+()$=-]{1,400}\Z")
"""What a command's line may hold as it is."""


@dataclass(frozen=True)
class Asked:
    """Settings as `KEY=VALUE`, and the names of those of which a command cannot say all."""

    pairs: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def asked_with(config: str | None, pairs: Sequence[str], settings: Settings) -> Asked:
    """The pairs of the command line; with a file that is not the repository's own also what it says."""
    if config is None or Path(config).resolve().parts[-2:] == OF_REPOSITORY:
        return Asked(tuple(pairs))
    return as_pairs(settings)


def in_order(arms: Sequence[str], planned: Collection[str], settings: Settings) -> tuple[str, ...]:
    """The first arm that was named is the incumbent, where the sheet has those two and no setting says otherwise.

    Else the first run would make its arm the incumbent, and which arm begins was drawn by lot.
    """
    if len(arms) != 2 or set(arms) != set(planned) or settings.baseline or settings.candidate:
        return ()
    return f"baseline={arms[0]}", f"candidate={arms[1]}"


def as_pairs(settings: Settings) -> Asked:
    """Pairs that make the same settings of none, as far as pairs can."""
    tree = _without(settings)
    said, pairs = Settings(), list[str]()
    for key, value in _leaves(tree):
        pair = f"{key}={value}"
        after, problems = apply_overrides(said, [pair]) if _PLAIN.match(pair) else (said, [None])
        if not problems:
            said = after
            pairs.append(pair)
    got = _without(said)
    return Asked(tuple(pairs), tuple(name for name, value in tree.items() if got.get(name) != value))


def command_line(asked: Asked) -> str:
    """`/compare` as a line of a comment."""
    return " ".join(["/compare", *(f'"{pair}"' if " " in pair else pair for pair in asked.pairs)])


def _without(settings: Settings) -> dict[str, Any]:
    told = settings.model_dump(mode="json", exclude_unset=True)
    return {name: value for name, value in told.items() if name not in NOT_OF_COMPARE}


def _leaves(tree: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{above}{name}.")
        elif isinstance(value, list):
            yield f"{above}{name}", ",".join(map(str, value))
        elif value is not None:
            yield f"{above}{name}", str(value).lower() if isinstance(value, bool) else str(value).removesuffix(".0")
