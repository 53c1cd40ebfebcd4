"""`steelyard portability`: what it prints, writes and answers with."""

import json
import os
from pathlib import Path

import jsonschema
import pytest
import yaml

from bot.cli import build_parser, main
from bot.render.locales import languages
from bot.render.messages import catalogue
from scoring.portability import catalogue as entries
from scoring.portability.targets import targets
from tests.bot.test_source_tree import git
from tests.shared import ROOT

DEVICE = "import torch\nmodel.cuda()\ndevice = 'cuda' if torch.cuda.is_available() else 'cpu'\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "csrc").mkdir(parents=True)
    (root / "train.py").write_text(DEVICE, encoding="utf-8")
    (root / "csrc" / "add it.cu").write_text("__global__ void add() {}", encoding="utf-8")
    (root / "broken.py").write_text("def cuda(:", encoding="utf-8")
    return root


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = main(["portability", *words])
    out, err = capsys.readouterr()
    return status, out + err


def test_hours_kernels_and_what_to_do_are_told(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = told(capsys, str(tree), "--target", "trainium")
    assert status == 0
    for part in ("AWS Trainium", "**16.1 to 80.5 hours**", "add (csrc/add it.cu)", "`train.py:2`", "`broken.py`"):
        assert part in text


def test_every_language_has_every_entry_and_target() -> None:
    for language in languages():
        say = catalogue(language, "portability")
        for entry in entries.catalogue().entries:
            if not entry.startswith(entries.LIBRARY):
                assert {f"entry.{entry}", f"fix.{entry}"} <= say.codes
        assert {f"replacement.{one.replacement}" for one in entries.catalogue().libraries.values()} <= say.codes
        assert {f"target.{name}" for name in targets().targets} <= say.codes


def test_spanish_is_spanish(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Bloqueado" in told(capsys, str(tree), "--language", "es")[1]


@pytest.mark.parametrize(
    ("addition", "status"), [("", 0), ("\n\n# model.cuda()\n", 0), ("x = 'cuda:1'\n", 1), ("import apex\n", 0)]
)
def test_only_new_hard_coded_uses_fail(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], addition: str, status: int
) -> None:
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "first")
    before = tmp_path / "before.json"
    before.write_text(told(capsys, str(tree), "--json")[1], encoding="utf-8")
    with (tree / "train.py").open("a", encoding="utf-8") as file:
        file.write(addition)
    for baseline in (["--baseline", str(before)], ["--baseline-ref", "HEAD"]):
        assert told(capsys, str(tree), "--fail-on-new", *baseline)[0] == status


def test_before_the_first_commit_everything_is_new(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = (str(tree), "--baseline-ref", "HEAD", "--fail-on-new", "--only-new")
    assert told(capsys, *asked)[0] == 2
    git(tree, "init", "-q")
    status, shown = told(capsys, *asked)
    assert (status, "New hard-coded device uses" in shown) == (1, True)


def test_the_hook_is_a_command_that_exists() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    arguments = build_parser().parse_args([*hook["entry"].split()[1:], *hook["args"]])
    assert (arguments.command, arguments.baseline_ref) == ("portability", "HEAD")
    assert (arguments.fail_on_new, arguments.only_new) == (True, True)


def test_only_new_tells_no_more_than_what_is_new(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tmp_path / "before.json"
    before.write_text(told(capsys, str(tree), "--json")[1], encoding="utf-8")
    asked = (str(tree), "--only-new", "--fail-on-new", "--baseline", str(before), "--format", "markdown")
    assert told(capsys, *asked) == (0, "No new hard-coded device use.\n")
    (tree / "new.py").write_text("y = x.cuda()\n", encoding="utf-8")
    said = "- `new.py:1`: `.cuda()`. Instead: `.to(device)` with the device as a configuration value\n"
    assert told(capsys, *asked) == (1, f"**New hard-coded device uses: 1**\n\n{said}")


@pytest.mark.parametrize(
    "words",
    [
        ("absent",),
        (".", "--ref", "absent"),
        (".", "--config", "absent.yml"),
        (".", "--baseline", "absent.json"),
        (".", "--config", "bad.yml"),
        (".", "--baseline", "bad.yml"),
    ],
)
def test_what_cannot_be_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    (tmp_path / "bad.yml").write_text("portability: {hours: {work: [1]}}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    status, text = told(capsys, *words)
    assert status == 2
    assert "internal error" not in text
    assert text


def test_the_settings_give_hours_and_target(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / ".github").mkdir()
    text = "portability:\n  target: rocm\n  hours: {work: {low: 3, high: 5}}\n  source: our last port\n"
    (tree / ".github" / "steelyard.yml").write_text(text, encoding="utf-8")
    _, shown = told(capsys, str(tree))
    assert "**3 to 5 hours**" in shown
    assert "`our last port`" in shown


def test_sarif_names_each_finding_and_satisfies_its_schema(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.sarif"
    assert main(["portability", str(tree), "--sarif", str(out)]) == 0
    log = json.loads(out.read_text(encoding="utf-8"))
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [rules[r["ruleIndex"]] for r in run["results"]] == [r["ruleId"] for r in run["results"]]
    assert {r["level"] for r in run["results"]} == {"error", "warning", "note"}
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in run["results"]}
    assert uris == {"csrc/add%20it.cu", "train.py", "broken.py"}
    assert len({r["partialFingerprints"]["steelyard/v1"] for r in run["results"]}) == len(run["results"])
    jsonschema.validate(log, OWN)
    published = os.environ.get("STEELYARD_SARIF_SCHEMA")
    if published:
        jsonschema.validate(log, json.loads(Path(published).read_text(encoding="utf-8")))


TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
REGION = {
    "type": "object",
    "required": ["startLine"],
    "properties": {"startLine": {"type": "integer", "minimum": 1}, "startColumn": {"type": "integer", "minimum": 1}},
    "additionalProperties": False,
}
OWN = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "required": ["tool", "results"],
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {"required": ["driver"], "properties": {"driver": {"required": ["name"]}}},
                    "results": {
                        "items": {
                            "required": ["message", "ruleId"],
                            "properties": {
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": TEXT,
                                "locations": {
                                    "items": {"properties": {"physicalLocation": {"properties": {"region": REGION}}}}
                                },
                            },
                        }
                    },
                },
            },
        },
    },
}
"""What of SARIF 2.1.0 is used here; $STEELYARD_SARIF_SCHEMA names the published schema, which the test takes too."""
