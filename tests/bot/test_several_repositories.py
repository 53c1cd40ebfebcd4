"""`/review` of a home that lists others: who is read with which token, who is left out, and what is said of it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import github
import pytest

from bot.action import act, settings_of
from bot.dossier import Outcome
from bot.emulator import token_of
from bot.github.client import Connection
from bot.github.errors import Later, NotFound, Refused
from bot.github.gitdata import Branch
from bot.github.index import Index
from bot.github.spool import MAX_FILES
from bot.handle import handle
from bot.render.review.record import read_record
from scoring.review.values import Review
from scoring.sign_off import State
from tests.bot.github.world import World
from tests.bot.test_handle import Conversation
from tests.bot.test_quarter import CONTRACT, WORK
from tests.e2e.faults import Asked, Fault, Said

BOOKS = {".github/steelyard/contracts.yml": CONTRACT, ".github/steelyard/workloads.yml": WORK}
APPROVERS = "  approvers: [walt]\n"


class Lab:
    """A home and others beside it. `settings` are of the section `github`."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.home = Conversation(world)

    @property
    def name(self) -> str:
        """The home's."""
        return self.world.repository

    def beside(self, settings: str = "", books: dict[str, str] | None = None) -> Conversation:
        """Another repository of the same owner, with an issue of the same number."""
        world = World(self.world.emulate, self.world.github, self.world.lacking, tokens=self.world.tokens)
        other = Conversation(world)
        commit(other, {**(books or {}), **({".github/steelyard.yml": f"github:\n{settings}"} if settings else {})})
        return other

    def agreeing(self, more: str = "", books: dict[str, str] | None = None) -> Conversation:
        """One that agrees to be read."""
        return self.beside(f"  reviewed_in: [{self.name}]\n{more}", books)

    def lists(self, *names: str, more: str = "", books: dict[str, str] = BOOKS) -> None:
        """What the home's settings say."""
        commit(self.home, {**books, ".github/steelyard.yml": f"github:\n  repositories: [{', '.join(names)}]\n{more}"})

    def kept(self) -> Review:
        """The review on the home's ledger."""
        review = read_record(self.home.ledger.read("reviews/2027Q1/review.json"), "review.json")
        assert isinstance(review, Review)
        return review

    def asked(self, repository: str) -> list[Asked]:
        """What was asked of a repository."""
        return [one for one in self.world.github.asked if re.match(rf"/repos/{repository}(/|\?|$)", one.path)]


def commit(talk: Conversation, files: dict[str, str]) -> None:
    """Files on the default branch, in one commit."""
    branch = Branch(talk.olga, talk.world.repository, "main")
    branch.commit(branch.head(), "files", {path: text.encode() for path, text in files.items()})


@pytest.fixture
def lab(world: World) -> Lab:
    return Lab(world)


def not_installed(name: str) -> Callable[[Asked], Said | None]:
    """GitHub's answer to the App where it has no access."""

    def handler(asked: Asked) -> Said | None:
        if asked.path.endswith("/access_tokens") and name.partition("/")[2] in asked.json.get("repositories", ()):
            return Said.of(422, {"message": "There is at least one repository that is not accessible"})
        return None

    return handler


