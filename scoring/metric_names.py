"""Margins and limits by the name that people posted: `correct` is read as `accuracy`, `exactitud` as well."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from scoring.checks.guardrails import metric_key
from scoring.model.pilot import Pilot, Run, Summary
from scoring.model.settings import Settings
from scoring.reading.columns import mapped_column
from scoring.reading.headers import meaning_of, normalised
from scoring.reading.item_table import ONE_METRIC

Limit = TypeVar("Limit")


def by_posted_names(settings: Settings, pilot: Pilot) -> Settings:
    """Settings whose margins and latency limits are named as the metrics were read.

    A name that was posted itself is left alone; else it is that of the one metric which its header, an alias or
    `map` means. Before anything is posted it is the name under which it will be read.
    """
    rows: list[Run | Summary] = [*pilot.runs, *pilot.summaries]
    qualities = [*(name for row in rows for name in row.quality), *(scores.metric for scores in pilot.items)]
    latencies = [name for row in rows for name in row.latency]
    named = {
        "margins": _renamed(settings.margins, qualities, settings),
        "latency_limits_s": _renamed(settings.latency_limits_s, latencies, settings),
    }
    changed = {field: names for field, names in named.items() if names != getattr(settings, field)}
    return settings.model_copy(update=changed) if changed else settings


def _renamed(limits: Mapping[str, Limit], posted: Iterable[str], settings: Settings) -> dict[str, Limit]:
    names = dict.fromkeys(posted)
    taken = {metric_key(name) for name in limits}
    known = {metric_key(name) for name in names}
    renamed: dict[str, Limit] = {}
    for name, limit in limits.items():
        read_as = name if metric_key(name) in known else _read_as(name, list(names), settings)
        free = metric_key(read_as) not in taken and read_as not in renamed
        renamed[read_as if free else name] = limit
    return renamed


def _read_as(name: str, posted: list[str], settings: Settings) -> str:
    meant = _meant(name, settings)
    alike = [metric for metric in posted if _meant(metric, settings) == meant]
    return alike[0] if len(alike) == 1 else name if posted else meant


def _meant(name: str, settings: Settings) -> str:
    """The metric as headers are read; the name itself where no header is called so."""
    header = next((t for t, source in settings.map.items() if mapped_column(source) == normalised(name)), name)
    meaning = meaning_of(header)
    if meaning.field == "correct":
        return ONE_METRIC
    return meaning.name if meaning.field in ("quality", "latency") and meaning.name else metric_key(name)
