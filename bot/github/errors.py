"""What may go wrong with GitHub, by what the caller can do about it."""


class GitHubError(Exception):
    """A request that gave no result. The message holds no secret."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class NotFound(GitHubError):
    """404 or 410: it is not there, or this identity may not see it."""


class Refused(GitHubError):
    """403, or 401 with a credential that a fresh one does not mend: this identity may not do that."""


class Conflict(GitHubError):
    """409, or 422 for a reference that moved: somebody else wrote first; read again and retry."""


class Invalid(GitHubError):
    """Another 4xx: GitHub does not take the request as it is."""


class Later(GitHubError):
    """5xx, a limit, a time-out, a broken connection: the same request may succeed after `retry_after_s`.

    Whether a write took effect is not known.
    """

    def __init__(self, message: str, status: int | None = None, retry_after_s: float | None = None) -> None:
        super().__init__(message, status)
        self.retry_after_s = retry_after_s
