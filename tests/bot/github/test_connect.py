"""Who we are to GitHub: tokens that are kept, dropped and renewed, keys that are broken, and no secret anywhere."""

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.emulator import APP_ID, INSTALLATION_ID, token_of
from bot.github.connect import BrokenKey, app_connection, connection_for, identity_for
from bot.github.errors import Later, NotFound, Refused
from bot.github.identity import ACTION, Identity
from bot.github.permissions import Role, role_of
from bot.github.tokens import EARLY_S, TokenCache
from bot.settings import ProcessSettings
from tests.bot.github.world import World
from tests.e2e.faults import Asked, Fault, FaultProxy, Said


def issued(world: World) -> int:
    return len([route for route in world.github.routes() if route.endswith("/access_tokens")])


def with_key(world: World, key: str) -> ProcessSettings:
    return world.settings.model_copy(update={"private_key": SecretStr(key)})


def test_a_token_is_fetched_once_and_works(world: World) -> None:
    tokens = TokenCache()
    for _ in range(3):
        connection = connection_for(world.settings, INSTALLATION_ID, tokens=tokens)
        assert connection.get(f"/repos/{world.repository}")["full_name"] == world.repository
    assert issued(world) == 1


def test_threads_that_ask_at_once_fetch_one_token(world: World) -> None:
    tokens = TokenCache()
    with ThreadPoolExecutor(6) as pool:
        asked = [pool.submit(connection_for, world.settings, INSTALLATION_ID, tokens=tokens) for _ in range(6)]
        assert len({one.result(30).token() for one in asked}) == 1
    assert issued(world) == 1


def test_a_token_is_renewed_five_minutes_before_it_expires() -> None:
    now = [1_000_000.0]
    given = iter(["one", "two", "three"])
    tokens = TokenCache(clock=lambda: now[0])

    def fetch() -> tuple[str, str]:
        return next(given), "1970-01-12T14:46:40Z" if now[0] < 1_003_300 else "1970-01-12T15:46:40Z"

    assert tokens.get("k", fetch).secret() == "one"
    now[0] += 3600 - EARLY_S - 1
    assert tokens.get("k", fetch).secret() == "one"
    now[0] += 1
    assert tokens.get("k", fetch).secret() == "two"
    assert tokens.get("other", fetch).secret() == "three"


def test_a_refused_token_is_later_and_a_refused_fresh_one_is_refused(world: World) -> None:
    tokens = TokenCache()

    def ask() -> object:
        return connection_for(world.settings, INSTALLATION_ID, tokens=tokens).get(f"/repos/{world.repository}")

    world.github.plan(Fault.EXPIRED, "GET", "/repos/", times=2)
    for wanted in (Later, Refused):
        with pytest.raises(wanted):
            ask()
    ask()
    world.github.plan(Fault.EXPIRED, "GET", "/repos/")
    with pytest.raises(Later):
        ask()
    ask()
    assert issued(world) == 4


def test_one_connection_whose_token_is_refused_does_not_drop_the_next_ones() -> None:
    tokens = TokenCache()
    given = iter(["one", "two", "three"])

    def fetch() -> tuple[str, str]:
        return next(given), "2999-01-01T00:00:00Z"

    first, also_first = tokens.get("k", fetch), tokens.get("k", fetch)
    assert first.refused() is True
    assert tokens.get("k", fetch).secret() == "two"
    assert also_first.refused() is True
    assert tokens.get("k", fetch).secret() == "two"


@pytest.mark.parametrize("form", ["as it is", "escaped", "quoted", "windows"])
def test_a_key_is_taken_in_the_forms_in_which_secrets_come(world: World, form: str) -> None:
    pem = world.emulate.private_key
    text = {
        "as it is": pem,
        "escaped": pem.replace("\n", "\\n"),
        "quoted": f'"{pem.strip()}"',
        "windows": pem.replace("\n", "\r\n"),
    }[form]
    assert app_connection(with_key(world, text)).get("/app")["id"] == APP_ID


@pytest.mark.parametrize("text", ["s3cret", "-----BEGIN RSA PRIVATE KEY-----\ns3cret\n-----END RSA PRIVATE KEY-----"])
def test_a_broken_key_is_said_without_the_key(world: World, text: str) -> None:
    with pytest.raises(BrokenKey, match="private key cannot be used") as failure:
        app_connection(with_key(world, text))
    assert "s3cret" not in str(failure.value)
    assert failure.value.__cause__ is None


