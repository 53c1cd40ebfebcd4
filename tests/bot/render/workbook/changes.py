"""Random changes of a sample's inputs, made twice: in the cells of its memo, and in what the engine is asked."""

import io
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Any

import openpyxl
import yaml
from openpyxl.workbook import Workbook

from bot.render.workbook.followed import is_held_otherwise
from scoring.analysis import Evidence, analyse
from scoring.model.contract import Contract
from scoring.model.decision import Decision
from scoring.reading.posted import PostedFile
from tests.samples import TODAY, decision, evidence

TERMS = {
    "starts": ("starts_on",),
    "ends": ("ends_on",),
    "instances": ("commitment", "instances"),
    "hours": ("commitment", "instance_hours_per_month"),
    "rate": ("rate",),
    "overage": ("overage_rate",),
    "renewal_rate": ("renewal", "rate"),
}
"""Where a contract's cell stands in the book of contracts."""
OVERRIDES = {
    "demand": "demand", "migration_cost": "migration_cost", "annual_discount_rate": "annual_discount_rate",
    "confidence": "confidence", "reuse_share": "reuse_share", "reuse_value": "reuse_value_per_hour",
    "split_minimum_gain": "split_minimum_gain", "capacity": "capacity", "horizon": "horizon_months",
    "count_initialisation": "count_initialisation",
}  # fmt: skip
MOST_AT_ONCE = 4


@dataclass
class Change:
    """Values of named cells, rows of the pilot that do not count, and the same for the engine."""

    cells: dict[str, Any] = field(default_factory=dict)
    rows: list[int] = field(default_factory=list)
    overrides: dict[str, str] = field(default_factory=dict)
    terms: list[tuple[str, tuple[str, ...], Any]] = field(default_factory=list)
    lines: list[tuple[str, int | None]] = field(default_factory=list)
    """File and line of each run that is left out."""

    @property
    def told(self) -> str:
        """What to try again by hand."""
        return f"{self.cells} rows {self.rows} | {self.overrides} {self.terms} {self.lines}"