def test_two_repositories_with_the_same_issue_number_are_reviewed_side_by_side(lab: Lab) -> None:
    train = lab.agreeing(APPROVERS, {".github/steelyard/workloads.yml": WORK.replace("p5.48xlarge", "trn2.48xlarge")})
    shy, shut = lab.beside("  labels: true\n", BOOKS), lab.agreeing(books=BOOKS)
    names = {name: talk.world.repository for name, talk in (("train", train), ("shy", shy), ("shut", shut))}
    lab.world.github.handlers = (not_installed(names["shut"]), *lab.world.github.handlers)
    lab.lists(*names.values(), "lab/nowhere", more=APPROVERS, books={})
    assert train.issue == lab.home.issue == 1
    lab.home.say("/compare margin.wer=0.3")
    train.say("/compare margin.wer=0.3")
    train.say("/outcome period=2026-11 cost=0.61 monthly=900")
    for talk in (train, lab.home):
        talk.olga.put(f"/repos/{talk.world.repository}/collaborators/walt", {"permission": "pull"})
    train.say("/approve", "walt")
    commit(lab.home, BOOKS)

    lab.world.github.asked.clear()
    said = lab.home.say("/review 2027Q1")

    assert said.outcome is Outcome.SAID
    review = lab.kept()
    assert review.repositories == (names["train"],)
    assert review.lacking == tuple(sorted((names["shy"], names["shut"], "lab/nowhere"), key=str.casefold))
    assert {row.fact.key[:2]: row.state for row in review.decisions} == {
        ("", 1): State.OPEN,
        (names["train"], 1): State.APPROVED,
    }
    assert [(row.repository, row.saved is None) for row in review.outcomes] == [(names["train"], True)]
    assert [c.contract_id for c in review.contracts] == ["held"]
    assert {w.workload for w in review.work} == {"training", f"training ({names['train'][4:]})"}
    assert f"| {names['train']}#1 |" in said.body and "| #1 |" in said.body
    lead = said.body.partition("###")[0]
    assert "lacks" in lead and all(name in lead for name in review.lacking)
    told = [p.model_copy(update={"found": None}) for p in review.problems if p.code == "review-repository-closed"]
    assert len(told) == 3 and len(set(map(repr, told))) == 1
    _each_with_its_own_token(lab, names)


def _each_with_its_own_token(lab: Lab, names: dict[str, str]) -> None:
    """And that one opens nothing else and writes nothing; of who does not agree the settings alone were asked for."""
    tokens = {name: {one.headers["Authorization"] for one in lab.asked(of)} for name, of in names.items()}
    tokens["home"] = {one.headers["Authorization"] for one in lab.asked(lab.name)}
    assert [len(tokens[name]) for name in ("train", "shy", "shut", "home")] == [1, 1, 0, 1]
    assert len(set.union(*tokens.values())) == 3
    assert not lab.asked("lab/nowhere")
    assert [one.path.partition("?")[0] for one in lab.asked(names["shy"])] == [
        f"/repos/{names['shy']}",
        f"/repos/{names['shy']}/contents/.github/steelyard.yml",
    ]
    wanted = [one.json for one in lab.world.github.asked if one.path.endswith("/access_tokens")]
    assert {"repositories": [names["train"][4:]], "permissions": {"contents": "read"}} in wanted
    held = Connection(github.Auth.Token(tokens["train"].pop().split()[1]), lab.world.emulate.url, pace=False)
    assert held.get(f"/repos/{names['train']}")["full_name"] == names["train"]
    with pytest.raises((NotFound, Refused)):
        held.get(f"/repos/{lab.name}")
    with pytest.raises((NotFound, Refused)):
        held.post(f"/repos/{names['train']}/issues", {"title": "x"})
    assert not [one for of in names.values() for one in lab.asked(of) if one.method != "GET"]


def test_what_is_unchanged_is_asked_for_once(lab: Lab) -> None:
    train = lab.agreeing()
    lab.lists(train.world.repository)
    for talk in (train, lab.home):
        talk.say("/compare margin.wer=0.3")
        talk.say("/outcome period=2026-11 cost=0.61")

    def asked() -> list[str]:
        lab.world.github.asked.clear()
        lab.home.say("/review 2027Q1")
        paths = [one.path.partition("?")[0] for one in lab.asked(train.world.repository)]
        return [path.removeprefix(f"/repos/{train.world.repository}").lstrip("/") for path in paths]

    first, second = asked(), asked()
    files = ["contents/decisions/2026Q4/issue-1/1/decision.json", "contents/outcomes/issue-1.json"]
    assert [path for path in first if path not in second] == files
    assert [path for path in first if path not in files] == second
    books = [f".github/steelyard/{name}" for name in ("contracts.yml", "workloads.yml", "outcomes.csv")]
    wanted = [f"contents/{path}" for path in (".github/steelyard.yml", "index.json", *books)]
    assert [path for path in second if path.startswith("contents/")] == wanted
    assert sum(path.startswith("git/trees/") for path in second) == 2
    assert len(second) == 10


def agree(lab: Lab, other: Conversation, more: str = "") -> None:
    commit(other, {".github/steelyard.yml": f"github: {{reviewed_in: [{lab.name}]{more}}}"})


