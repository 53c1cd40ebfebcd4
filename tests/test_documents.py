"""What the documents say is true: their commands run, their tables read, their links lead somewhere."""

import re
import shlex
from pathlib import Path

import pytest

from bot.cli import build_parser, main
from tests.samples import NAMES, STORIES
from tests.scoring.helpers import decide
from tests.shared import ROOT

DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted(ROOT.glob("samples/*/README.md")),
    *sorted(ROOT.glob("samples/contracts/*/README.md")),
]
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
ELSEWHERE = {
    "bench": "benchmarks are run by .ci/run",
    "calibrate": "as the benchmarks",
    "demo": "tests/e2e/test_demo.py runs it",
}
SPEAKING = frozenset({"init", "doctor", "serve", "web", "worker"})
"""Commands that speak to GitHub or go on: the documents' arguments must be theirs; tests of their own run them."""
SETTING = re.compile(r"^(?:STEELYARD_\w+=\S+ )+")
LINK = re.compile(r"\[[^\]]+\]\(([^)#\s]+)[^)]*\)")


def fences(path: Path, language: str) -> list[str]:
    return [body for kind, body in FENCE.findall(path.read_text(encoding="utf-8")) if kind == language]


def commands() -> list[tuple[str, str]]:
    """Every `steelyard …` line of the documents, without what sets up an environment before it."""
    found = []
    for path in DOCUMENTS:
        for body in fences(path, "sh"):
            for line in body.splitlines():
                part = line.split(" && ")[-1].split(" #")[0].strip().removeprefix(".venv/bin/")
                part = SETTING.sub("", part)
                if part.startswith("steelyard "):
                    found.append((path.relative_to(ROOT).as_posix(), part))
    return found


@pytest.mark.parametrize(("document", "command"), commands())
def test_a_command_of_the_documents_runs(
    document: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = shlex.split(command)[1:]
    if reason := ELSEWHERE.get(arguments[0]):
        pytest.skip(reason)
    if arguments[0] in SPEAKING and "--local" not in arguments:
        assert build_parser().parse_args(arguments).command == arguments[0]
        return
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    (tmp_path / "my-folder").mkdir()
    for folder in (tmp_path, tmp_path / "my-folder"):
        (folder / "pilot.csv").write_text(fences(ROOT / "README.md", "csv")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    if "out/decision.json" in arguments:
        main(["compare", "pilot.csv", "--out", "out"])
        capsys.readouterr()
    assert main(arguments) == 0, capsys.readouterr().out
    assert capsys.readouterr().err == ""


def test_there_are_commands_to_run() -> None:
    assert len(commands()) >= 8


def test_each_readme_line_stands_alone() -> None:
    lines = [line for body in fences(ROOT / "README.md", "sh") for line in body.splitlines() if "pip install" in line]
    assert len(lines) == 3
    assert all(line.startswith("python3 -m venv .venv && .venv/bin/pip install") for line in lines)
    assert lines[0].endswith(".venv/bin/steelyard compare samples/llama2-70b-lora --out out")
    assert lines[1].endswith('-e ".[demo]" && .venv/bin/steelyard demo --once')
    assert lines[2].endswith(".venv/bin/python -m pytest")


def test_the_table_of_the_readme_is_decided() -> None:
    decision = decide(("pilot.csv", fences(ROOT / "README.md", "csv")[0]), **{"margin.wer": "0.3"})
    assert decision.verdict.word == "SWITCH"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    targets = [t for t in LINK.findall(path.read_text(encoding="utf-8")) if "://" not in t]
    assert [t for t in targets if not (path.parent / t).exists()] == []


@pytest.mark.parametrize("name", [*NAMES, *STORIES])
def test_a_sample_says_what_it_is_and_what_is_made_up(name: str) -> None:
    text = (ROOT / "samples" / name / "README.md").read_text(encoding="utf-8")
    assert "steelyard compare" in text
    assert "synthetic" in text.casefold() or "source" in text.casefold()


def test_every_sample_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in NAMES if f"samples/{name}" not in text] == []


def test_every_story_is_in_the_document_on_contracts() -> None:
    text = (ROOT / "docs" / "contracts.md").read_text(encoding="utf-8")
    assert [name for name in STORIES if f"../samples/{name}/README.md" not in text] == []


def _settings_docs() -> list[str]:
    return [b for p in (ROOT / "docs" / "configuration.md",) for b in fences(p, "yaml")]


@pytest.mark.parametrize("text", _settings_docs())
def test_a_settings_example_is_read_without_a_problem(text: str) -> None:
    from bot.repo_config import read_repo_config
    from scoring.reading.posted import PostedFile
    from scoring.settings_file import read_settings

    posted = PostedFile.from_bytes("steelyard.yml", text.encode())
    assert read_settings(posted)[1] == []
    assert read_repo_config(posted)[1] == []


def test_there_are_settings_examples() -> None:
    assert len(_settings_docs()) >= 2


def test_the_commands_document_is_the_registry() -> None:
    from bot.commands.registry import COMMANDS

    blocks = fences(ROOT / "docs" / "commands.md", "")
    told = [block.splitlines() for block in blocks]
    assert told == [lines for c in COMMANDS for lines in ([c.usage], list(c.examples))]


def test_every_key_of_the_repository_section_is_documented() -> None:
    from bot.repo_config import RepoConfig

    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8").partition("## The section `github`")[2]
    rows = {row[0]: row[1] for row in re.findall(r"^\| `(\w+)` \| ([^|]+) \|", text, re.MULTILINE)}
    assert rows.keys() == RepoConfig.model_fields.keys()
    plain = {key: default.strip("` ") for key, default in rows.items()}
    for name, field in RepoConfig.model_fields.items():
        if isinstance(field.default, (str, bool)):
            assert plain[name] == str(field.default).replace("True", "true").replace("False", "false")


@pytest.mark.parametrize("text", fences(ROOT / "docs" / "contracts.md", "yaml"))
def test_a_contract_example_is_read_without_a_problem(text: str) -> None:
    from scoring.contracts.book import read_contracts
    from scoring.reading.posted import PostedFile

    contracts, problems = read_contracts(PostedFile.from_bytes("contracts.yml", text.encode()))
    assert contracts
    assert [p for p in problems if p.severity in ("error", "question")] == []
