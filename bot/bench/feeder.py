"""GitHub's sending side, kinder than GitHub: every delivery is posted until it is taken, and some twice."""

import random
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from queue import Queue

from bot.bench.scene import Delivery

THREADS = 12
TIMEOUT_S = 12.0
AGAIN_S = 0.05
LATER_S = 6.0
TAKEN = 202


@dataclass
class Feeder:
    """Posts deliveries from threads; a share `redeliveries` is posted again, half of those as a second hook."""

    port: int
    secret: str = field(repr=False)
    redeliveries: float
    rng: random.Random
    given: int = 0
    acked: int = 0
    repeated: int = 0
    unanswered: int = 0
    answered: Counter[int] = field(default_factory=Counter)
    _waiting: "Queue[tuple[Delivery, bool] | None]" = field(default_factory=Queue)
    _threads: list[threading.Thread] = field(default_factory=list)
    _timers: list[threading.Timer] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> None:
        """Begin to post what is given."""
        for _ in range(THREADS):
            thread = threading.Thread(target=self._post_all, daemon=True)
            thread.start()
            self._threads.append(thread)

    def give(self, delivery: Delivery) -> None:
        """Post it, and by chance once more some seconds later."""
        self.given += 1
        self._waiting.put((delivery, False))
        if self.rng.random() >= self.redeliveries:
            return
        other_guid = str(uuid.UUID(int=self.rng.getrandbits(128)))
        again = delivery if self.rng.random() < 0.5 else Delivery(other_guid, delivery.body)
        timer = threading.Timer(self.rng.uniform(0.0, LATER_S), self._waiting.put, [(again, True)])
        timer.daemon = True
        timer.start()
        self._timers.append(timer)

    def finish(self, seconds: float) -> bool:
        """Wait until everything was taken; False where some was not in time."""
        for timer in self._timers:
            timer.join()
        for _ in self._threads:
            self._waiting.put(None)
        ends = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, ends - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _post_all(self) -> None:
        while (item := self._waiting.get()) is not None:
            delivery, again = item
            while not self._taken(delivery):
                time.sleep(AGAIN_S)
            with self._lock:
                self.acked += not again
                self.repeated += again

    def _taken(self, delivery: Delivery) -> bool:
        status = posted(self.port, delivery, self.secret)
        with self._lock:
            if status is None:
                self.unanswered += 1
            else:
                self.answered[status] += 1
        return status == TAKEN


def posted(port: int, delivery: Delivery, secret: str) -> int | None:
    """The status that a delivery was answered with; None without an answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    try:
        connection.request("POST", "/webhook", delivery.body, delivery.headers(secret))
        response = connection.getresponse()
        response.read()
        return response.status
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()
