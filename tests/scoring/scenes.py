"""Arms and scenes in one line, built by the engine's own costing from runs with real values."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from scoring.arms import ArmData, Arms
from scoring.checks.scene import Scene
from scoring.costing import cost_arm
from scoring.model.contract import PriceBook, PriceRow, Source
from scoring.model.estimates import MeanSpread
from scoring.model.pilot import Quality, Run, Summary
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.selection import Group, counts_whole_runs, unit_of_group
from scoring.setup import Setup

TODAY = date(2026, 12, 1)
MORNING = datetime(2026, 11, 2, 8, 0, tzinfo=UTC)
Posted = Sequence[Run] | Summary


def run(arm: str = "gpu", **fields: Any) -> Run:
    """A run of 100 s unless told otherwise; `quality` may be given as plain numbers."""
    quality = {k: v if isinstance(v, Quality) else Quality(value=v) for k, v in fields.pop("quality", {}).items()}
    return Run.model_validate({"arm": arm, "file": "pilot.csv", "duration_s": 100.0, "quality": quality, **fields})


def runs(arm: str, durations: Iterable[float | None], **fields: Any) -> list[Run]:
    """One run a duration, with rows counted from 2."""
    return [run(arm, duration_s=d, row=i, **fields) for i, d in enumerate(durations, start=2)]


def times(field: str, values: Iterable[float], arm: str = "gpu", **fields: Any) -> list[Run]:
    """Runs that differ in one field only, with rows counted from 2."""
    return [run(arm, **{field: v}, row=i, **fields) for i, v in enumerate(values, start=2)]


def started(arm: str, *runs_: tuple[float, float], **fields: Any) -> list[Run]:
    """Runs as (hours after eight in the morning, seconds)."""
    return [
        run(arm, started_at=MORNING + timedelta(hours=h), duration_s=d, row=i, **fields)
        for i, (h, d) in enumerate(runs_, start=2)
    ]


def summary(arm: str = "gpu", **fields: Any) -> Summary:
    """A posted summary; numbers given as (mean, sd)."""
    spread = {k: _spread(v) for k, v in fields.items() if isinstance(v, tuple)}
    named = {k: {n: _spread(s) for n, s in v.items()} for k, v in fields.items() if k in ("quality", "latency")}
    return Summary.model_validate({"arm": arm, "file": "pilot.csv", **fields, **spread, **named})


def _spread(pair: tuple[float, float | None]) -> MeanSpread:
    return MeanSpread(mean=pair[0], sd=pair[1])


def settings(**fields: Any) -> Settings:
    """Settings from plain values."""
    return Settings.model_validate(fields)


def book(*rows: tuple[str, str | None, str | None], **fields: Any) -> PriceBook:
    """A price book of (instance type, region, price)."""
    return PriceBook(
        rows=tuple(
            PriceRow(
                instance_type=kind,
                region=region,
                on_demand_price=Decimal(price) if price else None,
                source=Source(file="prices.csv", row=i),
                **fields,
            )
            for i, (kind, region, price) in enumerate(rows, start=2)
        )
    )


def costed(
    name: str, posted: Posted, given: Settings, prices: PriceBook, default_work: bool
) -> tuple[ArmData, list[Problem]]:
    """One arm through the engine's costing."""
    setup = Setup(given, (), (), prices, ())
    of_runs, of_summary = ([], posted) if isinstance(posted, Summary) else (posted, None)
    return cost_arm(name, of_runs, of_summary, setup, TODAY, default_work)


def arms(incumbent: Posted, candidate: Posted, given: Settings | None = None, prices: PriceBook | None = None) -> Arms:
    """Two arms, costed, named as their rows are."""
    given, prices = given or Settings(), prices or PriceBook()
    both = (incumbent, candidate)
    group = Group(
        None,
        None,
        runs=tuple(r for p in both if not isinstance(p, Summary) for r in p),
        summaries=tuple(p for p in both if isinstance(p, Summary)),
    )
    unit, whole_runs = unit_of_group(group), counts_whole_runs(group)
    names = [p.arm if isinstance(p, Summary) else p[0].arm for p in both]
    made = [costed(n, p, given, prices, whole_runs)[0] for n, p in zip(names, both, strict=True)]
    return Arms(made[0], made[1], unit, given.currency)


def scene(
    incumbent: Posted, candidate: Posted, given: Settings | None = None, prices: PriceBook | None = None
) -> Scene:
    """What a check looks at."""
    return Scene(arms(incumbent, candidate, given, prices), given or Settings(), prices or PriceBook(), TODAY)


def short(problems: Iterable[Problem], *details: str) -> list[tuple[Any, ...]]:
    """Problems as (code, severity, …) with some of their arguments or places."""
    return [(p.code, p.severity.value, *(p.arguments.get(d, getattr(p, d, None)) for d in details)) for p in problems]
