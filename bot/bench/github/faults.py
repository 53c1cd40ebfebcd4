"""How GitHub fails: which requests, and in which way, by a seed."""

import random
from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """A way to fail. All but the first three may come after the request took effect."""

    ERROR = "500"
    LIMIT = "403 secondary limit"
    EXPIRED = "401 expired token"
    STORED_502 = "502 after it was stored"
    HALF = "half a body"
    CUT = "connection cut"
    SILENT = "no answer in time"


WEIGHTS = {
    Fault.ERROR: 20,
    Fault.LIMIT: 12,
    Fault.EXPIRED: 8,
    Fault.STORED_502: 25,
    Fault.HALF: 20,
    Fault.CUT: 14,
    Fault.SILENT: 1,
}
"""Shares of all faults; silence costs its caller half a minute."""
BEFORE = frozenset({Fault.ERROR, Fault.LIMIT, Fault.EXPIRED})


@dataclass
class Faults:
    """A fault for a share `rate` of the requests."""

    rate: float
    rng: random.Random

    def next(self) -> Fault | None:
        """The fault of the next request; None for none."""
        if self.rng.random() >= self.rate:
            return None
        return self.rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
