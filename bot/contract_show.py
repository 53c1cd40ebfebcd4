"""`steelyard contracts show`: what each contract promises and costs by month, its deadline, what leaving brings."""

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import date

from bot.contract_paths import evidence_at, with_settings
from bot.render import figures
from bot.render.messages import catalogue
from bot.render.notices import render_problems
from bot.render.safe_text import literal
from bot.screen import shown
from scoring.contracts.overview import ContractOverview, overview
from scoring.model.contract import Contract
from scoring.model.leaving import Recovery
from scoring.model.problem import Problem, Severity
from scoring.setup import read_setup

SHOWN, MENDED_FIRST = 0, 2
MOST_MONTHS = 60
SCHEMA = "steelyard/contracts/1"


def run(args: argparse.Namespace) -> int:
    """Exit status 0 with the table, 2 for books or days that cannot be read."""
    contracts, problems = list[Contract](), list[Problem]()
    try:
        on = date.fromisoformat(args.on) if args.on else date.today()  # noqa: TID251 - the shell may read the clock
        for evidence in with_settings(list(evidence_at(args.paths))):
            setup = read_setup(evidence)
            contracts += setup.contracts
            found = (p for p in setup.problems if p.severity in (Severity.ERROR, Severity.QUESTION))
            problems += [p for p in found if p not in problems]
    except (OSError, ValueError) as failure:
        print(f"steelyard: {failure}", file=sys.stderr)
        return MENDED_FIRST
    rows = list(overview(contracts, on, min(max(args.months, 1), MOST_MONTHS)))
    if args.json:
        told = {"schema": SCHEMA, "on": on.isoformat(), "contracts": [row.model_dump(mode="json") for row in rows]}
        print(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        sys.stdout.write(shown(as_text(rows, on)))
    if problems:
        sys.stderr.write(shown(render_problems(problems, "en", title="contract-check.title")))
    return MENDED_FIRST if problems else SHOWN


def as_text(rows: Sequence[ContractOverview], on: date) -> str:
    """Three tables in Markdown: the contracts, their months, and what leaving on the day would bring."""
    say = catalogue("en", "bot")
    lines = [say("contract-show.title", on=figures.day(on))]
    if rows:
        lines += ["", say("contract-show.head"), say("contract-show.rule"), *(_contract(row) for row in rows)]
        months = [f"{month.starts_on:%Y-%m}" for month in rows[0].months]
        lines += ["", say("contract-show.months"), "", f"| | {' | '.join(months)} |", "|---|" + "---:|" * len(months)]
        lines += [_months(row) for row in rows]
    leaving = [_leaving(row, recovery) for row in rows for recovery in row.recoveries]
    if leaving:
        lines += [
            "",
            say("contract-show.leaving"),
            "",
            say("contract-show.leaving-head"),
            "|---|---|---:|---|",
            *leaving,
        ]
    return "\n".join(lines) + "\n"


def _contract(row: ContractOverview) -> str:
    say = catalogue("en", "bot")
    promise = say(
        f"contract-show.{_promise(row)}",
        amount=figures.number(row.amount, ",.10g"),
        currency=row.currency,
    )
    deadline = figures.day(row.notice_deadline) if row.notice_deadline else "–"
    term = f"{figures.day(row.starts_on)} – {figures.day(row.ends_on)}"
    return f"| {literal(row.id)} | {row.kind} | {term} | {promise} | {deadline} | {row.renewal} |"


def _promise(row: ContractOverview) -> str:
    if row.promise == "instances" and row.amount == 1:
        return "one-instance"
    return row.promise.replace("_", "-") + ("-a-year" if row.per_year else "")


def _months(row: ContractOverview) -> str:
    say = catalogue("en", "bot")
    cells = []
    for month in row.months:
        cost = figures.money(month.cost, row.currency)
        told = (
            say("contract-show.month", hours=figures.number(month.hours, ",.0f"), cost=cost)
            if month.hours is not None
            else say("contract-show.trued-up")
            if row.promise == "currency_total" and not month.cost
            else cost
        )
        cells.append(told)
    return f"| {literal(row.id)} | {' | '.join(cells)} |"


def _leaving(row: ContractOverview, recovery: Recovery) -> str:
    conditions = ", ".join([*recovery.subject_to, *([recovery.barred_by] if recovery.barred_by else [])]) or "–"
    cash = figures.money(float(recovery.cash), row.currency)
    return f"| {literal(row.id)} | {recovery.way.value} | {cash} | {conditions} |"
