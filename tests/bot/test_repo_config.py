"""The section `github`: defaults, every key, every mistake with line, key and fix; and the schema that editors use."""

import json
import subprocess

import jsonschema
import pytest
import yaml

from bot.render.notices import render_problems
from bot.repo_config import SECTION, RepoConfig, broken, read_repo_config
from bot.schemas import SCHEMAS, schema
from scoring.model.problem import Problem
from scoring.problems import info, warning
from scoring.reading.posted import PostedFile
from scoring.settings_file import FOREIGN_SECTIONS
from tests.shared import ROOT


def read(text: str) -> tuple[RepoConfig, list[Problem]]:
    return read_repo_config(PostedFile.from_bytes("steelyard.yml", text.encode()))


FORMS: list[tuple[dict[str, object], str]] = [
    ({}, ""),
    ({}, "# nothing\n"),
    ({}, "horizon: 12m\n"),
    ({}, "github:\n"),
    ({}, "github:\n  contracts:\n"),
    (
        {"contracts": "books/contracts.csv", "prices": "p.csv"},
        "github: {contracts: books/contracts.csv, prices: p.csv}",
    ),
    ({"ledger_branch": "finance/steelyard"}, "github: {ledger_branch: finance/steelyard}"),
    ({"roles": {"compare": "write", "help": "read"}}, "github:\n  roles: {compare: write, help: read}"),
    ({"approvers": ("octocat", "hubot")}, "github: {approvers: [octocat, '@hubot']}"),
    ({"approvers": ("octocat", "hubot")}, "github: {approvers: 'octocat, hubot'}"),
    (
        {"approvers": ({"login": "ana", "name": "Ana Example", "role": "finance"}, "ben"), "sign_off": ("Finance",)},
        "github:\n  approvers: [{login: '@ana', name: Ana  Example, role: finance}, ben]\n  sign_off: Finance\n",
    ),
    (
        {"approvers": ({"login": "ana"},), "self_approval": True},
        "github: {approvers: {login: ana}, self_approval: yes}",
    ),
    ({"trusted_bots": ("renovate[bot]",)}, "github: {trusted_bots: ['renovate[bot]']}"),
    (
        {"labels": True, "pull_requests": True, "minimise": False},
        "github: {labels: true, pull_requests: yes, minimise: off}",
    ),
    ({"repositories": ("lab/train", "lab/serve.v2")}, "github: {repositories: [lab/train, lab/serve.v2]}"),
    ({"repositories": ("lab/train",)}, "github: {repositories: lab/train}"),
    ({"reviewed_in": ("lab/finance",)}, "github:\n  reviewed_in:\n    - lab/finance\n"),
]


@pytest.mark.parametrize(("wanted", "text"), FORMS)
def test_forms(wanted: dict[str, object], text: str) -> None:
    config, problems = read(text)
    assert problems == []
    assert config == RepoConfig.model_validate(wanted)
    jsonschema.validate(yaml.safe_load(text) or {}, schema("settings"))


PLAIN = ("../x", "lab/..", "lab/.", "lab/a/b", "lab", "/x", "lab/", "lab/a%2f", "lab/a.git")
QUOTED = ("'lab/a b'", "'lab/a?b'", "'lab/a#1'", "'@lab/train'", "'https://github.com/lab/train'")
HOSTILE = (*PLAIN, *QUOTED, "l\u0430b/train", "lab/tr\u0430in", "lab\uff0ftrain")
"""No names of a repository; some hold a Cyrillic letter, or a slash of another script."""
MANY = ", ".join(f"lab/r{n}" for n in range(31))

BAD: list[tuple[tuple[str, int | None, str | None, str], str]] = [
    (("setting-unknown", 2, "github.ledger", "ledger_branch"), "github:\n  ledger: x"),
    (("setting-unknown", 2, "github.Lables", "labels"), "github:\n  Lables: true"),
    (("setting-unknown", 3, "github.roles.compera", "compare"), "github:\n  roles:\n    compera: read"),
    (("setting-unknown", 1, "github.zzz", "approvers, contracts"), "github: {zzz: 1}"),
    (("setting-invalid", 2, "github.ledger_branch", "a branch name"), "github:\n  ledger_branch: a..b"),
    (("setting-invalid", 2, "github.contracts", "a path"), "github:\n  contracts: ../secrets.yml"),
    (("setting-invalid", 1, "github.prices", "a path"), "github: {prices: /etc/passwd}"),
    (("setting-invalid", 1, "github.roles.compare", "read, triage"), "github: {roles: {compare: everyone}}"),
    (("setting-invalid", 1, "github.labels", "true or false"), "github: {labels: sometimes}"),
    (("setting-invalid", 1, "github.approvers", "logins"), "github: {approvers: ['@org/team']}"),
    (("setting-invalid", 1, "github.approvers", "logins"), "github: {approvers: ['renovate[bot]']}"),
    (("setting-invalid", 1, "github.approvers", "logins"), "github: {approvers: [{name: Ana}]}"),
    (("setting-invalid", 1, "github.approvers", "logins"), "github: {approvers: [{login: ana, rank: 1}]}"),
    (("setting-invalid", 1, "github.approvers", "logins"), "github: {approvers: [[ana]]}"),
    (("setting-invalid", 1, "github.sign_off", "roles that an approver has"), "github: {sign_off: [finance]}"),
    (
        ("setting-invalid", 3, "github.sign_off", "roles that an approver has"),
        "github:\n  approvers: [{login: ana, role: finance}]\n  sign_off: [finance, platform]\n",
    ),
    (("setting-invalid", 1, "github.trusted_bots", "logins"), "github: {trusted_bots: ['a b']}"),
    *(
        (("setting-invalid", 3, "github.repositories.0", "octo-org/train"), f"github:\n  repositories:\n  - {name}\n")
        for name in HOSTILE
    ),
    *(
        (("setting-invalid", 1, "github.reviewed_in.0", "octo-org/finance"), f"github: {{reviewed_in: [{name}]}}")
        for name in HOSTILE
    ),
    (("setting-invalid", 4, "github.repositories.1", "each once"), "github:\n  repositories:\n  - a/b\n  - A/B\n"),
    (("setting-invalid", 1, "github.repositories", "at most 30"), f"github: {{repositories: [{MANY}]}}"),
    (("setting-invalid", 1, "github.reviewed_in", "at most 30"), f"github: {{reviewed_in: [{MANY}]}}"),
    (("setting-invalid", 1, "github", "key: value"), "github: steelyard"),
    (("setting-invalid", 1, "github", "key: value"), "github: [labels]"),
    (("setting-unknown", 1, "horizn", "horizon"), "horizn: 1m\ngithub: {labels: true}"),
    (("yaml-syntax", 3, None, ""), "a: 1\ngithub: [\n"),
    (("yaml-duplicate-key", 3, "labels", ""), "github:\n  labels: true\n  labels: false"),
    (("yaml-alias", 1, None, ""), "github: &a {labels: true}"),
    (("settings-not-a-mapping", 1, None, ""), "- github"),
]


