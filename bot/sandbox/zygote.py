"""The process that waits with the engine loaded, and forks a guardian for each question. It has one thread.

Run as `python -m bot.sandbox.zygote CONTROL REGISTRY`. When the bot dies, however it dies, the control socket ends
and so does this; each guardian sees its own conversation end and kills what it guards.
"""

import gc
import importlib
import os
import signal
import socket
import sys
from collections.abc import Mapping

from bot.commands.interface import SlashCommand
from bot.sandbox.guardian import guard

PRELOADED = (
    "bot.commands.evidence",
    "bot.render.comment",
    "bot.render.plan",
    "bot.render.record",
    "bot.render.whatif",
    "bot.render.workbook",
    "scoring.analysis",
    "scoring.plan",
)
"""What the commands import when they answer, scipy and openpyxl with it: more than two seconds, spent once."""
NICENESS = 10
"""Answering gives way to receiving where both want the processor."""


def main(control: socket.socket, registry: Mapping[str, SlashCommand]) -> None:
    """Fork for each conversation that comes in, until there is nobody left who could ask."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    gc.collect()
    gc.freeze()
    while True:
        message, passed, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        for number in passed:
            if os.fork() == 0:
                control.close()
                try:
                    guard(socket.socket(fileno=number), registry)
                finally:
                    os._exit(0)
            os.close(number)


def load(registry: str) -> Mapping[str, SlashCommand]:
    """The registry `module:NAME`, with everything that commands import."""
    module, _, attribute = registry.partition(":")
    for name in PRELOADED:
        importlib.import_module(name)
    found: Mapping[str, SlashCommand] = getattr(importlib.import_module(module), attribute)
    return found


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), load(sys.argv[2]))
