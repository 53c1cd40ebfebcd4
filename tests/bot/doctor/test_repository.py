"""What one repository must have: access, configuration, a ledger branch."""

import base64
from itertools import count

import github
import pytest

from bot.doctor.finding import Level
from bot.emulator import Emulator, token_of
from bot.github.client import Connection
from bot.repo_config import CONFIG_PATH, WORKFLOW_PATH
from tests.bot.doctor.patients import Clinic

OK, WARN, FAIL, UNCHECKED = Level.OK, Level.WARN, Level.FAIL, Level.UNCHECKED
_NUMBERS = count(1)


class Repository:
    """One of the test's own."""

    def __init__(self, emulate: Emulator) -> None:
        self.api = Connection(github.Auth.Token(token_of("olga")), emulate.url, pace=False)
        self.name = f"lab/doctor-{next(_NUMBERS)}"
        self.root = f"/repos/{self.name}"
        self.api.post("/orgs/lab/repos", {"name": self.name.split("/")[1], "private": True, "auto_init": True})

    def put(self, path: str, text: str) -> None:
        content = base64.b64encode(text.encode()).decode()
        self.api.put(f"{self.root}/contents/{path}", {"message": "a file", "content": content})

    def branch(self, name: str) -> None:
        head = self.api.get(f"{self.root}/git/ref/heads/main")["object"]["sha"]
        self.api.post(f"{self.root}/git/refs", {"ref": f"refs/heads/{name}", "sha": head})


@pytest.fixture
def repository(emulate: Emulator) -> Repository:
    return Repository(emulate)


def test_a_repository_in_order(clinic: Clinic, repository: Repository) -> None:
    found = clinic.findings("repository", "configuration", repository=repository.name)
    assert found["repository"] == (OK, {"name": repository.name, "branch": "main", "private": "private"})
    assert found["configuration-absent"][0] is OK
    assert found["ledger-absent"] == (OK, {"branch": "steelyard"})


def test_a_configuration_that_can_be_read(clinic: Clinic, repository: Repository) -> None:
    repository.put(CONFIG_PATH, "currency: EUR\ngithub: {ledger_branch: decisions}\n")
    found = clinic.findings("repository", "configuration", repository=repository.name)
    assert found["configuration"] == (OK, {"path": CONFIG_PATH, "given": "ledger_branch"})
    assert found["ledger-absent"][1] == {"branch": "decisions"}


def test_a_configuration_that_cannot(clinic: Clinic, repository: Repository) -> None:
    repository.put(CONFIG_PATH, "currency: EUR\nhorizn: 12m\n")
    level, facts = clinic.findings("repository", "configuration", repository=repository.name)["configuration-broken"]
    assert level is FAIL
    assert facts["where"] == f"{CONFIG_PATH}, line 2"
    assert "horizn" in str(facts["said"]) and "horizon" in f"{facts['said']} {facts['mend']}"


@pytest.mark.parametrize(
    ("wanted", "level", "rules"),
    [
        ("ledger", OK, []),
        ("ledger", OK, [{"type": "deletion"}, {"type": "non_fast_forward"}]),
        ("ledger-hindered", WARN, [{"type": "pull_request"}]),
        ("ledger-rules-unknown", UNCHECKED, None),
    ],
)
def test_the_ledger_branch(
    wanted: str, level: Level, rules: list[dict[str, str]] | None, clinic: Clinic, repository: Repository
) -> None:
    repository.branch("steelyard")
    if rules is not None:
        clinic.github.answers[f"{repository.root}/rules/branches/steelyard"] = (200, rules)
    assert clinic.findings("configuration", repository=repository.name)[wanted][0] is level


def test_a_rule_that_lets_nobody_make_the_branch(clinic: Clinic, repository: Repository) -> None:
    clinic.github.answers[f"{repository.root}/rules/branches/steelyard"] = (200, [{"type": "creation"}])
    assert clinic.findings("repository", "configuration", repository=repository.name)["ledger-hindered"][0] is WARN


def test_app_and_action_on_one_repository(clinic: Clinic, repository: Repository) -> None:
    repository.put(WORKFLOW_PATH, "on: issue_comment\n")
    assert clinic.findings("repository", "configuration", repository=repository.name)["repository-twice"][0] is WARN


@pytest.mark.parametrize(
    ("wanted", "facts"),
    [("repository-archived", {"archived": True}), ("repository-without-issues", {"has_issues": False})],
)
def test_a_repository_that_takes_nothing(
    wanted: str, facts: dict[str, object], clinic: Clinic, repository: Repository
) -> None:
    clinic.github.answers[repository.root] = (200, {**repository.api.get(repository.root), **facts})
    assert clinic.findings("repository", "configuration", repository=repository.name)[wanted][0] is FAIL


def test_a_repository_without_the_app(clinic: Clinic, repository: Repository) -> None:
    clinic.github.answers[f"{repository.root}/installation"] = (404, {"message": "Not Found"})
    found = clinic.findings("repository", "configuration", repository=repository.name)
    assert found["repository-not-installed"][0] is FAIL


def test_a_token_that_may_only_read(clinic: Clinic, repository: Repository) -> None:
    clinic.given = {"base_url": clinic.given["base_url"], "token": token_of("olga")}
    told = repository.api.get(repository.root)
    clinic.github.answers[repository.root] = (200, {**told, "permissions": {"pull": True, "push": False}})
    assert clinic.findings("repository", "configuration", repository=repository.name)["repository-read-only"][0] is FAIL


def test_a_token_that_sees_nothing(clinic: Clinic) -> None:
    clinic.given = {"base_url": clinic.given["base_url"], "token": token_of("olga")}
    assert clinic.findings("repository", repository="lab/absent")["repository-unseen"][0] is FAIL


@pytest.mark.parametrize(("wanted", "level", "remaining"), [("limit", OK, 4000), ("limit-low", WARN, 100)])
def test_the_limit(wanted: str, level: Level, remaining: int, clinic: Clinic, repository: Repository) -> None:
    core = {"limit": 5000, "remaining": remaining, "reset": 1_800_000_000}
    clinic.github.answers["/rate_limit"] = (200, {"resources": {"core": core}})
    assert clinic.findings("limit", repository=repository.name)[wanted][0] is level