@pytest.mark.parametrize(("wanted", "text"), BAD)
def test_mistakes(wanted: tuple[str, int | None, str | None, str], text: str) -> None:
    config, problems = read(text)
    code, row, column, expected = wanted
    problem = problems[0]
    assert (problem.code, problem.row, problem.column) == (code, row, column)
    assert problem.file == "steelyard.yml"
    assert expected in (problem.expected or "")
    assert broken(problems)
    if SECTION in (column or ""):
        assert config == RepoConfig()
    told = render_problems(problems, "en")
    assert told.startswith("### The configuration cannot be read, so nothing was decided\n")
    assert row is None or f"line {row}" in told


@pytest.mark.parametrize(
    ("listed", "rows"),
    [
        ("Lab/train", []),
        ("lab/home", [3]),
        ("LAB/Home", [3]),
        ("other/train", [3]),
        ("lab-2/train", [3]),
    ],
)
def test_a_home_lists_others_of_its_own_owner(listed: str, rows: list[int]) -> None:
    text = f"github:\n  repositories:\n    - {listed}\n"
    config, problems = read_repo_config(PostedFile.from_bytes("steelyard.yml", text.encode()), "lab/home")
    assert [p.row for p in problems] == rows
    assert bool(config.repositories) is not bool(rows)


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("github: {reviewed_in: [lab/home]}", True),
        ("github: {reviewed_in: [other/x, LAB/Home]}", True),
        ("github: {reviewed_in: [lab/home2]}", False),
        ("github: {reviewed_in: [lab/home], lables: true}", False),
        ("github: {repositories: [lab/home]}", False),
        ("reviewed_in: [lab/home]", False),
        ("", False),
    ],
)
def test_who_may_read_a_repository_for_a_review(text: str, agrees: bool) -> None:
    assert read(text)[0].may_be_reviewed_in("lab/home") is agrees


def test_mistakes_of_both_parts_are_told_in_the_order_of_the_file() -> None:
    _, problems = read("horizn: 1m\ngithub:\n  lables: true\n  roles: {x: read, compare: y}\ncurency: USD\n")
    assert [p.row for p in problems] == [1, 3, 4, 4, 5]


def test_only_what_keeps_back_breaks() -> None:
    assert not broken([])
    assert not broken([warning("file-empty"), info("file-empty")])


def test_without_a_file_the_defaults_stand() -> None:
    assert read_repo_config(None) == (RepoConfig(), [])


ROLES = [
    ("read", {}, "compare", True),
    ("triage", {}, "compare", False),
    ("write", {"compare": "write"}, "compare", True),
    ("write", {"compare": "write"}, "compare", False),
    ("triage", {"compare": "write"}, "plan", False),
    ("triage", {}, "unheard-of", False),
]


@pytest.mark.parametrize(("wanted", "roles", "command", "private"), ROLES)
def test_role_for(wanted: str, roles: dict[str, str], command: str, private: bool) -> None:
    assert RepoConfig.model_validate({"roles": roles}).role_for(command, private) == wanted


BRANCHES = (
    "steelyard", "a/b", "a.b", "v1.2", "décision", "a-b", "a@b", "-a", "/a", "a/", "a//b", ".a", "a/.b", "a.", "a..b",
    "a b", "a~b", "a^b", "a:b", "a?b", "a*b", "a[b", "a\\b", "a.lock", "a.lock/b", "a@{b", "a\x7fb", "a\tb",
)  # fmt: skip


@pytest.mark.parametrize("name", BRANCHES)
def test_a_branch_is_taken_where_git_takes_it(name: str) -> None:
    wanted = subprocess.run(["git", "check-ref-format", "--branch", name], capture_output=True).returncode == 0
    _, problems = read(f"github: {{ledger_branch: {json.dumps(name)}}}")
    assert (problems == []) is wanted


def test_the_section_is_the_engines_to_ignore_and_the_published_schema_is_current() -> None:
    assert SECTION in FOREIGN_SECTIONS
    for name in SCHEMAS:
        published = (ROOT / "templates" / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")
        assert json.loads(published) == schema(name)


def test_the_template_that_a_repository_starts_with_is_read_and_holds_every_key() -> None:
    text = (ROOT / "templates" / "config" / "steelyard.yml").read_text(encoding="utf-8")
    assert read(text) == (RepoConfig(), [])
    section = text.partition("\ngithub:\n")[2]
    assert [key for key in RepoConfig.model_fields if f"{key}:" not in section] == []
