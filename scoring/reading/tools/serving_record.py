"""What vLLM's and SGLang's records of a serving benchmark share: both grew out of one script."""

import re
from collections.abc import Iterable, Iterator, Mapping

from scoring.model.pilot import Phase, Run, RunStatus
from scoring.problems import info, warning
from scoring.reading.tools.records import Found, conditions, count, number, per_request, positive, statistic_of

KINDS = {"ttft": "ttft", "tpot": "tpot", "itl": "itl", "e2el": "e2el", "e2e_latency": "e2el"}
_LATENCY = re.compile(r"(mean|median|p\d+(?:\.\d+)?)_(ttft|tpot|itl|e2el|e2e_latency)_ms\Z")


def serving_run(found: Found, workload: str | None, settings: Iterable[str], more: Mapping[str, str]) -> Run | None:
    """The run of a record with `duration` in seconds, `completed` requests and `*_ms` in milliseconds."""
    record = found.record
    duration, completed = number(record, "duration"), count(record, "completed")
    if duration is None or completed is None:
        missing = "duration" if duration is None else "completed"
        found.missing(missing, "numbers in duration and completed")
        return None
    attempted = _attempted(found, completed)
    failed = completed == 0
    if failed:
        found.problems.append(warning("no-request-completed", **found.place, found=f"0 of {attempted or 0}"))
    return Run(
        arm=found.arm,
        file=found.file,
        row=found.row,
        workload=workload,
        phase=Phase.SERVE,
        run=found.run,
        started_at=found.started("date"),
        duration_s=duration if duration > 0 else None,
        work_units=None if failed else number(record, "total_output_tokens"),
        unit="output_token",
        latency={} if failed else dict(_latencies(found)),
        requests_attempted=attempted,
        requests_completed=completed,
        conditions={**conditions(record, settings), **more, **_lengths(found, completed)},
        status=RunStatus.FAILED if failed else RunStatus.OK,
    )


def _attempted(found: Found, completed: int) -> int | None:
    """Requests sent: by `failed`, else the errors request by request, else `num_prompts`."""
    failed, prompts = count(found.record, "failed"), count(found.record, "num_prompts")
    errors = found.record.get("errors")
    if failed is not None:
        return completed + failed
    if isinstance(errors, list):
        return completed + sum(bool(error) for error in errors)
    if prompts is not None and prompts > completed:
        lost = f"{prompts - completed:,} of {prompts:,}"
        found.problems.append(info("failed-field-missing", **found.place, found=lost))
    return prompts


def _lengths(found: Found, completed: int) -> dict[str, str]:
    names = {"input": "total_input_tokens", "output": "total_output_tokens"}
    totals = {of: positive(found.record, name) for of, name in names.items()}
    return per_request(**{of: total / completed for of, total in totals.items() if total and completed})


def _latencies(found: Found) -> Iterator[tuple[str, float]]:
    for key in found.record:
        match = _LATENCY.match(key) if isinstance(key, str) else None
        value = positive(found.record, key) if match else None
        statistic = statistic_of(match[1]) if match else None
        if match and statistic and value:
            yield f"{KINDS[match[2]]}_{statistic}", value / 1000
