"""`steelyard contracts …`: each action is a module of its own, imported when it is asked for."""

import argparse
from importlib import import_module

ACTIONS = {
    "check": "bot.contract_check",
    "import": "bot.contract_import",
    "deadlines": "bot.contract_deadlines",
    "show": "bot.contract_show",
}


def run(args: argparse.Namespace) -> int:
    """Start the action that was named."""
    status: int = import_module(ACTIONS[args.action]).run(args)
    return status
