"""`steelyard prices show`: what is priced, from where, of which day, how old, and what is missing."""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from bot.render.comment.problems import fix, sentence
from bot.render.messages import catalogue
from bot.render.notices import render_problems
from bot.render.safe_text import literal
from bot.screen import shown
from scoring.model.contract import PriceRow
from scoring.model.problem import Problem, Severity
from scoring.prices import read_prices
from scoring.problems import question
from scoring.reading.posted import PostedFile

SHOWN, UNANSWERED = 0, 2
MAX_SHOWN = 200
SCHEMA = "steelyard/prices/1"


def run(args: argparse.Namespace) -> int:
    """Exit status 0, or 2 where a book cannot be read or a price that was asked for is missing."""
    rows: list[PriceRow] = []
    problems: list[Problem] = []
    try:
        for path in args.paths:
            book, found = read_prices(PostedFile.from_path(Path(path), name=Path(path).name))
            rows += book.rows
            problems += found
    except OSError as failure:
        print(f"steelyard: {failure.strerror or failure}: {failure.filename}", file=sys.stderr)
        return UNANSWERED
    chosen = [row for row in rows if _is_asked(row.instance_type, args.types) and _is_asked(row.region, args.regions)]
    problems += list(_missing(chosen, args.types or (), args.regions or ()))
    today = date.today()  # noqa: TID251 - the shell may read the clock
    if args.json:
        sys.stdout.write(_as_json(chosen, problems, today))
    else:
        sys.stdout.write(shown(_as_table(chosen, today)))
        _tell(problems)
    wrong = any(p.severity in (Severity.ERROR, Severity.QUESTION) for p in problems)
    return UNANSWERED if wrong else SHOWN


def _tell(problems: Sequence[Problem]) -> None:
    """What is wrong, and in a line each what was left out."""
    wrong = [p for p in problems if p.severity is not Severity.INFO]
    if wrong:
        sys.stderr.write(shown(render_problems(wrong, "en", title="prices.title")))
    for problem in problems:
        if problem.severity is Severity.INFO:
            sys.stderr.write(shown(f"{sentence(problem, 'en')} {fix(problem, 'en')}\n"))


def _is_asked(value: str | None, wanted: Sequence[str] | None) -> bool:
    return not wanted or (value or "").casefold() in {name.casefold() for name in wanted}


def _missing(rows: Sequence[PriceRow], types: Sequence[str], regions: Sequence[str]) -> Iterable[Problem]:
    """Every combination that was asked for and has no on-demand price."""
    known = {((r.instance_type or "").casefold(), (r.region or "").casefold()) for r in rows if r.on_demand_price}
    for name in types:
        priced = {region for instance_type, region in known if instance_type == name.casefold()}
        for region in regions or ([""] if not priced else []):
            if region.casefold() not in priced:
                yield question("price-not-listed", found=f"{name} in {region or 'any region'}")


def _age(row: PriceRow, today: date) -> int | None:
    return (today - row.source.on).days if row.source.on else None


def _as_json(rows: Sequence[PriceRow], problems: Sequence[Problem], today: date) -> str:
    listed: list[dict[str, Any]] = [{**row.model_dump(mode="json"), "age_days": _age(row, today)} for row in rows]
    told = [problem.model_dump(mode="json") for problem in problems]
    return json.dumps({"schema": SCHEMA, "prices": listed, "problems": told}, indent=2, ensure_ascii=False) + "\n"


def _as_table(rows: Sequence[PriceRow], today: date) -> str:
    say = catalogue("en", "bot")
    lines = [say("prices.header"), "| --- | --- | ---: | ---: | --- | --- |"]
    for row in rows[:MAX_SHOWN]:
        price = f"{row.on_demand_price} {row.currency}" if row.on_demand_price else say("prices.none")
        spot = f"{row.spot_price_min} {row.currency}" if row.spot_price_min else ""
        age = _age(row, today)
        day = say("prices.undated") if age is None else say("prices.day", day=row.source.on, age=age)
        origin = row.source.origin or f"{row.source.file}, line {row.source.row}"
        cells = (row.instance_type, row.region or "", price, spot, day, row.note or origin)
        lines.append("| " + " | ".join(literal(str(cell)) if cell else "" for cell in cells) + " |")
    if len(rows) > MAX_SHOWN:
        lines += ["", say("prices.more", count=f"{len(rows) - MAX_SHOWN:,}")]
    return "\n".join(lines) + "\n"
