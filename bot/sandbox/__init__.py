"""Answers are made in a process apart, bounded in time, memory and output, with nothing of ours to steal."""

from bot.sandbox.front import Sandbox, answer_bounded, warm
from bot.sandbox.wire import Limits

__all__ = ["Limits", "Sandbox", "answer_bounded", "warm"]
