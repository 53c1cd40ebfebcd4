"""lm-evaluation-harness `results_<date>.json`: scores of a model by task and metric, one evaluation a file.

Keys as in EleutherAI/lm-evaluation-harness at 4e7e0d4, lm_eval/evaluator_utils.py and
lm_eval/loggers/evaluation_tracker.py: `"acc,none"` is metric and filter, `"acc_stderr,none"` its standard error or
"N/A"; releases before 0.4 wrote `acc` and `acc_stderr`. `higher_is_better` gives directions, `n-samples` how many items
counted. Subtasks of a group count through their group alone. The time of an evaluation is not that of a job.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from scoring.model.estimates import Direction
from scoring.model.pilot import Quality, Run
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import question
from scoring.reading.headers import direction_of, normalised
from scoring.reading.interface import Reader
from scoring.reading.posted import PostedFile
from scoring.reading.tidy_table import TableReading
from scoring.reading.tools.records import (
    LARGEST,
    Found,
    Record,
    columns_in,
    conditions,
    is_json,
    number,
    part,
    records_of,
)

NAME = "lm-evaluation-harness"
CONDITIONS = ("model_name", "lm_eval_version", "chat_template_sha", "system_instruction_sha")
OF_CONFIG = ("model", "model_dtype", "limit", "num_fewshot")
_FIRST = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"results"\s*:\s*\{')
_NOT_METRICS = ("alias", "name", "sample_len", "samples", "sample_count")
COUNTED = 1e-6
"""How far the standard error of a mean of zeros and ones may be from the one that was written."""


@dataclass(frozen=True)
class _Score:
    task: str
    metric: str
    filter: str
    value: float

    @property
    def name(self) -> str:
        """One metric of the pilot a task, metric and filter; the filter `none` is not named."""
        parts = (self.task, self.metric, "" if self.filter in ("", "none") else self.filter)
        return normalised("_".join(part for part in parts if part))


def claims(head: bytes) -> bool:
    """JSON whose results have standard errors; `results` alone is a word of many tools."""
    errors = b"_stderr" in head and (_FIRST.match(head) is not None or b'"versions"' in head)
    return is_json(head, "results") and (errors or b'"lm_eval_version"' in head)


def read(posted: PostedFile, arm: str, settings: Settings) -> TableReading:
    """A run without time for each evaluation of the file: it has quality alone."""
    reading = TableReading()
    for row, record in records_of(posted, reading.problems):
        reading.rows += 1
        found = Found(record, posted.name, row, reading.rows, arm, reading.problems, NAME)
        scores = [s for s in _scores(record) if s.task not in _in_groups(record)]
        for task, metrics in part(record, "results").items():
            for key in metrics if isinstance(metrics, dict) else ():
                if "_stderr" not in str(key):
                    found.diverged(f"{task}.{key}"[:100], metrics[key])
        if not scores:
            found.missing("results", "tasks with metrics")
            continue
        reading.directions |= _directions(record, scores, settings, found)
        reading.runs.append(
            Run(
                arm=arm,
                file=posted.name,
                row=row,
                run=found.run,
                quality={score.name: _quality(record, score) for score in scores},
                conditions=_conditions(record),
                other=conditions(record, ("date", "total_evaluation_time_seconds")),
            )
        )
    reading.columns = columns_in(posted, (("results", "quality, a task and metric each", None),))
    return reading


def _scores(record: Record) -> Iterator[_Score]:
    for task, metrics in part(record, "results").items():
        for key in metrics if isinstance(metrics, dict) else ():
            metric, _, filtered = str(key).partition(",")
            value = metrics[key]
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < LARGEST
            if is_number and metric not in _NOT_METRICS and not metric.endswith("_stderr"):
                yield _Score(str(task)[:100], metric[:60], filtered[:60], float(value))


def _in_groups(record: Record) -> set[str]:
    """Subtasks whose group has a score of its own."""
    scored = {score.task for score in _scores(record)}
    groups = part(record, "group_subtasks").items()
    return {str(task) for group, tasks in groups if group in scored and isinstance(tasks, list) for task in tasks}


def _quality(record: Record, score: _Score) -> Quality:
    metrics = part(record, "results", score.task)
    suffix = f",{score.filter}" if score.filter else ""
    stderr = number(metrics, f"{score.metric}_stderr{suffix}")
    items = number(part(record, "n-samples", score.task), "effective") or number(metrics, "sample_len")
    correct = _correct(score.value, stderr, items)
    counted = {} if correct is None or items is None else {"correct": correct, "items": int(items)}
    return Quality.model_validate({"value": score.value, "stderr": stderr, **counted})


def _correct(value: float, stderr: float | None, items: float | None) -> int | None:
    """How many items were right, where the mean and its standard error are those of zeros and ones."""
    if items is None or items < 2 or stderr is None or not 0 <= value <= 1:
        return None
    correct = round(value * items)
    of_counts = math.sqrt(value * (1 - value) / (items - 1))
    return correct if abs(correct / items - value) < COUNTED and abs(of_counts - stderr) < COUNTED else None


def _directions(record: Record, scores: list[_Score], settings: Settings, found: Found) -> dict[str, Direction]:
    directions = {}
    margins = {normalised(name): margin.direction for name, margin in settings.margins.items()}
    for score in scores:
        higher = part(record, "higher_is_better", score.task).get(score.metric)
        told = None if not isinstance(higher, bool) else Direction.HIGHER if higher else Direction.LOWER
        direction = margins.get(score.name) or told or direction_of(score.metric)
        if direction is not None:
            directions[score.name] = direction
        else:
            found.problems.append(_asked(found, score.name))
    return directions


def _asked(found: Found, metric: str) -> Problem:
    details = {**found.place, "column": metric, "found": metric, "expected": "lower or higher"}
    return question("metric-direction-unknown", **details)


def _conditions(record: Record) -> dict[str, str]:
    told = {**conditions(record, CONDITIONS), **conditions(part(record, "config"), OF_CONFIG)}
    versions = part(record, "versions")
    shots = part(record, "n-shot")
    return {
        **told,
        **{f"{task} version": str(version)[:40] for task, version in list(versions.items())[:40]},
        **{f"{task} n-shot": str(shot)[:40] for task, shot in list(shots.items())[:40]},
    }


READER = Reader(name=NAME, claims=claims, read=read)
