"""Which comments are our own: a marker alone proves nothing, since anybody may copy it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True)
class Identity:
    """The login that our comments carry, in lower case, and the App's id where there is one."""

    login: str
    app_id: int | None = None

    @classmethod
    def of_app(cls, app_id: int, slug: str) -> Self:
        """An App writes as `<slug>[bot]`."""
        return cls(f"{slug}[bot]".lower(), app_id)

    @classmethod
    def of_user(cls, login: str) -> Self:
        """A person, or a machine user, with a token."""
        return cls(login.lower())

    @classmethod
    def of_bot(cls, login: str) -> Self:
        """A bot whose name may come without its ending; a person could have registered the bare name."""
        return cls(login.lower() if login.endswith("[bot]") else f"{login}[bot]".lower())

    def wrote(self, comment: Mapping[str, Any]) -> bool:
        """Whether a comment, as REST gives it, is ours. A person who acts through the same App is not we."""
        user = comment.get("user") or {}
        if str(user.get("login") or "").lower() == self.login:
            return True
        via = (comment.get("performed_via_github_app") or {}).get("id")
        return self.app_id is not None and via == self.app_id and user.get("type") == "Bot"


ACTION = Identity("github-actions[bot]")
