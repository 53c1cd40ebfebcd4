"""The ledger: one commit a command, each entry once, history in one line, whatever fails and whoever writes too."""

import base64
import hashlib
import json
import random
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import github as pygithub
import pytest

from bot.github.client import Connection
from bot.github.errors import Later, NotFound
from bot.github.gitdata import blob_sha
from bot.github.index import BrokenIndex, Entry, Index
from bot.github.ledger import Ledger, Recorded, commit_message, placed_entry, quarter_of
from tests.bot.github.test_reply import BROKEN, Killed, dying
from tests.bot.github.world import World, until_done
from tests.e2e.faults import Asked, Fault, FaultProxy, Said

XLSX = bytes(range(256)) * 40
FILES = {"memo.xlsx": XLSX, "decision.json": b'{"verdict": "SWITCH"}\n', "comment.md": "Kosten: 5 € 🙂\n".encode()}


def ledger(world: World, connection: Any = None) -> Ledger:
    return Ledger(connection or world.bot(), world.repository, wait=lambda _: None)


def keep(
    world: World, issue: int, place: str, files: Mapping[str, bytes] = FILES, connection: Any = None, **facts: str
) -> Recorded:
    """What a job does: ask for the folder, then record."""
    book = ledger(world, connection)
    entry = placed_entry(book.folder("2026Q4", issue, place), place)
    return book.record(entry.model_copy(update={"verdict": "SWITCH", **facts}), files)


def commits(world: World) -> list[dict[str, Any]]:
    """The ledger's history, the newest first."""
    return list(world.straight("olga").pages(f"/repos/{world.repository}/commits", sha="steelyard"))


def paths(world: World) -> dict[str, str]:
    """Every file of the branch and its blob."""
    tree = world.straight("olga").get(f"/repos/{world.repository}/git/trees/steelyard", recursive="1")
    return {one["path"]: one["sha"] for one in tree["tree"] if one["type"] == "blob"}


def test_the_first_entry_makes_an_orphan_branch_in_one_commit(world: World) -> None:
    done = keep(world, 12, "c7")
    assert (done.folder, done.problem) == ("decisions/2026Q4/issue-12/1", None)
    history = commits(world)
    assert [one["sha"] for one in history] == [done.commit_sha]
    assert history[0]["parents"] == []
    assert history[0]["commit"]["message"] == "Decision for #12: SWITCH"
    assert set(paths(world)) == {f"{done.folder}/{name}" for name in FILES} | {"index.json"}
    for name, data in FILES.items():
        assert ledger(world).read(f"{done.folder}/{name}") == data
    assert done.urls["memo.xlsx"] == f"https://github.com/{world.repository}/blob/steelyard/{done.folder}/memo.xlsx"


def test_the_same_again_is_no_commit(world: World) -> None:
    first = keep(world, 12, "c7")
    again = keep(world, 12, "c7")
    assert (again.commit_sha, again.folder, again.urls) == (None, first.folder, first.urls)
    assert len(commits(world)) == 1


def test_an_edited_command_keeps_its_folder_and_loses_the_file_it_no_longer_has(world: World) -> None:
    keep(world, 12, "c7", {**FILES, "memo-2.xlsx": b"PK\x00old"})
    done = keep(world, 12, "c7", {**FILES, "comment.md": b"other"})
    assert len(commits(world)) == 2
    assert set(paths(world)) == {f"{done.folder}/{name}" for name in FILES} | {"index.json"}
    assert ledger(world).read(f"{done.folder}/comment.md") == b"other"
    assert ledger(world).index().at("c7") == Entry(
        issue=12, seq=1, quarter="2026Q4", place="c7", verdict="SWITCH", files=tuple(sorted(FILES))
    )


def test_entries_are_numbered_within_their_issue(world: World) -> None:
    folders = [keep(world, issue, place).folder for issue, place in [(12, "c7"), (13, "c8"), (12, "i12"), (12, "c7#2")]]
    assert folders == [
        "decisions/2026Q4/issue-12/1",
        "decisions/2026Q4/issue-13/1",
        "decisions/2026Q4/issue-12/2",
        "decisions/2026Q4/issue-12/3",
    ]
    assert [e.place for e in ledger(world).index().of_issue(12)] == ["c7", "i12", "c7#2"]
    assert ledger(world).folder("2027Q1", 12, "c7") == folders[0]
    assert ledger(world).folder("2027Q1", 12, "c99") == "decisions/2027Q1/issue-12/4"