def test_nothing_shows_a_secret(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    tokens = TokenCache()
    connection = connection_for(world.settings, INSTALLATION_ID, tokens=tokens)
    secret = connection.token() or "none"
    assert secret.startswith("ghs_")
    connection.get(f"/repos/{world.repository}")
    with pytest.raises(NotFound) as failure:
        connection.get("/repos/lab/nothing")
    shown = f"{tokens!r}{vars(tokens)!r}{connection!r}{world.settings!r}{failure.value!r}{caplog.text}"
    assert secret not in shown
    assert world.emulate.private_key.splitlines()[1] not in shown


def test_without_credentials_it_says_so(tmp_path: Path) -> None:
    bare = ProcessSettings(state_dir=tmp_path)
    for ask in (lambda: connection_for(bare, 1), lambda: app_connection(bare)):
        with pytest.raises(Refused, match="App"):
            ask()


def test_an_installation_that_is_gone(world: World) -> None:
    with pytest.raises(NotFound):
        connection_for(world.settings, 999, tokens=TokenCache())


def test_identity_of_the_app_and_of_a_person(world: World) -> None:
    bot = world.bot()
    app = identity_for(world.settings, INSTALLATION_ID, bot)
    assert app == Identity("steelyard[bot]", APP_ID)
    issue = world.issue()
    assert app.wrote(bot.post(f"/repos/{world.repository}/issues/{issue}/comments", {"body": "x"}))
    assert not app.wrote(world.comment(issue, "x"))
    person = ProcessSettings(base_url=world.github.url, token=SecretStr(token_of("Olga".lower())))
    assert identity_for(person, None, connection_for(person, None)) == Identity("olga")


@pytest.mark.parametrize(("graphql", "wanted"), [(True, Identity("helper[bot]")), (False, ACTION)])
def test_identity_of_a_token_without_a_person(world: World, graphql: bool, wanted: Identity) -> None:
    def integration(asked: Asked) -> Said | None:
        refused = Said.of(403, {"message": "Resource not accessible by integration"})
        return refused if asked.path == "/user" else None

    world.lacking.knows_graphql = graphql
    with FaultProxy(world.emulate.url, [integration, world.lacking]) as github:
        settings = ProcessSettings(base_url=github.url, token=SecretStr("ghs_of_the_action"))
        assert identity_for(settings, None, connection_for(settings, None)) == wanted


APP = Identity("steelyard[bot]", 7)


@pytest.mark.parametrize(
    ("wanted", "comment"),
    [
        (True, {"user": {"login": "Steelyard[bot]", "type": "Bot"}}),
        (True, {"user": {"login": "renamed[bot]", "type": "Bot"}, "performed_via_github_app": {"id": 7}}),
        (False, {"user": {"login": "steelyard", "type": "User"}}),
        (False, {"user": {"login": "mallory", "type": "User"}, "performed_via_github_app": {"id": 7}}),
        (False, {"user": {"login": "other[bot]", "type": "Bot"}, "performed_via_github_app": {"id": 8}}),
        (False, {"user": None}),
        (False, {}),
    ],
)
def test_whose_comment_it_is(wanted: bool, comment: dict[str, object]) -> None:
    assert APP.wrote(comment) is wanted
    assert replace(APP, app_id=None).wrote({"user": {"login": "x"}, "performed_via_github_app": None}) is False


@pytest.mark.parametrize(("bare", "wanted"), [("x", "x[bot]"), ("X[bot]", "x[bot]")])
def test_a_bots_name_has_its_ending(bare: str, wanted: str) -> None:
    assert Identity.of_bot(bare).login == wanted


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (None, Role.NONE),
        ("pull", Role.READ),
        ("triage", Role.TRIAGE),
        ("push", Role.WRITE),
        ("maintain", Role.MAINTAIN),
        ("admin", Role.ADMIN),
    ],
)
def test_roles(world: World, given: str | None, wanted: Role) -> None:
    if given:
        path = f"/repos/{world.repository}/collaborators/tess"
        world.straight("olga").put(path, {"permission": given})
    assert role_of(world.bot(), world.repository, "tess") is wanted


def test_roles_of_a_member_and_of_nobody(world: World) -> None:
    assert role_of(world.bot(), world.repository, "olga") is Role.ADMIN
    for nobody in ("nobody", "../../../user", "a b?c#d", "dependabot[bot]"):
        assert role_of(world.bot(), world.repository, nobody) is Role.NONE
    assert Role.NONE < Role.READ < Role.TRIAGE < Role.WRITE < Role.MAINTAIN < Role.ADMIN


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ({"permission": "write", "role_name": "security-engineer"}, Role.WRITE),
        ({"permission": "read", "role_name": "triage"}, Role.TRIAGE),
        ({"permission": "write", "role_name": "maintain"}, Role.MAINTAIN),
        ({"permission": "admin"}, Role.ADMIN),
        ({"permission": "none", "role_name": ""}, Role.NONE),
        ({"permission": "owner?"}, Role.NONE),
    ],
)
def test_a_custom_role_counts_as_what_it_is_built_on(world: World, answer: dict[str, str], wanted: Role) -> None:
    with FaultProxy(world.emulate.url, [lambda _: Said.of(200, answer)]) as github:
        settings = ProcessSettings(base_url=github.url, token=SecretStr("x"))
        assert role_of(connection_for(settings, None), "lab/pilots", "tess") is wanted
