"""Raw outputs of vendors' commands to entries of a contract book; recognised by what they hold, not by their names."""

from collections.abc import Sequence

from scoring.contracts.sources.aws_values import Refused
from scoring.contracts.sources.documents import holds, records_of
from scoring.contracts.sources.interface import Draft, Output, Reading, Record
from scoring.contracts.sources.registry import OUTPUTS
from scoring.model.problem import Problem
from scoring.reading.posted import PostedFile

__all__ = ["OUTPUTS", "Draft", "Reading", "is_output", "read_outputs"]

_BY_KEY = {output.key: output for output in OUTPUTS}
MAX_PROBLEMS = 200


def is_output(posted: PostedFile) -> bool:
    """Whether a file is the output of a command that is read as contracts."""
    return holds(posted, _BY_KEY)


def read_outputs(posted: Sequence[PostedFile], region: str | None = None) -> Reading:
    """All files together, since one output may complete another: blocks and their reservations, plans and rates.

    `region` is where they were asked for, for outputs that do not say it themselves.
    """
    reading, records = Reading(), dict[str, list[Record]]()
    for file in posted:
        found, problems = records_of(file, _BY_KEY, region)
        reading.problems += problems
        for key, listed in found.items():
            records.setdefault(key, []).extend(listed)
    for output in OUTPUTS:
        for record in records.get(output.key, ()):
            _convert(output, record, records, reading)
    del reading.problems[MAX_PROBLEMS:]
    return reading


def _convert(output: Output, record: Record, records: dict[str, list[Record]], reading: Reading) -> None:
    problems: list[Problem]
    try:
        entry, problems = output.convert(record, records)
    except Refused as refused:
        entry, problems = None, [refused.problem(record)]
    reading.problems += problems
    if entry is not None:
        arn = entry.pop("arn", None) or entry["id"]
        entry["source"] = {"origin": arn, "url": output.page}
        reading.drafts.append(Draft(entry, record.file, record.row))
