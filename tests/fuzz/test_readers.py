"""No bytes make reading or deciding fail, and whatever is wrong with them can be said in a sentence.

`STEELYARD_FUZZ_EXAMPLES=2000 pytest tests/fuzz` looks further than the daily run, with new examples each time.
"""

import gzip
import io
import json
import math
import os
import zipfile
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from bot.render.comment.problems import fix, sentence
from scoring.analysis import Evidence, analyse
from scoring.model.pilot import Run
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.reading.catalogue import CONDITIONS, FIELDS, HIGHER, LATENCY, LOWER, THROUGHPUT, TIME_UNITS, WORK
from scoring.reading.pilot_reader import read_pilot
from scoring.reading.posted import PostedFile

EXAMPLES = os.environ.get("STEELYARD_FUZZ_EXAMPLES")
fuzzed = settings(
    max_examples=int(EXAMPLES or 25),
    deadline=None,
    derandomize=EXAMPLES is None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
TODAY = date(2026, 12, 1)
SAMPLES = sorted(p for p in (Path(__file__).parents[2] / "samples").rglob("*") if p.is_file())
NAMES = (
    "pilot.csv", "pilot.tsv", "pilot.txt", "pilot.json", "pilot.jsonl", "pilot.yaml", "pilot.md", "pilot.xlsx",
    "pilot.zip", "pilot.gz", "pilot.log", "pilot.env", "gpu/run.json", "comment-1.md", "…", "a/../b.csv",
)  # fmt: skip
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252", "mac_roman", "shift_jis", "gb18030")
KNOWN = tuple(
    sorted({name for names in FIELDS.values() for name in names} | set(WORK) | set(LATENCY) | set(LOWER) | set(HIGHER))
)
RATES = tuple(f"{what}/{per}" for what in sorted(THROUGHPUT) for per in ("s", "min", "h"))
NASTY = (
    "", "-", "NaN", "inf", "-inf", "1e999", "1e-999", "-0", "0", "0.0", "1,5", "1.5", "1.234", "1,234", "1.234,5",
    "1,234.5", "1 234", "12.3 ± 0.4", "12,3 (0,4)", "± 1", "45%", "%", "$1.20", "1,20 €", "3.2k", "1.5M", "1h 23m",
    "01:23:45", "12:34", "99:99:99", "-01:00:00", "9" * 400 + ":00:00", "9" * 5000, "9" * 400 + " h", "0x1f", "1_000",
    "٣", "½", "²", "=1+1", "@x", '"', "'", "\\", "\x00", "\ufeff", "\u2028", "\ud800", "🙂", "é", "<b>", "|", "`", "#",
    "Total", "Note: x", "n/a", "true", "failed", "ok", "2026-11-02", "2026-11-02T08:00:00Z", "9999-99-99", "0000-01-01",
    "9999-12-31T23:59:59-23:59", "spot", "EUR", "train", "serve", "wer", "1" + " " * 3000 + "x", "{", "[", "]", ":",
)  # fmt: skip
letters = st.characters(exclude_categories=())
texts = st.text(letters, max_size=12)
cells = st.one_of(
    st.sampled_from(NASTY),
    st.integers(-(10**6), 10**6).map(str),
    st.floats(0, 1e5).map(lambda x: f"{x:.4g}"),
    texts,
)
headers = st.one_of(
    st.sampled_from(KNOWN),
    st.sampled_from(RATES),
    st.sampled_from(sorted(CONDITIONS)),
    st.tuples(st.sampled_from(KNOWN), st.sampled_from(sorted(TIME_UNITS))).map(lambda p: f"{p[0]} ({p[1]})"),
    st.sampled_from(("arm", "run", "duration_s", "price_usd_per_hour", "cost_usd", "wer", "ttft_p99_ms", "sd_wer")),
    texts,
)
names = st.sampled_from(NAMES)


def check(*posted: PostedFile) -> None:
    """Reading and deciding end, in values that can be told."""
    pilot, problems = read_pilot(posted, Settings())
    decision = analyse(Evidence(postings=posted), TODAY)
    for problem in (*problems, *decision.problems):
        _can_be_told(problem)
    assert [run for run in pilot.runs if run.left_out is None and not _is_measured(run)] == []
    assert decision.pilot == pilot


def _can_be_told(problem: Problem) -> None:
    assert sentence(problem, "en")
    assert isinstance(fix(problem, "en"), str)
    assert problem.row is None or problem.row >= 1
    problem.model_dump_json().encode()


def _is_measured(run: Run) -> bool:
    """Times and throughput of a run that counts are finite and above zero."""
    measured = [x for x in (run.duration_s, run.throughput) if x is not None]
    return all(math.isfinite(x) and x > 0 for x in measured) and all(map(math.isfinite, run.latency.values()))


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    """A header of known names, rows of two arms mostly, and cells that tools like ours get wrong."""
    header = ["arm", *draw(st.lists(headers, min_size=1, max_size=7))]
    rows = [
        [draw(st.sampled_from(("gpu", "trn2", "gpu", "trn2", "", "tpu"))), *(draw(cells) for _ in header[1:])]
        for _ in range(draw(st.integers(0, 7)))
    ]
    for row in rows:
        del row[len(row) - draw(st.sampled_from((0, 0, 0, 0, 1))) :]
    titles = draw(st.lists(st.lists(cells, min_size=1, max_size=2), max_size=2))
    return [*titles, header, *rows]


@st.composite
def mutated(draw: st.DrawFn, data: bytes) -> bytes:
    """Bytes with a few slices removed, doubled, overwritten or moved."""
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(data)))
        end = min(at + draw(st.integers(0, 40)), len(data))
        new = draw(st.one_of(st.binary(max_size=6), st.just(data[at:end] * 2), st.sampled_from(NASTY).map(_encoded)))
        data = data[:at] + new + data[end:]
    return data


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _delimited(rows: Sequence[Sequence[str]], delimiter: str, quote: bool, ending: str) -> str:
    def cell(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if quote else text

    return ending.join(delimiter.join(map(cell, row)) for row in rows)


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([*lines[:1], "|" + "---|" * len(rows[0]), *lines[1:]])


def _zipped(members: Sequence[tuple[str, bytes]]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number, (name, data) in enumerate(members):
            archive.writestr(zipfile.ZipInfo(f"{number}/{name}"), data)
    return stream.getvalue()


def _workbook(rows: Sequence[Sequence[str]]) -> bytes:
    """A workbook without the time of its making, so that examples repeat."""
    book, made, stream = Workbook(), io.BytesIO(), io.BytesIO()
    for row in rows:
        book.active.append(["".join(c for c in text if c.isprintable()) for text in row])
    book.save(made)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(stream, "w") as new:
        for name in sorted(old.namelist(), key=lambda n: n != "[Content_Types].xml"):
            if not name.startswith("docProps"):
                new.writestr(zipfile.ZipInfo(name), old.read(name))
    return stream.getvalue()


@fuzzed
@given(names, st.one_of(st.binary(max_size=400), st.binary(min_size=1, max_size=3).map(lambda b: b * 500)))
def test_any_bytes(name: str, data: bytes) -> None:
    check(PostedFile.from_bytes(name, data))


@fuzzed
@given(st.data())
def test_samples_with_flaws(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(SAMPLES))
    check(PostedFile.from_bytes(path.name, data.draw(mutated(path.read_bytes()[:3000]))))


@fuzzed
@given(
    names, tables(), st.sampled_from(",;\t|"), st.booleans(), st.sampled_from(("\n", "\r\n", "\r")),
    st.sampled_from(ENCODINGS),
)  # fmt: skip
def test_tables(name: str, rows: list[list[str]], mark: str, quote: bool, ending: str, encoding: str) -> None:
    text = _delimited(rows, mark, quote, ending)
    check(PostedFile.from_bytes(name, text.encode(encoding, "replace")))


@fuzzed
@given(tables())
def test_markdown_tables(rows: list[list[str]]) -> None:
    check(PostedFile.from_bytes("comment.md", _encoded(_markdown(rows))))


scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), cells)
trees = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.one_of(headers, texts), inner, max_size=5)),
    max_leaves=12,
)
records = st.lists(st.dictionaries(headers, scalars, max_size=6), max_size=5)
tool_keys = st.sampled_from(("duration", "completed", "failed", "num_prompts", "total_output_tokens", "p99_ttft_ms"))
tool_files = st.dictionaries(tool_keys, trees, max_size=6).map(
    lambda extra: {"duration": 1, "completed": 1, "total_output_tokens": 1} | extra
)
events = st.lists(
    st.fixed_dictionaries(
        {"key": st.sampled_from(("run_start", "run_stop", "eval_accuracy", "submission_benchmark", "seed"))},
        optional={"time_ms": st.one_of(st.integers(), st.floats()), "value": trees, "metadata": trees},
    ),
    max_size=8,
)


