"""A request that this GitHub does not take."""

from collections.abc import Mapping


class Refusal(Exception):
    """An answer of 4xx or 5xx, as GitHub words it."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, dict(headers or {})


def not_found() -> Refusal:
    """What is not there, or not to be seen."""
    return Refusal(404, "Not Found")


def unprocessable(message: str) -> Refusal:
    """A request that is understood and cannot be done."""
    return Refusal(422, message)
