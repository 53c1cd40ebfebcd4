"""`steelyard bench`: figures that an operator can take before trusting the bot with a fleet."""

import argparse
import importlib


def run(args: argparse.Namespace) -> int:
    """The bench that was asked for; without a name the times of one comparison."""
    module = importlib.import_module(f"bot.bench.{args.bench or 'compare'}")
    return int(module.run(args))
