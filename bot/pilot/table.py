"""The tidy table of the runs that were made, and the comment that posts it."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.pilot.asked import Asked, command_line
from bot.pilot.sheet import Planned
from bot.render.notices import Markup, say
from bot.render.run_sheet import FORMULA
from bot.render.safe_text import clean, literal
from scoring.model.settings import Settings
from scoring.plan.sheet import NAMED_CURRENCIES
from scoring.reading.headers import meaning_of

MEASURED = ("started_at", "duration_s", "initialisation_s", "quality_metric", "quality_value", "status", "host")
COUNTED = ("work_units", "device_count", "requests_attempted", "requests_completed")
CELL = 200


@dataclass(frozen=True)
class Made:
    """A run that was made: its line of the sheet, the record of its process, what its files told, and how it ended."""

    planned: Planned
    record: Mapping[str, Any]
    told: Mapping[str, Any]
    status: str
    host: str


def price_column(settings: Settings) -> str:
    """As the plan's run sheet calls it."""
    named = settings.currency in NAMED_CURRENCIES
    return f"price_{settings.currency.lower()}_per_hour" if named else "price_per_hour"


def table_csv(made: Sequence[Made], columns: Sequence[str], settings: Settings) -> str:
    """One line a run in the tidy form; columns of which nothing is known are left away."""
    phases = {one.told["phase"] for one in made if one.told.get("phase")}
    shared = {"phase": str(*phases)} if len(phases) == 1 else {}
    rows = [shared | {k: v for k, v in _row(one, columns, settings).items() if v or k not in shared} for one in made]
    header = [name for name in dict.fromkeys(name for row in rows for name in row) if any(r.get(name) for r in rows)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([[_cell(row.get(name, "")) for name in header] for row in rows])
    return out.getvalue()


def _row(one: Made, columns: Sequence[str], settings: Settings) -> dict[str, str]:
    values, price = one.planned.values, price_column(settings)
    row = {name: values.get(name, "") for name in columns if name not in MEASURED}
    row |= {"seed": values["seed"], "host": one.host, "started_at": str(one.record.get("started_at", ""))}
    row |= _times(one)
    row[price] = row.get(price) or _price(values, settings)
    if one.status == "ok":
        row |= _work(one.told)
        row |= {name: str(value) for name, value in one.told.get("conditions", {}).items() if not row.get(name)}
        in_percent = one.told.get("in_percent", ())
        quality = one.told.get("quality", {})
        row |= {name: f"{_number(v * 100)}%" if name in in_percent else _number(v) for name, v in quality.items()}
        row |= {f"{name}_s": _number(seconds) for name, seconds in one.told.get("latency", {}).items()}
    drawn = one.record.get("energy_j") or {}
    row["energy_j"] = _number(sum(drawn.values())) if drawn else ""
    return {**row, "status": one.status}


def _work(told: Mapping[str, Any]) -> dict[str, str]:
    """What was done, or at which rate where a tool tells no more; and what else of a run a comparison asks for."""
    row = {name: _number(told[name]) for name in COUNTED if told.get(name) is not None}
    if told.get("unit"):
        row["unit"] = str(told["unit"])
    rate, column = told.get("throughput"), f"{told.get('unit')}s_per_s"
    if rate is not None and "work_units" not in row and meaning_of(column).name == told.get("unit"):
        row[column] = _number(rate)
    return row


def _times(one: Made) -> dict[str, str]:
    """The time after the warm-up mark; else what the tool timed; else all of it. What was before is initialisation."""
    wall, warm, told = one.record.get("wall_s"), one.record.get("warm_s"), one.told.get("duration_s")
    if wall is None:
        return {}
    if warm is not None and warm < wall:
        return {"duration_s": _number(wall - warm), "initialisation_s": _number(warm)}
    if told is not None and one.status == "ok" and told <= wall:
        warmup = one.told.get("warmup_s")
        within = {} if warmup is None else {"warmup_s": _number(warmup)}
        return {"duration_s": _number(told), "initialisation_s": _number(wall - told), **within}
    return {"duration_s": _number(wall)}


def _price(values: Mapping[str, str], settings: Settings) -> str:
    names = (values["arm"], values.get("instance_type"), values.get("accelerator"))
    found = next((settings.prices[name] for name in names if name in settings.prices), None)
    return "" if found is None or found.currency not in (None, settings.currency) else str(found.per_hour)


def _number(value: float) -> str:
    return f"{value:.10g}"


def _cell(text: str) -> str:
    shown = clean(text, CELL).strip() if text else ""
    return f"'{shown}" if shown.startswith(FORMULA) and not _is_number(shown) else shown


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def comment(made: Sequence[Made], table: str, facts: Mapping[str, Any], asked: Asked, language: str) -> str:
    """A comment to post: on what the runs were made, the table, and the command."""
    failed = sum(one.status != "ok" for one in made)
    drawn = any(one.record.get("energy_j") for one in made)
    lines = [
        say(language, "pilot-kit.comment-runs", made=len(made), failed=failed),
        say(
            language,
            "pilot-kit.comment-machine",
            host=str(facts.get("host") or "–"),
            cpu=str(facts.get("cpu") or "–"),
            cpus=int(facts.get("cpus") or 0),
            commit=str(facts.get("commit") or "–"),
            python=Markup(str(facts.get("python"))),
            steelyard=Markup(str(facts.get("steelyard"))),
        ),
        say(language, "pilot-kit.energy-measured" if drawn else "pilot-kit.energy-not-measured"),
    ]
    if facts.get("versions"):
        shown = ", ".join(literal(line) for line in str(facts["versions"]).splitlines()[:20])
        lines.append(say(language, "pilot-kit.comment-versions", versions=Markup(shown)))
    if asked.left:
        names = Markup(", ".join(literal(name) for name in asked.left))
        lines.append(say(language, "pilot-kit.comment-settings", found=names))
    return " ".join(lines) + f"\n\n```csv\n{table}```\n\n{command_line(asked)}\n"
