"""How many units a size of an instance family takes: dated data of the vendor, read once."""

from functools import cache
from importlib import resources
from typing import Any

import yaml


@cache
def _table() -> dict[str, Any]:
    text = resources.files(__package__).joinpath("normalisation.yml").read_text(encoding="utf-8")
    table: dict[str, Any] = yaml.safe_load(text)
    return table


def size_factor(instance_type: str) -> float | None:
    """Units of an instance-hour of that type, `family.size`; None where the table does not name its size."""
    name = instance_type.casefold()
    table = _table()
    found = table["types"].get(name, table["sizes"].get(name.partition(".")[2]))
    return None if found is None else float(found)


def is_flexible(family: str) -> bool:
    """Whether regional reservations of that family serve its other sizes."""
    return family.casefold() not in _table()["not_flexible"]
