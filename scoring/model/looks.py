"""Looks at one comparison: how often its answer was asked for, and what that leaves for proof now."""

from typing import Literal

from pydantic import Field

from scoring.model.base import Value


class EarlierLook(Value):
    """An answer that was given before: the key of its comparison (None: any), runs of both arms, planned runs then."""

    comparison: str | None = Field(default=None, pattern=r"^[0-9a-f]{1,64}$")
    runs_incumbent: int = Field(ge=1)
    runs_candidate: int = Field(ge=1)
    planned: int | None = None


class Look(Value):
    """One look: runs of both arms, its information fraction of the plan, alpha spent up to it."""

    runs_incumbent: int
    runs_candidate: int
    fraction: float
    spent: float


class Looks(Value):
    """The looks at a comparison, and the one-sided bounds of theta that hold however often it is looked at.

    `planned` is N_max, runs an arm, `declared` whether a team said so. `alpha` is one-sided over all looks, `level`
    what this look is judged at: 0 when nothing is left, and then the bounds are None. Each bound alone is wrong in at
    most alpha of all pilots over all looks together; `theta_lower` to `theta_upper` is the repeated interval.
    `state` is `used-up` when the plan's runs were looked at before, and `fewer-runs` when an earlier look had more.
    """

    key: str
    earlier: tuple[Look, ...]
    now: Look
    planned: int
    declared: bool
    alpha: float
    level: float
    theta_lower: float | None = None
    theta_upper: float | None = None
    state: Literal["open", "used-up", "fewer-runs"] = "open"
