"""The reply tells the level at which it judges, not a usual one."""

from bot.render.comment import render_comment
from scoring.model.decision import Decision
from tests.samples import decision
from tests.scoring.helpers import decide


def _method(of: Decision, beginning: str) -> str:
    return next(line for line in render_comment(of).splitlines() if line.startswith(f"- {beginning}"))


def test_quality_is_told_at_the_level_of_the_look() -> None:
    early = decision("llama2-70b-lora", "planned_runs_per_arm=60")
    assert early.looks is not None
    assert f"an error of {100 * early.looks.level:.2f} %" in _method(early, "Quality:")
    assert "95 %" not in _method(early, "Quality:")


def test_without_a_look_quality_is_told_at_the_confidence() -> None:
    rows = "".join(f"{arm},{i},{3600 + i},55,{7.4 + i / 10}\n" for arm in ("gpu", "trn2") for i in range(2))
    screened = decide(("p.csv", "arm,run,duration_s,price_usd_per_hour,wer\n" + rows))
    assert screened.looks is None
    assert "confidence 95 %" in _method(screened, "Quality:")


def test_a_look_that_takes_more_than_the_interval_leaves_says_so() -> None:
    late, early = (decision("llama2-70b-lora", f"planned_runs_per_arm={planned}") for planned in (10, 30))
    assert "more than the 2.50 %" in _method(late, "Looks:")
    assert "more than" not in _method(early, "Looks:")
