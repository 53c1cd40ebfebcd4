"""The run sheet: in which blocks and order the runs are made, and the columns of the tidy form to fill in."""

import re
from collections import Counter
from hashlib import sha256

from scoring.model.decision import Decision
from scoring.plan.guardrails import limits_of_others
from scoring.plan.values import PlannedRun

NAMED_CURRENCIES = ("USD", "EUR", "GBP")
"""Of a price column; another currency stands in the settings."""
_NUMBER = re.compile(r"(?<!\d)\d{1,6}\Z", re.ASCII)


def run_sheet(
    incumbent: str, candidate: str, first: int, count: int, seed: int, per_block: int = 1
) -> tuple[PlannedRun, ...]:
    """Pairs of one run of each arm, numbered from `first`, so many pairs a block; each arm begins half of the pairs.

    Which one is drawn by lot. The lot is a hash of seed and number, so that anybody can draw it again on any machine.
    """
    drawn = sorted(range(first, first + count), key=lambda number: _lot(seed, number))
    odd_one = _lot(seed, first)[0] % 2 if count % 2 else 0
    begun_by_incumbent = set(drawn[: count // 2 + odd_one])
    sheet: list[PlannedRun] = []
    for index, number in enumerate(range(first, first + count)):
        order = (incumbent, candidate) if number in begun_by_incumbent else (candidate, incumbent)
        sheet += [PlannedRun(arm=arm, run=number, block=f"b{first + index // per_block}") for arm in order]
    return tuple(sheet)


def _lot(seed: int, number: int) -> bytes:
    return sha256(f"{seed}/{number}".encode()).digest()


def next_number(decision: Decision, done: int) -> int:
    """Above every number of a run or a block so far: an equal one would take an earlier run's place."""
    labels = [label for c in decision.runs for label in (c.run.run, c.run.block) if label]
    numbers = [int(found[0]) for label in labels if (found := _NUMBER.search(label))]
    counts = Counter(c.run.arm for c in decision.runs)
    return max([done, *numbers, *counts.values()]) + 1


def work_of(decision: Decision) -> dict[str, str]:
    """Workload, phase and unit of work of the runs, where one is named: without them a line would be of other work."""
    phase = decision.phase or decision.settings.phase
    named = {
        "workload": decision.workload or decision.settings.workload,
        "phase": phase.value if phase else None,
        "unit": _unit(decision),
    }
    return {column: name for column, name in named.items() if name}


def columns_of(decision: Decision) -> tuple[str, ...]:
    """Columns to fill in beside arm, run and block: those of the pilot so far and what the settings ask for."""
    settings = decision.settings
    currency = settings.currency
    price = f"price_{currency.lower()}_per_hour" if currency in NAMED_CURRENCIES else "price_per_hour"
    others = limits_of_others(decision)
    own = [name for name in settings.margins if name not in others]
    limits = [name for name in settings.latency_limits_s if name not in others]
    metrics = dict.fromkeys([*(q.metric for q in decision.quality), *own])
    latencies = dict.fromkeys([*(x.metric for x in decision.latency if x.is_guardrail), *limits])
    return (
        "seed",
        *(["region"] if settings.approved_regions else []),
        "started_at",
        "duration_s",
        *(["work_units"] if _unit(decision) else []),
        price,
        *(metrics or ([] if latencies else ("quality_metric", "quality_value"))),
        *(f"{name}_s" for name in latencies),
        "status",
    )


def _unit(decision: Decision) -> str | None:
    """In which work is counted, where that is not the run: the pilot's, else the demand's."""
    compared = decision.cost or decision.time
    unit = compared.unit if compared else decision.settings.demand.unit if decision.settings.demand else None
    return None if unit is None or unit.casefold().removesuffix("s") == "run" else unit
