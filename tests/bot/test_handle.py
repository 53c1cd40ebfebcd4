"""A comment in, one reply out: the whole way of a job against a GitHub on loopback, without a server in between."""

import json
from collections.abc import Callable
from datetime import date
from hashlib import sha256
from typing import Any

import pytest

from bot.collect import MOST_LOOKED_FOR
from bot.github.client import Connection
from bot.github.ledger import Ledger
from bot.github.marker import parse
from bot.grammar import commands_in
from bot.handle import NOTHING, Handled, handle, ours, park
from bot.job import Job
from tests.bot.github.world import INSTALLATION_ID, World
from tests.e2e.faults import Asked, Said

TODAY = date(2026, 12, 15)
PILOT = """
```csv
arm,run,duration_s,price_usd_per_hour,wer
gpu,1,3600,55,7.4
gpu,2,3590,55,7.5
gpu,3,3610,55,7.4
trn2,1,4010,35,7.4
trn2,2,3995,35,7.5
trn2,3,4020,35,7.5
```
"""


def job_for(world: World, issue: int, comment: dict[str, Any] | None) -> Job:
    """The job that a webhook would give."""
    body = (comment or {}).get("body") or ""
    return Job(
        repository=world.repository,
        issue=issue,
        comment_id=comment["id"] if comment else None,
        updated_at=comment["updated_at"] if comment else "",
        content=sha256(body.encode()).hexdigest()[:16],
        installation_id=INSTALLATION_ID,
        delivery="d-1",
    )


class Conversation:
    """An issue of its own, and what the bot makes of what is said there."""

    def __init__(self, world: World, body: str = PILOT) -> None:
        self.world = world
        self.issue = world.issue(body)

    def say(self, body: str, login: str = "olga") -> Handled:
        """Somebody writes, and the job is done."""
        return self.answer(self.world.comment(self.issue, body, login))

    def answer(self, comment: dict[str, Any] | None) -> Handled:
        """A job for a comment, or for the issue's own text."""
        return handle(job_for(self.world, self.issue, comment), TODAY, self.world.settings)

    @property
    def replies(self) -> list[str]:
        """What the bot has said, in order."""
        return [str(reply["body"]) for reply in self.world.replies(self.issue)]

    def commit(self, path: str, text: str) -> None:
        """A file on the default branch."""
        import base64

        content = base64.b64encode(text.encode()).decode()
        repository = f"/repos/{self.world.repository}/contents/{path}"
        self.olga.put(repository, {"message": "a file", "content": content})

    @property
    def olga(self) -> Connection:
        """Who administers the repository, past the bot's way."""
        return self.world.straight("olga")

    @property
    def ledger(self) -> Ledger:
        """The ledger as olga sees it."""
        return Ledger(self.olga, self.world.repository)


@pytest.fixture
def talk(world: World) -> Conversation:
    """A pilot in an issue."""
    return Conversation(world)


def test_a_comparison_is_answered_once_and_kept(talk: Conversation) -> None:
    comment = talk.world.comment(talk.issue, "/compare margin.wer=0.3")
    first = talk.answer(comment)
    assert first.outcome == "switch"
    (reply,) = talk.replies
    assert "SWITCH" in reply
    (entry,) = talk.ledger.index().entries
    assert (entry.verdict, entry.asked_by, entry.folder) == ("SWITCH", "olga", f"decisions/2026Q4/issue-{talk.issue}/1")
    memo = talk.ledger.read(f"{entry.folder}/memo.xlsx")
    assert sha256(memo).hexdigest() == entry.memo_sha256
    record = json.loads(talk.ledger.read(f"{entry.folder}/decision.json"))
    assert record["decided_on"] == "2026-12-15"
    assert record["inputs"][0]["posted_by"] == "olga"
    assert f"/blob/steelyard/{entry.folder}/memo.xlsx)" in reply
    assert "](memo.xlsx)" in talk.ledger.read(f"{entry.folder}/comment.md").decode()
    assert ["rocket" in r for r in talk.world.lacking.reactions.values()] == [True]


