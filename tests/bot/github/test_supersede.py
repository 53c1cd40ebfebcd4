"""Of several results the newest by its command stands open, in whatever order they finish."""

import itertools

import pytest

from bot.dossier import Outcome
from bot.github.marker import parse, place_of
from bot.github.reply import put_reply
from bot.github.supersede import supersede
from tests.bot.github.world import World, until_done
from tests.e2e.faults import Fault


def answer(world: World, issue: int, place: str, outcome: Outcome = Outcome.SWITCH) -> None:
    """What a job does at its end."""
    thread = world.thread(issue)
    put_reply(thread, place, outcome, f"For {place}.")
    supersede(thread)


def heads(world: World, issue: int) -> dict[str, str]:
    """The superseded line by place, and that the text below it is whole."""
    found = [parse(one["body"]) for one in world.replies(issue)]
    assert all(one and one.body == f"For {one.place}." for one in found)
    return {one.place: one.header for one in found if one}


def folded(world: World, issue: int) -> set[str]:
    by_node = {one["node_id"]: parse(one["body"]) for one in world.replies(issue)}
    return {one.place for node, one in by_node.items() if node in world.lacking.folded and one}


def three(world: World) -> tuple[int, list[str]]:
    issue = world.issue()
    return issue, [place_of(issue, None), *(place_of(issue, world.comment(issue, "/compare")["id"]) for _ in range(2))]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_order_of_finishing_does_not_matter(world: World, order: tuple[int, ...]) -> None:
    issue, places = three(world)
    for number in order:
        answer(world, issue, places[number])
    urls = {p.place: one["html_url"] for one in world.replies(issue) if (p := parse(one["body"]))}
    assert heads(world, issue) == {
        places[0]: f"> **Superseded** by [a later answer]({urls[places[1]]}).",
        places[1]: f"> **Superseded** by [a later answer]({urls[places[2]]}).",
        places[2]: "",
    }
    assert folded(world, issue) == set(places[:2])


def test_again_changes_nothing(world: World) -> None:
    issue, places = three(world)
    for place in places:
        answer(world, issue, place)
    world.github.calm()
    for place in places:
        answer(world, issue, place)
    assert {one.method for one in world.github.asked} == {"GET"}


def test_an_updated_reply_keeps_its_line(world: World) -> None:
    issue, places = three(world)
    for place in places[:2]:
        answer(world, issue, place)
    before = heads(world, issue)
    put_reply(world.thread(issue), places[0], Outcome.STAY, f"For {places[0]}.")
    assert heads(world, issue) == before
    assert before[places[0]]


def test_help_supersedes_nothing(world: World) -> None:
    issue, places = three(world)
    for place, outcome in zip(places, [Outcome.SWITCH, Outcome.SAID, Outcome.REFUSED], strict=True):
        answer(world, issue, place, outcome)
    assert set(heads(world, issue).values()) == {""}


def test_a_result_that_becomes_the_newest_again_is_opened(world: World) -> None:
    issue, places = three(world)
    for place in places[:2]:
        answer(world, issue, place)
    answer(world, issue, places[1], Outcome.SAID)
    assert set(heads(world, issue).values()) == {""}
    assert folded(world, issue) == set()


def test_the_newest_is_given_with_its_outcome(world: World) -> None:
    issue, places = three(world)
    thread = world.thread(issue)
    assert supersede(thread) is None
    put_reply(thread, places[2], Outcome.STAY, "x")
    put_reply(thread, places[1], Outcome.SWITCH, "y")
    newest = supersede(thread)
    assert newest is not None and (newest.marked.place, newest.marked.outcome) == (places[2], "stay")


def test_a_server_that_cannot_fold_still_gets_the_line(world: World) -> None:
    world.lacking.knows_graphql = False
    issue, places = three(world)
    for place in places:
        answer(world, issue, place)
    assert [bool(line) for line in heads(world, issue).values()] == [True, True, False]


@pytest.mark.parametrize("fault", [f for f in Fault if "no answer" not in f])
def test_failures_end_in_the_same_state(world: World, fault: Fault) -> None:
    issue, places = three(world)
    answer(world, issue, places[0])
    world.github.plan(fault, "PATCH", r"/comments/\d+$")
    until_done(lambda: answer(world, issue, places[1]))
    assert [bool(line) for line in heads(world, issue).values()] == [True, False]
    assert folded(world, issue) == {places[0]}
