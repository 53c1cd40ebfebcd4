"""The process's own settings, from the environment and the state directory; a repository's are in `repo_config.py`."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

PUBLIC_API = "https://api.github.com"
PREFIX = "STEELYARD_"


def complaints(failure: ValueError) -> list[str]:
    """What is wrong with settings, a line each, without the values: they may be secrets."""
    if not isinstance(failure, ValidationError):
        return [str(failure)]
    errors = failure.errors(include_input=False, include_url=False)
    return [f"setting {'.'.join(map(str, error['loc']))}: {error['msg']}" for error in errors]


def _text(environment: Mapping[str, str], variable: str) -> str:
    """The variable's value, or the content of the file that its twin names; empty without either."""
    value, file = environment.get(variable, ""), environment.get(f"{variable}_FILE", "")
    if value and file:
        raise ValueError(f"{variable} and {variable}_FILE are both set: keep one")
    if not file:
        return value
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as failure:
        raise ValueError(f"{variable}_FILE names a file that cannot be read: {type(failure).__name__}") from None


class StoredApp(BaseModel):
    """The App that the setup page registered, as it lies in the state directory."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    slug: str
    url: str
    private_key: SecretStr
    webhook_secret: SecretStr
    client_id: str | None = None
    client_secret: SecretStr | None = None
    """For the login of readers; files of older versions have neither."""

    @staticmethod
    def path(state_dir: Path) -> Path:
        """Where it lies."""
        return state_dir / "app.json"

    @classmethod
    def read(cls, state_dir: Path) -> Self | None:
        """The stored App, None where there is none. Raises ValueError, without the content, for a broken file."""
        path = cls.path(state_dir)
        try:
            text = path.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as failure:
            raise ValueError(f"{path} cannot be read: {failure.strerror}") from None
        try:
            return cls.model_validate_json(text)
        except ValueError:
            raise ValueError(f"{path} is not what the setup page writes: remove it and set the App up again") from None


class ProcessSettings(BaseModel):
    """How this process runs. Secrets are `SecretStr`, so that no log or trace shows them.

    Every field is read from `STEELYARD_<NAME>`, or from the file that `STEELYARD_<NAME>_FILE` names, as container
    runtimes give secrets; what the setup page stored in the state directory fills the rest.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    state_dir: Path = Path("state")
    database_url: str | None = None
    """None: SQLite in the state directory."""
    base_url: str = PUBLIC_API
    """GitHub's REST API; for GitHub Enterprise Server `https://HOST/api/v3`."""
    web_url: str | None = None
    """GitHub's pages; by default made from `base_url`."""
    app_id: str | None = None
    private_key: SecretStr | None = None
    webhook_secrets: tuple[SecretStr, ...] = ()
    """All that are accepted: two while one is replaced."""
    token: SecretStr | None = None
    """A token instead of an App: the Action's, or a personal one."""
    attachment_token: SecretStr | None = None
    download_hosts: tuple[str, ...] = ()
    """Hosts beside GitHub's own that attachments may lead to."""
    public_url: str | None = Field(default=None, pattern=r"^https?://[^\s/?#]+[^\s?#]*$")
    """Where GitHub reaches this process: the root that `/webhook` and `/setup` stand under."""
    client_id: str | None = None
    client_secret: SecretStr | None = None
    """The App's, by which readers of the pages log in with GitHub."""
    session_secret: SecretStr | None = Field(default=None, min_length=32)
    """What sessions are encrypted by, where several processes serve the pages; by default the client secret."""
    playground: str = Field(default="auto", pattern="^(auto|off|login|public)$")
    """Who may try files out; `auto`: readers who are logged in, without a login this machine alone."""
    playground_mb: int = Field(default=20, ge=1, le=100)
    """Megabytes of one form."""
    metrics_token: SecretStr | None = None
    """Asked for as a bearer token at `/metrics`; without it only this machine may read them."""
    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=0, le=65535)
    workers: int = Field(default=2, ge=1, le=64)
    """Jobs at a time in this process."""
    job_seconds: int = Field(default=120, ge=1)
    job_memory_mb: int = Field(default=2048, ge=256)
    retention_days: int = Field(default=90, ge=1)
    executor: str | None = None
    """What this worker is called in the log; by default its host. Each process adds a part of its own."""
    log_format: str = Field(default="json", pattern="^(json|text)$")

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ, **given: object) -> Self:
        """Settings from the environment; `given` wins. Raises ValueError (of pydantic) for a value that cannot be."""
        names = {name: f"{PREFIX}{name.upper()}" for name in cls.model_fields}
        found: dict[str, object] = {n: stated for n, v in names.items() if (stated := _text(environment, v))}
        for several in ("webhook_secrets", "download_hosts"):
            if isinstance(text := found.get(several), str):
                found[several] = tuple(part.strip() for part in text.split(",") if part.strip())
        settings = cls.model_validate({**found, **{k: v for k, v in given.items() if v is not None}})
        return settings.with_stored_app()

    def with_stored_app(self) -> Self:
        """These settings, with what the setup page stored where they name no credentials; cheap, to be asked again.

        Credentials are taken as a whole: an App of the environment is not mixed with the secret of a stored one.
        Raises ValueError for a stored file that cannot be read.
        """
        if self.app_id or self.private_key or self.webhook_secrets or self.token:
            return self
        app = StoredApp.read(self.state_dir)
        if app is None:
            return self
        given = {"app_id": app.id, "private_key": app.private_key, "webhook_secrets": (app.webhook_secret,)}
        client = {"client_id": app.client_id, "client_secret": app.client_secret} if not self.client_id else {}
        return self.model_copy(update=given | client)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every secret in plain text, for the one use of keeping them out of logs."""
        held = (
            *(self.private_key, self.token, self.attachment_token, self.metrics_token),
            *(self.client_secret, self.session_secret, *self.webhook_secrets),
        )
        password = urlsplit(self.database_url or "").password
        return tuple(s.get_secret_value() for s in held if s is not None) + ((password,) if password else ())

    @property
    def jobs_url(self) -> str:
        """The job database as an SQLAlchemy URL."""
        return self.database_url or f"sqlite:///{(self.state_dir / 'jobs.sqlite').resolve()}"

    @property
    def pages_url(self) -> str:
        """Where GitHub's pages are: `https://github.com`, the Enterprise Server's host, or the tenant on ghe.com."""
        if self.web_url:
            return self.web_url.rstrip("/")
        if self.base_url.rstrip("/") == PUBLIC_API:
            return "https://github.com"
        parts = urlsplit(self.base_url)
        host = parts.netloc.removeprefix("api.") if parts.netloc.endswith(".ghe.com") else parts.netloc
        return f"{parts.scheme}://{host}"