def test_a_folder_that_was_given_away_meanwhile_is_asked_for_again(world: World) -> None:
    book = ledger(world)
    mine = placed_entry(book.folder("2026Q4", 12, "c7"), "c7")
    keep(world, 12, "c8")
    with pytest.raises(Later):
        book.record(mine, FILES)
    assert keep(world, 12, "c7").folder.endswith("/2")


def test_how_many_requests_a_command_takes(world: World) -> None:
    keep(world, 12, "c7")
    book = ledger(world)
    world.github.calm()
    entry = placed_entry(book.folder("2026Q4", 12, "c8"), "c8")
    asked = [one.method for one in world.github.asked]
    world.github.calm()
    book.record(entry, FILES)
    recorded = [one.method for one in world.github.asked]
    assert asked == ["GET"] * 3
    assert recorded == ["POST"] * 3 + ["PATCH"]


def test_a_head_that_moved_since_the_folder_was_asked_is_read_again(world: World) -> None:
    book = ledger(world)
    keep(world, 12, "c7")
    mine = placed_entry(book.folder("2026Q4", 13, "c8"), "c8")
    keep(world, 12, "c9")
    assert book.record(mine, FILES).commit_sha == commits(world)[0]["sha"]
    assert book.record(mine, FILES).commit_sha is None
    assert len(commits(world)) == 3


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"{", "no JSON"),
        (b"[]", "not `steelyard/ledger-index`"),
        (b'{"schema": "steelyard/ledger-index", "version": 2, "entries": []}', "version 1"),
        (b'{"schema": "steelyard/ledger-index", "version": 1, "entries": [{"issue": 0}]}', "entries.0.issue"),
        (b'{"schema": "steelyard/ledger-index", "version": 1}', "entries"),
    ],
)
def test_a_broken_index_is_not_overwritten(world: World, data: bytes, why: str) -> None:
    keep(world, 12, "c7")
    path = f"/repos/{world.repository}/contents/index.json"
    olga = world.straight("olga")
    sha = olga.get(path, ref="steelyard")["sha"]
    olga.put(path, {"message": "by hand", "content": _base64(data), "sha": sha, "branch": "steelyard"})
    done = keep(world, 12, "c9")
    assert done.commit_sha is None and done.urls == {}
    assert done.problem is not None and done.problem.code == "ledger-index-broken"
    assert why in (done.problem.found or "")
    assert len(commits(world)) == 2
    with pytest.raises(BrokenIndex):
        ledger(world).index()


def test_somebody_elses_branch_of_that_name_is_left_alone(world: World) -> None:
    olga = world.straight("olga")
    head = olga.get(f"/repos/{world.repository}/git/ref/heads/main")["object"]["sha"]
    olga.post(f"/repos/{world.repository}/git/refs", {"ref": "refs/heads/steelyard", "sha": head})
    done = keep(world, 12, "c7")
    assert done.problem is not None and done.problem.code == "ledger-index-broken"
    assert len(commits(world)) == 1


@pytest.mark.parametrize("of", ["protection", "permission"])
def test_a_branch_that_may_not_be_written_is_a_value(world: World, of: str) -> None:
    keep(world, 12, "c7")
    olga = world.straight("olga")
    if of == "protection":
        olga.put(
            f"/repos/{world.repository}/branches/steelyard/protection",
            {
                "required_pull_request_reviews": {"required_approving_review_count": 1},
                "enforce_admins": True,
                "required_status_checks": None,
                "restrictions": None,
            },
        )
        done = keep(world, 12, "c8")
    else:
        done = keep(world, 12, "c8", connection=world.straight("sam"))
    assert done.problem is not None and done.problem.code == "ledger-not-written"
    assert (done.commit_sha, done.urls, done.problem.arguments) == (None, {}, {"branch": "steelyard"})
    assert len(commits(world)) == 1


def test_a_branch_that_refuses_without_a_reason_is_a_value_after_some_tries(world: World) -> None:
    def refuses(asked: Asked) -> Said | None:
        return Said.of(422, {"message": "Reference update failed"}) if asked.method == "PATCH" else None

    keep(world, 12, "c7")
    with FaultProxy(world.emulate.url, [refuses]) as github:
        done = keep(world, 12, "c8", connection=speaking(github, world))
    assert done.problem is not None and done.problem.found == "Reference update failed"
    assert 3 <= len([route for route in github.routes() if route.startswith("PATCH")]) <= 6
    assert len([route for route in github.routes() if route.endswith("/git/blobs")]) == 1


def test_a_repository_without_a_commit_says_so(world: World) -> None:
    def empty(asked: Asked) -> Said | None:
        return Said.of(409, {"message": "Git Repository is empty."}) if "/git/" in asked.path else None

    with FaultProxy(world.emulate.url, [empty]) as github:
        done = keep(world, 12, "c8", connection=speaking(github, world))
    assert done.problem is not None and done.problem.found == "Git Repository is empty."


