"""Who asks: the App by its JWT, its installation and people by tokens; and what GitHub says about the App itself."""

import jwt

from bot.bench.github.call import Call, Given
from bot.bench.github.issues import repository_json
from bot.bench.github.refusal import Refusal, not_found
from bot.bench.github.world import Who, World, when

APP = "App"
PERMISSIONS = {"issues": "write", "contents": "write", "metadata": "read"}


def sender(world: World, authorization: str) -> Who:
    """Whom an Authorization header stands for. Raises Refusal (401)."""
    scheme, _, secret = authorization.partition(" ")
    if scheme.lower() not in ("bearer", "token") or not secret:
        raise Refusal(401, "Requires authentication")
    if secret.count(".") == 2:
        return _app(world, secret)
    if world.tokens.get(secret, 0.0) > world.clock():
        return world.bot
    login = secret.removeprefix("token-of-")
    if login != secret and login in world.setting.people:
        return world.person(login)
    raise Refusal(401, "Bad credentials")


def _app(world: World, token: str) -> Who:
    try:
        claims = jwt.decode(token, world.setting.public_key, algorithms=["RS256"])
    except jwt.InvalidTokenError:
        raise Refusal(401, "A JSON web token could not be decoded") from None
    if str(claims.get("iss")) != str(world.setting.app_id):
        raise Refusal(401, "Integration not found")
    return Who(world.setting.app_slug, APP, world.setting.app_id)


def new_token(call: Call) -> Given:
    """POST /app/installations/{id}/access_tokens."""
    _of_app(call)
    if call.number("installation") != call.world.setting.installation:
        raise not_found()
    token, ends = call.world.new_token()
    answer = {"token": token, "expires_at": when(ends), "permissions": PERMISSIONS, "repository_selection": "all"}
    return Given(201, answer)


def app(call: Call) -> Given:
    """GET /app."""
    _of_app(call)
    setting = call.world.setting
    owner = {"login": setting.owner, "id": 1, "type": "Organization"}
    answer = {"id": setting.app_id, "slug": setting.app_slug, "name": setting.app_slug, "owner": owner}
    return Given(json={**answer, "permissions": PERMISSIONS, "events": ["issue_comment", "issues"]})


def installations(call: Call) -> Given:
    """GET /app/installations."""
    _of_app(call)
    setting = call.world.setting
    account = {"login": setting.owner, "id": 1, "type": "Organization"}
    one = {"id": setting.installation, "account": account, "app_id": setting.app_id, "permissions": PERMISSIONS}
    return Given(json=call.page([{**one, "suspended_at": None}]))


def installation_repositories(call: Call) -> Given:
    """GET /installation/repositories."""
    return Given(json={"total_count": 1, "repositories": call.page([repository_json(call)])})


def deliveries(call: Call) -> Given:
    """GET /app/hook/deliveries: none, since the bench repeats what was not taken itself."""
    _of_app(call)
    return Given(json=[])


def user(call: Call) -> Given:
    """GET /user: a person only."""
    if call.who.kind != "User":
        raise Refusal(403, "Resource not accessible by integration")
    return Given(json={"login": call.who.login, "id": 1, "type": "User"})


def graphql(call: Call) -> Given:
    """POST /graphql: comments are folded and unfolded."""
    query = call.text("query")
    name = "unminimizeComment" if "unminimizeComment" in query else "minimizeComment"
    if name not in query:
        return Given(json={"data": None, "errors": [{"message": "not served here"}]})
    inner = "unminimizedComment" if name.startswith("un") else "minimizedComment"
    return Given(json={"data": {name: {inner: {"isMinimized": not name.startswith("un")}}}})


def _of_app(call: Call) -> None:
    if call.who.kind != APP:
        raise Refusal(401, "A JSON web token could not be decoded")
