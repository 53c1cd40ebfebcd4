"""`steelyard plan`: the plan of a pilot on the screen, and its run sheet in a file; the same plan as `/plan`."""

import argparse
import json
import sys
from datetime import date
from pathlib import Path

from bot.commands.evidence import settings_problems
from bot.commands.plan import KEYS, request_of
from bot.compare import gather
from bot.compare_line import in_shell
from bot.folder import CONFIG_NAMES, CONTRACT_NAMES, PRICE_NAMES, find
from bot.render.locales import ENGLISH, languages
from bot.render.notices import render_problems
from bot.render.plan import Place, render_plan
from bot.render.run_sheet import run_sheet_csv
from bot.screen import shown
from bot.sheet_file import free_name, holds_measured
from scoring.analysis import Evidence, analyse
from scoring.plan import RunPlan, plan_runs

PLANNED, NOT_PLANNED = 0, 2
SEED = 1
CONVENTIONAL = (*CONFIG_NAMES, *CONTRACT_NAMES, *PRICE_NAMES)
SCHEMA = "steelyard/plan/1"
SHEET, REPORT, RECORD = "run-sheet.csv", "plan.md", "plan.json"


def run(args: argparse.Namespace) -> int:
    """Exit status 0 with a plan, 2 for arguments, settings or files that give none."""
    try:
        return _plan(args)
    except OSError as failure:
        return _refuse(f"{failure.strerror or failure}: {failure.filename}")


def _plan(args: argparse.Namespace) -> int:
    own = [(name, str(value)) for name in KEYS if (value := getattr(args, name)) is not None]
    request, problems = request_of(own, SEED)
    if problems:
        told = [f"--{str(p.column).replace('_', '-')}: {p.found!r} is not {p.expected}" for p in problems]
        return _refuse("; ".join(told))
    arms = [name.strip() for name in args.arms.split(",")] if args.arms is not None else []
    if args.arms is not None and (len(set(arms)) != 2 or len(arms) != 2 or not all(arms)):
        return _refuse(f"--arms: {args.arms!r} is not two names, such as gpu,trn2")
    evidence = _evidence(args, arms)
    broken, wrong = settings_problems(evidence.settings, evidence.overrides)
    if broken or wrong:
        language = args.language if args.language in languages() else ENGLISH
        sys.stdout.write(shown(render_problems([*broken, *wrong], language, title="plan.not-planned"), args.format))
        return NOT_PLANNED
    decision = analyse(evidence, today=date.today())  # noqa: TID251 - the shell may read the clock
    plan = plan_runs(decision, request)
    sheets = _sheets(args) if plan.sheet else []
    measured = next((path for path in sheets if holds_measured(path)), None)
    if measured is not None:
        return _refuse(_kept(measured, args))
    _write(plan, sheets, args)
    written, unwritten = str(sheets[0]) if sheets else None, _sheets(args) if not sheets else []
    compare = in_shell(args, _settings(args, arms), written)
    place = Place(compare, False, written, unwritten=str(unwritten[0]) if unwritten else None)
    body = render_plan(plan, decision, place)
    if args.out is not None:
        (Path(args.out) / REPORT).write_text(body, encoding="utf-8")
    sys.stdout.write(record_of(plan) if args.json else shown(body, args.format, decision.settings.language))
    return PLANNED


def record_of(plan: RunPlan) -> str:
    """The plan as JSON."""
    return json.dumps({"schema": SCHEMA, **plan.model_dump(mode="json")}, indent=2, ensure_ascii=False) + "\n"


def _evidence(args: argparse.Namespace, arms: list[str]) -> Evidence:
    """The files that the command line names, else the settings and books of the current folder. Raises OSError."""
    if not args.paths:
        here = [Path(name) for name in CONVENTIONAL if Path(name).is_file()]
        found = find(here)
        args.config, args.contracts = args.config or found.config, args.contracts or found.contracts
        args.prices = args.prices or found.prices
    evidence = gather(args)
    if not arms:
        return evidence
    overrides = (*_named(arms), *evidence.overrides)
    return Evidence(evidence.postings, evidence.settings, evidence.contracts, evidence.prices, overrides)


def _named(arms: list[str]) -> list[str]:
    """`--arms` as settings."""
    return [f"baseline={arms[0]}", f"candidate={arms[1]}"] if arms else []


def _settings(args: argparse.Namespace, arms: list[str]) -> list[str]:
    """What the plan was made with beside its files; looks are an option of their own."""
    return [*_named(arms), *(args.set or ())]


def _sheets(args: argparse.Namespace) -> list[Path]:
    """Where the run sheet was asked for."""
    named = [Path(args.sheet)] if args.sheet is not None else []
    return [*named, Path(args.out) / SHEET] if args.out is not None else named


def _kept(path: Path, args: argparse.Namespace) -> str:
    """That a sheet with figures in it is left as it is, and how to go on."""
    why = f"{path}: holds what was measured, or is no run sheet; a new sheet would overwrite it, so nothing was written"
    if args.sheet is not None and path == Path(args.sheet):
        return f"{why}. Take another name: --sheet {free_name(path)}"
    return f"{why}. Take another folder: --out {free_name(Path(args.out))}"


def _write(plan: RunPlan, sheets: list[Path], args: argparse.Namespace) -> None:
    """The sheets, and with `--out` the plan's record. Raises OSError."""
    if args.out is not None:
        Path(args.out).mkdir(parents=True, exist_ok=True)
        (Path(args.out) / RECORD).write_text(record_of(plan), encoding="utf-8")
    for path in sheets:
        path.write_text(run_sheet_csv(plan), encoding="utf-8", newline="")


def _refuse(why: str) -> int:
    print(f"steelyard: {why}", file=sys.stderr)
    return NOT_PLANNED