@pytest.mark.parametrize("lags", [1, 3])
def test_a_copy_of_github_that_lags_behind_gives_no_second_commit(world: World, lags: int) -> None:
    keep(world, 12, "c7")
    old: list[Said] = []
    left = [lags]

    def behind(asked: Asked) -> Said | None:
        if asked.method != "GET" or "/git/ref/" not in asked.path or not old or not left[0]:
            return None
        left[0] -= 1
        return old[0]

    with FaultProxy(world.emulate.url, [behind]) as github:
        connection = speaking(github, world)
        head = connection.get(f"/repos/{world.repository}/git/ref/heads/steelyard")
        keep(world, 12, "c8", connection=connection)
        old.append(Said.of(200, head))
        until_done(partial(keep, world, 12, "c8", connection=connection))
    _check_whole(world, {"c7": 1, "c8": 1})


def speaking(github: FaultProxy, world: World) -> Connection:
    """The bot on another way to the same server."""
    token = world.bot().token()
    assert token is not None
    return Connection(pygithub.Auth.Token(token), github.url, pace=False, timeout_s=5)


WRITES = [
    ("POST", r"/git/blobs$"),
    ("POST", r"/git/trees$"),
    ("POST", r"/git/commits$"),
    ("PATCH", r"/git/refs/heads/steelyard$"),
    ("GET", r"/contents/index.json$"),
]


@pytest.mark.parametrize("fault", BROKEN)
def test_writes_that_fail_are_one_commit_each_in_the_end(world: World, fault: Fault) -> None:
    keep(world, 12, "c0")
    for number, route in enumerate(WRITES, start=1):
        world.github.plan(fault, *route, times=1 if fault is Fault.EXPIRED or route[0] != "GET" else 3)
        until_done(partial(keep, world, 12, f"c{number}"))
        assert len(world.github.done) >= number, route
    _check_whole(world, {f"c{number}": 1 for number in range(len(WRITES) + 1)})


@pytest.mark.parametrize("fault", [*BROKEN, Fault.SILENCE_AFTER])
def test_a_branch_creation_that_fails_is_one_commit_in_the_end(world: World, fault: Fault) -> None:
    world.github.plan(fault, "POST", r"/git/refs$")
    until_done(lambda: keep(world, 12, "c7"))
    _check_whole(world, {"c7": 1})


def test_killed_after_any_request_and_started_again(world: World) -> None:
    keep(world, 12, "c0")
    for after in range(1, 8):
        with pytest.raises(Killed):
            keep(world, 12, f"c{after}", connection=dying(world, after))
        keep(world, 12, f"c{after}")
    _check_whole(world, {f"c{n}": 1 for n in range(8)})


@pytest.mark.parametrize(("writers", "each", "share"), [(8, 2, 0.0), (4, 2, 0.15)])
def test_writers_that_race_lose_nothing_and_double_nothing(world: World, writers: int, each: int, share: float) -> None:
    world.github.scatter(random.Random(writers), share, [f for f in BROKEN if f is not Fault.EXPIRED])

    def work(number: int) -> None:
        for turn in range(each):
            place = f"c{100 + number * each + turn}"
            files = {**FILES, "comment.md": place.encode()}
            until_done(partial(keep, world, 12 + number % 3, place, files))

    with ThreadPoolExecutor(writers) as pool:
        for future in [pool.submit(work, number) for number in range(writers)]:
            future.result(120)
    world.github.calm()
    _check_whole(world, {f"c{100 + n}": 1 for n in range(writers * each)})


def _check_whole(world: World, wanted: Mapping[str, int]) -> None:
    """Every entry once with its files, one commit each, and no commit with two parents."""
    index = ledger(world).index()
    assert {e.place: 1 for e in index.entries} == dict(wanted)
    assert len({e.folder for e in index.entries}) == len(index.entries) == len(wanted)
    history = commits(world)
    assert len(history) == len(wanted)
    assert [len(one["parents"]) for one in history] == [1] * (len(wanted) - 1) + [0]
    stored = paths(world)
    assert len(stored) == len(wanted) * len(FILES) + 1
    for entry in index.entries:
        assert stored[f"{entry.folder}/memo.xlsx"] == blob_sha(XLSX)


