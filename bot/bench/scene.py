"""What a bench happens in: a GitHub with one repository, the App's credentials, and the bot's environment for it."""

import hashlib
import hmac
import json
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.bench.github.world import Setting

OWNER, REPOSITORY = "lab", "pilots"
ASKER = "olga"
APP_ID, INSTALLATION, SLUG = 4711, 815, "steelyard"
KEY_BITS = 2048


@dataclass(frozen=True)
class Scene:
    """One repository and the App on it. `secret` signs webhooks."""

    setting: Setting
    private_key: str = field(repr=False)
    secret: str = field(repr=False)

    @classmethod
    def made(cls, files: Mapping[str, str], large: Mapping[str, Path] | None = None) -> "Scene":
        """A scene with new credentials."""
        key = rsa.generate_private_key(public_exponent=65_537, key_size=KEY_BITS)
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
        )
        public = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        people = {ASKER: "admin"}
        setting = Setting(
            OWNER, REPOSITORY, people, APP_ID, SLUG, INSTALLATION, public.decode(), dict(files), dict(large or {})
        )
        return cls(setting, pem.decode(), secrets.token_hex(16))

    def environment(self, github_url: str, state: Path, port: int, database_url: str | None) -> dict[str, str]:
        """The bot's settings for this scene."""
        given = {
            "STATE_DIR": str(state),
            "BASE_URL": github_url,
            "APP_ID": str(APP_ID),
            "PRIVATE_KEY": self.private_key,
            "WEBHOOK_SECRETS": self.secret,
            "HOST": "127.0.0.1",
            "PORT": str(port),
            "DATABASE_URL": database_url or "",
        }
        return {f"STEELYARD_{name}": value for name, value in given.items()}


@dataclass(frozen=True)
class Delivery:
    """A webhook as GitHub would post it."""

    guid: str
    body: bytes

    def headers(self, secret: str) -> dict[str, str]:
        """Its headers, signed."""
        signature = hmac.new(secret.encode(), self.body, hashlib.sha256).hexdigest()
        return {
            "Content-Type": "application/json",
            "User-Agent": "GitHub-Hookshot/bench",
            "X-GitHub-Event": "issue_comment",
            "X-GitHub-Delivery": self.guid,
            "X-Hub-Signature-256": f"sha256={signature}",
        }


def delivery(payload: Mapping[str, Any], guid: str, padding: int = 0) -> Delivery:
    """A delivery of a payload; `padding` more bytes make it as large as a bench wants."""
    filled = {**payload, "padding": "x" * padding} if padding else payload
    return Delivery(guid, json.dumps(filled).encode())


def free_port() -> int:
    """A loopback port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
