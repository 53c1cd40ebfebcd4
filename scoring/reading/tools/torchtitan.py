"""TorchTitan logs: `step: … loss: … tps: …` lines with colours, one file a run.

Lines as in pytorch/torchtitan at b5bcd76, torchtitan/components/metrics.py, tools/logging.py and trainer.py: `tps` is
tokens per second and device. The first logged step holds compilation and loading: the run is timed from its line to the
last one by the log's clock, and what came before since "Training starts" is told as initialisation.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from scoring.model.estimates import Direction
from scoring.model.pilot import Phase, Quality, Run, RunStatus
from scoring.model.settings import Settings
from scoring.problems import error, warning
from scoring.reading.charset import decode, lines_of
from scoring.reading.interface import Reader
from scoring.reading.limits import MAX_TABLE_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.tidy_table import TableReading
from scoring.reading.tools.records import columns_in

NAME = "TorchTitan"
LOSS, VALIDATION = "loss", "validation_loss"
COLUMNS = (
    ("first step … last step", "duration", "seconds"),
    ("Training starts … first step", "initialisation", "seconds"),
    ("tokens per train step × steps", "work done token", None),
    ("loss", "quality loss", None),
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:,(\d{3}))?")
_STEP = re.compile(r"(?<!validate )\bstep:\s*(\d+)\s+loss:\s*(\S+)\s.*?\btps:\s*([\d,]+)")
_VALIDATE = re.compile(r"validate step:\s*(\d+)\s+loss:\s*(\S+)")
_TOKENS = re.compile(r"(\d+) tokens per train step")
_BATCH = re.compile(r"global batch size (\d+),.*?sequence length (\d+)")
_MESH = re.compile(r"pp=(\d+), dp_replicate=(\d+), dp_shard=(\d+), cp=(\d+), tp=(\d+)")
_TOTAL = re.compile(r"total steps (\d+)")
_CLAIM = re.compile(rb"\bstep:\s*\d+\s+[^\n]{0,20}loss:[^\n]{0,200}\btps:")


@dataclass
class _Log:
    steps: dict[int, tuple[datetime | None, float | None]] = field(default_factory=dict)
    starts: datetime | None = None
    validation: float | None = None
    tokens_per_step: int | None = None
    devices: int | None = None
    total: int | None = None


def claims(head: bytes) -> bool:
    """Lines with step, loss and tps, or the mark of its logger where the first step is far below."""
    return _CLAIM.search(head) is not None or (b"[titan]" in head and b"Training starts at step" in head)


def read(posted: PostedFile, arm: str, settings: Settings) -> TableReading:
    """The one run of a log."""
    content, _, _ = decode(posted.read(MAX_TABLE_BYTES))
    log, reading = _parsed(content), TableReading(rows=1)
    reading.columns = columns_in(posted, COLUMNS)
    timed = [(step, at) for step, (at, _) in sorted(log.steps.items()) if at is not None]
    seconds = (timed[-1][1] - timed[0][1]).total_seconds() if len(timed) > 1 else 0.0
    if seconds <= 0:
        details = {"file": posted.name, "row": posted.first_line, "column": "step", "found": f"{len(timed)} steps"}
        expected = "lines of two steps or more with their times"
        reading.problems.append(error("tool-figure-missing", **details, tool=NAME, expected=expected))
        return reading
    (first, began), (last, _) = timed[0], timed[-1]
    over = log.total is None or last >= log.total
    if not over:
        found = f"step {last} of {log.total}"
        reading.problems.append(warning("training-not-over", file=posted.name, row=posted.first_line, found=found))
        return reading
    per_step = log.tokens_per_step
    before = (began - log.starts).total_seconds() if log.starts else None
    reading.directions = {LOSS: Direction.LOWER, VALIDATION: Direction.LOWER}
    reading.runs.append(
        Run(
            arm=arm,
            file=posted.name,
            row=posted.first_line,
            phase=Phase.TRAIN,
            run=posted.name,
            started_at=log.starts or began,
            duration_s=seconds,
            initialisation_s=before if before is not None and before >= 0 else None,
            work_units=float((last - first) * (per_step or 1)),
            unit="token" if per_step else "step",
            device_count=log.devices,
            quality=dict(_qualities(log, last)),
            conditions={"tokens_per_step": str(per_step)} if per_step else {},
            status=RunStatus.OK,
        )
    )
    return reading


def _qualities(log: _Log, last: int) -> Iterator[tuple[str, Quality]]:
    """The last validation where there was one, else the loss of the last step."""
    loss = log.steps[last][1]
    if log.validation is not None:
        yield VALIDATION, Quality(value=log.validation)
    elif loss is not None:
        yield LOSS, Quality(value=loss)


def _parsed(content: str) -> _Log:
    log = _Log()
    for line in lines_of(content):
        bare = _COLOUR.sub("", line[:2000])
        step, validated = _STEP.search(bare), _VALIDATE.search(bare)
        if validated:
            log.validation = _number(validated[2])
        elif step and len(step[1]) < 12:
            log.steps.setdefault(int(step[1]), (_time(bare), _number(step[2])))
        elif "Training starts at step" in bare:
            log.starts = log.starts or _time(bare)
        _setting(log, bare)
    return log


def _setting(log: _Log, line: str) -> None:
    """What the lines before the first step say of the load."""
    if (found := _TOKENS.search(line)) and len(found[1]) < 15:
        log.tokens_per_step = int(found[1])
    elif (found := _BATCH.search(line)) and max(map(len, found.groups())) < 9:
        log.tokens_per_step = int(found[1]) * int(found[2])
    if (found := _TOTAL.search(line)) and len(found[1]) < 12:
        log.total = int(found[1])
    if (found := _MESH.search(line)) and max(map(len, found.groups())) < 6:
        pp, replicate, shard, cp, tp = map(int, found.groups())
        log.devices = pp * replicate * shard * cp * tp or None


def _time(line: str) -> datetime | None:
    found = _TIME.search(line)
    try:
        moment = datetime.strptime(f"{found[1]},{found[2] or '000'}", "%Y-%m-%d %H:%M:%S,%f") if found else None
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment and 1970 <= moment.year < 2200 else None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e15 else None


READER = Reader(name=NAME, claims=claims, read=read)
