"""Puts a process together: `web` receives, `worker` works, `serve` receives and starts a worker beside it."""

import argparse
import contextlib
import ctypes
import gc
import logging
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import sqlalchemy.exc

from bot import logs
from bot.job import Job
from bot.settings import ProcessSettings, complaints

if TYPE_CHECKING:
    from bot.jobs.inbox import Inbox

FLAGS = ("host", "port", "database_url", "state_dir", "workers")
RECONCILE_EVERY_S = 300.0
GRACE_S = 8.0
"""For jobs under way when the process is asked to end; container runtimes kill after ten."""
WORD_S = 1.0
"""For the process that works to say so and go."""
SWITCH_S = 0.0002
"""Measured: twice as many deliveries a second as with the interpreter's own five milliseconds."""
COLLECT = (20_000, 50, 100)
"""What was loaded at the start lives as long as the process; looking through it again and again held deliveries up."""
METRICS = "metrics"
"""Folder in the state directory in which the processes of `serve` count together."""
_PR_SET_DUMPABLE = 4
_log = logging.getLogger(__name__)


def run(args: argparse.Namespace) -> int:
    """The subcommands `serve`, `web` and `worker`; flags win over the environment. Exit status 2 for bad settings."""
    given = {name: getattr(args, name) for name in FLAGS}
    try:
        settings = ProcessSettings.read(**given)
    except ValueError as failure:
        for line in complaints(failure):
            print(f"steelyard: {line}", file=sys.stderr)
        return 2
    worker = partial(run_worker, attended=args.attended)
    parts: dict[str, Callable[[ProcessSettings], None]] = {"serve": run_serve, "web": run_web, "worker": worker}
    try:
        parts[args.command](settings)
    except sqlalchemy.exc.DBAPIError as failure:
        # The driver's own words name host and cause; the URL with its password is not among them.
        print(f"steelyard: the job database: {str(failure.orig).strip()}", file=sys.stderr)
        return 1
    return 0


def run_serve(settings: ProcessSettings) -> None:
    """Receive and work until SIGTERM or SIGINT, in two processes. Raises sqlalchemy.exc.DBAPIError without a database,
    OSError where the port is taken."""
    _count_together(settings)
    from bot.companion import accompanied
    from bot.jobs.inbox import Inbox

    _begin(settings)
    _receive(settings, Inbox(settings), accompanied(settings, GRACE_S + WORD_S))


def run_web(settings: ProcessSettings) -> None:
    """Receive until SIGTERM or SIGINT; somebody else works."""
    from bot.jobs.inbox import Inbox

    _begin(settings)
    _receive(settings, Inbox(settings), contextlib.nullcontext())


def run_worker(settings: ProcessSettings, *, attended: bool = False) -> None:
    """Work until SIGTERM or SIGINT; somebody else receives. `attended`: end with whoever holds the standard input."""
    if attended:
        from bot.companion import attend

        attend(sys.stdin.buffer)
        os.nice(10)
    _begin(settings)
    with _working(settings):
        threading.Event().wait()


def _count_together(settings: ProcessSettings) -> None:
    """Before anything counts: the metrics of both processes lie in files that the receiving one reads."""
    folder = settings.state_dir / METRICS
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def _begin(settings: ProcessSettings) -> None:
    logs.configure(settings)
    _keep_memory_private()
    _end_in_order()


def _receive(settings: ProcessSettings, inbox: "Inbox", beside: contextlib.AbstractContextManager[object]) -> None:
    """Serve in this thread until the process is asked to end; requests under way are answered, then `beside` ends."""
    from bot.intake.deliveries import Reconciler
    from bot.jobs.worker import utc_now
    from bot.web.app import create_app
    from bot.web.server import server

    with contextlib.ExitStack() as ends:
        ends.callback(inbox.close)
        listening = server(create_app(settings, inbox), settings.host, settings.port)
        ends.enter_context(beside)
        ends.callback(listening.close)
        port = int(getattr(listening, "effective_port", settings.port))
        _log.info("listening", extra={"host": settings.host, "port": port})
        reconciler = Reconciler(settings, inbox)
        with _every(RECONCILE_EVERY_S, lambda: reconciler(utc_now())):
            _favour_deliveries()
            listening.run()


def _favour_deliveries() -> None:
    """The interpreter as it answers many small requests best; called when all is loaded."""
    # Every word with the database lets the interpreter go; taking it back costs up to this long beside busy threads.
    sys.setswitchinterval(SWITCH_S)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)


@contextmanager
def _working(settings: ProcessSettings) -> Iterator[None]:
    from bot import handle as whole
    from bot import litter, metrics, sandbox
    from bot.jobs.worker import Worker, utc_now

    def handle(job: Job, today: date) -> str:
        with _named(job), metrics.job() as ended:
            handled = whole.handle(job, today, settings.with_stored_app())
            ended.outcome, ended.replied = str(handled.outcome), bool(handled.body)
        return ended.outcome

    def park(job: Job, reason: str) -> None:
        with _named(job):
            whole.park(job, reason, settings.with_stored_app())

    if cleared := litter.clear(utc_now().timestamp()):
        _log.info("cleared away what killed jobs left", extra={"folders": cleared})
    worker = Worker(settings, handle, park)
    sandbox.warm()
    worker.start()
    _log.info("working", extra={"worker": worker.executor, "at_a_time": settings.workers})
    try:
        yield
    finally:
        if not worker.stop(GRACE_S):
            # The threads of unfinished jobs would keep the process; another one takes the jobs over.
            _log.warning("ended with unfinished jobs")
            logging.shutdown()
            os._exit(0)


def _named(job: Job) -> contextlib.AbstractContextManager[None]:
    """Every log line of a job names it."""
    return logs.bound(job=job.key, delivery=job.delivery, repository=job.repository)


@contextmanager
def _every(seconds: float, task: Callable[[], object]) -> Iterator[None]:
    """At once and then every so often, in a thread; what goes wrong is logged and tried again the next time."""
    ending = threading.Event()

    def run() -> None:
        while True:
            try:
                task()
            except Exception:
                _log.exception("a timed task failed")
            if ending.wait(seconds):
                return

    threading.Thread(target=run, name="timer", daemon=True).start()
    try:
        yield
    finally:
        ending.set()


def _end_in_order() -> None:
    """SIGTERM as an exception in the main thread, once: waitress then finishes what it has begun."""

    def end(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, end)


def _keep_memory_private() -> None:
    """Secrets came in the environment, which other processes of the same user may read unless this is said."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
