"""The connection under every failure: writes go out once, reads a few times, and the error says what can be done."""

from collections.abc import Iterator

import github as pygithub
import pytest

from bot.github.client import Connection
from bot.github.errors import Conflict, GitHubError, Invalid, Later, NotFound, Refused
from tests.bot.github.world import World
from tests.e2e.faults import Asked, Fault, FaultProxy, Said

QUICK = [f for f in Fault if "no answer" not in f]
WRITES = ["post", "patch", "put"]


def speaking(proxy: FaultProxy) -> Connection:
    return Connection(pygithub.Auth.Token("x"), proxy.url, pace=False, timeout_s=1)


@pytest.fixture
def deaf() -> Iterator[FaultProxy]:
    """A server that says yes to everything."""
    with FaultProxy("http://127.0.0.1:9", [lambda _: Said.of(200, [])]) as proxy:
        yield proxy


@pytest.mark.parametrize("fault", QUICK)
@pytest.mark.parametrize("verb", [*WRITES, "delete"])
def test_a_write_goes_out_once(deaf: FaultProxy, fault: Fault, verb: str) -> None:
    deaf.plan(fault, verb.upper(), times=9)
    wanted = Refused if fault is Fault.EXPIRED else Later
    with pytest.raises(wanted):
        getattr(speaking(deaf), verb)("/x", *([] if verb == "delete" else [{"a": 1}]))
    assert deaf.routes() == [f"{verb.upper()} /x"]


@pytest.mark.parametrize("fault", [Fault.SILENCE, Fault.SILENCE_AFTER])
def test_a_write_without_an_answer_goes_out_once(deaf: FaultProxy, fault: Fault) -> None:
    deaf.plan(fault, "POST", times=9)
    with pytest.raises(Later):
        speaking(deaf).post("/x", {"a": 1})
    assert deaf.routes() == ["POST /x"]


@pytest.mark.parametrize(("fault", "times"), [(Fault.ERROR, 3), (Fault.UNAVAILABLE, 3), (Fault.LIMIT, 1)])
def test_a_read_is_repeated_after_a_server_error_and_not_after_a_limit(
    deaf: FaultProxy, fault: Fault, times: int
) -> None:
    deaf.plan(fault, "GET", times=9, retry_after=77)
    with pytest.raises(Later) as failure:
        list(speaking(deaf).pages("/x"))
    assert len(deaf.asked) == times
    assert failure.value.retry_after_s == (77 if fault is Fault.LIMIT else None)


@pytest.mark.parametrize(
    ("status", "message", "wanted"),
    [
        (404, "Not Found", NotFound),
        (410, "Issues are disabled", NotFound),
        (403, "Resource not accessible by integration", Refused),
        (403, "You have triggered an abuse detection mechanism", Later),
        (429, "Too many", Later),
        (409, "Git Repository is empty.", Conflict),
        (409, "Protected branch update failed for refs/heads/steelyard.", Refused),
        (422, "Update is not a fast forward", Conflict),
        (422, "Reference already exists", Conflict),
        (422, "Repository rule violations found", Refused),
        (422, "Reference update failed", Conflict),
        (422, "Changes must be made through a pull request.", Refused),
        (422, "Object does not exist", Later),
        (422, "Validation Failed", Invalid),
        (503, "Unavailable", Later),
    ],
)
def test_an_error_says_what_can_be_done(status: int, message: str, wanted: type[GitHubError]) -> None:
    with FaultProxy("http://127.0.0.1:9", [lambda _: Said.of(status, {"message": message})]) as proxy:
        with pytest.raises(GitHubError) as failure:
            speaking(proxy).post("/x", {})
    assert type(failure.value) is wanted
    assert (str(failure.value), failure.value.status) == (message, status)


@pytest.mark.parametrize("answer", [b"", b"<html>", b'{"a": 1}', b"[1, 2", b'{"items": 3}', b"null"])
def test_a_list_that_is_none_is_a_broken_answer(answer: bytes) -> None:
    with FaultProxy("http://127.0.0.1:9", [lambda _: Said(200, answer)]) as proxy:
        for key in (None, "items"):
            with pytest.raises(Later):
                list(speaking(proxy).pages("/x", key))


def test_a_redirect_to_another_server_carries_no_token_there(deaf: FaultProxy) -> None:
    def moved(_: Asked) -> Said:
        return Said(301, b"", {"Location": f"{deaf.url.replace('127.0.0.1', 'localhost')}/y"})

    with FaultProxy("http://127.0.0.1:9", [moved]) as proxy, pytest.raises(Refused):
        speaking(proxy).get("/x")
    assert deaf.asked == []


def test_nobody_there_is_later() -> None:
    with pytest.raises(Later):
        Connection(None, "http://127.0.0.1:9", pace=False, timeout_s=1).post("/x", {})


def test_what_is_gone_counts_as_removed(world: World) -> None:
    world.bot().delete(f"/repos/{world.repository}/issues/comments/999999")
