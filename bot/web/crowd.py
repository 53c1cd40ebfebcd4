"""How many pages are made at a time: deliveries keep threads of their own, however long pages wait for GitHub."""

import threading
from dataclasses import dataclass, field

from flask import Response, current_app, g, request

from bot.web.pages import page
from bot.web.server import THREADS

FOR_DELIVERIES = 8
OTHERS = ("webhook", "health", "static")
RETRY_S = "10"


@dataclass
class Crowd:
    """One per app."""

    turns: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(THREADS - FOR_DELIVERIES))


def enter() -> Response | None:
    """Before a request: a page that says so where there are too many. It ends with `leave`."""
    if request.endpoint is None or request.endpoint.split(".")[0] in OTHERS:
        return None
    crowd = current_app.extensions["steelyard-crowd"]
    g.in_crowd = crowd.turns.acquire(blocking=False)
    if g.in_crowd:
        return None
    answer = page("without.html", 503, cause="busy")
    answer.headers["Retry-After"] = RETRY_S
    return answer


def leave(_: BaseException | None) -> None:
    """After a request, however it ended."""
    if g.pop("in_crowd", False):
        current_app.extensions["steelyard-crowd"].turns.release()
