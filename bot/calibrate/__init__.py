"""`steelyard calibrate`: simulations whose truth is known, held against the bars that the methods claim."""

import argparse
import importlib


def run(args: argparse.Namespace) -> int:
    """Exit status 0 when every row holds or lies within noise, 1 when one falls short, 2 for an unknown row."""
    return int(importlib.import_module("bot.calibrate.command").run(args))
