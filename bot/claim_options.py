"""The options of `steelyard claim`; apart from what they start, so that `--help` loads nothing of weight."""

import argparse

from bot.evidence_options import add_evidence_options


def add_options(parser: argparse.ArgumentParser) -> None:
    """The statement, then the pilot's files as for `compare`."""
    parser.description = (
        'Reads a statement in English or Spanish, such as "70 %% more audio per dollar" or "reduce el costo en un '
        '40 %%", as a ratio, and says whether the pilot supports or contradicts it. Exit status 0 for an answer, 2 for '
        "a statement that is asked back."
    )
    parser.add_argument("statement", metavar="STATEMENT", help="what is claimed, in quotes")
    parser.add_argument("paths", nargs="+", metavar="PATH", help="posted files, or folders of them")
    add_evidence_options(parser)
    parser.add_argument("--json", action="store_true", help="print the judgement as JSON alone")
