"""KEY=VALUE files beside a result file of the same name: under which conditions it was measured."""

import re
from collections.abc import Sequence

from scoring.reading.charset import decode, lines_of
from scoring.reading.limits import MAX_TEXT_BYTES
from scoring.reading.posted import PostedFile

_LINE = re.compile(r"(?:export\s+)?([A-Z][A-Z0-9_]{1,60})=(.*)\Z")
ENDINGS = (".env", ".env.txt", ".conf.txt")


def is_sidecar(posted: PostedFile) -> bool:
    """A small file with such an ending of which every line is KEY=VALUE."""
    if not posted.name.lower().endswith(ENDINGS) or posted.size > MAX_TEXT_BYTES:
        return False
    lines = _lines(posted)
    return bool(lines) and all(_LINE.match(line) for line in lines)


def _lines(posted: PostedFile) -> list[str]:
    text, _, _ = decode(posted.read(MAX_TEXT_BYTES))
    return [line.strip() for line in lines_of(text) if line.strip() and not line.startswith("#")]


def conditions_by_stem(sidecars: Sequence[PostedFile]) -> dict[str, dict[str, str]]:
    """Conditions by the path without its ending."""
    return {_base(s.name): dict(_pair(line) for line in _lines(s)) for s in sidecars}


def _pair(line: str) -> tuple[str, str]:
    match = _LINE.match(line)
    assert match is not None  # noqa: S101 - `is_sidecar` saw every line
    return match[1].lower(), match[2].strip().strip("'\"")


def _base(name: str) -> str:
    for ending in sorted(ENDINGS, key=len, reverse=True):
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return name.rsplit(".", 1)[0]


def conditions_for(posted: PostedFile, known: dict[str, dict[str, str]]) -> dict[str, str]:
    """What the sidecar of a file says, or nothing."""
    return known.get(posted.name.rsplit(".", 1)[0], {})
