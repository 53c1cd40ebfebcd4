"""The options of `steelyard calibrate`; nothing of weight is imported for them."""

import argparse
import os
from textwrap import fill

DEFAULT_REPLICATES = 10_000
DEFAULT_SEED = 20_261_215


WIDTH = 78
ROWS = {
    "unpaired": "cost ratio, unpaired",
    "unequal": "cost ratio, 3 v 10 runs",
    "paired": "cost ratio, paired by day",
    "blocked": "cost ratio, several runs a day",
    "confounded": "each arm on a day of its own",
    "looks": "looked at after every run",
    "quality-runs": "quality between runs",
    "quality-same-items": "quality counts on the same items",
    "quality-other-items": "quality counts on other items",
    "latency": "latency ratio",
    "credible": "posterior of the cost ratio",
    "evsi": "value of further runs",
    "regret": "realised regret of buyers",
    "speed-analysis": "time of a whole analysis",
    "speed-quantiles": "time of ten million requests",
    "one-arm-slow": "slow runs in the candidate alone",
    "side-by-side-false-switch": "moves that save nothing, beside other rules",
    "side-by-side-coverage": "coverage, beside other rules",
    "side-by-side-regret": "regret, beside other rules",
}
"""What `--only` and `--skip` take; the rows themselves load the engine."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """`calibrate`."""
    parser.description = (
        "Simulates pilots whose truth is known and prints, for each claim of docs/method.md, the measured value, its "
        "Monte Carlo standard error, the bar, and whether it is met. Exit status 1 when a row falls short beyond noise."
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = fill(parser.description, WIDTH)
    parser.epilog = "rows:\n" + "\n".join(f"  {name:26}{what}" for name, what in ROWS.items())
    parser.add_argument(
        "--replicates", type=_several, default=DEFAULT_REPLICATES, metavar="N", help="pilots a cell (%(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=DEFAULT_SEED, metavar="N", help="of everything random (%(default)s)"
    )
    parser.add_argument(
        "--only", action="append", metavar="ROW", help="this row of those below alone; may be given again"
    )
    parser.add_argument("--skip", action="append", metavar="ROW", help="all rows but this; may be given again")
    parser.add_argument(
        "--jobs", type=_positive, default=os.cpu_count() or 1, metavar="N", help="processes (%(default)s)"
    )
    parser.add_argument("--csv", metavar="FILE", help="write every cell of every row there")
    parser.add_argument("--markdown", metavar="FILE", help="write the document there (docs/calibration.md)")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def _several(text: str) -> int:
    number = int(text)
    if number < 100:
        raise argparse.ArgumentTypeError("at least 100")
    return number
