"""KEY=VALUE files tell under which conditions the file of the same name was measured."""

import pytest

from scoring.reading.limits import MAX_TEXT_BYTES
from scoring.reading.sidecar import conditions_by_stem, conditions_for, is_sidecar
from tests.scoring.reading.read import posted


@pytest.mark.parametrize(
    ("want", "name", "text"),
    [
        (True, "a.env", "BATCH_SIZE=8\n"),
        (True, "a.env.txt", "# comment\n\nexport BATCH_SIZE=8\r\nMODEL_ID='x'\r\n"),
        (True, "a.CONF.txt", "TP=8"),
        (False, "a.txt", "BATCH_SIZE=8\n"),
        (False, "a.env", "batch_size=8\n"),
        (False, "a.env", "arm,cost\na,1\n"),
        (False, "a.env", ""),
        (False, "a.env", "# only a comment\n"),
        (False, "a.env", "AB=" + "x" * MAX_TEXT_BYTES),
    ],
)
def test_which_files_are_sidecars(want: bool, name: str, text: str) -> None:
    assert is_sidecar(posted(name, text)) is want


@pytest.mark.parametrize(
    ("want", "name"),
    [
        ({"batch_size": "8", "model_id": "Qwen/Q-3", "note": "a=b"}, "x/llama-3.1-8b.csv"),
        ({}, "llama-3.1-8b.csv"),
        ({}, "x/llama-3.1.csv"),
    ],
)
def test_conditions_are_those_of_the_same_path(want: dict[str, str], name: str) -> None:
    sidecar = posted("x/llama-3.1-8b.env.txt", "BATCH_SIZE=8\nMODEL_ID='Qwen/Q-3'\nNOTE=\"a=b\"\n")
    assert conditions_for(posted(name, "x"), conditions_by_stem([sidecar])) == want
