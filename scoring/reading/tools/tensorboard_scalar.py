"""TensorBoard's export of one scalar: `Wall time,Step,Value`, one tag of one run a file.

Header as in tensorflow/tensorboard, tensorboard/plugins/scalar/scalars_plugin.py; the page calls the file
`run-<run>-tag-<tag>.csv`. Wall time is seconds since 1970. The run is timed from the first point to the last, so that
what came before the first point, compilation too, is not in it; the work is the steps between.
"""

import csv
import re

from scoring.model.estimates import Direction
from scoring.model.pilot import Phase, Quality, Run
from scoring.model.settings import Settings
from scoring.problems import error, info
from scoring.reading.charset import decode, lines_of
from scoring.reading.headers import direction_of, normalised
from scoring.reading.interface import Reader
from scoring.reading.limits import MAX_TABLE_BYTES
from scoring.reading.moments import read_moment
from scoring.reading.posted import PostedFile
from scoring.reading.tidy_table import TableReading
from scoring.reading.tools.records import columns_in, number

NAME = "TensorBoard scalar"
HEADER = b"Wall time,Step,Value"
_NAMED = re.compile(r"(?:run-)?(?P<run>.*?)-?tag-(?P<tag>.+)\.csv\Z")
COLUMNS = (
    ("Wall time", "duration", "seconds"),
    ("Step", "work done step", None),
    ("Value", "quality by the tag", None),
)


def claims(head: bytes) -> bool:
    """The header that the page writes."""
    return head.lstrip(b"\xef\xbb\xbf").startswith(HEADER)


def read(posted: PostedFile, arm: str, settings: Settings) -> TableReading:
    """The one run of a file; its quality is the last value, where the tag is one that is known."""
    content, _, _ = decode(posted.read(MAX_TABLE_BYTES))
    reading = TableReading(rows=1, columns=columns_in(posted, COLUMNS))
    points = _points(content)
    named = _NAMED.match(posted.name.rsplit("/", 1)[-1])
    seconds = points[-1][0] - points[0][0] if len(points) > 1 else 0.0
    steps = points[-1][1] - points[0][1] if len(points) > 1 else 0.0
    if seconds <= 0 or steps <= 0:
        details = {
            "file": posted.name,
            "row": posted.first_line,
            "column": "Wall time",
            "found": str(len(points)),
        }
        reading.problems.append(error("tool-figure-missing", **details, tool=NAME, expected="two points or more"))
        return reading
    tag = normalised(named["tag"][:100]) if named else ""
    direction = direction_of(tag) if tag else None
    if direction is not None:
        reading.directions = {tag: direction}
    details = {"file": posted.name, "row": posted.first_line, "tool": NAME, "found": "before the first point"}
    reading.problems.append(info("timed-between-points", **details))
    reading.runs.append(_run(posted, arm, points, (seconds, steps), (named["run"] if named else None), tag, direction))
    return reading


Points = list[tuple[float, float, float | None]]


def _points(content: str) -> Points:
    points: Points = []
    for line in lines_of(content)[1:]:
        cells = next(csv.reader([line[:200]]), [])
        record = dict(zip(("time", "step", "value"), cells, strict=False))
        at, step = number(record, "time"), number(record, "step")
        if at is not None and step is not None:
            points.append((at, step, _value(record.get("value", ""))))
    return sorted(points, key=lambda point: point[:2])


def _value(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e15 else None


def _run(
    posted: PostedFile, arm: str, points: Points, size: tuple[float, float], run: str | None, tag: str,
    direction: Direction | None,
) -> Run:  # fmt: skip
    value = points[-1][2]
    return Run(
        arm=arm,
        file=posted.name,
        row=posted.first_line,
        phase=Phase.TRAIN,
        run=run or posted.name,
        started_at=read_moment(f"{points[0][0]:.3f}")[0],
        duration_s=size[0],
        work_units=size[1],
        unit="step",
        quality={tag: Quality(value=value)} if direction is not None and value is not None else {},
    )


READER = Reader(name=NAME, claims=claims, read=read)
