"""What a model asks of a value that it refused, in our words: a validation library's own are for programmers."""

from collections.abc import Mapping
from typing import Any

BY_TYPE: Mapping[str, str] = {
    "bool": "true or false",
    "date": "a day such as 2027-06-30",
    "datetime": "a moment such as 2027-06-30T08:00:00Z",
    "decimal": "a number",
    "float": "a number",
    "finite": "a finite number",
    "int": "a whole number",
    "string": "a text",
    "list": "a list",
    "tuple": "a list",
    "dict": "keys and values",
    "mapping": "keys and values",
    "model": "keys and values",
    "missing": "a value",
}
ENDS: Mapping[str, str] = {
    "greater_than": "a number above {gt}",
    "greater_than_equal": "a number of at least {ge}",
    "less_than": "a number below {lt}",
    "less_than_equal": "a number of at most {le}",
    "string_too_long": "a text of at most {max_length} characters",
    "string_too_short": "a text of at least {min_length} characters",
    "too_long": "a list of at most {max_length} entries",
    "too_short": "a list of at least {min_length} entries",
}


LIMITS = ("gt", "ge", "lt", "le", "max_length", "min_length")


def asked_for(item: Mapping[str, Any]) -> str:
    """What would be right where pydantic's `errors()` has an error; our own validators' text without its head."""
    kind, context = str(item["type"]), item.get("ctx", {})
    if kind in ENDS:
        return ENDS[kind].format(**{name: f"{end:,.10g}" for name, end in context.items() if name in LIMITS})
    if kind in ("enum", "literal_error"):
        return str(context["expected"]).replace("'", "")
    if kind == "value_error":
        return str(context.get("error", item["msg"]))
    return BY_TYPE.get(kind.split("_")[0], "a value of this key")
