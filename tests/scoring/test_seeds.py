"""Runs of one seed are one observation of quality, and each a measurement of time."""

from typing import Any

import numpy as np
import pytest

from bot.render.comment import render_comment
from scoring.analysis import Evidence, analyse
from scoring.guardrails import compare_quality
from scoring.model.decision import Decision
from scoring.model.estimates import Direction
from scoring.model.pilot import Quality
from scoring.reading.posted import PostedFile
from scoring.seeds import by_seed
from tests.scoring.scenes import TODAY, arms, run, settings


def holds(incumbent: Any, candidate: Any, margin: float) -> Any:
    """Quality of runs given as (seed, accuracy)."""
    posted_rows = (("gpu", incumbent), ("trn2", candidate))
    both = arms(*([run(arm, seed=s, quality={"acc": v}) for s, v in rows] for arm, rows in posted_rows))
    (found,) = compare_quality(both, {"acc": Direction.HIGHER}, settings(margins={"acc": {"absolute": margin}}))
    return found


def test_each_seed_counts_once_and_runs_without_one_stand_for_themselves() -> None:
    readings = [
        ("1", Quality(value=0.8)),
        ("2", Quality(value=0.7)),
        ("1", Quality(value=0.9)),
        (None, Quality(value=0.6)),
    ]
    assert [(s, q.value) for s, q in by_seed(readings)] == [("1", pytest.approx(0.85)), ("2", 0.7), (None, 0.6)]
    assert by_seed(readings[:2]) == readings[:2]


def test_equal_counts_of_a_seed_stay_a_count() -> None:
    count = Quality(value=0.812, correct=812, items=1000)
    assert by_seed([("1", count), ("1", count)]) == [("1", count)]
    other = Quality(value=0.814, correct=814, items=1000)
    assert by_seed([("1", count), ("1", other)]) == [("1", Quality(value=0.813))]


@pytest.mark.parametrize("seeds", [(3, 3), (3, 4)])
def test_at_the_margin_repeated_seeds_pass_as_often_as_alpha_says(seeds: tuple[int, int]) -> None:
    """Five runs of each seed with hardly a noise of their own: independent runs would pass in about 28 %."""
    draw, passed = np.random.default_rng(8), 0
    for _ in range(150):
        rows = [
            [(f"{arm}{s}", mean + level + 1e-4 * draw.standard_normal()) for s in range(n)
             for level in [0.01 * draw.standard_normal()] for _ in range(5)]
            for arm, n, mean in zip("ab", seeds, (0.80, 0.78), strict=True)
        ]  # fmt: skip
        found = holds(*rows, margin=0.02)
        assert found.difference.method == "welch-t-seeds" and found.arms["trn2"].n == seeds[1]
        passed += found.non_inferior is True
    assert passed / 150 <= 0.09


def test_shared_seeds_are_paired_by_their_means() -> None:
    a = [(s, v) for s, v in zip("112233", (0.80, 0.82, 0.79, 0.79, 0.84, 0.82), strict=True)]
    b = [(s, v + 0.01 * int(s)) for s, v in a]
    found = holds(a, b, 0.02)
    assert (found.difference.method, found.difference.nu, found.non_inferior) == ("paired-t-seeds", 2, True)
    assert found.difference.point == pytest.approx(0.02)


def posted(*rows: str) -> Decision:
    text = "\n".join(["arm,run,seed,duration_s,price_usd_per_hour,acc", *rows])
    evidence = Evidence((PostedFile.from_bytes("p.csv", text.encode()),), overrides=("margin.acc=0.05",))
    return analyse(evidence, today=TODAY)


def pilot(seeds: int, quality: Any) -> Decision:
    return posted(
        *(f"{arm},{i},{i % seeds},{base + 20 * (i % 3)},{price},{quality(arm, i % seeds, i)}"
          for arm, base, price in (("gpu", 3600, 10), ("trn2", 3400, 5)) for i in range(6))
    )  # fmt: skip


@pytest.mark.parametrize(("seeds", "word"), [(1, "EXTEND"), (2, "EXTEND"), (3, "SWITCH"), (6, "SWITCH")])
def test_fewer_than_three_seeds_prove_nothing_and_the_reply_says_what_to_run(seeds: int, word: str) -> None:
    found = pilot(seeds, lambda arm, seed, i: f"{0.80 + 0.004 * (seed % 3) + 0.0002 * i * (arm == 'gpu'):.4f}")
    codes, reply = {p.code for p in found.problems}, render_comment(found)
    assert (found.verdict.word, "seed-repeated" in codes, "seeds-too-few" in codes) == (word, seeds < 6, seeds < 3)
    assert ("Run three seeds or more in each arm" in reply) is (seeds < 3)
    assert found.cost is not None and found.cost.theta.units == 6


def test_quality_that_never_varies_asks_for_what_would_show_something() -> None:
    found = pilot(6, lambda arm, seed, i: "0.81")
    assert found.verdict.word == "EXTEND"
    assert "post the scores of single items" in render_comment(found).split("**Next:**")[1]


def test_equal_counts_in_every_run_are_compared_over_their_items() -> None:
    found = pilot(6, lambda arm, seed, i: "8100/10000")
    assert (found.quality[0].difference.method, found.quality[0].difference.scope) == ("newcombe", "one-run")
    assert found.verdict.word == "SWITCH"
