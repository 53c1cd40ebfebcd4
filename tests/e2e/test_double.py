"""The counterparts themselves: the checker finds what breaks the description, and the double keeps to it."""

from collections.abc import Callable

import pytest
from pydantic import SecretStr

from bot.emulator import INSTALLATION_ID
from bot.github.client import Connection
from bot.github.connect import app_connection, connection_for
from bot.github.errors import GitHubError, Invalid, NotFound
from bot.settings import ProcessSettings
from tests.e2e.conftest import PRIVATE, PUBLIC, GitHub
from tests.e2e.contract import Call
from tests.e2e.people import until

MINIMIZE = (
    "mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED})"
    " { minimizedComment { isMinimized } } }"
)


@pytest.fixture(scope="module")
def settings(chain: GitHub) -> ProcessSettings:
    return ProcessSettings(base_url=chain.api_url, app_id=str(chain.app_id), private_key=SecretStr(chain.private_key))


@pytest.fixture(scope="module")
def installation(settings: ProcessSettings) -> Connection:
    return connection_for(settings, INSTALLATION_ID)


@pytest.fixture(scope="module")
def comment(chain: GitHub) -> int:
    olga = chain.person("olga")
    for login, permission in (("rita", "pull"), ("tess", "triage"), ("walt", "push")):
        olga.lets(login, permission)
    written = olga.comments(olga.opens("The double"), "hello")
    until(lambda: chain.double.deliveries, "the event is in the log")
    return written


def last(chain: GitHub, ask: Callable[[], object]) -> Call:
    """The call that `ask` makes, whatever is answered."""
    before = len(chain.front.calls)
    try:
        ask()
    except GitHubError:
        pass
    return chain.front.calls[before:][-1]


@pytest.mark.parametrize(
    ("method", "path", "body", "told"),
    [
        ("post", f"/repos/{PRIVATE}/issues/1/comments", {"body": 5}, "must be string"),
        ("post", f"/repos/{PRIVATE}/issues/1/comments", {}, "must have required property 'body'"),
        ("post", f"/repos/{PRIVATE}/issues/1/reactions", {"content": "ice"}, "allowed values"),
        ("post", "/app/hook/deliveries/1/attempts", {}, "non-empty body"),
        ("get", f"/repos/{PRIVATE}/issues/one", None, "must be integer"),
        ("get", f"/repos/{PRIVATE}/issues/comments?since=yesterday", None, "date-time"),
        ("get", f"/repos/{PRIVATE}/no/such/thing", None, "route not found"),
    ],
)
def test_a_request_that_github_does_not_describe_is_found(
    chain: GitHub, installation: Connection, method: str, path: str, body: object, told: str
) -> None:
    arguments = (path,) if body is None else (path, body)
    call = last(chain, lambda: getattr(installation, method)(*arguments))
    assert told in " ".join(call.request_violations)


def test_every_answer_of_the_double_is_one_that_github_describes(
    chain: GitHub, settings: ProcessSettings, installation: Connection, comment: int
) -> None:
    app, at = app_connection(settings), f"/repos/{PRIVATE}/issues/comments/{comment}"
    delivery = app.get("/app/hook/deliveries")[0]["id"]
    asked: list[Callable[[], object]] = [
        lambda: installation.post(f"{at}/reactions", {"content": "eyes"}),
        lambda: installation.post(f"{at}/reactions", {"content": "eyes"}),
        lambda: installation.get(f"{at}/reactions"),
        lambda: installation.post(f"/repos/{PRIVATE}/issues/1/reactions", {"content": "rocket"}),
        lambda: installation.get(f"/repos/{PRIVATE}/collaborators/sam/permission"),
        lambda: installation.get(f"/repos/{PRIVATE}/collaborators/rita/permission"),
        lambda: installation.patch(at, {"body": "x" * 65_537}),
        lambda: installation.get("/user"),
        lambda: list(app.linked("/app/hook/deliveries", per_page=1)),
        lambda: app.get(f"/app/hook/deliveries/{delivery}"),
        lambda: app.post(f"/app/hook/deliveries/{delivery}/attempts"),
        lambda: app.get("/app/hook/config"),
        lambda: installation.graphql(MINIMIZE, {"id": "IC_1"}),
    ]
    calls = [last(chain, ask) for ask in asked]
    assert [call.path for call in calls if not call.by_double] == []
    assert [(c.path, c.request_violations, c.response_violations) for c in calls if _broken(c)] == []


def _broken(call: Call) -> bool:
    return bool(call.request_violations or call.response_violations)


@pytest.mark.parametrize(
    ("login", "private", "public"),
    [
        ("olga", "admin", "admin"),
        ("walt", "write", "read"),
        ("tess", "read", "read"),
        ("rita", "read", "read"),
        ("sam", "none", "read"),
    ],
)
def test_everybody_has_a_permission_as_on_github(
    installation: Connection, comment: int, login: str, private: str, public: str
) -> None:
    asked = [installation.get(f"/repos/{r}/collaborators/{login}/permission") for r in (PRIVATE, PUBLIC)]
    assert [answer["permission"] for answer in asked] == [private, public]


def test_nobody_has_none(installation: Connection) -> None:
    with pytest.raises(NotFound):
        installation.get(f"/repos/{PRIVATE}/collaborators/nobody-at-all/permission")


def test_a_comment_holds_so_much(installation: Connection, comment: int) -> None:
    installation.post(f"/repos/{PRIVATE}/issues/1/comments", {"body": "x" * 65_536})
    with pytest.raises(Invalid):
        installation.post(f"/repos/{PRIVATE}/issues/1/comments", {"body": "x" * 65_537})


def test_a_reaction_stands_once(chain: GitHub, installation: Connection, comment: int) -> None:
    for _ in range(2):
        installation.post(f"/repos/{PRIVATE}/issues/comments/{comment}/reactions", {"content": "heart"})
    listed = installation.get(f"/repos/{PRIVATE}/issues/comments/{comment}/reactions")
    assert [r["user"]["login"] for r in listed if r["content"] == "heart"] == ["steelyard[bot]"]


def test_graphql_takes_nothing_else(installation: Connection) -> None:
    with pytest.raises(Invalid):
        installation.graphql("mutation { deleteRepository(input: {repositoryId: 1}) { clientMutationId } }", {})
