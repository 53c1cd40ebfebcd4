"""`steelyard bench`: figures that an operator can take before trusting the bot with a fleet."""

import argparse
import importlib
import signal
import sys


def run(args: argparse.Namespace) -> int:
    """The bench that was asked for; without a name the times of one comparison."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that nothing that was started is left
    try:
        return int(importlib.import_module(f"bot.bench.{args.bench or 'compare'}").run(args))
    finally:
        signal.signal(signal.SIGTERM, before)
