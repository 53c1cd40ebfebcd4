"""Hugging Face Trainer `all_results.json`, `train_results.json`, `eval_results.json` and `trainer_state.json`.

Keys as in huggingface/transformers, src/transformers/trainer_utils.py (`speed_metrics`: `train_runtime` in seconds,
rates over that time) and trainer_callback.py at 01081ce (`log_history`, `best_metric`). One folder is one run: the
fullest file counts. `trainer_state.json` of a checkpoint has no `train_runtime`: that training was not over.
"""

from collections.abc import Mapping

from scoring.model.estimates import Direction
from scoring.model.pilot import Phase, Quality, Run
from scoring.model.settings import Settings
from scoring.problems import question, warning
from scoring.reading.headers import direction_of, normalised
from scoring.reading.interface import Reader
from scoring.reading.posted import PostedFile
from scoring.reading.tidy_table import TableReading
from scoring.reading.tools.records import Found, Record, columns_in, is_json, number, positive, records_of, text

NAME = "Hugging Face Trainer"
ALL, TRAIN, EVAL, STATE = "all_results.json", "train_results.json", "eval_results.json", "trainer_state.json"
FULLER = {TRAIN: (ALL, STATE), EVAL: (ALL, STATE), STATE: (ALL,)}
_SPLITS = ("eval_", "test_", "predict_")
_OF_SPEED = (
    "runtime",
    "samples",
    "samples_per_second",
    "steps_per_second",
    "model_preparation_time",
    "gen_len",
    "mem_",
)
COLUMNS = (
    ("train_runtime", "duration", "seconds"),
    ("train_samples_per_second × train_runtime", "work done sample", None),
    ("eval_*", "quality", None),
)


def claims(head: bytes) -> bool:
    """A flat object of `train_…` or `eval_…` speed figures, or the state with its history."""
    if is_json(head, "results"):
        return False
    state = is_json(head, "log_history", "global_step")
    return state or (head.lstrip()[:1] == b"{" and (is_json(head, "train_runtime") or is_json(head, "eval_runtime")))


def fuller(name: str) -> tuple[str, ...]:
    """Files beside one of this name that hold the same run with more of it."""
    return FULLER.get(name, ())


def read(posted: PostedFile, arm: str, settings: Settings) -> TableReading:
    """The run of a file; one that is not over is none."""
    reading = TableReading()
    for row, record in records_of(posted, reading.problems):
        reading.rows += 1
        found = Found(record, posted.name, row, reading.rows, arm, reading.problems, NAME)
        figures = _figures(record)
        quality, directions = _qualities(figures, settings, found)
        runtime = positive(figures, "train_runtime")
        if "log_history" in record and runtime is None:
            details = {**found.place, "found": f"step {record.get('global_step')} of {record.get('max_steps')}"[:60]}
            reading.problems.append(warning("training-not-over", **details))
        elif runtime is None and not quality:
            found.missing("train_runtime", "seconds above 0")
        else:
            reading.directions |= directions
            reading.runs.append(_run(found, figures, runtime, quality))
            found.not_read()
    reading.columns = columns_in(posted, COLUMNS)
    return reading


def _figures(record: Record) -> Record:
    """The flat figures: of a state the last evaluation and the last summary of the training."""
    history = record.get("log_history")
    if not isinstance(history, list):
        return record
    entries = [entry for entry in history if isinstance(entry, Mapping)]
    evaluated = [e for e in entries if any(str(key).startswith("eval_") for key in e)]
    ended = [e for e in entries if "train_runtime" in e]
    return {**(evaluated[-1] if evaluated else {}), **(ended[-1] if ended else {})}


def _run(found: Found, figures: Record, runtime: float | None, quality: Mapping[str, Quality]) -> Run:
    samples, steps = positive(figures, "train_samples_per_second"), positive(figures, "train_steps_per_second")
    rate, unit = (samples, "sample") if samples else (steps, "step")
    best = {
        name: str(found.record[name])[:60]
        for name in ("best_metric", "best_model_checkpoint")
        if found.record.get(name)
    }
    return Run(
        arm=found.arm,
        file=found.file,
        row=found.row,
        phase=Phase.TRAIN if runtime else None,
        run=found.run,
        duration_s=runtime,
        work_units=rate * runtime if rate and runtime else None,
        unit=unit if rate and runtime else None,
        quality=dict(quality),
        conditions={k: str(v) for k in ("epoch", "num_train_epochs", "train_batch_size", "train_samples")
                    if (v := number(figures, k) if k in figures else number(found.record, k)) is not None},
        other={**best, **({"trial_name": name} if (name := text(found.record, "trial_name")) else {})},
    )  # fmt: skip


def _qualities(figures: Record, settings: Settings, found: Found) -> tuple[dict[str, Quality], dict[str, Direction]]:
    quality: dict[str, Quality] = {}
    directions: dict[str, Direction] = {}
    margins = {normalised(name): margin.direction for name, margin in settings.margins.items()}
    for key in figures:
        split = next((s for s in _SPLITS if str(key).startswith(s)), None)
        bare = str(key).removeprefix(split) if split else str(key)
        value = figures.get(key)
        is_metric = (split or bare == "perplexity") and not bare.startswith(_OF_SPEED)
        if is_metric and found.diverged(str(key)[:100], value):
            continue
        if not is_metric or not isinstance(value, (int, float)) or isinstance(value, bool) or abs(value) >= 1e15:
            continue
        name = normalised(str(key)[:100])
        quality[name] = Quality(value=float(value))
        direction = margins.get(name) or direction_of(name)
        if direction is not None:
            directions[name] = direction
        else:
            details = {**found.place, "column": name, "found": name, "expected": "lower or higher"}
            found.problems.append(question("metric-direction-unknown", **details))
    return quality, directions


READER = Reader(name=NAME, claims=claims, read=read, fuller=fuller)
