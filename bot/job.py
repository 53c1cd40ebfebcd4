"""A job: which comment or issue body may hold commands. References only; what was written is read when the job runs."""

import hashlib
from typing import Any, Self

from pydantic import BaseModel, ConfigDict


def content_of(text: str) -> str:
    """What tells one state of a text from another: the first 16 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Job(BaseModel):
    """One state of one comment (or of an issue's own text, `comment_id` None) that may give commands.

    `updated_at` and `content` (the start of the text's SHA-256) tell one state from the next, so that two hooks, a
    redelivery and a sweep give one job, and an edit back to an earlier text is a new one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    repository: str
    issue: int
    comment_id: int | None
    updated_at: str
    content: str
    installation_id: int | None = None
    delivery: str = ""

    @property
    def key(self) -> str:
        """The idempotency key: equal for everything that announces this state of the text."""
        place = f"{self.issue}" if self.comment_id is None else f"c{self.comment_id}"
        return f"{self.repository.lower()}/{place}/{self.updated_at}/{self.content}"

    @property
    def place(self) -> str:
        """The thread that it belongs to: jobs of one thread run one after the other."""
        return f"{self.repository.lower()}/{self.issue}"

    @classmethod
    def model_of(cls, values: dict[str, Any]) -> Self:
        """A job from what was stored."""
        return cls.model_validate(values)
