"""What is nice to have and may be done twice: tried a few times at once, and never a reason to fail a job."""

from collections.abc import Callable

from bot.github.errors import GitHubError, Later

_TIMES = 3


def attempt(action: Callable[[], object], times: int = _TIMES) -> bool:
    """Whether it was done. Repeats after a broken answer, not after a limit that names a time, nor a refusal."""
    for _ in range(times):
        try:
            action()
        except Later as later:
            if later.retry_after_s is not None:
                return False
        except GitHubError:
            return False
        else:
            return True
    return False
