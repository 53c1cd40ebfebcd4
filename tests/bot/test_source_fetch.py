"""/portability in a thread: the repository read at a reference, the map said and kept, or what is wrong with it."""

import json

import pytest

from bot import source_fetch
from bot.dossier import Outcome
from bot.github.gitdata import Branch
from tests.bot.github.repositories import commit
from tests.bot.github.test_source import FILES, altered
from tests.bot.github.world import World
from tests.bot.test_handle import Conversation

SETTINGS = b"portability:\n  target: gaudi\n"


@pytest.fixture
def talk(world: World) -> Conversation:
    """An issue of a repository with source."""
    commit(world, {**FILES, "much.py": b"#" * 1_100_000})
    return Conversation(world, "Can it move?")


def files_kept(talk: Conversation) -> dict[str, bytes]:
    """What the issue's maps left on the ledger, by name."""
    branch = Branch(talk.olga, talk.world.repository, "steelyard")
    head = branch.head()
    if head is None:
        return {}
    tree = talk.olga.get(f"/repos/{talk.world.repository}/git/trees/{head.tree}", recursive=1)["tree"]
    paths = [one["path"] for one in tree if one["path"].startswith(f"portability/issue-{talk.issue}/")]
    return {path.rpartition("/")[2]: branch.read(path, head.commit) for path in paths if "." in path}


def test_a_map_is_said_and_kept(talk: Conversation) -> None:
    said = talk.say("/portability target=trainium")
    assert said.outcome is Outcome.SAID
    assert "AWS Trainium (TorchNeuron)" in said.body
    assert "`pkg/kernel.cu`" in said.body
    assert "`train.py:1`" in said.body
    assert "`much.py`" in said.body
    assert "node_modules" not in said.body
    assert "Scanned: `.` at commit" in said.body
    assert "[`portability.json`]" in talk.replies[-1]
    kept = files_kept(talk)
    assert {one["file"] for one in json.loads(kept["portability.json"])["findings"]} == {
        "pkg/kernel.cu",
        "train.py",
        "much.py",
    }
    assert json.loads(kept["portability.sarif"])["version"] == "2.1.0"
    assert "| `pkg` |" in talk.say("/portability pkg@main").body


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("/portability ../secrets", "`../secrets` is no path of this repository."),
        ("/portability pkg@no-such-branch", "There is no branch, tag or commit `no-such-branch`."),
        ("/portability pkg@", "Write it as <code>folder&#64;branch</code>."),
        ("/portability target=cuda", "generic, trainium, gaudi, rocm, tpu"),
        ("/portability goal=tpu", "`goal`"),
        ("/portability a b", "`a b`"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_kept(talk: Conversation, written: str, told: str) -> None:
    said = talk.say(written)
    assert said.outcome is Outcome.REFUSED
    assert told in said.body
    assert "Nothing was computed" in said.body
    assert "portability.json" not in files_kept(talk)


def test_a_part_is_said_to_be_one_in_the_repositorys_language(
    talk: Conversation, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(world, {".github/steelyard.yml": SETTINGS + b"language: es\n"})
    monkeypatch.setattr(source_fetch, "MOST_FILES", 2)
    said = talk.say("/portability")
    assert "en su límite de ficheros" in said.body
    assert "Gaudi de Intel" in said.body
    monkeypatch.undo()
    world.github.handlers = (altered(world, truncated=True), *world.github.handlers)
    assert "GitHub solo ha listado una parte del árbol" in talk.say("/portability").body
