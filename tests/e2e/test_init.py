"""`steelyard init` against GitHub on loopback: one pull request, added to when it is run again, never over a file."""

import base64
from collections.abc import Iterator
from itertools import count

import github
import pytest

from bot.cli import main
from bot.emulator import APP_ID, Emulator, token_of
from bot.github.client import Connection
from bot.github.proposal import BRANCH
from bot.init import STARTS
from bot.repo_config import WORKFLOW_PATH

SOURCE = "lab/steelyard@" + "a" * 40
PATHS = [s.path for s in STARTS if s.path != WORKFLOW_PATH]
_NUMBERS = count(1)


class Repository:
    """A repository of the test's own, and `steelyard init` on it."""

    def __init__(self, github_url: str, as_olga: Connection, capsys: pytest.CaptureFixture[str]) -> None:
        self.api, self._capsys = as_olga, capsys
        self.name = f"lab/init-{next(_NUMBERS)}"
        self.root = f"/repos/{self.name}"
        self.api.post("/orgs/lab/repos", {"name": self.name.split("/")[1], "private": True, "auto_init": True})

    def init(self, *more: str, status: int = 0) -> str:
        assert main(["init", "--repo", self.name, *more]) == status
        shown = self._capsys.readouterr()
        return shown.err if status else shown.out

    def pulls(self) -> list[dict[str, object]]:
        return [p for p in self.api.get(f"{self.root}/pulls", state="all") if p["head"]["ref"] == BRANCH]

    def head(self, branch: str) -> str:
        return str(self.api.get(f"{self.root}/git/ref/heads/{branch}")["object"]["sha"])

    def files(self, branch: str) -> dict[str, str]:
        tree = self.api.get(f"{self.root}/git/trees/{self.head(branch)}", recursive="1")["tree"]
        return {item["path"]: item["sha"] for item in tree if item["type"] == "blob"}

    def text(self, path: str, ref: str) -> str:
        return base64.b64decode(self.api.get(f"{self.root}/contents/{path}", ref=ref)["content"]).decode()

    def put(self, path: str, text: str, branch: str) -> None:
        body = {"message": "by hand", "content": base64.b64encode(text.encode()).decode(), "branch": branch}
        there = self.files(branch).get(path)
        self.api.put(f"{self.root}/contents/{path}", body | ({"sha": there} if there else {}))


@pytest.fixture
def repository(
    emulate: Emulator, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Repository]:
    monkeypatch.setenv("STEELYARD_BASE_URL", emulate.url)
    monkeypatch.setenv("STEELYARD_TOKEN", token_of("olga"))
    auth = github.Auth.Token(token_of("olga"))
    return Repository(emulate.url, Connection(auth, emulate.url, pace=False), capsys)


def test_one_pull_request_with_every_file(repository: Repository) -> None:
    before = repository.head("main")
    shown = repository.init()
    (pull,) = repository.pulls()
    assert f"Pull request: {pull['html_url']}" in shown
    assert repository.head("main") == before
    assert set(repository.files(BRANCH)) - set(repository.files("main")) == set(PATHS)
    assert "`.github/steelyard/contracts.yml`" in str(pull["body"])


def test_again_it_changes_nothing(repository: Repository) -> None:
    repository.init()
    head = repository.head(BRANCH)
    assert "new" not in repository.init()
    assert repository.head(BRANCH) == head
    assert len(repository.pulls()) == 1


def test_again_with_the_workflow_it_adds_to_the_same_request(repository: Repository) -> None:
    repository.init()
    repository.put(PATHS[0], "currency: EUR\n", BRANCH)
    by_hand = repository.head(BRANCH)
    assert f"new   {WORKFLOW_PATH}" in repository.init("--action", SOURCE)
    (pull,) = repository.pulls()
    assert WORKFLOW_PATH in str(pull["body"])
    assert repository.text(PATHS[0], BRANCH) == "currency: EUR\n"
    assert SOURCE in repository.text(WORKFLOW_PATH, BRANCH)
    commit = repository.api.get(f"{repository.root}/git/commits/{repository.head(BRANCH)}")
    assert [p["sha"] for p in commit["parents"]] == [by_hand]


def test_a_file_of_the_default_branch_is_never_proposed(repository: Repository) -> None:
    repository.put(PATHS[0], "currency: EUR\n", "main")
    assert f"kept  {PATHS[0]} (it is on main already)" in repository.init()
    assert repository.text(PATHS[0], BRANCH) == "currency: EUR\n"
    assert set(repository.files(BRANCH)) - set(repository.files("main")) == set(PATHS[1:])


def test_where_every_file_is_there_nothing_is_proposed(repository: Repository) -> None:
    for path in PATHS:
        repository.put(path, "mine\n", "main")
    assert "Nothing to propose" in repository.init()
    assert repository.pulls() == []


def test_after_a_closed_request_the_branch_goes_on_from_the_default_branch(repository: Repository) -> None:
    repository.init()
    (first,) = repository.pulls()
    repository.api.patch(f"{repository.root}/pulls/{first['number']}", {"state": "closed"})
    repository.put("src/new.py", "x = 1\n", "main")
    repository.put(PATHS[0], "currency: EUR\n", "main")
    old, main_head = repository.head(BRANCH), repository.head("main")
    repository.init()
    assert len([p for p in repository.pulls() if p["state"] == "open"]) == 1
    commit = repository.api.get(f"{repository.root}/git/commits/{repository.head(BRANCH)}")
    assert [p["sha"] for p in commit["parents"]] == [old, main_head]
    assert repository.text(PATHS[0], BRANCH) == "currency: EUR\n"
    assert "src/new.py" in repository.files(BRANCH)


def test_a_branch_without_its_request_is_not_committed_to_twice(repository: Repository) -> None:
    repository.init()
    (pull,) = repository.pulls()
    repository.api.patch(f"{repository.root}/pulls/{pull['number']}", {"state": "closed"})
    head = repository.head(BRANCH)
    repository.init()
    assert repository.head(BRANCH) == head
    assert [p["state"] for p in repository.pulls()].count("open") == 1


def test_a_repository_that_cannot_be_seen_is_told(repository: Repository) -> None:
    repository.name = "lab/absent"
    assert "lab/absent is not there, or the App or token may not see it" in repository.init(status=1)


def test_the_app_pushes_the_branch_and_names_the_page_where_a_person_opens_the_request(
    repository: Repository, emulate: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STEELYARD_TOKEN")
    monkeypatch.setenv("STEELYARD_APP_ID", str(APP_ID))
    monkeypatch.setenv("STEELYARD_PRIVATE_KEY", emulate.private_key)
    assert f"/{repository.name}/compare/main...{BRANCH}?expand=1" in repository.init()
    assert repository.pulls() == []
    assert set(PATHS) <= set(repository.files(BRANCH))
