"""What GitHub could not deliver comes again a bounded number of times; what it never told is found, once."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import logs
from bot.dossier import Outcome
from bot.emulator import INSTALLATION_ID, Emulator
from bot.github.client import Connection
from bot.github.marker import marked
from bot.github.place import place_of
from bot.intake.deliveries import Reconciler, ask_again, reconcile
from bot.intake.events import job_of
from bot.job import Job
from bot.jobs import Inbox
from bot.settings import ProcessSettings
from tests.bot.github.double import Lacking
from tests.bot.github.world import World
from tests.bot.intake.hook_log import HookLog
from tests.bot.web.receiving import Fake
from tests.e2e.faults import Fault, FaultProxy

NOW = datetime(2026, 12, 2, 12, 0, tzinfo=UTC)


@dataclass
class Scene:
    """A GitHub with one repository of its own, and the log of its deliveries."""

    world: World
    hooks: HookLog

    @property
    def settings(self) -> ProcessSettings:
        return self.world.settings

    @property
    def github(self) -> FaultProxy:
        return self.world.github

    def now(self) -> datetime:
        """GitHub's own clock, a little later than all that was written."""
        written = self.world.straight("olga").get(f"/repos/{self.world.repository}")["created_at"]
        return datetime.fromisoformat(written) + timedelta(hours=1)


@pytest.fixture
def scene(emulate: Emulator) -> Iterator[Scene]:
    hooks = HookLog(emulate.url)
    with FaultProxy(emulate.url, [hooks, Lacking()]) as github:
        world = World(emulate, github, Lacking())
        hooks.repositories = [{"full_name": world.repository, "archived": False, "disabled": False}]
        yield Scene(world, hooks)


@dataclass
class Log:
    """Only the log of deliveries, which asks for no credentials."""

    hooks: HookLog
    github: FaultProxy

    def ask(self, now: datetime = NOW) -> int:
        return ask_again(Connection(None, self.github.url, pace=False), now)


@pytest.fixture
def log() -> Iterator[Log]:
    hooks = HookLog()
    with FaultProxy("http://localhost:9", [hooks]) as github:
        yield Log(hooks, github)


@pytest.mark.parametrize(
    ("wanted", "tries"),
    [
        ([], []),
        ([], [("a", 202)]),
        ([1], [("a", 502)]),
        ([1], [("a", 0)]),
        ([1], [("a", 401)]),
        ([2], [("a", 500), ("a", 500)]),
        ([], [("a", 500), ("a", 202)]),
        ([], [("a", 202), ("a", 500)]),
        ([1, 3], [("a", 503), ("b", 202), ("c", 503)]),
        ([], [("a", None)]),
        ([], [("a", 500)] * 4),
        ([3], [("a", 500)] * 3),
        ([1, 2, 3, 4, 5, 6, 7, 8], [(f"g{n}", 500) for n in range(8)]),
        ([8], [*[(f"g{n}", 202) for n in range(7)], ("z", 500)]),
    ],
)
def test_only_what_never_arrived_is_asked_for_again_the_oldest_first(
    wanted: list[int], tries: list[tuple[str, int | None]], log: Log
) -> None:
    for guid, status in tries:
        log.hooks.add(guid, status)
    assert log.ask() == len(wanted)
    assert log.hooks.asked_for == wanted


def test_what_keeps_failing_is_asked_for_three_times_and_then_left(log: Log) -> None:
    log.hooks.add("a", 500)
    assert [log.ask() for _ in range(6)] == [1, 1, 1, 0, 0, 0]
    log.hooks.add("b", 500)
    log.hooks.outcome = 202
    assert [log.ask() for _ in range(3)] == [1, 0, 0]


@pytest.mark.parametrize(
    ("wanted", "tries", "minutes"),
    [(1, 1, 0), (0, 2, 19), (1, 2, 20), (0, 3, 79), (1, 3, 80), (0, 4, 2_000)],
)
def test_each_repetition_waits_longer(wanted: int, tries: int, minutes: int, log: Log) -> None:
    for _ in range(tries):
        log.hooks.add("a", 500, at="2026-12-02T06:00:00Z")
    assert log.ask(datetime(2026, 12, 2, 6, 0, tzinfo=UTC) + timedelta(minutes=minutes)) == wanted


def test_older_deliveries_are_not_read_further(log: Log) -> None:
    for number in range(7):
        log.hooks.add(f"old-{number}", 500, at="2026-11-20T00:00:00Z")
    log.hooks.add("new", 500)
    assert log.ask() == 1
    assert log.github.routes().count("GET /app/hook/deliveries") == 1


def test_of_a_link_to_the_next_page_the_cursor_alone_is_followed(log: Log) -> None:
    log.hooks.foreign_links = True
    for number in range(7):
        log.hooks.add(f"g{number}", 500)
    assert log.ask() == 7
    assert log.github.routes().count("GET /app/hook/deliveries") == 3


@pytest.fixture
def inbox(tmp_path: Path) -> Iterator[Inbox]:
    box = Inbox(ProcessSettings(state_dir=tmp_path))
    yield box
    box.close()


def as_hook(scene: Scene, event: str, action: str, **told: Any) -> Job:
    """The job of the delivery that GitHub would have made."""
    whole = {"action": action, "repository": {"full_name": scene.world.repository}, "installation": {"id": 815}, **told}
    job = job_of(event, whole, "guid")
    assert isinstance(job, Job)
    return job