def test_done_again_nothing_changes(talk: Conversation) -> None:
    comment = talk.world.comment(talk.issue, "/compare margin.wer=0.3")
    talk.answer(comment)
    before = talk.world.replies(talk.issue), commits(talk)
    talk.answer(comment)
    assert (talk.world.replies(talk.issue), commits(talk)) == before


def commits(talk: Conversation) -> list[str]:
    """The ledger's history."""
    path = f"/repos/{talk.world.repository}/commits"
    return [commit["sha"] for commit in talk.olga.pages(path, sha="steelyard")]


def test_an_edited_command_changes_its_own_reply_and_entry(talk: Conversation) -> None:
    comment = talk.world.comment(talk.issue, "/compare margin.wer=0.3")
    talk.answer(comment)
    path = f"/repos/{talk.world.repository}/issues/comments/{comment['id']}"
    edited = talk.olga.patch(path, {"body": "/compare margin.wer=0.3 price.trn2=90"})
    assert talk.answer(edited).outcome == "stay"
    (reply,) = talk.replies
    assert "STAY" in reply
    (entry,) = talk.ledger.index().entries
    assert entry.verdict == "STAY"
    assert len(commits(talk)) == 2


def test_a_second_command_supersedes_the_first(talk: Conversation) -> None:
    talk.say("/compare margin.wer=0.3")
    talk.say("/compare margin.wer=0.3 price.trn2=90")
    first, second = talk.replies
    assert "Superseded" in first
    assert "Superseded" not in second
    assert [e.seq for e in talk.ledger.index().of_issue(talk.issue)] == [1, 2]
    assert len(talk.world.lacking.folded) == 1


def test_the_issues_own_text_may_command(world: World) -> None:
    talk = Conversation(world, f"{PILOT}\n/compare margin.wer=0.3\n")
    assert talk.answer(None).outcome == "switch"
    assert parse(talk.replies[0]).place == f"i{talk.issue}"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("wanted", "body"),
    [
        ("### What can be asked", "/help"),
        ("`/compare`", "/compair"),
        ("`price.trn2=90`", "/whatif price.trn2=90 margin.wer=0.3"),
        ("```csv", "/plan runs=4"),
        ("Usage:", "/compare --fast"),
        ("Command 2 of 2", "/compare\n/whatif price.trn2=90"),
        ("steelyard", "/steelyard"),
    ],
)
def test_what_is_said_to_a_command(talk: Conversation, wanted: str, body: str) -> None:
    talk.say(body)
    (reply,) = talk.replies
    assert wanted in reply


SPANISH = "### CAMBIAR (SWITCH): pasar a `trn2`"


@pytest.mark.parametrize(
    ("settings", "wanted", "body"),
    [
        ("language: es\n", SPANISH, "/compare margin.wer=0.3"),
        ("language: es\n", "### Qué se puede pedir", "/help"),
        ("language: es\n", "Orden 2 de 2", "/compare\n/whatif price.trn2=90"),
        ("language: es\nhorizon: often\n", "### La configuración no puede leerse", "/compare"),
        ("language: english\n", "### The configuration cannot be read", "/compare"),
        ("language: en\n", SPANISH, "/compare margin.wer=0.3 language=es"),
    ],
)
def test_the_repository_says_in_which_language(talk: Conversation, settings: str, wanted: str, body: str) -> None:
    talk.commit(".github/steelyard.yml", settings)
    talk.say(body)
    assert wanted in talk.replies[0]


@pytest.mark.parametrize("body", ["good morning", "/lgtm", "/close", "`/compare`", "> /compare"])
def test_what_is_no_command_of_ours_is_left_alone(talk: Conversation, body: str) -> None:
    assert talk.say(body) == NOTHING
    assert talk.replies == []


def test_a_deleted_comment_is_answered_by_nothing(talk: Conversation) -> None:
    comment = talk.world.comment(talk.issue, "/compare")
    talk.olga.delete(f"/repos/{talk.world.repository}/issues/comments/{comment['id']}")
    assert talk.answer(comment) == NOTHING
    assert talk.replies == []


@pytest.fixture
def public(world: World) -> Conversation:
    """A pilot where everybody may write."""
    name = f"{world.repository.split('/')[1]}-open"
    world.straight("olga").post("/orgs/lab/repos", {"name": name, "private": False, "auto_init": True})
    world.repository = f"lab/{name}"
    return Conversation(world)