def nothing(lab: Lab, other: Conversation) -> None:
    """It has no settings."""


def another_home(lab: Lab, other: Conversation) -> None:
    commit(other, {".github/steelyard.yml": "github: {reviewed_in: [lab/other]}"})


def with_a_mistake(lab: Lab, other: Conversation) -> None:
    agree(lab, other, ", lables: true")


def on_a_branch(lab: Lab, other: Conversation) -> None:
    settings = f"github: {{reviewed_in: [{lab.name}]}}".encode()
    Branch(other.olga, other.world.repository, "side").commit(None, "x", {".github/steelyard.yml": settings})


def private_for_a_public_home(lab: Lab, other: Conversation) -> None:
    agree(lab, other)
    lab.home.olga.patch(f"/repos/{lab.name}", {"private": False})


def renamed(lab: Lab, other: Conversation) -> None:
    agree(lab, other)
    lab.world.github.handlers = (_renamed(other.world.repository), *lab.world.github.handlers)


CLOSED = (nothing, another_home, with_a_mistake, on_a_branch, private_for_a_public_home, renamed)


def _renamed(name: str) -> Callable[[Asked], Said | None]:
    """GitHub leads readers from an old name to the repository as it is called now."""

    def handler(asked: Asked) -> Said | None:
        there = {"full_name": "lab/elsewhere", "private": True, "default_branch": "main"}
        return Said.of(200, there) if asked.path == f"/repos/{name}" else None

    return handler


@pytest.mark.parametrize("change", CLOSED, ids=lambda change: change.__name__)
def test_who_does_not_agree_is_in_no_figure(lab: Lab, change: Callable[[Lab, Conversation], None]) -> None:
    other = lab.beside(books=BOOKS)
    lab.lists(other.world.repository, books={})
    change(lab, other)
    said = lab.home.say("/review 2027Q1")
    assert said.outcome is Outcome.SAID
    review = lab.kept()
    assert (review.repositories, review.lacking, review.contracts) == ((), (other.world.repository,), ())
    assert [p.code for p in review.problems if p.found == other.world.repository] == ["review-repository-closed"]
    assert not [one for one in lab.asked(other.world.repository) if "contracts.yml" in one.path]


def test_a_repository_with_a_broken_book_is_left_out_and_its_mistake_named(lab: Lab) -> None:
    other = lab.agreeing(books={**BOOKS, ".github/steelyard/workloads.yml": WORK.replace("runs_on: gpu", "runs_on: x")})
    lab.lists(other.world.repository, books={})
    said = lab.home.say("/review 2027Q1")
    review = lab.kept()
    assert (review.repositories, review.contracts, review.work) == ((), (), ())
    assert review.lacking == (other.world.repository,)
    assert f"{other.world.repository}:.github/steelyard/workloads.yml" in said.body and "line 4" in said.body


def test_books_that_contradict_each_other_give_no_review(lab: Lab) -> None:
    other = lab.agreeing(books={".github/steelyard/contracts.yml": CONTRACT.replace("rate: 30", "rate: 31")})
    lab.lists(other.world.repository)
    said = lab.home.say("/review 2027Q1")
    assert said.outcome is Outcome.REFUSED
    assert f"`{lab.name}`" in said.body and f"`{other.world.repository}`" in said.body and "`rate`" in said.body
    with pytest.raises(NotFound):
        lab.home.ledger.read("reviews/2027Q1/review.json")


def test_a_limit_is_waited_for_and_leaves_nobody_out(lab: Lab) -> None:
    other = lab.agreeing(books=BOOKS)
    lab.lists(other.world.repository)
    comment = lab.world.comment(lab.home.issue, "/review 2027Q1")
    lab.world.github.plan(Fault.LIMIT, "GET", rf"/repos/{other.world.repository}$")
    with pytest.raises(Later):
        lab.home.answer(comment)
    assert lab.home.answer(comment).outcome is Outcome.SAID
    assert lab.kept().repositories == (other.world.repository,)