def _json_lines(values: object) -> str:
    return "\n".join(json.dumps(v) for v in values) if isinstance(values, list) else json.dumps(values)


def _yaml(value: object) -> str:
    return str(yaml.safe_dump(json.loads(json.dumps(value)), allow_unicode=True))


WRITERS: tuple[Callable[[object], str], ...] = (json.dumps, _json_lines, lambda v: json.dumps(v, indent=1), _yaml)


@fuzzed
@given(names, st.one_of(trees, records, tool_files, st.lists(tool_files, max_size=3)), st.sampled_from(WRITERS))
def test_trees(name: str, value: object, write: Callable[[object], str]) -> None:
    check(PostedFile.from_bytes(name, _encoded(write(value))))


@fuzzed
@given(events)
def test_training_logs(found: list[dict[str, object]]) -> None:
    log = "\n".join(f":::MLLOG {json.dumps(event)}" for event in found)
    check(PostedFile.from_bytes("gpu/result_0.txt", _encoded(log)))


@fuzzed
@given(texts, st.lists(st.tuples(st.sampled_from(("csv", "json", "yaml", "", "text", "python")), texts, tables())))
def test_comments(prose: str, blocks: list[tuple[str, str, list[list[str]]]]) -> None:
    fences = [f"{text}\n\n```{kind}\n{_delimited(rows, ',', True, chr(10))}\n```\n" for kind, text, rows in blocks[:3]]
    comment = f"### Workload\n\n{prose}\n\nprice_usd_per_hour: {prose}\n\n" + "\n".join(fences)
    check(PostedFile.from_bytes("comment-1.md", _encoded(comment)))


