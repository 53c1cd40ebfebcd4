"""The files that a repository starts from: what they say is true, and none is written over what is there."""

import re
from datetime import date
from pathlib import Path

import pytest
import yaml

from bot.cli import main
from bot.grammar import commands_in
from bot.init import PLACEHOLDER, STARTS, starting_files, words
from bot.repo_config import CONFIG_PATH, WORKFLOW_PATH, RepoConfig, read_repo_config
from bot.templates import template_path
from scoring.analysis import Evidence, analyse
from scoring.contracts.book import read_contracts
from scoring.contracts.entry import GROUPS, PLAIN
from scoring.contracts.kinds import KINDS
from scoring.model.settings import Settings
from scoring.prices import read_prices
from scoring.reading.headers import meaning_of
from scoring.reading.posted import PostedFile
from scoring.settings_file import read_settings
from scoring.settings_forms import name_of

SOURCE = "lab/steelyard@" + "a" * 40
CONFIG = starting_files(None)[CONFIG_PATH]
BEFORE_BOT, BOT = CONFIG.split("github:\n")
DEFAULTS, EXAMPLES = re.split(r"# --- Keys that have no default.*\n", BEFORE_BOT)


def posted(name: str, text: str) -> PostedFile:
    return PostedFile.from_bytes(name, text.encode())


def in_force(text: str) -> str:
    """The text with its commented lines switched on; headings and remarks stay comments."""
    return re.sub(r"^( *)#(?=\S|  )", r"\1", text, flags=re.MULTILINE)


def test_the_settings_decide_as_no_settings_do() -> None:
    config, problems = read_repo_config(posted("steelyard.yml", CONFIG))
    assert (config, problems) == (RepoConfig(), [])
    assert read_settings(posted("steelyard.yml", CONFIG)) == (Settings(), [])


def test_each_default_that_is_named_is_the_default() -> None:
    settings, problems = read_settings(posted("steelyard.yml", in_force(DEFAULTS)))
    assert (settings, problems) == (Settings(), [])
    assert len(settings.model_fields_set) == 18


def test_each_example_is_read() -> None:
    settings, problems = read_settings(posted("steelyard.yml", in_force(BEFORE_BOT)))
    assert problems == []
    named = {name_of(key) for key in yaml.safe_load(in_force(BEFORE_BOT))}
    assert named == set(Settings.model_fields) == settings.model_fields_set


def test_each_key_of_the_bot_is_named() -> None:
    section = yaml.safe_load(in_force("github:\n" + BOT))["github"]
    assert set(section) == set(RepoConfig.model_fields)
    config, problems = read_repo_config(posted("steelyard.yml", in_force("github:\n" + BOT)))
    assert problems == []
    assert config.approvers and config.trusted_bots and config.roles


def fields_named(book: str) -> set[str]:
    """Keys of all contracts of a book."""
    return {key for contract in yaml.safe_load(book.replace("contracts: []", ""))["contracts"] for key in contract}


def test_books_hold_nothing_and_their_examples_are_read() -> None:
    files = starting_files(None)
    contracts, prices = files[RepoConfig().contracts], files[RepoConfig().prices]
    assert read_contracts(posted("contracts.yml", contracts)) == ((), [])
    found, problems = read_contracts(posted("contracts.yml", in_force(contracts).replace("contracts: []", "")))
    assert problems == []
    assert {c.kind for c in found} == {kind.name for kind in KINDS if kind.refused is None}
    assert fields_named(in_force(contracts)) == {*PLAIN, *GROUPS} - {"synthetic"} | {"source"}
    book, problems = read_prices(posted("prices.csv", prices))
    assert book.rows == () and problems == []
    book, problems = read_prices(posted("prices.csv", prices + "aws,us-east-1,p5.48xlarge,H100,8,55.04,list page\n"))
    assert len(book.rows) == 1 and problems == []


RUNS = "".join(
    f"{arm},{i},{seconds + i},{price},wer,7.{4 + i % 2}\n"
    for arm, seconds, price in (("gpu", 3600, 55), ("trn2", 4000, 35))
    for i in (1, 2, 3)
)
HEADER = "arm,run,duration_s,price_usd_per_hour,quality_metric,quality_value\n"


