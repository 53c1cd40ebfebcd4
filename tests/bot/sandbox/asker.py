"""A bot that is killed while its sandbox answers. Run as `python -m tests.bot.sandbox.asker NAME`."""

import sys

from bot.sandbox import Limits, Sandbox
from tests.bot.sandbox.test_sandbox import HOSTILE, dossier

if __name__ == "__main__":
    sandbox = Sandbox(HOSTILE)
    sandbox.answer(dossier("echo"), Limits())
    print("ready", flush=True)
    sandbox.answer(dossier("leave-children", sys.argv[1]), Limits(seconds=600))
    print("left", flush=True)
    sandbox.answer(dossier("deaf"), Limits(seconds=600))
