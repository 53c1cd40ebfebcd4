"""One reply a command: written once, updated, found among copies, whatever fails, whoever else is at it."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from bot.dossier import Outcome
from bot.emulator import INSTALLATION_ID
from bot.github.client import Connection
from bot.github.connect import connection_for
from bot.github.errors import Later, NotFound
from bot.github.fit import LIMIT
from bot.github.marker import marked, parse, place_of
from bot.github.reply import Reply, own_replies, put_reply
from tests.bot.github.world import World, until_done
from tests.e2e.faults import Fault


def said(world: World, issue: int) -> list[tuple[str, str]]:
    """Place and text of every reply that is there."""
    found = [parse(one["body"]) for one in world.replies(issue)]
    return [(one.place, one.body) for one in found if one]


def put(world: World, issue: int, place: str, body: str, since: str | None = None) -> Reply:
    return put_reply(world.thread(issue), place, Outcome.SWITCH, body, since=since)


def test_a_reply_is_created_then_left_alone_then_updated(world: World) -> None:
    issue = world.issue()
    command = world.comment(issue, "/compare")
    place, since = place_of(issue, command["id"]), command["created_at"]
    first = put(world, issue, place, "A **switch**.", since)
    again = put(world, issue, place, "A **switch**.", since)
    other = put(world, issue, place, "A **stay**.", since)
    assert said(world, issue) == [(place, "A **stay**.")]
    assert (first.changed, again.changed, other.changed) == (True, False, True)
    assert first.id == again.id == other.id
    assert first.url.endswith(f"#issuecomment-{first.id}")


def test_equal_text_takes_one_request_and_an_update_two(world: World) -> None:
    issue = world.issue()
    place = place_of(issue, None)
    thread = world.thread(issue)
    for body, wanted in [("one", ["GET", "POST", "GET"]), ("one", ["GET"]), ("two", ["GET", "PATCH"])]:
        world.github.calm()
        put_reply(thread, place, Outcome.SAID, body)
        assert [one.method for one in world.github.asked] == wanted


def test_two_commands_have_two_replies(world: World) -> None:
    issue = world.issue()
    places = [place_of(issue, None), *(place_of(issue, world.comment(issue, "/compare")["id"]) for _ in range(2))]
    for place in [*places, *reversed(places)]:
        put(world, issue, place, f"For {place}.")
    assert said(world, issue) == [(place, f"For {place}.") for place in places]


def test_a_copied_marker_is_no_reply_of_ours(world: World) -> None:
    issue = world.issue()
    command = world.comment(issue, "/compare")
    place = place_of(issue, command["id"])
    forged = world.comment(issue, marked(place, Outcome.STAY, "Mallory says stay."))
    reply = put(world, issue, place, "The answer.")
    assert said(world, issue) == [(place, "The answer.")]
    assert reply.id != forged["id"]
    assert forged["body"] in [one["body"] for one in world.comments(issue)]


def test_a_marker_inside_a_text_is_no_marker(world: World) -> None:
    issue = world.issue()
    places = [place_of(issue, world.comment(issue, "/compare")["id"]) for _ in range(2)]
    put(world, issue, places[0], marked(places[1], Outcome.STAY, "quoted by a poster"))
    put(world, issue, places[1], "The second.")
    assert [place for place, _ in said(world, issue)] == places


def test_a_reply_deleted_by_hand_is_written_again(world: World) -> None:
    issue = world.issue()
    place = place_of(issue, None)
    first = put(world, issue, place, "one")
    world.straight("olga").delete(f"/repos/{world.repository}/issues/comments/{first.id}")
    assert put(world, issue, place, "one").id != first.id
    assert said(world, issue) == [(place, "one")]


def test_a_long_thread_is_read_to_its_end(world: World) -> None:
    issue = world.issue()
    path = f"/repos/{world.repository}/issues/{issue}/comments"
    olga = world.straight("olga")
    for number in range(205):
        olga.post(path, {"body": f"line {number}"})
    place = place_of(issue, None)
    first = put(world, issue, place, "At the end.")
    world.github.calm()
    assert put(world, issue, place, "At the end.") == Reply(
        first.id, first.url, first.node_id, changed=False, was_result=True
    )
    assert len(world.github.asked) == 3
    assert len(world.replies(issue)) == 1


def test_since_is_asked_a_minute_before_the_command(world: World) -> None:
    issue = world.issue()
    put(world, issue, place_of(issue, None), "one", since="2026-12-01T10:00:30Z")
    asked = [one.path for one in world.github.asked if one.method == "GET" and "/comments" in one.path]
    assert all("since=2026-12-01T09%3A59%3A30Z" in path for path in asked)
    assert len(asked) == 2


def test_a_text_that_is_too_long_is_cut_and_says_so(world: World) -> None:
    issue = world.issue()
    place = place_of(issue, None)
    put(world, issue, place, "```\n" + "row 🙂\n" * 20_000)
    stored = world.replies(issue)[0]["body"]
    assert LIMIT - 900 < len(stored) <= LIMIT
    assert stored.count("```") == 2
    assert "longer than GitHub stores" in stored[-200:]
    assert put(world, issue, place, "```\n" + "row 🙂\n" * 20_000).changed is False


BROKEN = [f for f in Fault if f not in (Fault.SILENCE, Fault.SILENCE_AFTER)]


@pytest.mark.parametrize("fault", list(Fault))
def test_a_creation_that_fails_gives_one_reply_in_the_end(world: World, fault: Fault) -> None:
    issue = world.issue()
    place = place_of(issue, None)
    world.github.plan(
        fault, "POST", r"/issues/\d+/comments$", times=1 if "no answer" in fault or fault is Fault.EXPIRED else 2
    )
    until_done(lambda: put(world, issue, place, "The answer."))
    assert said(world, issue) == [(place, "The answer.")]
    assert world.github.done


@pytest.mark.parametrize("fault", BROKEN)
@pytest.mark.parametrize("route", [("PATCH", r"/comments/\d+$"), ("GET", r"/issues/\d+/comments$")])
def test_an_update_that_fails_is_made_in_the_end(world: World, fault: Fault, route: tuple[str, str]) -> None:
    issue = world.issue()
    place = place_of(issue, None)
    put(world, issue, place, "before")
    world.github.plan(fault, *route, times=1 if fault is Fault.EXPIRED else 2)
    until_done(lambda: put(world, issue, place, "after"))
    assert said(world, issue) == [(place, "after")]


def test_a_stored_creation_is_later_not_an_error(world: World) -> None:
    issue = world.issue()
    world.github.plan(Fault.LOST_ANSWER, "POST", r"/comments$")
    with pytest.raises(Later):
        put(world, issue, place_of(issue, None), "The answer.")
    assert len(world.replies(issue)) == 1


class Killed(BaseException):
    """The process ended here."""


class DyingConnection(Connection):
    """A real connection whose process ends after some requests took effect."""

    left = 0

    def _call(self, verb: str, url: str, parameters: Any, body: Any) -> tuple[dict[str, Any], Any]:
        answer = super()._call(verb, url, parameters, body)
        self.left -= 1
        if self.left <= 0:
            raise Killed
        return answer


def dying(world: World, after: int) -> DyingConnection:
    connection = world.bot()
    connection.__class__ = DyingConnection
    assert isinstance(connection, DyingConnection)
    connection.left = after
    return connection


def test_killed_after_any_request_and_started_again(world: World) -> None:
    for after in (1, 2, 3):
        issue = world.issue()
        place = place_of(issue, None)
        with pytest.raises(Killed):
            put_reply(world.thread(issue, dying(world, after)), place, Outcome.SWITCH, "The answer.")
        put(world, issue, place, "The answer.")
        assert said(world, issue) == [(place, "The answer.")], after


def race(workers: int, work: Callable[[int], Any]) -> None:
    with ThreadPoolExecutor(workers) as pool:
        for future in [pool.submit(work, number) for number in range(workers)]:
            future.result(60)


@pytest.mark.parametrize("workers", [2, 4, 8])
def test_workers_that_race_leave_one_reply(world: World, workers: int) -> None:
    issue = world.issue()
    place = place_of(issue, None)
    world.thread(issue)
    race(workers, lambda _: until_done(lambda: put(world, issue, place, "The answer.")))
    assert said(world, issue) == [(place, "The answer.")]


@pytest.mark.parametrize("seed", range(4))
def test_workers_that_race_on_a_failing_github_leave_one_reply(world: World, seed: int) -> None:
    issue = world.issue()
    places = [place_of(issue, world.comment(issue, "/compare")["id"]) for _ in range(2)]
    world.thread(issue)
    quick = [f for f in BROKEN if f is not Fault.EXPIRED]
    world.github.scatter(random.Random(seed), 0.25, quick)
    race(6, lambda n: until_done(lambda: put(world, issue, places[n % 2], f"For {places[n % 2]}.")))
    world.github.calm()
    assert sorted(said(world, issue)) == sorted((place, f"For {place}.") for place in places)


def test_doubles_left_by_others_are_removed(world: World) -> None:
    issue = world.issue()
    place = place_of(issue, None)
    bot = world.bot()
    for text in ("one", "two", "three"):
        bot.post(f"/repos/{world.repository}/issues/{issue}/comments", {"body": marked(place, Outcome.SAID, text)})
    first = min(one["id"] for one in world.replies(issue))
    assert put(world, issue, place, "one").id == first
    assert said(world, issue) == [(place, "one")]


def test_an_issue_that_is_gone_is_not_found(world: World) -> None:
    with pytest.raises(NotFound):
        put(world, 999, "i999", "The answer.")


def test_own_replies_come_by_age(world: World) -> None:
    issue = world.issue()
    places = [place_of(issue, world.comment(issue, "/compare")["id"]) for _ in range(3)]
    for place in reversed(places):
        put(world, issue, place, "x")
    assert [one.marked.place for one in own_replies(world.thread(issue))] == places[::-1]
    assert connection_for(world.settings, INSTALLATION_ID, tokens=world.tokens) is not None
