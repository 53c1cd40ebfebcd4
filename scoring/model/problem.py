"""A problem is a value without prose: its sentence and its fix stand once per language in `templates/`."""

from enum import StrEnum

from scoring.model.base import Value


class Severity(StrEnum):
    """How much a problem weighs: an error or a question stops what depends on it, the rest is shown."""

    ERROR = "error"
    QUESTION = "question"
    WARNING = "warning"
    INFO = "info"


class Problem(Value):
    """Something the reader of the reply must know, and where it was found.

    `code` is a kebab-case name with one sentence per language in `templates/comments/<lang>/problems.yml`;
    `arguments` fill that sentence. `row` counts the lines of the posted file from 1, its header included.
    """

    code: str
    severity: Severity
    file: str | None = None
    row: int | None = None
    column: str | None = None
    found: str | None = None
    expected: str | None = None
    arguments: dict[str, str | int | float] = {}
