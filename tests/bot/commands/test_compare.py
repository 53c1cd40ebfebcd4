"""/compare: the decision as a reply with links, its files, and the facts of the index; or why it was not run."""

import io
import json
from hashlib import sha256
from pathlib import Path

import openpyxl
import pytest

from bot.dossier import Outcome
from bot.render.comment import render_comment
from bot.render.comment.links import Links, with_links
from scoring.problems import error, warning
from tests.bot.commands.dossiers import PILOT, answered, dossier, of_sample
from tests.samples import NAMES, decision
from tests.scoring.helpers import decide

BASE = "https://github.com/org/repo/blob/steelyard/decisions/2026Q4/issue-7/1"


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_decided_as_offline(name: str) -> None:
    wanted, answer = decision(name), answered(of_sample("/compare", name))
    assert answer.outcome.value == (wanted.verdict.word or "no-verdict").lower()
    draft = ["records.md"] if wanted.records else []
    assert list(answer.files) == ["comment.md", "decision.json", "memo.xlsx", *draft]
    assert answer.files["comment.md"].decode() == answer.body
    assert answer.body.splitlines()[0] == render_comment(wanted).splitlines()[0]
    calendar = " · [calendar of deadlines](../../../../calendar/deadlines.ics)" if wanted.dates else ""
    drafted = " · [draft record of processing](records.md)" if draft else ""
    last = f"\nMemo: [memo.xlsx](memo.xlsx) · decision record: [decision.json](decision.json){drafted}{calendar}\n"
    assert answer.body.endswith(last)
    assert (answer.dates, answer.decided_on) == (wanted.dates, wanted.decided_on)
    assert answer.facts["word"] == wanted.verdict.word
    assert (answer.facts["incumbent"], answer.facts["candidate"]) == (wanted.incumbent, wanted.candidate)
    assert answer.facts["memo_sha256"] == sha256(answer.files["memo.xlsx"]).hexdigest()


def test_the_same_dossier_gives_the_same_bytes() -> None:
    asked = of_sample("/compare", "speech-finetune")
    assert answered(asked) == answered(asked)


def test_settings_of_the_comment_win(tmp_path: Path) -> None:
    posted = {"pilot.csv": PILOT}
    assert answered(dossier("/compare", tmp_path, posted, "margins: {wer: 1}")).outcome is Outcome.SWITCH
    answer = answered(dossier("/compare price.trn2=90", tmp_path, posted, "margins: {wer: 1}"))
    assert answer.outcome is Outcome.STAY
    assert "**`prices.trn2.per_hour`: `90`**" in answer.body


def test_who_posted_what_is_shown_everywhere(tmp_path: Path) -> None:
    answer = answered(dossier("/compare", tmp_path, {"pilot.csv": PILOT}, by="octo-cat"))
    assert "- `pilot.csv`, posted by `octo-cat`: rows read 6" in answer.body
    assert json.loads(answer.files["decision.json"])["inputs"][0]["posted_by"] == "octo-cat"
    book = openpyxl.load_workbook(io.BytesIO(answer.files["memo.xlsx"]))
    cells = {str(cell.value) for row in book["Audit"].iter_rows() for cell in row if cell.value}
    assert {"Posted by", "octo-cat"} <= cells


def test_of_files_from_disk_nobody_is_said_to_have_posted_them(tmp_path: Path) -> None:
    answer = answered(dossier("/compare", tmp_path, {"pilot.csv": PILOT}, by=None))
    assert "posted by" not in answer.body
    assert "posted_by" not in json.loads(answer.files["decision.json"])["inputs"][0]


def test_several_comparisons_have_a_memo_each_and_links_to_them(tmp_path: Path) -> None:
    lines = PILOT.splitlines()
    rows = [f"{w},{row}" for w in ("asr", "tts") for row in lines[1:]]
    answer = answered(dossier("/compare", tmp_path, {"pilot.csv": "\n".join([f"workload,{lines[0]}", *rows])}))
    assert list(answer.files) == ["comment.md", "decision.json", "memo.xlsx", "memo-2.xlsx"]
    linked = with_links(answer.body, BASE)
    for name in ("memo.xlsx", "memo-2.xlsx", "decision.json"):
        assert f"[{name}]({BASE}/{name})" in linked


