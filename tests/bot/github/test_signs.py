"""Reactions and labels: put once, never a reason to fail."""

import pytest

from bot.dossier import Outcome
from bot.github.signs import COLOURS, label_name, react, set_label
from tests.bot.github.world import TRIES, World
from tests.e2e.faults import Fault


def labels(world: World, issue: int) -> set[str]:
    path = f"/repos/{world.repository}/issues/{issue}/labels"
    return {one["name"] for one in world.straight("olga").pages(path)}


@pytest.mark.parametrize("of_comment", [True, False])
def test_a_reaction_stands_once(world: World, of_comment: bool) -> None:
    issue = world.issue()
    comment = world.comment(issue, "/compare")["id"] if of_comment else None
    assert [react(world.bot(), world.repository, issue, comment, "eyes") for _ in range(2)] == [True, True]
    end = f"issues/comments/{comment}" if of_comment else f"issues/{issue}"
    assert world.lacking.reactions == {f"/repos/{world.repository}/{end}/reactions": {"eyes"}}


@pytest.mark.parametrize("status", [403, 404, 410, 422])
def test_a_refused_reaction_fails_nothing(world: World, status: int) -> None:
    world.lacking.refuses = status
    assert react(world.bot(), world.repository, world.issue(), None, "eyes") is False


@pytest.mark.parametrize("fault", [f for f in Fault if "no answer" not in f])
def test_a_reaction_on_a_failing_github_fails_nothing(world: World, fault: Fault) -> None:
    issue, bot = world.issue(), world.bot()
    world.github.plan(fault, "POST", r"/reactions$", times=9)
    assert react(bot, world.repository, issue, None, "eyes") is False
    assert world.github.done


OTHERS = {"bug", "steelyard: custom"}


@pytest.mark.parametrize("before", [None, Outcome.STAY, Outcome.SWITCH])
@pytest.mark.parametrize(
    ("outcome", "wanted"),
    [
        (Outcome.SWITCH, {"steelyard: switch"}),
        (Outcome.BLOCKED, {"steelyard: blocked"}),
        (Outcome.NO_VERDICT, set()),
    ],
)
def test_exactly_the_one_label(world: World, before: Outcome | None, outcome: Outcome, wanted: set[str]) -> None:
    issue = world.issue()
    olga = world.straight("olga")
    names = sorted(OTHERS | ({label_name(before)} if before else set()))
    olga.post(f"/repos/{world.repository}/issues/{issue}/labels", {"labels": names})
    assert set_label(world.bot(), world.repository, issue, outcome)
    assert labels(world, issue) == OTHERS | wanted


@pytest.mark.parametrize("outcome", [Outcome.SAID, Outcome.REFUSED, Outcome.FAILED])
def test_what_is_no_result_changes_no_label(world: World, outcome: Outcome) -> None:
    issue, bot = world.issue(), world.bot()
    set_label(bot, world.repository, issue, Outcome.STAY)
    world.github.calm()
    assert set_label(bot, world.repository, issue, outcome)
    assert world.github.asked == []
    assert labels(world, issue) == {"steelyard: stay"}


def test_only_labels_that_the_repository_wants(world: World) -> None:
    issue, bot = world.issue(), world.bot()
    assert set_label(bot, world.repository, issue, Outcome.STAY, ())
    assert set_label(bot, world.repository, issue, Outcome.STAY, (Outcome.SWITCH,))
    assert labels(world, issue) == set()


def test_a_label_that_is_there_takes_one_request_and_keeps_its_colour(world: World) -> None:
    olga, issue, bot = world.straight("olga"), world.issue(), world.bot()
    olga.post(f"/repos/{world.repository}/labels", {"name": "steelyard: stay", "color": "ffffff"})
    for wanted in (["GET", "POST", "POST"], ["GET"]):
        world.github.calm()
        assert set_label(bot, world.repository, issue, Outcome.STAY)
        assert [one.method for one in world.github.asked] == wanted
    assert olga.get(f"/repos/{world.repository}/labels/steelyard:%20stay")["color"] == "ffffff"


def test_a_new_label_has_its_colour(world: World) -> None:
    set_label(world.bot(), world.repository, world.issue(), Outcome.SPLIT)
    made = world.straight("olga").get(f"/repos/{world.repository}/labels/steelyard:%20split")
    assert made["color"] == COLOURS[Outcome.SPLIT]


@pytest.mark.parametrize("fault", [f for f in Fault if "no answer" not in f])
def test_failures_end_with_the_one_label(world: World, fault: Fault) -> None:
    issue = world.issue()
    set_label(world.bot(), world.repository, issue, Outcome.STAY)
    for route in [("DELETE", "/labels/"), ("POST", r"\d/labels$"), ("POST", r"r\d+/labels$")]:
        world.github.plan(fault, *route)
    done = any(set_label(world.bot(), world.repository, issue, Outcome.EXTEND) for _ in range(TRIES))
    assert done
    assert labels(world, issue) == {"steelyard: extend"}