def test_a_strangers_rows_do_not_count(public: Conversation) -> None:
    public.world.comment(public.issue, PILOT.replace("55", "1"), "walt")
    assert public.say("/compare margin.wer=0.3").outcome == "switch"
    assert "`walt`" in public.replies[0]


def test_a_stranger_gets_one_polite_word_a_day(public: Conversation) -> None:
    talk = public
    assert talk.say("/compare", "walt").outcome == "refused"
    assert talk.say("/compare", "walt") == NOTHING
    assert talk.say("/compare", "tess").outcome == "refused"
    walt, tess = talk.replies
    assert "`walt`" in walt
    assert "`tess`" in tess
    assert "@" not in walt


def test_a_strangers_refusal_is_said_again_by_the_same_job_only(public: Conversation) -> None:
    talk = public
    comment = talk.world.comment(talk.issue, "/compare", "walt")
    assert [talk.answer(comment).outcome, talk.answer(comment).outcome] == ["refused", "refused"]
    assert len(talk.replies) == 1


BROKEN: dict[str, tuple[Callable[[Conversation], None], str]] = {
    "unknown key": (lambda t: t.commit(".github/steelyard.yml", "horizn: 12m\n"), "horizon"),
    "no yaml": (lambda t: t.commit(".github/steelyard.yml", "a: [1\n"), "steelyard.yml"),
    "github section": (lambda t: t.commit(".github/steelyard.yml", "github:\n  labls: true\n"), "labels"),
    "a book that is not there": (
        lambda t: t.commit(".github/steelyard.yml", "github:\n  contracts: books/c.yml\n"),
        "books/c.yml",
    ),
    "contracts": (lambda t: t.commit(".github/steelyard/contracts.yml", "contracts: 3\n"), "contracts.yml"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_configuration_is_answered_with_its_place(talk: Conversation, name: str) -> None:
    broken, wanted = BROKEN[name]
    broken(talk)
    handled = talk.say("/compare")
    assert handled.outcome in ("refused", "no-verdict")
    assert wanted in talk.replies[0]


def test_a_file_of_the_repository_is_read_by_path_and_by_link(talk: Conversation) -> None:
    talk.commit("pilots/asr.csv", PILOT.strip().removeprefix("```csv\n").removesuffix("```"))
    assert talk.say("/compare pilots/asr.csv margin.wer=0.3").outcome == "switch"
    bare = Conversation(talk.world, "the pilot is in the repository")
    link = f"{talk.world.settings.pages_url}/{talk.world.repository}/blob/main/pilots/asr.csv"
    assert bare.say(f"see {link}\n\n/compare margin.wer=0.3").outcome == "switch"


RUNS_WITHOUT_NUMBERS = "".join(
    f"{arm},{seconds},{price},7.4\n" for arm, price in (("gpu", 55), ("trn2", 35)) for seconds in (3600, 3590, 3610)
)


@pytest.mark.parametrize(
    "named",
    [
        "/compare p/a.csv ./p/a.csv margin.wer=0.3",
        "/compare p/a.csv p/a.csv@main margin.wer=0.3",
        "/compare p/a.csv p/ margin.wer=0.3",
        "{pages}/blob/main/p/a.csv\n{pages}/raw/refs/heads/main/p/a.csv\n\n/compare margin.wer=0.3",
    ],
)
def test_a_file_that_is_named_twice_counts_once(world: World, named: str) -> None:
    talk = Conversation(world, "the pilot is in the repository")
    talk.commit("p/a.csv", "arm,duration_s,price_usd_per_hour,wer\n" + RUNS_WITHOUT_NUMBERS)
    talk.say(named.format(pages=f"{world.settings.pages_url}/{world.repository}"))
    assert "| runs | 3 | 3 |" in talk.replies[0]


def test_a_sheet_that_cannot_be_read_keeps_the_verdict_back(talk: Conversation) -> None:
    talk.commit("more.xls", "\u0001\u0002")
    link = f"{talk.world.settings.pages_url}/{talk.world.repository}/blob/main/more.xls"
    assert talk.say(f"{link}\n\n/compare margin.wer=0.3").outcome == "no-verdict"
    assert "more.xls" in talk.replies[0]


def test_paths_without_end_are_not_all_looked_for(talk: Conversation) -> None:
    talk.say("/compare " + " ".join(f"{number}.csv" for number in range(MOST_LOOKED_FOR + 100)))
    assert f"`{MOST_LOOKED_FOR}.csv` and what follows were not read" in talk.replies[0]


def test_a_file_that_is_not_there_is_named(talk: Conversation) -> None:
    assert talk.say("/compare pilots/nothing.csv").outcome == "no-verdict"
    assert "pilots/nothing.csv" in talk.replies[0]


def leading(world: World, old: str, new: str) -> Callable[[Asked], Said | None]:
    """GitHub's way of leading on what asks for an old place."""

    def answer(asked: Asked) -> Said | None:
        rest = asked.path.removeprefix(old)
        if rest == asked.path or rest[:1] not in ("", "/", "?"):
            return None
        headers = {"Content-Type": "application/json", "Location": f"{world.github.url}{new}{rest}"}
        return Said(301 if asked.method == "GET" else 307, b'{"message": "Moved Permanently"}', headers)

    return answer


@pytest.fixture
def renamed(talk: Conversation) -> Job:
    """A command whose repository was renamed while its job waited."""
    comment = talk.world.comment(talk.issue, "/compare margin.wer=0.3")
    job = job_for(talk.world, talk.issue, comment)
    old, new = talk.world.repository, f"{talk.world.repository}-renamed"
    talk.olga.patch(f"/repos/{old}", {"name": new.partition("/")[2]})
    talk.world.repository = new
    talk.world.github.handlers = (leading(talk.world, f"/repos/{old}", f"/repos/{new}"), *talk.world.github.handlers)
    return job


def test_a_renamed_repository_is_answered_under_its_new_name(talk: Conversation, renamed: Job) -> None:
    assert handle(renamed, TODAY, talk.world.settings).outcome == "switch"
    assert len(talk.replies) == 1
    assert len(talk.ledger.index().entries) == 1


def test_in_a_renamed_repository_it_is_said_that_a_job_was_given_up(talk: Conversation, renamed: Job) -> None:
    park(renamed, "given-up.died", talk.world.settings)
    assert len(talk.replies) == 1


def test_an_issue_of_another_repository_is_neither_read_nor_answered(talk: Conversation) -> None:
    world = talk.world
    job = job_for(world, talk.issue, world.comment(talk.issue, "/compare margin.wer=0.3"))
    first, other = world.repository, f"{world.repository}-other"
    world.straight("olga").post("/orgs/lab/repos", {"name": other.partition("/")[2], "private": True})
    world.repository = other
    elsewhere = Conversation(world)
    old, new = f"/repos/{first}/issues/{talk.issue}", f"/repos/{other}/issues/{elsewhere.issue}"
    world.github.handlers = (leading(world, old, new), *world.github.handlers)
    assert handle(job, TODAY, world.settings) == NOTHING
    park(job, "given-up.died", world.settings)
    assert elsewhere.replies == []
    assert commits_of(world, first) == 1


def commits_of(world: World, repository: str) -> int:
    """Commits of all branches: the first one makes the repository."""
    branches = world.straight("olga").pages(f"/repos/{repository}/branches")
    return len({branch["commit"]["sha"] for branch in branches})


def test_what_is_too_much_for_one_comment_is_said(talk: Conversation) -> None:
    talk.say("/help\n" * 7)
    assert talk.replies[0].count("### What can be asked") == 5
    assert "gives 7 commands; only the first 5 were run" in talk.replies[0]


def test_the_secret_of_a_pasted_link_is_not_said_again(talk: Conversation) -> None:
    talk.say(f"/compare https://raw.githubusercontent.com/{talk.world.repository}/main/a.csv?token=SECRET")
    assert "SECRET" not in talk.replies[0]
    kept = [f"{entry.folder}/{name}" for entry in talk.ledger.index().entries for name in entry.files]
    assert all(b"SECRET" not in talk.ledger.read(path) for path in kept)


def test_labels_follow_the_newest_result(talk: Conversation) -> None:
    talk.commit(".github/steelyard.yml", "github:\n  labels: true\n")
    talk.say("/compare margin.wer=0.3")
    talk.say("/compare margin.wer=0.3 price.trn2=90")
    labels = talk.olga.get(f"/repos/{talk.world.repository}/issues/{talk.issue}/labels")
    assert [label["name"] for label in labels] == ["steelyard: stay"]


def test_a_job_that_is_given_up_says_so_once(talk: Conversation) -> None:
    comment = talk.world.comment(talk.issue, "/compare")
    for _ in range(2):
        park(job_for(talk.world, talk.issue, comment), "given-up.died", talk.world.settings)
    (reply,) = talk.replies
    assert "`d-1`" in reply


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (["compare"], "/compare"),
        (["compair"], "/compair"),
        (["lgtm", "compare"], "/lgtm\n/compare"),
        ([], "/lgtm\n/assign"),
        (["help"] * 50, "/help\n" * 50),
    ],
)
def test_which_commands_are_ours(wanted: list[str], text: str) -> None:
    assert [c.name for c in ours(commands_in(text))] == wanted


