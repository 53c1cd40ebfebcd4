"""The command: choose the rows, simulate, print, write, and say by the exit status whether all bars are kept."""

import argparse
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from bot.calibrate import screen
from bot.calibrate.document import Conditions, document
from bot.calibrate.row import Row
from bot.calibrate.rows.registry import ROWS
from bot.calibrate.runner import Finding, run_rows
from bot.calibrate.summary import summaries_of


def run(args: argparse.Namespace) -> int:
    """0 when every row holds or lies within noise, 1 when one falls short, 2 for an unknown row."""
    unknown = [key for key in (*(args.only or ()), *(args.skip or ())) if key not in {row.key for row in ROWS}]
    if unknown:
        rows = ", ".join(row.key for row in ROWS)
        print(f"steelyard calibrate: no row {', '.join(unknown)}; there are {rows}", file=sys.stderr)
        return 2
    begun = time.monotonic()
    findings = _printed(_chosen(args), args)
    seconds = time.monotonic() - begun
    print(screen.SAY("took", seconds=round(seconds), replicates=args.replicates, seed=args.seed, jobs=args.jobs))
    if args.csv:
        screen.write_csv(Path(args.csv), findings)
    if args.markdown:
        today = datetime.now(UTC).date()  # noqa: TID251 - the outermost edge: the day that the document names
        conditions = Conditions(today, args.seed, args.replicates, args.jobs, seconds)
        Path(args.markdown).write_text(document(findings, conditions), encoding="utf-8")
    return int(any(summary.fails for summary in summaries_of(findings)))


def _chosen(args: argparse.Namespace) -> list[Row]:
    return [r for r in ROWS if (not args.only or r.key in args.only) and r.key not in (args.skip or ())]


def _printed(rows: list[Row], args: argparse.Namespace) -> list[Finding]:
    print(screen.heading())
    findings: list[Finding] = []
    for found in run_rows(rows, args.replicates, args.seed, args.jobs):
        findings += found
        for summary in summaries_of(found):
            print(screen.told(summary), flush=True)
    return findings
