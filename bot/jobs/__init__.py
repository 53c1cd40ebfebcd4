"""Durable jobs: an inbox that takes them, workers that do them to the end, whatever dies in between. Only here is DBOS.

`Inbox` is for whoever receives, `Worker` for whoever works; several of each may run on one database.
"""

from bot.jobs.inbox import Inbox
from bot.jobs.run import Patience, Reason
from bot.jobs.worker import Worker

__all__ = ["Inbox", "Patience", "Reason", "Worker"]
