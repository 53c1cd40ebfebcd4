"""What GitHub's refusals mean, by status, headers and the words of its messages: which error says what can be done."""

import time
from collections.abc import Mapping, Sequence
from typing import NoReturn

import github

from bot.github.errors import Conflict, Invalid, Later, NotFound, Refused

_MOVED = (
    "fast forward",
    "fast-forward",
    "reference already exists",
    "reference does not exist",
    "reference cannot be updated",
    "reference update failed",
    "is at ",
)
_PROTECTED = ("protected branch", "protected ref", "rule violation", "through a pull request")
_LAGS = ("object does not exist",)
"""GitHub's copies lag: what was written a moment ago may not be there yet (PyGithub#2759)."""


def raise_for(failure: github.GithubException) -> NoReturn:
    """Raises the GitHubError of the kind that says what the caller can do."""
    status, message = failure.status, _message(failure)
    headers = {k.lower(): v for k, v in (failure.headers or {}).items()}
    if status in (404, 410):
        raise NotFound(message, status) from None
    if status in (429,) or status >= 500 or (status == 403 and _is_limit(headers, message)):
        raise Later(message, status, _retry_after_s(headers)) from None
    if status in (401, 403) or (status in (409, 422) and _tells(message, _PROTECTED)):
        raise Refused(message, status) from None
    if status == 409 or (status == 422 and _tells(message, _MOVED)):
        raise Conflict(message, status) from None
    if status == 422 and _tells(message, _LAGS):
        raise Later(message, status) from None
    if 400 <= status < 500:
        raise Invalid(message, status) from None
    raise Later(message, status) from None


def _tells(message: str, words: Sequence[str]) -> bool:
    return any(word in message.lower() for word in words)


def _message(failure: github.GithubException) -> str:
    data = failure.data if isinstance(failure.data, dict) else {}
    return str(data.get("message") or f"HTTP {failure.status}")[:300]


def _is_limit(headers: Mapping[str, str], message: str) -> bool:
    exhausted = headers.get("x-ratelimit-remaining") == "0"
    return exhausted or "retry-after" in headers or "rate limit" in message.lower() or "abuse" in message.lower()


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait: Retry-After, else until the limit's reset; None where GitHub names no time."""
    given = headers.get("retry-after", "")
    if given.isdigit():
        return float(given)
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdigit():
        return max(float(reset) - time.time(), 1.0)
    return None