def test_commands_without_a_reply_are_found_once_under_the_key_of_their_delivery(scene: Scene, inbox: Inbox) -> None:
    world = scene.world
    number = world.issue("/compare\n")
    issue = world.straight("olga").get(f"/repos/{world.repository}/issues/{number}")
    told, lost = world.comment(number, "/plan"), world.comment(number, "/compare baseline=gpu")
    answered = world.comment(number, "/help")
    world.comment(number, "only prose")
    world.bot().post(
        f"/repos/{world.repository}/issues/{number}/comments",
        {"body": marked(place_of(number, int(answered["id"])), Outcome.SAID, "an answer")},
    )
    forged = world.comment(number, marked(place_of(number, int(lost["id"])), Outcome.SAID, "not ours"), "olga")
    assert forged["user"]["type"] == "User"
    assert inbox.accept(as_hook(scene, "issue_comment", "created", issue={"number": number}, comment=told))
    before = inbox.depths()["queued"]
    reconcile(scene.settings, inbox, scene.now())
    assert inbox.depths()["queued"] == before + 2
    assert not inbox.accept(as_hook(scene, "issue_comment", "created", issue={"number": number}, comment=lost))
    assert not inbox.accept(as_hook(scene, "issues", "opened", issue=issue))
    reconcile(scene.settings, inbox, scene.now())
    assert inbox.depths()["queued"] == before + 2


def test_a_found_job_names_its_installation(scene: Scene) -> None:
    number, box = scene.world.issue("prose"), Fake()
    made = scene.world.comment(number, "/compare")
    reconcile(scene.settings, box, scene.now())
    assert [(job.comment_id, job.installation_id, job.delivery) for job in box.accepted] == [
        (made["id"], INSTALLATION_ID, "sweep")
    ]


def test_what_was_written_before_is_left_alone(scene: Scene) -> None:
    box = Fake()
    scene.world.comment(scene.world.issue("/compare"), "/compare")
    reconcile(scene.settings, box, scene.now() + timedelta(days=4))
    assert box.accepted == []


def test_archived_repositories_are_passed_over(scene: Scene) -> None:
    scene.world.comment(scene.world.issue("/compare"), "/compare")
    scene.hooks.repositories[0]["archived"] = True
    box = Fake()
    reconcile(scene.settings, box, scene.now())
    assert box.accepted == []


def test_a_repository_that_refuses_does_not_keep_the_others_from_being_looked_at(scene: Scene) -> None:
    scene.world.comment(scene.world.issue("prose"), "/compare")
    scene.hooks.repositories.insert(0, {"full_name": "lab/gone"})
    box = Fake()
    reconcile(scene.settings, box, scene.now())
    assert len(box.accepted) == 1


@pytest.mark.parametrize(
    ("fault", "path"),
    [
        (Fault.ERROR, "deliveries"),
        (Fault.GARBAGE, "deliveries"),
        (Fault.LIMIT, "app/installations"),
        (Fault.EXPIRED, "issues/comments"),
        (Fault.RESET, "issues/comments"),
    ],
)
def test_nothing_that_github_does_wrong_is_raised_and_the_next_time_finds_it(
    fault: Fault, path: str, scene: Scene
) -> None:
    scene.hooks.add("a", 500)
    scene.world.comment(scene.world.issue("prose"), "/compare")
    box = Fake()
    reconciler = Reconciler(scene.settings, box)
    scene.github.plan(fault, path=path, times=50)
    reconciler(scene.now())
    scene.github.calm()
    reconciler(scene.now() + timedelta(minutes=61))
    assert len(box.accepted) >= 1
    assert scene.hooks.asked_for[:1] == [1]


@pytest.mark.parametrize("junk", [{"delivered_at": "never"}, None])
def test_an_answer_that_makes_no_sense_is_logged_and_the_sweep_still_runs(
    junk: Any, scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    scene.hooks.tries = [junk]
    scene.world.comment(scene.world.issue("prose"), "/compare")
    box = Fake()
    with caplog.at_level("ERROR", logs.OURS):
        reconcile(scene.settings, box, scene.now())
    assert len(box.accepted) == 1
    assert [record.getMessage() for record in caplog.records] == ["reconciling failed"]


def test_while_the_database_fails_no_repetition_is_used_up(scene: Scene) -> None:
    scene.world.comment(scene.world.issue("prose"), "/compare")
    scene.hooks.add("a", 500)
    box = Fake(failure=OSError("down"))
    reconciler = Reconciler(scene.settings, box)
    reconciler(scene.now())
    assert reconciler.swept is None and scene.hooks.asked_for == []
    box.failure = None
    reconciler(scene.now())
    assert len(box.accepted) == 1


def test_the_sweep_asks_each_repository_once_an_hour_and_deliveries_each_time(scene: Scene) -> None:
    reconciler, start = Reconciler(scene.settings, Fake()), scene.now()
    counts = []
    for minutes in (0, 5, 55, 61, 66):
        scene.github.calm()
        reconciler(start + timedelta(minutes=minutes))
        routes = scene.github.routes()
        counts.append((routes.count("GET /app/hook/deliveries"), routes.count("GET /installation/repositories")))
    assert counts == [(1, 1), (1, 0), (1, 0), (1, 1), (1, 0)]


def test_without_an_app_nothing_is_asked(scene: Scene) -> None:
    nobody = scene.settings.model_copy(update={"app_id": None, "private_key": None})
    reconcile(nobody, Fake(), scene.now())
    assert scene.github.routes()[-1:] != ["GET /app/hook/deliveries"]