MORE = """
```csv
arm,run,duration_s,price_usd_per_hour,wer
gpu,4,3605,55,7.4
trn2,4,4000,35,7.4
```
"""


def looks_of(talk: Conversation, seq: int) -> dict[str, Any]:
    """What a decision of the ledger says of its looks."""
    entry = next(e for e in talk.ledger.index().of_issue(talk.issue) if e.seq == seq)
    looks: dict[str, Any] = json.loads(talk.ledger.read(f"{entry.folder}/decision.json"))["looks"]
    return looks


def runs_before(looks: dict[str, Any]) -> list[int]:
    return [look["runs_incumbent"] for look in looks["earlier"]]


def test_an_answer_counts_the_looks_before_it_and_never_itself(talk: Conversation) -> None:
    first = talk.world.comment(talk.issue, "/compare margin.wer=0.3")
    talk.answer(first)
    talk.say(MORE)
    second = talk.world.comment(talk.issue, "/compare margin.wer=0.3")
    talk.answer(second)
    assert runs_before(looks_of(talk, 1)) == []
    assert runs_before(looks_of(talk, 2)) == [3]
    before = talk.world.replies(talk.issue), commits(talk)
    for comment in (first, second):
        talk.answer(comment)
    assert (talk.world.replies(talk.issue), commits(talk)) == before