def test_a_large_file_and_an_empty_one_come_back_as_they_were(world: World) -> None:
    large = random.Random(1).randbytes(1_500_000)
    files = {"memo.xlsx": large, "comment.md": b"x" * 300_000, "empty.txt": b"", "crlf.csv": b"a;b\r\n\xe4;1\r\n"}
    done = keep(world, 12, "c7", files)
    for name, data in files.items():
        assert hashlib.sha256(ledger(world).read(f"{done.folder}/{name}")).digest() == hashlib.sha256(data).digest()
    assert keep(world, 12, "c7", files).commit_sha is None


def test_what_is_not_there_is_not_found(world: World) -> None:
    with pytest.raises(NotFound):
        ledger(world).read("index.json")
    keep(world, 12, "c7")
    for path in ("nothing.txt", "decisions"):
        with pytest.raises(NotFound):
            ledger(world).read(path)


@pytest.mark.parametrize(
    ("workload", "wanted"),
    [
        ("llama-70b chat", "Decision for #12: SWITCH (llama-70b chat)"),
        (None, "Decision for #12: SWITCH"),
        ("fixes #1 @admin\nCo-authored-by: x <x@y>", "Decision for #12: SWITCH (fixes 1 admin Co-authored-by x x y )"),
        ("closes GH-3 and lab/r#4", "Decision for #12: SWITCH (closes 3 and lab/r 4)"),
        ("https://evil.example/x", "Decision for #12: SWITCH (https //evil.example/x)"),
        ("w" * 500, f"Decision for #12: SWITCH ({'w' * 60})"),
    ],
)
def test_a_commit_message_names_nobody_and_closes_nothing(workload: str | None, wanted: str) -> None:
    entry = Entry(issue=12, seq=1, quarter="2026Q4", place="c7", verdict="switch", workload=workload)
    assert commit_message(entry).replace(" )", ")") == wanted.replace(" )", ")")


@pytest.mark.parametrize(("month", "wanted"), [(1, "2026Q1"), (3, "2026Q1"), (4, "2026Q2"), (12, "2026Q4")])
def test_quarters(month: int, wanted: str) -> None:
    assert quarter_of(2026, month) == wanted


def test_an_index_reads_back_and_keeps_what_a_later_version_added() -> None:
    line = {"issue": 1, "seq": 1, "quarter": "2026Q4", "place": "c7", "approved_by": "rita", "files": []}
    data = json.dumps({"schema": "steelyard/ledger-index", "version": 1, "entries": [line]}).encode()
    index = Index.read(data)
    assert json.loads(index.written())["entries"] == [line]
    assert Index.read(index.written()) == index


@pytest.mark.parametrize("twice", [{"place": "c7", "seq": 2}, {"place": "c8", "seq": 1}])
def test_an_index_with_two_entries_for_one_thing_is_broken(twice: dict[str, Any]) -> None:
    line = {"issue": 1, "seq": 1, "quarter": "2026Q4", "place": "c7"}
    with pytest.raises(BrokenIndex, match="two entries"):
        Index.read(
            json.dumps(
                {"schema": "steelyard/ledger-index", "version": 1, "entries": [line, {**line, **twice}]}
            ).encode()
        )


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "x" * 200])
def test_a_file_name_that_leaves_the_folder_is_refused(world: World, name: str) -> None:
    done = keep(world, 12, "c7", {name: b"x"})
    assert done.problem is not None and done.problem.code == "ledger-not-written"
    assert world.github.routes()[-1].startswith("GET")


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_a_shared_file_loses_nothing_of_another_writer(world: World) -> None:
    def adding(word: bytes) -> Any:
        return lambda there: b"\n".join(sorted({*(there or b"").split(), word}))

    book = ledger(world)
    mine = placed_entry(book.folder("2026Q4", 13, "c8"), "c8")
    other = ledger(world)
    entry = placed_entry(other.folder("2026Q4", 12, "c7"), "c7")
    other.record(entry, FILES, {"calendar/deadlines.ics": adding(b"one")})
    assert book.record(mine, FILES, {"calendar/deadlines.ics": adding(b"two")}).commit_sha
    assert ledger(world).read("calendar/deadlines.ics") == b"one\ntwo"
    assert book.record(mine, FILES, {"calendar/deadlines.ics": adding(b"two")}).commit_sha is None
    assert len(commits(world)) == 2


def test_a_shared_file_that_cannot_be_read_is_left_alone_and_named(world: World) -> None:
    def broken(there: bytes | None) -> bytes:
        raise ValueError("no calendar")

    book = ledger(world)
    entry = placed_entry(book.folder("2026Q4", 12, "c7"), "c7")
    done = book.record(entry, FILES, {"calendar/deadlines.ics": broken})
    assert done.commit_sha and done.left_alone == ("calendar/deadlines.ics",)
    assert "calendar/deadlines.ics" not in paths(world)