@fuzzed
@given(st.lists(st.tuples(names, tables()), max_size=3), st.data())
def test_archives(members: list[tuple[str, list[list[str]]]], data: st.DataObject) -> None:
    held = [(name, _encoded(_delimited(rows, ",", True, "\n"))) for name, rows in members]
    packed = data.draw(st.sampled_from((_zipped(held), gzip.compress(_zipped(held), mtime=0))))
    posted = data.draw(st.one_of(st.just(packed), mutated(packed)))
    check(PostedFile.from_bytes("pilot.zip", posted))


@fuzzed
@given(tables(), st.data())
def test_workbooks(rows: list[list[str]], data: st.DataObject) -> None:
    made = _workbook(rows)
    posted = data.draw(st.one_of(st.just(made), mutated(made)))
    check(PostedFile.from_bytes("pilot.xlsx", posted))


@fuzzed
@given(tables(), st.sampled_from(SAMPLES))
def test_several_files(rows: list[list[str]], sample: Path) -> None:
    mine = PostedFile.from_bytes("gpu/a.csv", _encoded(_delimited(rows, ",", True, "\n")))
    sidecar = PostedFile.from_bytes("gpu/a.env", b"BATCH_SIZE=4\nMODEL_ID='x'\n")
    check(mine, sidecar, PostedFile.from_bytes(f"trn2/{sample.name}", sample.read_bytes()[:3000]), mine)
