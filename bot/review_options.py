"""The options of `steelyard review`."""

import argparse
from pathlib import Path


def add_options(parser: argparse.ArgumentParser) -> None:
    """A folder and a quarter."""
    parser.description = (
        "Reads a folder with steelyard.yml, contracts.yml, workloads.yml, outcomes.csv and a ledger (index.json, "
        "decisions/, sign-offs/, reviews/) and prints the review of a quarter. "
        "Exit status 0 with a review, 2 for input that gives none."
    )
    parser.add_argument("folder", metavar="FOLDER", help="where the books and the ledger lie")
    parser.add_argument("quarter", metavar="QUARTER", help="such as 2027Q1")
    parser.add_argument("--out", metavar="DIR", help="write review.md, review.xlsx, review.ics and review.json there")
    parser.add_argument("--today", metavar="DATE", help="the day of the review; else decision_date, else today")
    parser.add_argument("--no-plan", action="store_true", help="leave out the best plan, which takes most of the time")
    several = parser.add_argument_group("several repositories")
    several.add_argument("--home", metavar="OWNER/NAME", help="the name of FOLDER's repository")
    several.add_argument(
        "--repository",
        metavar="OWNER/NAME=PATH",
        action="append",
        default=[],
        type=_repository,
        help="where a repository lies that FOLDER's settings list; again for each",
    )
    parser.add_argument("--json", action="store_true", help="print the record alone")
    parser.add_argument("--format", choices=("auto", "terminal", "markdown"), default="auto", help="how to print it")


def _repository(text: str) -> tuple[str, Path]:
    name, separator, path = text.partition("=")
    if not name or not separator or not path:
        raise argparse.ArgumentTypeError(f"{text!r} is not OWNER/NAME=PATH")
    return name, Path(path)
