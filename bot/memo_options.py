"""The options of `steelyard memo`; apart, so that `--help` loads nothing of weight."""

import argparse


def add_options(parser: argparse.ArgumentParser) -> None:
    """`memo render RECORD.json [--out DIR]`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    render = actions.add_parser("render", help="comment and workbook again, from a decision record alone")
    render.description = (
        "Rebuilds comment.md, memo.xlsx (a further memo for each further comparison) and records.md from "
        "decision.json alone, byte by byte as the same version of Steelyard wrote them. Exit status 0, or 2 for a "
        "file that is no sound record."
    )
    render.add_argument("record", metavar="RECORD.json", help="a decision record, of compare --out or the ledger")
    render.add_argument("--out", metavar="DIR", default=".", help="where the files go (the current folder)")