class Sample:
    """A sample's decision and the cells of its memo that may be changed: those that look like inputs."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.data, self.record = name, data, decision(name)
        self.book = openpyxl.load_workbook(io.BytesIO(data))
        self.named = list(named_cells(self.book))
        self.inputs = {n: c for n, c in self.named if c.style == "st_input" and not n.startswith("step_")}

    @property
    def held_otherwise(self) -> bool:
        """Whether contracts may be left early or renewed more than once: how, only the engine weighs."""
        return bool(self.record.economics.recoveries) or is_held_otherwise(self.record)

    def change(self, random: Random) -> Change:
        """A few inputs at once, among them a run left out now and then."""
        while not (change := self._change(random)).cells and not change.rows:
            pass
        return change

    def _change(self, random: Random) -> Change:
        change, names = Change(), list(self.inputs)
        for name in random.sample(names, min(len(names), random.randint(1, MOST_AT_ONCE))):
            _change(change, name, self, random)
        if self.record.runs and random.random() < 0.4:
            for index in random.sample(range(len(self.record.runs)), min(len(self.record.runs), random.randint(1, 3))):
                run = self.record.runs[index].run
                change.rows.append(index)
                change.lines.append((run.file, run.row))
        return change

    def changed(self, change: Change) -> bytes:
        """The memo with those cells."""
        cells = {n: self.book.defined_names[n] for n in change.cells}
        book = openpyxl.load_workbook(io.BytesIO(self.data))
        for name, value in change.cells.items():
            ((title, coordinate),) = cells[name].destinations
            book[title][coordinate].value = value
        for index in change.rows:
            book["Pilot"].cell(6 + index, 7).value = "no"
        out = io.BytesIO()
        book.save(out)
        return out.getvalue()

    def engine(self, change: Change) -> Decision:
        """What the engine says of the same change."""
        found = evidence(self.name, *(f"{k}={v}" for k, v in change.overrides.items()))
        contracts = found.contracts and _with_terms(found.contracts, change.terms)
        files = tuple(p for posted in found.postings if (p := _without(posted, change.lines)) is not None)
        return analyse(Evidence(files, found.settings, contracts, found.prices, found.overrides), today=TODAY)


def named_cells(book: Workbook) -> Iterator[tuple[str, Any]]:
    """Every named cell."""
    for name, defined in book.defined_names.items():
        ((title, coordinate),) = defined.destinations
        yield name, book[title][coordinate]


def _change(change: Change, name: str, sample: Sample, random: Random) -> None:
    now = sample.inputs[name].value
    if name.startswith("contract"):
        _contract(change, name, now, sample, random)
        return
    value = _value(name, now, sample.record, random)
    if value == now:
        return
    change.cells[name] = value
    record = sample.record
    if name in ("price_a", "price_b"):
        change.overrides[f"price.{record.incumbent if name == 'price_a' else record.candidate}"] = str(value)
    elif name.startswith("margin_"):
        quality = record.quality[int(name.removeprefix("margin_"))]
        of_posted = f"{value * 100:.6g}" if quality.in_percent and not quality.margin_is_relative else repr(value)
        relative = f"{value * 100:.6g}%" if quality.margin_is_relative else of_posted
        change.overrides[f"margin.{quality.metric}"] = relative
    elif name in OVERRIDES:
        change.overrides[OVERRIDES[name]] = {"yes": "true", "no": "false"}.get(str(value), str(value))
    else:
        raise AssertionError(f"nobody says what {name} is for the engine")


def _value(name: str, now: Any, record: Decision, random: Random) -> Any:
    base = float(now) if isinstance(now, (int, float)) else 0.0
    if name == "count_initialisation":
        return "no" if now == "yes" else "yes"
    if name == "horizon":
        return random.randint(1, record.economics.horizon_months)
    if name == "confidence":
        return random.choice([0.8, 0.9, 0.95, 0.99, 0.999])
    if name == "annual_discount_rate":
        return random.choice([0, 0.04, 0.12, 0.3])
    if name in ("reuse_share", "split_minimum_gain"):
        return round(random.choice([0, random.random() * (1 if name == "reuse_share" else 0.3)]), 3)
    if name.startswith("margin_"):
        return float(f"{base * 10 ** random.uniform(-1.2, 0.9):.3g}")
    if name == "migration_cost":
        return round(random.choice([0, base * random.uniform(0.2, 3), random.uniform(0, 300_000)]), 2)
    return round((base or 30) * random.choice([random.uniform(0.3, 2), random.uniform(0.8, 1.25)]), 2)


def _contract(change: Change, name: str, now: Any, sample: Sample, random: Random) -> None:
    number, _, key = name.removeprefix("contract").partition("_")
    if now is None:
        return
    contract = listed(sample.record)[int(number)]
    if key in ("starts", "ends"):
        value: Any = _day(key, now, contract, sample.record, random)
        if value == now.date():
            return
        change.cells[name] = datetime.combine(value, time())
    else:
        value = round(float(now) * random.uniform(0.3, 2), 2)
        change.cells[name] = value
    change.terms.append((contract.id, TERMS[key], value))


def _day(key: str, now: datetime, contract: Contract, record: Decision, random: Random) -> date:
    """A first day of a month, or a last one: of other days the memo says that only the engine weighs them."""
    if key == "starts":
        day = min(now.date() + timedelta(days=random.randint(-60, 200)), contract.ends_on - timedelta(days=40))
        return day.replace(day=1)
    earliest = max(record.decided_on, contract.starts_on + timedelta(days=250))
    day = earliest + timedelta(days=random.randint(0, 500))
    return day.replace(day=monthrange(day.year, day.month)[1])


def listed(record: Decision) -> list[Contract]:
    """Contracts as the Inputs sheet lists them."""
    used = record.economics.incumbent_contracts + record.economics.candidate_contracts
    return [c for c in record.contracts if c.id in used]


def _with_terms(posted: PostedFile, terms: list[tuple[str, tuple[str, ...], Any]]) -> PostedFile:
    book = yaml.safe_load(posted.read(10**7).decode())
    for contract, path, value in terms:
        place = next(entry for entry in book["contracts"] if entry["id"] == contract)
        for key in path[:-1]:
            place = place.setdefault(key, {})
        place[path[-1]] = value
    return PostedFile.from_bytes(posted.name, yaml.safe_dump(book).encode())


def _without(posted: PostedFile, lines: list[tuple[str, int | None]]) -> PostedFile | None:
    """The file without some of its lines; a file that is one run is not there at all."""
    mine = [line for file, line in lines if file == posted.name]
    if not mine:
        return posted
    if posted.name.endswith(".json"):
        return None
    kept = posted.read(10**7).split(b"\n")
    return PostedFile.from_bytes(posted.name, b"\n".join(x for n, x in enumerate(kept, start=1) if n not in mine))


def figures(of: Decision) -> Mapping[str, Any]:
    """The engine's figures by the names of the cells that show them."""
    theta, economics, looks = (of.cost.theta if of.cost else None), of.economics, of.looks
    found: dict[str, Any] = {
        "theta": theta.point if theta else None,
        "theta_lo": theta.lo if theta else None,
        "theta_hi": theta.hi if theta else None,
        "theta_lower": looks.theta_lower if looks else None,
        "theta_upper": looks.theta_upper if looks else None,
    }
    for number, quality in enumerate(of.quality):
        found[f"q{number}_point"] = quality.difference.point
        found[f"q{number}_lower"], found[f"q{number}_upper"] = quality.proven_lower, quality.proven_upper
        found[f"q{number}_pass"], found[f"q{number}_fail"] = (
            int(bool(quality.non_inferior)),
            int(bool(quality.inferior)),
        )
    if not economics.months:
        return found
    moves = economics.best is not None and economics.best.starts_at < len(economics.months)
    walk = economics.walk_away
    found |= {"hours_ratio": economics.hours_ratio, "stay_npv": economics.stay_npv}
    if economics.best is not None and economics.best_full is not None:
        found |= {
            "full_best_npv": economics.best_full.npv,
            "full_start": economics.best_full.starts_at,
            "plan_npv": economics.best.npv,
            "plan_start": economics.best.starts_at,
            "plan_full": economics.best.full_at,
            "plan_saving": economics.best.saving,
        }
    if moves and economics.saving is not None:
        found |= {"saving_lo": economics.saving.lo, "saving_hi": economics.saving.hi}
    if walk.candidate_price is not None or economics.best is not None:
        band = walk.candidate_price
        found["walk_away_b"] = band.point if band else None
        found["walk_away_b_lo"], found["walk_away_b_hi"] = (band.lo, band.hi) if band else (None, None)
        found["walk_away_a"] = walk.incumbent_price.point if walk.incumbent_price else None
    return found
