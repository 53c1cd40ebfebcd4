"""Connections by who we are: the App itself, one of its installations, or the holder of a token."""

import hashlib
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

import github
from pydantic import SecretStr

from bot.github.client import TIMEOUT_S, Connection
from bot.github.errors import GitHubError, Later, Refused
from bot.github.identity import ACTION, Identity
from bot.github.tokens import Credential, TokenCache
from bot.settings import ProcessSettings

_TOKENS = TokenCache()
_SIGNED_AGAIN_S = 120
_PACED = ("github.com", "ghe.com")
"""Hosts whose limits on writing ask for a second between two writes; an Enterprise Server has none by default."""


class BrokenKey(Refused):
    """The App's private key cannot be used; the message never holds a part of it."""


def app_connection(settings: ProcessSettings) -> Connection:
    """A connection as the App itself (JWT), for `/app/…` only. Raises BrokenKey, or Refused without an App."""
    return Connection(_app_auth(settings), settings.base_url, pace=_paced(settings))


def connection_for(
    settings: ProcessSettings,
    installation_id: int | None,
    *,
    tokens: TokenCache = _TOKENS,
    timeout_s: int = TIMEOUT_S,
) -> Connection:
    """A connection for one repository's work: as the installation where there is an App, else with the token.

    A 401 drops the installation's token and is raised as Later; as Refused when a fresh one fails as well.
    Raises Refused where there is neither, BrokenKey, NotFound for an installation that is gone, Later.
    """
    if settings.app_id and installation_id is not None:
        credential = _credential(settings, installation_id, tokens)
        auth = github.Auth.Token(credential.secret())
        pace = _paced(settings)
        return Connection(auth, settings.base_url, pace=pace, credential=credential, timeout_s=timeout_s)
    if settings.token:
        return Connection(
            github.Auth.Token(settings.token.get_secret_value()), settings.base_url, pace=_paced(settings)
        )
    raise Refused("no credentials: neither an App with an installation nor a token is configured")


def installation_token(
    settings: ProcessSettings, installation_id: int, repository: str, *, tokens: TokenCache = _TOKENS
) -> str:
    """A token for downloads from GitHub's own hosts that opens this repository alone: an attachment's address does not
    tell which repository it belongs to, and whoever posts it may not read all that the installation may.

    Raises as `connection_for`.
    """
    return _credential(settings, installation_id, tokens, repository).secret()


def reading_connection(
    settings: ProcessSettings, installation_id: int, repository: str, *, tokens: TokenCache = _TOKENS
) -> Connection:
    """A connection that reads the contents of this one repository and can do nothing else.

    Raises Invalid or NotFound where the App is not installed there or there is no such repository, else as
    `connection_for`.
    """
    credential = _credential(settings, installation_id, tokens, repository, {"contents": "read"})
    auth = github.Auth.Token(credential.secret())
    return Connection(auth, settings.base_url, pace=_paced(settings), credential=credential)


def identity_for(settings: ProcessSettings, installation_id: int | None, connection: Connection) -> Identity:
    """Who writes our comments, asked once per process and credential.

    With an App its slug; with a person's token its login; with a token that has no person behind it (the Action's)
    what GraphQL names, else `github-actions[bot]`.
    """
    key = f"{settings.base_url}|{_digest(settings)}|{installation_id is not None}"
    if key not in _IDENTITIES:
        if settings.app_id and installation_id is not None:
            app = app_connection(settings).get("/app")
            _IDENTITIES[key] = Identity.of_app(int(app["id"]), str(app["slug"]))
        else:
            _IDENTITIES[key] = _token_identity(connection)
    return _IDENTITIES[key]


_IDENTITIES: dict[str, Identity] = {}


def _token_identity(connection: Connection) -> Identity:
    try:
        return Identity.of_user(str(connection.get("/user")["login"]))
    except Refused as refusal:
        if refusal.status == 401:
            raise
    try:
        return Identity.of_bot(str(connection.graphql("query { viewer { login } }", {})["viewer"]["login"]))
    except Later:
        raise
    except (GitHubError, KeyError, TypeError):  # a server without GraphQL, or one that names nobody
        return ACTION


def _credential(
    settings: ProcessSettings,
    installation_id: int,
    tokens: TokenCache,
    repository: str | None = None,
    permissions: Mapping[str, str] = {},
) -> Credential:
    """The installation's token, for all of its repositories or for one of them, with all or some of its rights."""
    only: dict[str, object] = {"repositories": [repository.partition("/")[2]]} if repository else {}
    only |= {"permissions": dict(permissions)} if permissions else {}

    def fetch() -> tuple[str, str]:
        answer = app_connection(settings).post(f"/app/installations/{int(installation_id)}/access_tokens", only)
        try:
            return str(answer["token"]), str(answer["expires_at"])
        except (KeyError, TypeError):
            raise Later("an answer without a token") from None

    return tokens.get(f"{settings.base_url}|{_digest(settings)}|{installation_id}|{repository}|{only}", fetch)


def _app_auth(settings: ProcessSettings) -> "_AppAuth":
    if not settings.app_id or settings.private_key is None:
        raise Refused("no App is configured: an id and a private key are needed")
    auth = _AppAuth(settings.app_id, _pem(settings.private_key))
    auth.create_jwt()
    return auth


class _AppAuth(github.Auth.AppAuth):
    """Signs once per connection, since reading the key takes as long as a request, and says what is wrong with it."""

    _signed: tuple[float, str] | None = None

    def create_jwt(self, expiration: int | None = None) -> str:
        """The App's token for some minutes. Raises BrokenKey."""
        now = time.monotonic()
        if self._signed is None or now - self._signed[0] > _SIGNED_AGAIN_S:
            try:
                self._signed = (now, super().create_jwt(expiration))
            except Exception as failure:  # of three libraries, and some messages quote what they were given
                raise BrokenKey(
                    f"the App's private key cannot be used ({type(failure).__name__}): a PEM file as GitHub gave it is "
                    "needed, with its BEGIN and END lines"
                ) from None
        return self._signed[1]


def _pem(key: SecretStr) -> str:
    """Environments and secret stores often hold the line ends as the two characters backslash and n."""
    return (
        key.get_secret_value().replace("\\r", "").replace("\\n", "\n").replace("\r\n", "\n").strip().strip("\"'") + "\n"
    )


def _digest(settings: ProcessSettings) -> str:
    """Tells one credential from the next without holding it, so that a replaced key takes effect."""
    secret = settings.private_key if settings.app_id else settings.token
    text = f"{settings.app_id}|{secret.get_secret_value() if secret else ''}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _paced(settings: ProcessSettings) -> bool:
    host = urlsplit(settings.base_url).hostname or ""
    return host in _PACED or host.endswith(tuple(f".{name}" for name in _PACED))
