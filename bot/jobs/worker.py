"""The working side: takes jobs from the queue, does them to the end, and takes over what dead workers left."""

import logging
import os
import re
import secrets
import socket
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from dbos import DBOS, EnqueueOptions

from bot.job import Job
from bot.jobs import alive, arrivals, database
from bot.jobs.deaths import Deaths
from bot.jobs.floor import Floor
from bot.jobs.run import PATIENCE, Begun, End, Handler, Park, Patience, Run
from bot.settings import ProcessSettings

_log = logging.getLogger(__name__)
_PRUNE_EVERY_S = 3600.0
_LOOK_S = 0.05
_ARRIVE_S = 0.1
_PRUNE_AT_ONCE = 500
_FINISHED = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]


def utc_now() -> datetime:
    """The clock of the process."""
    return datetime.now(UTC)  # noqa: TID251 - the outermost edge: a job's day is read here, once, and stored


class Worker:
    """At most one in a process. `handler` does a whole job and may be repeated; `park` says that one was given up.

    `poll_s` is how often the queue is asked for new jobs, `look_s` how often other workers are looked after.
    """

    def __init__(
        self,
        settings: ProcessSettings,
        handler: Handler,
        park: Park,
        *,
        patience: Patience = PATIENCE,
        clock: Callable[[], datetime] = utc_now,
        poll_s: float = 0.25,
        look_s: float = 1.0,
    ) -> None:
        self._settings = settings
        self._engine = database.connect(settings, pool_size=settings.workers + 8)
        self._arrivals = database.connect_arrivals(settings, self._engine)
        self._deaths = Deaths(self._engine, clock)
        self._run = Run(handler, park, self._deaths, patience, clock, Floor())
        self._clock = clock
        self._poll_s = poll_s
        self._look_s = look_s
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []
        self._working: set[str] = set()
        self._dbos: DBOS | None = None
        self._lives: alive.Lives | None = None
        self.executor = _name(settings)

    def start(self) -> None:
        """Begin to work in threads of its own. Raises sqlalchemy.exc.DBAPIError where the database is out of reach."""
        database.prepare(self._engine, self._arrivals)
        self._lives = alive.hold(self._engine, self.executor)
        # Registered before the launch, so that the first job need not wait for the list of queues to be read again.
        database.client(self._engine).register_queue(
            database.QUEUE,
            partition_concurrency=1,
            worker_concurrency=self._settings.workers,
            polling_interval_sec=self._poll_s,
        )
        self._dbos = DBOS(
            config={
                "name": database.APPLICATION,
                "system_database_url": self._settings.jobs_url,
                "system_database_engine": self._engine,
                "application_version": database.VERSION,
                "executor_id": self.executor,
                "serializer": database.SERIALIZER,
                "use_listen_notify": False,
                "log_level": "WARNING",
                "run_migrations": False,
            }
        )
        database.quiet()
        DBOS.workflow(name=database.WORKFLOW, max_recovery_attempts=None)(self._workflow())
        DBOS.launch()
        tasks = {
            "queue": self._queue_what_arrives,
            "take-over": self._look_after_others,
            "prune": self._prune_now_and_then,
        }
        for name, task in tasks.items():
            thread = threading.Thread(target=task, name=f"jobs-{name}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def run_forever(self) -> None:
        """Start, and work until `stop` is called from a signal handler or another thread."""
        self.start()
        self._ending.wait()

    def stop(self, grace_s: float = 8) -> bool:
        """Take no more jobs, wait for those under way; False where some were not done in time.

        Those count as not begun; another worker takes them over as soon as this process ends.
        """
        self._ending.set()
        for thread in self._threads:
            thread.join(timeout=10)
        self._let_finish(grace_s)
        DBOS.destroy(destroy_registry=True)
        left = list(self._working)
        for key in left:
            self._deaths.forgiven(key)
        if not left:
            if self._lives is not None:
                self._lives.end()
            self._engine.dispose()
            self._arrivals.dispose()
        return not left

    def _let_finish(self, grace_s: float) -> None:
        """Take nothing new, and wait for what is under way. DBOS' own way to wait looks once a second at best."""
        if self._dbos is None:
            return
        for event in self._dbos.background_thread_stop_events:
            event.set()
        pause = threading.Event()
        for _ in range(int(grace_s / _LOOK_S)):
            if not self._dbos._active_workflows_set.activeList():
                return
            pause.wait(_LOOK_S)

    def _workflow(self) -> Callable[[dict[str, Any], Begun | None], str]:
        def job(values: dict[str, Any], before: Begun | None) -> str:
            return self._do(Job.model_of(values), before)

        return job

    def _do(self, job: Job, before: Begun | None) -> str:
        """One run, step by step; what a step gave is stored and not done again when the run is taken over."""
        begun = before or DBOS.run_step({"name": "begin"}, self._run.begin)
        if begun["parking"] is None:
            end: End = DBOS.run_step({"name": "work"}, self._watched, self._run.work, job, begun)
            if end["park"] is not None:
                begun = {**begun, "parking": end["park"], "tries": 0, "since": end["at"]}
        if begun["parking"] is not None:
            end = DBOS.run_step({"name": "park"}, self._watched, self._run.give_up, job, begun)
        if end["wait_s"] is not None:
            later: Begun = {**begun, "tries": begun["tries"] + 1, "rested": max(begun["rested"], end["rested"])}
            self._again(job, later, end["wait_s"])
            return "later"
        return end["said"]

    def _watched(self, step: Callable[[Job, Begun], End], job: Job, begun: Begun) -> End:
        key = job.key if begun["parking"] is None else f"{job.key}?park"
        self._working.add(key)
        try:
            return step(job, begun)
        finally:
            self._working.discard(key)

    def _again(self, job: Job, begun: Begun, wait_s: float) -> None:
        """Go on later as a workflow of its own: it holds no worker meanwhile, and is stored before this one ends."""
        word = "try" if begun["parking"] is None else "park"
        options: EnqueueOptions = {
            "workflow_name": database.WORKFLOW,
            "queue_name": database.QUEUE,
            "workflow_id": f"{job.key}?{word}={begun['tries']}",
            "app_version": database.VERSION,
            "queue_partition_key": job.place,
            "delay_seconds": wait_s,
        }
        DBOS.enqueue_workflow_with_options(options, job.model_dump(mode="json"), begun)

    def _queue_what_arrives(self) -> None:
        queue = database.client(self._engine)
        while True:
            try:
                arrivals.queue(self._arrivals, self._engine, queue)
            except sa.exc.SQLAlchemyError as failure:
                _log.warning("what arrived is not in the queue yet: %s", type(failure).__name__)
            if self._ending.wait(_ARRIVE_S):
                return

    def _look_after_others(self) -> None:
        while True:
            try:
                self._take_over()
            except (sa.exc.SQLAlchemyError, OSError) as failure:
                _log.warning("other workers not looked after: %s", type(failure).__name__)
            if self._ending.wait(self._look_s):
                return

    def _take_over(self) -> None:
        """Put what dead workers had begun back into the queue, where it keeps its place."""
        if self._lives is None:
            return
        self._lives.beat()
        jobs = database.workflows(self._engine)
        running = sa.select(jobs.c.executor_id).where(jobs.c.status == "PENDING", jobs.c.executor_id != self.executor)
        with self._engine.connect() as connection:
            others = set(connection.execute(running.distinct()).scalars())
        for other in others:
            with self._lives.dead(other) as dead:
                if dead:
                    taken = DBOS._recover_pending_workflows([other])
                    _log.warning("took over %d jobs of a dead worker", len(taken), extra={"worker": other})

    def _prune_now_and_then(self) -> None:
        while True:
            try:
                self.prune()
            except sa.exc.SQLAlchemyError as failure:
                _log.warning("finished jobs not pruned: %s", type(failure).__name__)
            if self._ending.wait(_PRUNE_EVERY_S):
                return

    def prune(self) -> int:
        """Delete jobs that finished before the retention time, and return their number."""
        before = self._clock() - timedelta(days=self._settings.retention_days)
        queue = database.client(self._engine)
        pruned = 0
        while old := queue.list_workflows(
            status=_FINISHED,
            completed_before=before.isoformat(),
            limit=_PRUNE_AT_ONCE,
            load_input=False,
            load_output=False,
        ):
            ids = [one.workflow_id for one in old]
            queue.delete_workflows(ids)
            arrivals.forget(self._arrivals, ids)
            pruned += len(old)
        self._deaths.forget(before)
        return pruned


def _name(settings: ProcessSettings) -> str:
    """Never the same twice: what an earlier process left is taken over, not mistaken for its own."""
    base = re.sub(r"[^A-Za-z0-9.-]", "-", settings.executor or socket.gethostname())[:80]
    return f"{base}-{os.getpid()}-{secrets.token_hex(4)}"
