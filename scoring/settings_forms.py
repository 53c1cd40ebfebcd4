"""The convenient forms of settings, `12m`, `8%`, `500 ms`, `gaudi2: 12.0`, as the model wants them."""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from scoring.model.settings import Settings

Tree = dict[str, Any]
Path = tuple[str, ...]

ALIASES = {
    "horizon": "horizon_months",
    "discount": "annual_discount_rate",
    "discount_rate": "annual_discount_rate",
    "margin": "margins",
    "price": "prices",
    "latency_limits": "latency_limits_s",
    "latency_limit": "latency_limits_s",
    "regions": "approved_regions",
    "units_per_month": "demand",
    "incumbent": "baseline",
    "today": "decision_date",
}
TABLES = ("margins", "prices", "latency_limits_s", "map")
SCALARS = {"demand": "units_per_month", "capacity": "hours_per_month"}
"""Settings with fields of their own, and the one field that a plain value stands for."""
SHARES = frozenset(name for name, info in Settings.model_fields.items() if info.annotation is float)
MONTHS = re.compile(r"(\d+)\s*(m|mo|month|months|y|year|years)?\Z", re.IGNORECASE | re.ASCII)
PERCENT = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\s*%\s*\Z", re.ASCII)
_UNIT = re.compile(r"(.+)_(ms|us|s)\Z")
_TIME = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(ms|us|s)\s*\Z", re.ASCII)
SECONDS = {"ms": Decimal("1e-3"), "us": Decimal("1e-6"), "s": Decimal(1)}
MAX_SECONDS = 1e9


@dataclass
class Given:
    """Settings as the model wants them, the keys under which they were posted, and values that cannot be told.

    `unclear` holds a posted path with what was found there and what is expected.
    """

    tree: Tree = field(default_factory=dict)
    posted: dict[Path, Path] = field(default_factory=dict)
    unclear: list[tuple[Path, str, str]] = field(default_factory=list)


def name_of(key: str) -> str:
    """The setting that a key means, by its name or an alias, whatever its case."""
    plain = key.strip().casefold().replace("-", "_")
    return ALIASES.get(plain, plain)


def given(raw: Tree) -> Given:
    """All posted keys with a value, in the model's forms."""
    found = Given()
    for key, value in raw.items():
        name = name_of(key)
        if value in (None, ""):
            continue
        if name in found.tree:
            other = found.posted[(name,)][0]
            found.unclear.append(((key,), "twice", f"either {other} or {key}"))
            continue
        found.posted[(name,)] = (key,)
        found.tree[name] = _form(found, key, name, value)
    return found


def _form(found: Given, key: str, name: str, value: Any) -> Any:
    if name == "horizon_months":
        return _months(value)
    if name in TABLES:
        return _table(found, key, name, value)
    if name in SCALARS and not isinstance(value, (dict, list)):
        return {SCALARS[name]: _plain(value)}
    if name == "approved_regions" and isinstance(value, str):
        return _listed(value)
    if name == "earlier_looks":
        return _listed(value)
    if name == "migration_ramp":
        return [percent(share) for share in _listed(value)]
    if name in ("currency", "holidays") and isinstance(value, str):
        return value.strip().upper()
    return percent(value) if name in SHARES else value


def _listed(value: Any) -> Any:
    """`a, b` as a list; a single value as a list of one."""
    if isinstance(value, str):
        return [part for raw in value.strip("[] ").split(",") if (part := raw.strip("\"' "))]
    return value if isinstance(value, list) else [value]


def _table(found: Given, key: str, name: str, value: Any) -> Any:
    if not isinstance(value, dict):
        found.unclear.append(((key,), str(value), f"{key}.NAME with its value"))
        return {}
    if name == "margins":
        return {metric: _margin(margin) for metric, margin in value.items()}
    if name == "prices":
        return {arm: price if isinstance(price, dict) else {"per_hour": price} for arm, price in value.items()}
    if name == "latency_limits_s":
        return _limits(found, key, value)
    return value


def _limits(found: Given, key: str, limits: Tree) -> Tree:
    """Limits in seconds, by the unit in the value, in the name or in the table's name."""
    table: Tree = {}
    for metric, limit in limits.items():
        named, valued = _UNIT.match(metric), _TIME.match(str(limit))
        name = named[1] if named else metric
        unit = valued[2] if valued else named[2] if named else "s" if key.casefold().endswith("_s") else None
        if name in table:
            found.unclear.append(((key, metric), "twice", f"one limit of {name}"))
        elif unit is None:
            found.unclear.append(((key, metric), str(limit), f"{metric}_ms or {metric}_s"))
        else:
            found.posted[("latency_limits_s", name)] = (key, metric)
            table[name] = _seconds(valued[1] if valued else str(limit), unit)
            if table[name] is None:
                found.unclear.append(((key, metric), str(limit), "a time above 0"))
    return {name: limit for name, limit in table.items() if limit is not None}


def _seconds(text: str, unit: str) -> float | None:
    try:
        limit = float(Decimal(text) * SECONDS[unit])
    except ArithmeticError:
        return None
    return limit if 0 < limit < MAX_SECONDS else None


def _months(value: Any) -> Any:
    match = MONTHS.match(str(value).strip())
    if match is None or len(match[1]) > 9:
        return value
    years = (match[2] or "m")[0].lower() == "y"
    return int(match[1]) * (12 if years else 1)


def percent(value: Any) -> Any:
    """`8%` as 0.08; anything else as it is."""
    match = PERCENT.match(value) if isinstance(value, str) else None
    return float(Decimal(match[1]) / 100) if match else value


def _margin(value: Any) -> Any:
    """A number is absolute, in the metric's own unit; a percentage is relative."""
    if isinstance(value, dict):
        return {part: percent(of) if part == "relative" else of for part, of in value.items()}
    return {"relative": percent(value)} if isinstance(value, str) and "%" in value else {"absolute": value}


def _plain(value: Any) -> Any:
    return value.replace("_", "") if isinstance(value, str) else value
