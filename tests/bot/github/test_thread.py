"""A thread as values: posts in order over pages, whatever stands in them, and posts that are gone."""

import pytest

from bot.github.errors import NotFound
from bot.github.thread import MAX_BODY_CHARACTERS, Facts, read_post, read_thread, repository_facts, repository_path
from tests.bot.github.world import World
from tests.e2e.faults import Asked, Said


def test_posts_come_in_order_over_pages(world: World) -> None:
    issue = world.issue("The question")
    for number in range(103):
        world.comment(issue, f"comment {number}")
    thread = read_thread(world.bot(), world.repository, issue)
    assert [post.body for post in thread.posts] == ["The question", *(f"comment {i}" for i in range(103))]
    assert [post.comment_id is None for post in thread.posts] == [True, *[False] * 103]
    assert {post.author for post in thread.posts} == {"olga"}
    assert (thread.issue, thread.title, thread.is_pull_request) == (issue, "Pilot", False)
    assert all(post.url and post.created_at <= post.updated_at for post in thread.posts)


def test_facts(world: World) -> None:
    url = f"{world.emulate.url}/{world.repository}"
    assert repository_facts(world.bot(), world.repository) == Facts(world.repository, True, "main", url)


def test_a_post_as_it_stands_now(world: World) -> None:
    issue = world.issue("/compare")
    comment = world.comment(issue, "before")
    place = f"/repos/{world.repository}/issues/comments/{comment['id']}"
    world.straight("olga").patch(place, {"body": "after"})
    connection = world.bot()
    post, opened = (read_post(connection, world.repository, issue, i) for i in (comment["id"], None))
    assert post is not None and (post.comment_id, post.author, post.body) == (comment["id"], "olga", "after")
    assert opened is not None and (opened.comment_id, opened.body) == (None, "/compare")
    world.straight("olga").delete(place)
    assert read_post(connection, world.repository, issue, comment["id"]) is None


def test_an_issue_that_is_not_there(world: World) -> None:
    assert read_post(world.bot(), world.repository, 999, None) is None
    with pytest.raises(NotFound):
        read_thread(world.bot(), world.repository, 999)


@pytest.mark.parametrize(
    ("author", "is_bot", "body", "answer"),
    [
        ("ghost", False, "", {}),
        ("ghost", False, "", {"user": None, "body": None, "created_at": None, "html_url": 3}),
        ("ghost", False, "", {"user": [], "body": 5, "performed_via_github_app": "x"}),
        ("ci[bot]", True, "x", {"user": {"login": "ci[bot]", "type": "Bot"}, "body": "x"}),
        ("copilot", True, "x", {"user": {"login": "copilot", "type": "Bot"}, "body": "x"}),
        ("a", False, "x" * MAX_BODY_CHARACTERS, {"user": {"login": "a"}, "body": "x" * (MAX_BODY_CHARACTERS + 9)}),
    ],
)
def test_whatever_stands_in_an_answer(
    world: World, author: str, is_bot: bool, body: str, answer: dict[str, object]
) -> None:
    def odd(asked: Asked) -> Said | None:
        return Said.of(200, answer) if "/issues/comments/7" in asked.path else None

    world.github.handlers = (odd, *world.github.handlers)
    post = read_post(world.bot(), world.repository, 1, 7)
    assert post is not None and (post.author, post.is_bot, post.body) == (author, is_bot, body)


def test_comments_that_are_no_comments_are_left_out(world: World) -> None:
    issue = world.issue()
    items = [None, [], {"id": "7"}, {"id": 9, "body": "second"}, {"id": 8, "body": "first"}]

    def odd(asked: Asked) -> Said | None:
        return Said.of(200, items) if "/comments" in asked.path else None

    world.github.handlers = (odd, *world.github.handlers)
    thread = read_thread(world.bot(), world.repository, issue)
    assert [post.body for post in thread.posts[1:]] == ["first", "second"]


def test_what_does_not_say_that_it_is_private_is_public(world: World) -> None:
    def odd(asked: Asked) -> Said | None:
        return Said.of(200, {"private": "yes"}) if asked.path == "/repos/lab/odd" else None

    world.github.handlers = (odd, *world.github.handlers)
    assert repository_facts(world.bot(), "lab/odd") == Facts("lab/odd", False, "main", "")


@pytest.mark.parametrize("name", ["", "lab", "lab/", "/x", "a/b/c", "../x", "lab/..", "lab/."])
def test_no_repository(name: str) -> None:
    with pytest.raises(ValueError, match="no repository"):
        repository_path(name)


def test_a_repository_is_quoted() -> None:
    assert repository_path("lab/a b?c") == "/repos/lab/a%20b%3Fc"
