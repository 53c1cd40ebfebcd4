"""An EXTEND names what is missing: runs, days that both arms share, or a fact that no run brings."""

import pytest

from bot.render.comment import render_comment
from scoring.analysis import Evidence, analyse
from scoring.reading.posted import PostedFile
from tests.scoring.scenes import TODAY

SUMMARY = "arm,{}duration_s,price_usd_per_hour\n"


@pytest.mark.parametrize(
    ("text", "headline", "step"),
    [
        (
            "arm,block,duration_s,price_usd_per_hour\n"
            + "".join(f"{a},{a}day,{3600 + i},{p}\n" for a, p in (("gpu", 10), ("trn2", 5)) for i in range(4)),
            "run both arms on the same days or machines, 3 more",
            "run both arms on the same days or machines",
        ),
        (
            "arm,duration_s,price_usd_per_hour\n" + "gpu,3600,10\n" * 1 + "gpu,3600,10\n" * 3 + "trn2,3700,5\n" * 4,
            "something other than runs is missing",
            "with more digits",
        ),
        (
            "arm,n,duration_s,price_usd_per_hour\ngpu,5,3600,10\ntrn2,5,3700,5\n",
            "something other than runs is missing",
            "add the standard deviation between runs",
        ),
        (
            "arm,duration_s,price_usd_per_hour\ngpu,3600 ± 40,10\ntrn2,3900 ± 60,8\n",
            "something other than runs is missing",
            "add a column `runs`",
        ),
        (
            "arm,run,duration_s,price_usd_per_hour\ngpu,1,3600,10\ngpu,2,3610,10\ntrn2,1,3900,8\n",
            "run 2 more per arm",
            "run 2 more per arm",
        ),
    ],
)
def test_what_is_missing_stands_in_the_heading_and_in_the_next_step(text: str, headline: str, step: str) -> None:
    found = analyse(Evidence((PostedFile.from_bytes("p.csv", text.encode()),)), today=TODAY)
    reply = render_comment(found)
    assert found.verdict.word == "EXTEND"
    assert headline in reply.splitlines()[0]
    assert step in reply.split("**Next:**")[1].splitlines()[0]
    assert "would likely settle it" not in reply
