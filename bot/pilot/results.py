"""What a run's command wrote, by the readers that read posted files; and what of it goes into the table."""

from collections.abc import Mapping
from pathlib import Path

from bot.folder import find
from scoring.model.pilot import Run, RunStatus
from scoring.model.settings import Settings
from scoring.reading.headers import meaning_of
from scoring.reading.pilot_reader import read_pilot
from scoring.reading.posted import PostedFile
from scoring.reading.run_sheets import BLANK

Told = dict[str, object]
TAKEN = (
    "phase", "duration_s", "warmup_s", "work_units", "unit", "throughput", "device_count", "requests_attempted",
    "requests_completed",
)  # fmt: skip


def told_by(out: Path, stdout: Path, arm: str, settings: Settings) -> Told:
    """Duration, work, quality and latency that the files in `out` tell, else what the command printed. Raises OSError.

    Empty where nothing in them is a run's; `several` where they tell of more runs than one.
    """
    for files in (find([out]).postings, [PostedFile.from_path(stdout)]):
        named = [PostedFile(f"{arm}/{f.name}", f.size, f.open, context=(("arm", arm),)) for f in files if f.size]
        pilot, _ = read_pilot(named, settings) if named else (None, None)
        runs = [run for run in pilot.runs if run.left_out in (None, BLANK)] if pilot else []
        if runs:
            return _merged(runs)
    return {}


def _merged(runs: list[Run]) -> Told:
    """One run of all, where each figure is told once; two files may tell the time and the quality of one run."""
    told: Told = {}
    for name in TAKEN:
        values = {value for run in runs if (value := getattr(run, name)) is not None}
        if len(values) > 1:
            return {"several": len(runs)}
        if values:
            told[name] = values.pop()
    quality = {name: value.value for run in runs for name, value in run.quality.items()}
    in_percent = sorted({name for run in runs for name, value in run.quality.items() if value.in_percent})
    latency = {name: seconds for run in runs for name, seconds in run.latency.items()}
    if any(run.status is RunStatus.FAILED for run in runs):
        told["failed"] = True
    conditions = _agreed(runs)
    return {**told, "quality": quality, "in_percent": in_percent, "latency": latency, "conditions": conditions}


def _agreed(runs: list[Run]) -> dict[str, str]:
    """Conditions that a table's column can name, such as the request rate, where no two files differ in them."""
    told: dict[str, set[str]] = {}
    for run in runs:
        for name, value in run.conditions.items():
            meaning = meaning_of(name)
            if meaning.field == "condition":
                told.setdefault(meaning.name, set()).add(value)
    return {name: values.pop() for name, values in sorted(told.items()) if len(values) == 1}


def status_of(record: Mapping[str, object], told: Told, missing: str | None) -> tuple[RunStatus, str | None]:
    """Whether the run did its work, and the code of why not; `missing` is a file that it had to leave."""
    if "not_started" in record:
        return RunStatus.FAILED, "not-started"
    if record["exit_code"] != 0:
        return RunStatus.FAILED, "exit-code"
    if missing is not None:
        return RunStatus.FAILED, "missing-output"
    if told.get("failed"):
        return RunStatus.FAILED, "told-failed"
    if "several" in told:
        return RunStatus.OK, "several"
    if isinstance(timed := told.get("duration_s"), float) and timed > float(str(record["wall_s"])):
        return RunStatus.OK, "timed-longer"
    return RunStatus.OK, None if told else "nothing-read"