def test_done_again_after_an_earlier_command_was_answered_late_nothing_changes(talk: Conversation) -> None:
    first = talk.world.comment(talk.issue, "/compare margin.wer=0.3")
    talk.say(MORE)
    second = talk.world.comment(talk.issue, "/compare margin.wer=0.3")
    talk.answer(second)
    talk.answer(first)
    before = talk.world.replies(talk.issue), commits(talk)
    talk.answer(second)
    assert (talk.world.replies(talk.issue), commits(talk)) == before
    assert len(commits(talk)) == 2


def test_the_thread_tells_the_looks_that_the_ledger_lost_and_a_whatif_is_one(talk: Conversation) -> None:
    talk.say("/whatif price.trn2=31")
    assert "steelyard:look" in talk.replies[0]
    talk.say(MORE)
    talk.say("/compare margin.wer=0.3")
    assert runs_before(looks_of(talk, 1)) == [3]


def test_what_an_edited_command_had_shown_before_counts(talk: Conversation) -> None:
    comment = talk.world.comment(talk.issue, "/compare margin.wer=0.3")
    talk.answer(comment)
    path = f"/repos/{talk.world.repository}/issues/comments/{comment['id']}"
    edited = talk.olga.patch(path, {"body": f"{MORE}\n/compare margin.wer=0.3"})
    later = {**edited, "updated_at": "2027-01-01T00:00:00Z"}
    talk.answer(later)
    assert runs_before(looks_of(talk, 1)) == [3]
    (entry,) = talk.ledger.index().of_issue(talk.issue)
    assert [look.runs_incumbent for look in entry.looks] == [3, 4]
