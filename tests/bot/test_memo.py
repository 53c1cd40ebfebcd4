"""From a record alone comes what the comparison wrote, byte by byte; what is no sound record is refused."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.compare import write
from bot.dossier import Answer
from bot.record_file import read_record
from bot.render.files import RECORD, files_of
from bot.render.record import document_of, render_record, stamped
from scoring.model.decision import Decision
from tests.bot.commands.dossiers import answered, of_sample
from tests.samples import NAMES, STORIES, decision
from tests.scoring.helpers import decide
from tests.shared import ROOT

SEVERAL = "workload,arm,run,duration_s,price_usd_per_hour\n" + "".join(
    f"{work},{arm},{run},{seconds + run},{price}\n"
    for work, gain in (("a", 0), ("b", 900))
    for arm, seconds, price in (("gpu", 3600, 55), ("trn2", 4000 - gain, 35))
    for run in range(3)
)
LEFT_OUT = "arm,run,duration_s,price_usd_per_hour\ngpu,1,3600,55\ngpu,2,3700,55\ntrn2,1,-5,35\ntrn2,2,3500,35\n"


def rebuilt(record: bytes) -> dict[str, bytes]:
    """All files from a record."""
    read, problems = read_record(record, "decision.json")
    assert problems == []
    assert read is not None
    return files_of(read)


@pytest.mark.parametrize("name", [*NAMES, *STORIES])
def test_a_samples_files_are_rebuilt_as_compare_wrote_them(name: str, tmp_path: Path) -> None:
    write(decision(name), tmp_path / "as-compared")
    assert main(["memo", "render", str(tmp_path / "as-compared" / RECORD), "--out", str(tmp_path / "again")]) == 0
    written = {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()}
    original = {path.name: path.read_bytes() for path in (tmp_path / "as-compared").iterdir()}
    assert written == {name: data for name, data in original.items() if name not in (RECORD, "deadlines.ics")}
    assert rebuilt(original[RECORD])[RECORD] == original[RECORD]


@pytest.mark.parametrize("name", ["first-look", "eu-only", "speech-finetune", "messy"])
def test_what_the_bot_committed_is_rebuilt_with_its_links(name: str) -> None:
    answer: Answer = answered(of_sample("/compare", name))
    assert "](memo.xlsx)" in answer.files["comment.md"].decode()
    assert rebuilt(answer.files[RECORD]) == answer.files


@pytest.mark.parametrize(
    "posted",
    [
        pytest.param(SEVERAL, id="two workloads"),
        pytest.param(LEFT_OUT, id="a row that was left out"),
        pytest.param("arm,run,duration_s\ngpu,1,3600\n", id="one arm"),
        pytest.param('arm,run,duration_s\ngpu,1,"3600\n', id="a broken file"),
        pytest.param("arm,run,duration_s\n=cmd|x,1,3600\n@all\u202e,1,1e3\n", id="hostile names"),
    ],
)
def test_any_posting_is_rebuilt(posted: str) -> None:
    made = decide(("pilot.csv", posted))
    assert rebuilt(render_record(made).encode()) == files_of(made)


def test_they_are_the_same_in_any_process(tmp_path: Path) -> None:
    made = {name: files_of(decision(name)) for name in NAMES}
    for name, files in made.items():
        (tmp_path / name).write_bytes(files[RECORD])
    script = (
        "import sys; from hashlib import sha256; from pathlib import Path; from bot.record_file import open_record;"
        "from bot.render.files import files_of\n"
        "for name in sys.argv[1:]:\n"
        "    for data in files_of(open_record(Path(name))[0]).values(): print(sha256(data).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "TZ": "Asia/Tokyo", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, *(str(tmp_path / name) for name in made)]
    told = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.split()
    assert told == [sha256(data).hexdigest() for files in made.values() for data in files.values()]


def test_a_record_keeps_all_of_a_decision_but_the_rows_that_are_runs() -> None:
    for name in NAMES:
        made = stamped(decision(name))
        read, _ = read_record(render_record(made).encode(), RECORD)
        assert read is not None
        kept = made.pilot.model_copy(update={"runs": read.pilot.runs, "items": (), "directions": {}, "notes": ()})
        assert read == made.model_copy(update={"pilot": kept})


def _sound() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(render_record(decide(("pilot.csv", SEVERAL))))
    return loaded


def _with(change: Callable[[dict[str, Any]], object], rehashed: bool = True) -> bytes:
    record = _sound()
    change(record)
    if rehashed:
        record["document"] = document_of(record)
    return json.dumps(record).encode()


REFUSED: dict[str, tuple[bytes, str, int | None, str | None]] = {
    "a table": (b"arm,run\ngpu,1\n", "json-syntax", 1, None),
    "cut off": (_with(lambda r: None)[:-200], "json-syntax", 1, None),
    "no number": (b'{"schema": "steelyard/decision/1", "cost": NaN}', "json-syntax", None, None),
    "no finite number": (b'{"schema": "steelyard/decision/1", "cost": 1e999}', "json-syntax", None, None),
    "nested without end": (b"[" * 100_000, "json-syntax", None, None),
    "bytes": (b"PK\x03\x04\xff\xfe", "json-syntax", None, None),
    "another file of ours": (b'{"schema": "steelyard/ledger-index"}', "record-foreign", None, "schema"),
    "a list": (b"[]", "record-foreign", None, "schema"),
    "a newer version": (_with(lambda r: r.update(schema="steelyard/decision/2")), "record-newer", None, "schema"),
    "a section is missing": (_with(lambda r: r.pop("economics")), "record-broken", None, "economics"),
    "of another shape": (_with(lambda r: r.update(verdict=3)), "record-broken", None, "verdict"),
    "a value of another kind": (
        _with(lambda r: r["others"][0].update(decided_on="soon")), "record-broken", None, "others.0.decided_on",
    ),
    "an unknown field": (_with(lambda r: r.update(surprise=1)), "record-broken", None, "surprise"),
    "a changed figure": (
        _with(lambda r: r["cost"]["theta"].update(point=0.5), rehashed=False), "record-altered", None, "document",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_sound_record_is_a_problem_with_its_place(name: str) -> None:
    data, code, row, column = REFUSED[name]
    _, (problem,) = read_record(data, "decision.json")
    assert (problem.code, problem.file, problem.row, problem.column) == (code, "decision.json", row, column)


@pytest.mark.parametrize("name", ["a table", "a changed figure", "a newer version"])
def test_a_refusal_writes_nothing(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / RECORD).write_bytes(REFUSED[name][0])
    assert main(["memo", "render", str(tmp_path / RECORD), "--out", str(tmp_path / "out")]) == 2
    assert "`decision.json`" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


def test_parts_that_do_not_fit_each_other_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / RECORD).write_bytes(_with(lambda r: r["verdict"]["reasons"].append({"code": "made-up"})))
    assert main(["memo", "render", str(tmp_path / RECORD)]) == 2
    assert "do not fit each other" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda r: r.update(engine="0.0.1"), "record-of-other-version"),
        (lambda r: [r.pop(key) for key in ("document", "engine", "regret", "rows_left_out")], "record-without-hash"),
    ],
)
def test_a_record_of_another_version_is_read_and_that_is_said(
    change: Callable[[dict[str, Any]], object], code: str
) -> None:
    read, problems = read_record(_with(change, rehashed=False), "decision.json")
    assert [p.code for p in problems] == [code]
    assert isinstance(read, Decision)


def test_a_file_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memo", "render", str(tmp_path / "none.json")]) == 2
    assert "No such file" in capsys.readouterr().err
