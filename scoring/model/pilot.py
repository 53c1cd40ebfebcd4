"""What was posted, as runs: the pilot is a list of runs of several arms, each with the line it came from."""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from pydantic import Field

from scoring.model.base import Value
from scoring.model.estimates import Direction, MeanSpread


class Phase(StrEnum):
    """What kind of work was measured; serving is never compared with training."""

    TRAIN = "train"
    FINETUNE = "finetune"
    SERVE = "serve"
    BATCH = "batch"


class Pricing(StrEnum):
    """On which terms an hour was bought."""

    ON_DEMAND = "on_demand"
    SPOT = "spot"
    RESERVED = "reserved"
    QUOTE = "quote"


class RunStatus(StrEnum):
    """A failed run keeps its cost and did no work."""

    OK = "ok"
    FAILED = "failed"


class Quality(Value):
    """One quality figure of a run: `stderr` is the eval set's own, `correct` of `items` where it is a count."""

    value: float
    stderr: float | None = None
    correct: int | None = None
    items: int | None = None
    in_percent: bool = False


class WithinRun(Value):
    """A latency quantile inside one run of `n` requests: by order statistics, and in ten batches in the order posted.

    `lo` or `hi` None: too few requests to bound that side at `confidence`. It says nothing of another run.
    """

    n: int
    lo: float | None = None
    hi: float | None = None
    confidence: float
    batches: tuple[float, ...] = ()


class Run(Value):
    """One run of one arm. Times in seconds, prices per instance-hour, latencies in seconds.

    `work_units` are of `unit` (None: one run is one unit). `throughput` is units of `unit` per second, for postings
    that give no duration. `latency` maps names such as `ttft_p99` to seconds, `within` those that were posted
    request by request to what they are inside the run. `conditions` hold what
    should not differ (precision, batch size, versions, load pattern …). `left_out` is the code of the problem for
    which the row cannot be a run.
    """

    arm: str
    file: str
    row: int | None = None
    workload: str | None = None
    phase: Phase | None = None
    run: str | None = None
    block: str | None = None
    host: str | None = None
    seed: str | None = None
    started_at: datetime | None = None
    duration_s: float | None = None
    warmup_s: float | None = None
    initialisation_s: float | None = None
    work_units: float | None = None
    unit: str | None = None
    throughput: float | None = None
    accelerator: str | None = None
    instance_type: str | None = None
    instance_count: int = 1
    device_count: int | None = None
    region: str | None = None
    price_per_hour: Decimal | None = None
    price_source: str | None = None
    pricing: Pricing | None = None
    currency: str | None = None
    stated_cost: Decimal | None = None
    cost_currency: str | None = None
    quality: dict[str, Quality] = {}
    latency: dict[str, float] = {}
    within: dict[str, WithinRun] = {}
    requests_attempted: int | None = None
    requests_completed: int | None = None
    conditions: dict[str, str] = {}
    other: dict[str, str] = {}
    status: RunStatus = RunStatus.OK
    left_out: str | None = None

    @property
    def is_evaluation(self) -> bool:
        """Whether the run was posted for its scores: it has neither time, rate, cost nor work."""
        told = (self.duration_s, self.throughput, self.stated_cost, self.work_units)
        return bool(self.quality) and all(figure is None for figure in told)


class ItemScores(Value):
    """What one run scored on single items of an eval set; the record keeps their number and mean, not every item.

    `items` and `scores` have one entry an item, in the order posted.
    """

    arm: str
    metric: str
    file: str
    workload: str | None = None
    run: str | None = None
    n: int
    mean: float
    items: tuple[str, ...] = Field(default=(), exclude=True, repr=False)
    scores: tuple[float, ...] = Field(default=(), exclude=True, repr=False)


class Summary(Value):
    """A posted summary of an arm (mean ± sd, n): it takes the place of runs that were not posted."""

    arm: str
    file: str
    row: int | None = None
    workload: str | None = None
    phase: Phase | None = None
    n: int | None = None
    unit: str | None = None
    work_units: float | None = None
    duration_s: MeanSpread | None = None
    cost: MeanSpread | None = None
    cost_currency: str | None = None
    throughput: MeanSpread | None = None
    quality: dict[str, MeanSpread] = {}
    latency: dict[str, MeanSpread] = {}
    instance_type: str | None = None
    instance_count: int = 1
    accelerator: str | None = None
    region: str | None = None
    price_per_hour: Decimal | None = None
    price_source: str | None = None
    pricing: Pricing | None = None
    currency: str | None = None
    conditions: dict[str, str] = {}
    other: dict[str, str] = {}


class ColumnReading(Value):
    """How one posted column was read; every such mapping is shown in the reply."""

    file: str
    column: str
    meaning: str
    unit: str | None = None
    note: str | None = None


class InputFile(Value):
    """A posted file, its hash, how many of its rows became runs or were left out, and who posted it in a thread."""

    file: str
    sha256: str
    size: int
    reader: str | None = None
    rows_read: int = 0
    rows_left_out: int = 0
    posted_by: str | None = None


class Pilot(Value):
    """Everything that was read from the posting, rows that were left out included."""

    runs: tuple[Run, ...] = ()
    summaries: tuple[Summary, ...] = ()
    items: tuple[ItemScores, ...] = ()
    directions: dict[str, Direction] = {}
    columns: tuple[ColumnReading, ...] = ()
    inputs: tuple[InputFile, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def arm_names(self) -> tuple[str, ...]:
        """The arms in the order in which they were posted."""
        return tuple(dict.fromkeys([r.arm for r in self.runs] + [s.arm for s in self.summaries]))
