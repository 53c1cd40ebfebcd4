"""Why a plan moves in its month and not in the one before or after."""

from scoring.model.base import Value


class TimingReason(Value):
    """A code, and the contract that it speaks of where there is one.

    `reservation-ends`: a contract of the incumbent's ends before the month; `promise-falls`: fewer hours are promised
    from that month on; `overflow-first`: what lies above the promise moved before; `ends-while-moving`: one ends
    before a move that begins in the month is complete and the incumbent no longer runs it; `nothing-to-wait-for`: the
    first month there is; `cost-alone`: no contract speaks for the month, only the sums.
    """

    code: str
    contract_id: str | None = None


class Timing(Value):
    """The month in which everything moves, where nothing more moves that in which the part does, and its neighbours.

    `earlier` and `later` are what the plan costs more, discounted, with that move a month earlier or later and all
    else as it is; None where there is no such month, or no such plan,
    or where it is the same: once nothing is promised any more, the part above the promise is everything.
    """

    month: int
    earlier: float | None = None
    later: float | None = None
    reasons: tuple[TimingReason, ...] = ()