def test_a_long_reply_keeps_its_links_and_room_for_addresses() -> None:
    rows = "".join(f"w{w},{row}\n" for w in range(90) for row in PILOT.splitlines()[1:])
    decided = decide(("pilot.csv", f"workload,{PILOT.splitlines()[0]}\n{rows}"))
    body = render_comment(decided, Links.of(90))
    assert "GitHub's limit" in body
    assert body.count("<details>") == body.count("</details>")
    assert body.splitlines()[-1].endswith(" and 84 more beside them · decision record: [decision.json](decision.json)")
    assert len(with_links(body, BASE)) < 65_536 - 600


def test_the_next_step_is_a_slash_command() -> None:
    body = answered(of_sample("/compare", "llama2-70b-lora")).body
    assert "`/whatif price.gaudi2=16.5`" in body
    assert "--set" not in body


def test_where_runs_are_missing_the_next_step_is_a_plan() -> None:
    assert "· `/plan` for their cost and a run sheet" in answered(of_sample("/compare", "first-look")).body
    assert "/plan" not in render_comment(decision("first-look"))


def test_what_the_thread_could_not_give_keeps_the_verdict_back(tmp_path: Path) -> None:
    posted = {"pilot.csv": PILOT}
    unread = error("file-too-large", file="big.csv", found="900,000,000", expected="300,000,000")
    answer = answered(dossier("/compare margin.wer=1", tmp_path, posted, problems=(unread,)))
    assert answer.outcome is Outcome.NO_VERDICT
    assert answer.facts["word"] is None
    assert "`big.csv`" in answer.body
    noted = warning("file-empty", file="note.csv", found="0 bytes")
    mild = answered(dossier("/compare margin.wer=1", tmp_path, posted, problems=(noted,)))
    assert mild.outcome is Outcome.SWITCH
    assert "`note.csv`" in mild.body


def test_nothing_posted_gives_no_verdict(tmp_path: Path) -> None:
    answer = answered(dossier("/compare", tmp_path))
    assert answer.outcome is Outcome.NO_VERDICT
    assert "Nothing was posted" in answer.body


NOT_RUN = [
    ("/compare --set margin.wer=0.2", "", "option of the command line"),
    ("/compare horizon 18m", "", "`horizon=…`"),
    ('/compare workload="llama', "", "never closed"),
    ("/compare margn.wer=0.2", "", "Did you mean `margin`?"),
    ("/compare horizon=soon", "", "months from 1 to 120"),
    ("/compare", "horizn: 12m\n", "(`steelyard.yml`, line 1, column `horizn`)"),
    ("/compare", "a: [1\n", "no YAML"),
    ("/compare", "margins:\n  wer: -1\n", "line 2"),
]


@pytest.mark.parametrize(("text", "settings", "told"), NOT_RUN)
def test_not_run(text: str, settings: str, told: str, tmp_path: Path) -> None:
    answer = answered(dossier(text, tmp_path, {"pilot.csv": PILOT}, settings))
    assert answer.outcome is Outcome.REFUSED
    assert answer.files == {}
    assert told in answer.body
    assert answer.problems
    if not settings:
        assert "Usage: `/compare [path@ref …] [KEY=VALUE …]`" in answer.body


def test_the_section_of_the_bot_is_nothing_to_the_engine(tmp_path: Path) -> None:
    settings = "margins: {wer: 1}\ngithub: {ledger_branch: x}\n"
    assert answered(dossier("/compare", tmp_path, {"pilot.csv": PILOT}, settings)).outcome is Outcome.SWITCH


def test_a_part_of_a_price_is_checked_with_the_rest_of_it(tmp_path: Path) -> None:
    settings = "margins: {wer: 1}\nprices: {trn2: 30}\n"
    answer = answered(dossier("/compare price.trn2.basis=quote", tmp_path, {"pilot.csv": PILOT}, settings))
    assert answer.outcome is Outcome.SWITCH
