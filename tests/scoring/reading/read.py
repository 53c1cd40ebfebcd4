"""A posting in one line: names and contents to the pilot and its problems."""

from scoring.model.pilot import Pilot, Run
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.reading.pilot_reader import read_pilot
from scoring.reading.posted import PostedFile


def posted(name: str, content: str | bytes, first_line: int = 1) -> PostedFile:
    """A file in memory."""
    return PostedFile.from_bytes(name, content if isinstance(content, bytes) else content.encode(), first_line)


def read(*files: tuple[str, str | bytes], settings: Settings | None = None) -> tuple[Pilot, list[Problem]]:
    """What is read from files given as (name, content)."""
    return read_pilot([posted(name, content) for name, content in files], settings or Settings())


def read_csv(text: str, settings: Settings | None = None) -> tuple[Pilot, list[Problem]]:
    """What is read from one csv file."""
    return read(("pilot.csv", text), settings=settings)


def codes(problems: list[Problem]) -> list[str]:
    """Codes of problems, in order."""
    return [p.code for p in problems]


def places(problems: list[Problem]) -> list[tuple[str, int | None]]:
    """Codes and lines of problems, in order."""
    return [(p.code, p.row) for p in problems]


def counting(pilot: Pilot) -> list[Run]:
    """Runs that were not left out."""
    return [r for r in pilot.runs if r.left_out is None]
