"""Short constructors for problems, so that a check reads as the rule that it holds."""

from scoring.model.problem import Problem, Severity


def error(code: str, **details: object) -> Problem:
    """A problem that refuses what depends on it."""
    return _problem(Severity.ERROR, code, details)


def question(code: str, **details: object) -> Problem:
    """A problem that the reader must answer before what depends on it can be told."""
    return _problem(Severity.QUESTION, code, details)


def warning(code: str, **details: object) -> Problem:
    """A problem that is shown and changes nothing by itself."""
    return _problem(Severity.WARNING, code, details)


def info(code: str, **details: object) -> Problem:
    """Something done on the reader's behalf that they should know."""
    return _problem(Severity.INFO, code, details)


_PLACES = ("file", "row", "column", "found", "expected")


def _problem(severity: Severity, code: str, details: dict[str, object]) -> Problem:
    places = {key: details.pop(key) for key in _PLACES if key in details}
    return Problem.model_validate({"code": code, "severity": severity, "arguments": details, **places})
