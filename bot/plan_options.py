"""The options of `steelyard plan`; apart from what they start, so that `--help` loads nothing of weight."""

import argparse

from bot.evidence_options import add_evidence_options


def add_options(parser: argparse.ArgumentParser) -> None:
    """Paths are optional: without any the plan works from what is given and from named defaults."""
    parser.description = (
        "How many runs an arm, what they can see, what they cost, and in which order to run them. With a pilot's files "
        "it takes their spread and cost; without, what is given here, and steelyard.yml, contracts.yml and prices.csv "
        "of the current folder. The run sheet, filled in, is what `steelyard compare` reads."
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files of the pilot so far, or folders of them")
    parser.add_argument("--arms", metavar="NOW,CANDIDATE", help="names of the two arms: gpu,trn2")
    parser.add_argument("--runs", metavar="N", help="so many runs an arm: what can they see?")
    parser.add_argument("--detect", metavar="SAVING", help="the saving to be told from none: 5%% (default 10%%)")
    parser.add_argument("--half-width", metavar="SHARE", help="an interval that reaches so far to either side: 5%%")
    parser.add_argument("--cv", metavar="SHARE", help="spread between runs of an arm, if none was measured: 3%%")
    parser.add_argument("--cost-per-run", metavar="AMOUNT", help="of a run: 400, or 400/900 for the two arms")
    parser.add_argument("--per-block", metavar="N", help="runs of each arm in a block, such as a day (1)")
    parser.add_argument("--seed", metavar="N", help="of the order; the same seed gives the same sheet anywhere (1)")
    add_evidence_options(parser)
    parser.add_argument("--sheet", metavar="FILE", help="write the run sheet (CSV) there")
    parser.add_argument("--out", metavar="DIR", help="write plan.md, plan.json and run-sheet.csv there")
    parser.add_argument("--json", action="store_true", help="print the plan as JSON alone")
