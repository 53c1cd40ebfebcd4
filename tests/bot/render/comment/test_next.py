"""What the reply suggests can change the answer, and each comparison says where the rest of it stands."""

import re

import pytest

from bot.render import figures
from bot.render.comment import render_comment
from bot.render.comment.links import Links, without_links
from tests.bot.render.comment.test_golden import POSTED
from tests.samples import decision
from tests.scoring.helpers import decide


@pytest.mark.parametrize(
    ("price", "upward", "told"),
    [
        (39.884, False, "39.8"), (39.884, True, "39.9"), (49.4, True, "49.5"), (49.4, False, "49.3"),
        (16.441, True, "16.5"), (1234.5, False, "1230"), (0.01239, False, "0.0123"), (0.0, True, None),
    ],
)  # fmt: skip
def test_a_suggested_price_lies_strictly_beyond(price: float, upward: bool, told: str | None) -> None:
    assert figures.beyond(price, upward) == told


def _suggested(comment: str) -> float | None:
    found = re.search(r"--set price\.\w+=([\d.]+)` tells the answer at that price", comment)
    return float(found[1]) if found else None


@pytest.mark.parametrize("name", ["dearer"])
def test_a_stay_tries_a_price_below_the_one_that_changes_it(name: str) -> None:
    of = decide(*POSTED[name])
    band, price = of.economics.walk_away.candidate_price, _suggested(render_comment(of))
    assert of.verdict.word == "STAY"
    assert band is not None
    assert price is not None
    assert price < band.point


def test_a_move_tries_a_price_above() -> None:
    of = decision("llama2-70b-lora")
    band, price = of.economics.walk_away.candidate_price, _suggested(render_comment(of))
    assert band is not None
    assert price is not None
    assert price > band.point


def test_what_is_blocked_by_a_region_suggests_no_price_and_repeats_no_text() -> None:
    comment = render_comment(decision("eu-only"))
    assert _suggested(comment) is None
    assert comment.count("What unblocks it") == 1
    assert "`none`" not in comment


def test_what_is_asked_for_has_a_name() -> None:
    rows = (
        "gpu,1,3600,55,7.4\ngpu,2,3590,55,7.5\ngpu,3,3610,55,7.4\ntrn2,1,4010,35,\ntrn2,2,3995,35,\ntrn2,3,4020,35,\n"
    )
    posted = decide(("p.csv", "arm,run,duration_s,price_usd_per_hour,wer\n" + rows), **{"margin.wer": "0.3"})
    comment = render_comment(posted)
    assert posted.verdict.word == "BLOCKED"
    assert "**Next:** Post `wer` for both arms" in comment
    assert _suggested(comment) is None


def test_each_comparison_names_its_memo_and_where_the_settings_stand() -> None:
    of = decide(*POSTED["two-workloads"])
    comment = render_comment(of)
    first, second = comment.split("Comparison 2 of 2")
    assert "Memo of this comparison: `memo.xlsx`" in first
    assert "Memo of this comparison: `memo-2.xlsx`" in second
    assert "settings in force stand in comparison 1" in second
    assert comment.splitlines()[-1].startswith("Memo: `memo.xlsx`, `memo-2.xlsx`")
    assert "memo" not in render_comment(of, files_written=False)
    in_thread = render_comment(of, Links.of(2))
    assert "Memo of this comparison: [memo-2.xlsx](memo-2.xlsx)" in in_thread
    assert "memo" not in without_links(in_thread)
    assert "Comparison 2 of 2" in without_links(in_thread)


@pytest.mark.parametrize(("name", "title"), [("llama2-70b-lora", "What the contracts do to it"), ("", "What it costs")])
def test_contracts_head_the_plans_only_where_there_are_any(name: str, title: str) -> None:
    of = decision(name) if name else decide(*POSTED["dearer"], demand="300")
    assert f"**{title}**" in render_comment(of)
