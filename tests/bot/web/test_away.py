"""Where GitHub gives no answer nobody waits for it again at once, and nobody else's pages are closed by it."""

from contextlib import suppress

import pytest

from bot.github.errors import Later, NotFound
from bot.web.away import LONGEST_REST_S, REST_S, Away
from tests.bot.web.readers import Clock

SILENT, BROKEN = Later("no answer"), Later("HTTP 502", 502)
LIMITED, LONG = Later("rate limit", 403, 30.0), Later("rate limit", 429, 3_000.0)


@pytest.mark.parametrize(
    ("failure", "rest_s", "closed"),
    [
        (SILENT, REST_S, {("olga", "lab/a"), ("rita", "lab/a")}),
        (BROKEN, REST_S, {("olga", "lab/a"), ("rita", "lab/a")}),
        (LIMITED, 30.0, {("olga", "lab/a"), ("olga", "lab/b")}),
        (LONG, LONGEST_REST_S, {("olga", "lab/a"), ("olga", "lab/b")}),
        (NotFound("none", 404), 0.0, set()),
    ],
)
def test_who_is_told_at_once_and_for_how_long(failure: Exception, rest_s: float, closed: set[tuple[str, str]]) -> None:
    clock = Clock()
    away = Away(clock=clock)
    with pytest.raises(type(failure)), away.asking("olga", "lab/a"):
        raise failure
    everybody = {(reader, what) for reader in ("olga", "rita") for what in ("lab/a", "lab/b")}
    clock.now += max(rest_s - 0.1, 0)
    assert {pair for pair in everybody if not asks(away, *pair)} == closed
    clock.now += 0.2
    assert all(asks(away, *pair) for pair in everybody)


def asks(away: Away, reader: str, what: str) -> bool:
    with suppress(Later), away.asking(reader, what):
        return True
    return False
