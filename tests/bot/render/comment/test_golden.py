"""Approved replies: every sample, and what people post by mistake. `--refresh-golden` rewrites them."""

from collections.abc import Callable

import pytest

from bot.render.comment import render_comment
from tests.samples import NAMES, STORIES, decision
from tests.scoring.helpers import decide

Golden = Callable[[str, str], None]
HEAD = "arm,run,duration_s,price_usd_per_hour\n"
GPU = "gpu,1,3600,55\ngpu,2,3590,55\ngpu,3,3610,55\n"
TRN = "trn2,1,4010,35\ntrn2,2,3995,35\ntrn2,3,4020,35\n"

POSTED = {
    "nothing": (),
    "empty-file": (("pilot.csv", ""),),
    "header-only": (("pilot.csv", HEAD),),
    "binary": (("pilot.csv", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00"),),
    "prose": (("notes.txt", "We liked the new machines.\nThey were fast.\n"),),
    "one-arm": (("pilot.csv", HEAD + GPU),),
    "three-arms": (("pilot.csv", HEAD + GPU + TRN + GPU.replace("gpu", "tpu")),),
    "no-arm-column": (("pilot.csv", "run,duration_s\n1,3600\n2,3700\n3,3650\n"),),
    "no-unit": (("pilot.csv", "arm,time\ngpu,60\ngpu,61\ntrn2,70\ntrn2,71\n"),),
    "two-workloads": ((
        "pilot.csv",
        "workload,arm,run,duration_s,price_usd_per_hour,wer\n"
        + "".join(f"asr,{row},7.{i}\n" for i, row in enumerate((GPU + TRN).split()))
        + "".join(f"tts,{row},3.{i}\n" for i, row in enumerate((GPU + TRN).split())),
    ),),
    "several-candidates": (("pilot.csv", HEAD + GPU + TRN + "".join(
        f"{arm},{run},{seconds},55\n"
        for arm, mean in (("tpu-v5e", 3000), ("mi300x", 3569), ("gaudi3", 3900), ("inf2", 3600))
        for run, seconds in enumerate((mean - 20, mean, mean + 20), start=1)
    ) + "l40s,1,3500,30\n".replace("l40s", "old-one")),),
    "proven-alone-only": ((
        "pilot.csv",
        "workload,phase,arm,run,duration_s,price_usd_per_hour\n" + "".join(
            f"{work},{phase},{arm},{run},{seconds * (1 + x):.1f},36\n"
            for work, phase, arm, seconds in (
                ("asr", "train", "gpu", 1000), ("asr", "train", "trn2", 959), ("asr", "serve", "gpu", 1000),
                ("asr", "serve", "trn2", 1010), ("tts", "train", "gpu", 1000), ("tts", "train", "trn2", 1300),
            )
            for run, x in enumerate((-0.02, 0.0, 0.02, 0.01), start=1)
        ),
    ),),
    "no-price": (("pilot.csv", "arm,run,duration_s,wer\ngpu,1,3600,7.4\ngpu,2,3590,7.5\ngpu,3,3610,7.4\n"
                  "trn2,1,4010,7.4\ntrn2,2,3995,7.5\ntrn2,3,4020,7.5\n"),),
    "dearer": (("pilot.csv", HEAD + GPU + TRN.replace(",35", ",70")),),
    "worse-quality": (("pilot.csv", "arm,run,duration_s,price_usd_per_hour,wer\n" + "".join(
        f"{row},{7.4 + 2 * row.startswith('trn2') + i / 100:.2f}\n" for i, row in enumerate((GPU + TRN).split()))),),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_samples(name: str, golden: Golden) -> None:
    golden(f"comments/sample-{name}.md", render_comment(decision(name)))


@pytest.mark.parametrize("name", STORIES)
def test_stories(name: str, golden: Golden) -> None:
    golden(f"comments/story-{name.removeprefix('contracts/')}.md", render_comment(decision(name)))


@pytest.mark.parametrize("name", POSTED)
def test_postings(name: str, golden: Golden) -> None:
    golden(f"comments/posted-{name}.md", render_comment(decide(*POSTED[name])))


def test_without_the_assumed_price_the_headline_sample_is_blocked_with_the_walk_away_price(golden: Golden) -> None:
    text = "prices:\n  gaudi2:\n    per_hour: 12.00"
    unpriced = decision(
        "llama2-70b-lora", replaced={"steelyard.yml": (text, "prices:\n  nobody:\n    per_hour: 12.00")}
    )
    assert unpriced.verdict.word == "BLOCKED"
    assert unpriced.economics.walk_away.candidate_price is not None
    golden("comments/llama2-without-price.md", render_comment(unpriced))