def rendered(answers: dict[str, str]) -> str:
    """An issue's body as GitHub makes it of a form: a heading and an answer for each field."""
    form = yaml.safe_load(starting_files(None)[".github/ISSUE_TEMPLATE/steelyard-pilot.yml"])
    parts = []
    for item in form["body"]:
        if item["type"] == "markdown":
            continue
        answer = answers.get(item["id"], item["attributes"].get("value", ""))
        if answer and "render" in item["attributes"]:
            answer = f"```{item['attributes']['render']}\n{answer.rstrip()}\n```"
        parts.append(f"### {item['attributes']['label']}\r\n\r\n{answer or '_No response_'}".replace("\r\n", "\n"))
    return "\n\n".join(parts).replace("\n", "\r\n")


FORMS = [
    {"workload": "speech", "phase": "finetune", "runs": HEADER + RUNS},
    {"workload": "speech", "phase": "finetune", "files": f"Runs of last week:\n\n```csv\n{HEADER}{RUNS}```"},
]


@pytest.mark.parametrize("answers", FORMS, ids=["runs", "files"])
def test_a_filled_in_form_is_decided(answers: dict[str, str]) -> None:
    body = rendered(answers)
    assert [c.name for c in commands_in(body)] == ["compare"]
    decision = analyse(
        Evidence(postings=(posted("issue-1.md", body),), overrides=("margin.wer=0.3",)), today=date(2026, 12, 1)
    )
    assert (decision.workload, decision.phase, decision.verdict.word) == ("speech", "finetune", "SWITCH")
    assert {p.code for p in decision.problems} == {"baseline-assumed"}


def test_a_form_without_runs_is_asked_for_them() -> None:
    decision = analyse(Evidence(postings=(posted("i.md", rendered({"workload": "w"})),)), today=date(2026, 12, 1))
    assert decision.verdict.word is None
    assert decision.problems


@pytest.mark.parametrize("name", ["pilot", "serving"])
def test_every_column_of_a_blank_table_is_understood(name: str) -> None:
    header = template_path(f"tables/{name}.csv").read_text(encoding="utf-8").strip().split(",")
    assert [column for column in header if meaning_of(column).field == "other"] == []


def test_the_workflow_stands_only_where_it_is_asked_for() -> None:
    assert WORKFLOW_PATH not in starting_files(None)
    assert PLACEHOLDER in starting_files("")[WORKFLOW_PATH]
    assert f"uses: {SOURCE} #" in starting_files(SOURCE)[WORKFLOW_PATH]
    assert PLACEHOLDER not in starting_files(SOURCE)[WORKFLOW_PATH]


@pytest.mark.parametrize(("wanted", "source"), [("put `OWNER/NAME@COMMIT`", ""), ("read it; it may", SOURCE)])
def test_the_request_says_what_is_left_to_do(wanted: str, source: str) -> None:
    body = words(source).body([s.path for s in STARTS[1:]], [CONFIG_PATH])
    assert wanted in body
    assert "`.github/steelyard.yml`: margins" not in body
    assert f"left as they are: `{CONFIG_PATH}`" in body


def test_a_working_copy_keeps_what_it_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".github").mkdir()
    (tmp_path / CONFIG_PATH).write_text("currency: EUR\n")
    assert main(["init", "--local", str(tmp_path), "--action", SOURCE]) == 0
    shown = capsys.readouterr().out
    assert f"kept  {CONFIG_PATH}" in shown and f"new   {WORKFLOW_PATH}" in shown
    assert (tmp_path / CONFIG_PATH).read_text() == "currency: EUR\n"
    assert {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()} == {s.path for s in STARTS}
    assert main(["init", "--local", str(tmp_path), "--action", SOURCE]) == 0
    assert "new" not in capsys.readouterr().out


def test_a_workflow_without_a_commit_is_said_to_be_unfinished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "--local", str(tmp_path), "--action"]) == 0
    assert "without it the workflow cannot start" in capsys.readouterr().out


MISUSED = [
    ("--repo OWNER/NAME", ["init"]),
    ("--repo OWNER/NAME", ["init", "--repo", "lab/pilots/more"]),
    ("a tag can be moved", ["init", "--repo", "lab/pilots", "--action", "lab/steelyard@v1"]),
    ("no folder", ["init", "--local", "nowhere"]),
]


@pytest.mark.parametrize(("wanted", "arguments"), MISUSED)
def test_wrong_arguments_are_told(
    wanted: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    assert main(arguments) == 2
    assert wanted in capsys.readouterr().err