def test_a_refusal_of_the_app_itself_says_nothing_of_a_repository(lab: Lab) -> None:
    other = lab.agreeing(books=BOOKS)
    lab.lists(other.world.repository)
    comment = lab.world.comment(lab.home.issue, "/review 2027Q1")
    lab.home.say("/help")
    lab.world.github.plan(Fault.EXPIRED, "POST", r"/access_tokens$")
    with pytest.raises((Later, Refused)):
        lab.home.answer(comment)
    assert lab.home.answer(comment).outcome is Outcome.SAID
    assert lab.kept().lacking == ()


@pytest.mark.parametrize("name", ["other/train", "'../x'", "lab/.."])
def test_a_list_that_leads_elsewhere_is_a_mistake_and_nothing_of_it_is_asked(lab: Lab, name: str) -> None:
    lab.lists(name)
    lab.world.github.asked.clear()
    said = lab.home.say("/review 2027Q1")
    assert said.outcome is Outcome.REFUSED and "github.repositories.0" in said.body
    repositories = {one.path.split("/")[3] for one in lab.world.github.asked if one.path.startswith("/repos/lab/")}
    assert repositories == {lab.name[4:]}
    assert not [
        one for one in lab.world.github.asked if one.path.startswith("/repos/") and "/repos/lab/" not in one.path
    ]


def test_a_token_of_a_job_reads_its_own_repository_alone(lab: Lab, tmp_path: Path) -> None:
    other = lab.agreeing(books=BOOKS)
    lab.lists(other.world.repository)
    comment: dict[str, Any] = lab.world.comment(lab.home.issue, "/review 2027Q1")
    issue, repository = {"number": lab.home.issue}, {"full_name": lab.name}
    event = {"action": "created", "issue": issue, "comment": comment, "repository": repository}
    (tmp_path / "event.json").write_text(json.dumps(event))
    environment = {
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_EVENT_NAME": "issue_comment",
        "GITHUB_TOKEN": token_of("olga"),
        "GITHUB_API_URL": lab.world.settings.base_url,
        "RUNNER_TEMP": str(tmp_path),
    }
    lab.world.github.asked.clear()
    assert act(environment, settings_of(environment), handle) == 0
    assert lab.kept().lacking == (other.world.repository,)
    assert [p.code for p in lab.kept().problems if p.found == other.world.repository] == ["review-repository-unread"]
    assert lab.asked(other.world.repository) == []


def test_to_agree_is_to_be_read_and_not_to_read(lab: Lab) -> None:
    other = lab.agreeing()
    lab.lists(other.world.repository)
    lab.world.github.asked.clear()
    assert other.say("/review 2027Q1").outcome is Outcome.SAID
    assert lab.asked(lab.name) == []


def test_many_files_of_a_ledger_leave_room_for_the_books(lab: Lab) -> None:
    lab.home.say("/compare margin.wer=0.3")
    (entry,) = lab.home.ledger.index().entries
    record = lab.home.ledger.read(f"{entry.folder}/decision.json")
    entries = [entry.model_copy(update={"issue": n, "place": f"c{n}"}) for n in range(1, MAX_FILES + 10)]
    branch = Branch(lab.home.olga, lab.name, "steelyard")
    files = {f"{one.folder}/decision.json": record for one in entries}
    branch.commit(branch.head(), "many", {**files, "index.json": Index(entries=tuple(entries)).written()})
    commit(lab.home, BOOKS)
    lab.home.say("/review 2027Q1")
    assert len(lab.kept().decisions) == MAX_FILES + 9
    assert [w.workload for w in lab.kept().work][:1] == ["training"]


@pytest.mark.parametrize("kind", ["workloads", "outcomes"])
def test_a_book_that_the_home_names_and_does_not_have_is_told(lab: Lab, kind: str) -> None:
    """One of the default name may be absent; a misspelled one would leave its figures out in silence."""
    commit(lab.home, {".github/steelyard.yml": f"github:\n  {kind}: books/mispelled.{kind}\n"})
    said = lab.home.say("/review 2027Q1")
    told = [(p.code, p.file) for p in lab.kept().problems if p.code == "book-missing"]
    assert told == [("book-missing", f"books/mispelled.{kind}")]
    assert f"books/mispelled.{kind}" in said.body
