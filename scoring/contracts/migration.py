"""How a move goes: the share of it that has moved month by month, and how long both arms run what has moved."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Migration:
    """Of a move that begins in month s the share `ramp[i]` has moved by month s + i, all of it in the end.

    What moves in a month also runs on the incumbent in the `parallel_months` from that month on; what moved first is
    the first that stops to.
    """

    ramp: tuple[float, ...] = (1.0,)
    parallel_months: int = 0

    @property
    def at_once(self) -> bool:
        """Whether a move is complete, and the incumbent left, in the month in which it begins."""
        return len(self.ramp) == 1 and not self.parallel_months

    @property
    def settles_after(self) -> int:
        """Months from the beginning of a move on in which it is not yet complete, or both arms run it."""
        return len(self.ramp) - 1 + self.parallel_months

    def shares(self, level: Matrix, highest: Matrix) -> tuple[Matrix, Matrix]:
        """The share of the demand on the candidate, and the share that has left the incumbent, in each month.

        `level` is the share that is to be on the candidate, `highest` the highest level so far, 0 before the plan
        begins; months are the last axis of both, and the last of `highest` are those of `level`. Each rise of the level
        to where it never was is a move: what has moved is Σ_k (ramp[k] − ramp[k − 1])·highest k months ago. What was
        once moved may go back and come again: that is no move.
        """
        moved = sum(
            (step * _ago(highest, k) for k, step in enumerate(np.diff(self.ramp, prepend=0.0))),
            start=np.zeros_like(highest),
        )
        left = _ago(moved, self.parallel_months)
        last = slice(-level.shape[-1], None)
        return np.minimum(level, moved[..., last]), np.minimum(level, left[..., last])


AT_ONCE = Migration()


def _ago(values: Matrix, months: int) -> Matrix:
    """The values some months before each month, 0 before the first."""
    if not months:
        return values
    there = np.zeros_like(values)
    there[..., months:] = values[..., : values.shape[-1] - min(months, values.shape[-1])]
    return there
