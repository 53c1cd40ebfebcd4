"""Which looks count, what they leave, and that asking often proves nothing more."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.comment import render_comment
from scoring.analysis import Evidence, analyse
from scoring.looks import Plan, comparison_key, looks_at, looks_made, looks_problems, with_bounds
from scoring.model.decision import Decision
from scoring.model.estimates import RatioEstimate
from scoring.model.looks import EarlierLook, Looks
from scoring.reading.posted import PostedFile
from scoring.statistics.sequential import nominal_levels, pocock_spending
from tests.samples import TODAY, decision

KEY = comparison_key("asr", "finetune", ("gpu", "trn2"))
OTHER = comparison_key("llm", "finetune", ("gpu", "trn2"))
TEN, THIRTY = Plan(planned=10, declared=True, alpha=0.05), Plan(planned=30, declared=False, alpha=0.05)
THETA = RatioEstimate(point=0.9, lo=0.8, hi=1.0, confidence=0.95, method="welch-log-ratio", nu=6.5, se_log=0.03)


def at(runs: int, candidate: int | None = None, key: str | None = KEY, planned: int | None = None) -> EarlierLook:
    return EarlierLook(comparison=key, runs_incumbent=runs, runs_candidate=candidate or runs, planned=planned)


def look(runs: int, *earlier: EarlierLook, plan: Plan = TEN) -> Looks:
    return looks_at(KEY, (runs, runs), earlier, plan)


FRESH = look(6).level
AFTER_FOUR = nominal_levels(0.05, (0.4, 0.6))[-1]
ONE_MORE = pocock_spending(0.05, 0.8) - pocock_spending(0.05, 0.7)

TABLE: list[tuple[str, float, str, list[int], Looks]] = [
    ("a first look", pocock_spending(0.05, 0.6), "open", [], look(6)),
    ("one after two", nominal_levels(0.05, (0.3, 0.4, 0.6))[-1], "open", [3, 4], look(6, at(3), at(4))),
    ("the same runs again are the same look", FRESH, "open", [], look(6, at(6), at(6))),
    ("of another workload", FRESH, "open", [], look(6, at(4, key=OTHER))),
    ("told by hand, for whatever is compared", AFTER_FOUR, "open", [4], look(6, at(4, key=None))),
    ("two runs could prove nothing", FRESH, "open", [], look(6, at(2), at(1))),
    ("a first look beyond the plan spends all", 0.05, "open", [], look(14)),
    ("the plan was reached before", 0.0, "used-up", [10], look(12, at(10))),
    ("a plan made longer gives nothing back", 0.0, "used-up", [10], look(12, at(10, planned=10), plan=THIRTY)),
    ("runs taken away: what one more would have brought", ONE_MORE, "fewer-runs", [7], look(6, at(7))),
    ("runs taken away after the plan was reached", 0.0, "used-up", [10], look(6, at(10))),
]


@pytest.mark.parametrize(("what", "level", "state", "earlier", "got"), TABLE, ids=[row[0] for row in TABLE])
def test_a_look(what: str, level: float, state: str, earlier: list[int], got: Looks) -> None:
    assert (got.level, got.state) == (pytest.approx(level, abs=1e-9), state)
    assert [e.runs_incumbent for e in got.earlier] == earlier


def test_the_look_that_passes_the_plan_takes_what_is_left() -> None:
    found = look(12, at(6))
    left = 0.05 - pocock_spending(0.05, 0.6)
    assert left < found.level < 0.05
    assert found.now.spent == pytest.approx(0.05)


def test_information_is_the_harmonic_mean_of_the_runs() -> None:
    found = looks_at(KEY, (3, 10), [], THIRTY)
    assert found.now.fraction == pytest.approx(2 / (1 / 3 + 1 / 10) / 30)
    assert looks_at(KEY, (10, 3), [], THIRTY).level == found.level


def test_a_comparison_is_the_same_whichever_arm_is_the_incumbent() -> None:
    assert comparison_key("asr", None, ("a", "b")) == comparison_key("asr", None, ("b", "a"))
    others = {comparison_key("asr", "serve", ("gpu", "trn2")), comparison_key("asr", "finetune", ("gpu", "trn1"))}
    assert len({KEY, OTHER, *others}) == 4


def test_the_order_of_looks_does_not_matter() -> None:
    made = (at(3), at(5, 4), at(7, planned=20))
    assert len({look(9, *order).model_dump_json() for order in permutations(made)}) == 1


@given(st.lists(st.integers(3, 29), max_size=5), st.integers(3, 30), st.integers(3, 29))
def test_looks_never_narrow_the_bounds_and_never_spend_more_than_alpha(made: list[int], now: int, more: int) -> None:
    few = with_bounds(look(now, *map(at, made), plan=THIRTY), THETA)
    many = with_bounds(look(now, *map(at, [*made, more]), plan=THIRTY), THETA)
    alone = with_bounds(look(now, plan=THIRTY), THETA)
    assert few.now.spent <= 0.05 + 1e-12
    assert few.level <= alone.level + 1e-9
    if max([*made, more]) < now:
        assert many.level <= few.level * 1.01
    if few.theta_upper is not None and few.theta_lower is not None:
        assert alone.theta_upper is not None
        assert few.theta_upper >= alone.theta_upper - 1e-9
        assert few.theta_lower <= 0.9 <= few.theta_upper


def test_without_an_interval_or_anything_left_there_are_no_bounds() -> None:
    none = RatioEstimate(point=0.9, confidence=0.95, method="none", reason="no-spread")
    assert with_bounds(look(6), none).theta_upper is None
    assert with_bounds(look(6), None).theta_upper is None
    assert with_bounds(look(12, at(10)), THETA).theta_upper is None


def test_runs_that_were_taken_away_are_said() -> None:
    (said,) = looks_problems(look(6, at(7, 9)))
    assert (said.code, said.found, said.expected) == ("looks-fewer-runs", "6", "7/9")
    assert looks_problems(look(6, at(3))) == []
    assert looks_problems(None) == []


GPU, TRN2 = (3600, 3590, 3610, 3605, 3580, 3615), (4010, 3995, 4020, 3990, 4030, 4005)


def pilot(runs: int, *overrides: str, looks: tuple[EarlierLook, ...] = (), price: float = 48.0) -> Decision:
    rows = ["arm,run,duration_s,price_usd_per_hour"]
    for arm, times, at_price in (("gpu", GPU, 55), ("trn2", TRN2, price)):
        rows += [f"{arm},{i},{seconds},{at_price}" for i, seconds in enumerate(times[:runs], start=1)]
    posted = PostedFile.from_bytes("pilot.csv", "\n".join(rows).encode())
    return analyse(Evidence((posted,), overrides=overrides, looks=looks), today=TODAY)


def reasons(found: Decision) -> list[str]:
    return [r.code for r in found.verdict.reasons]


def test_what_one_look_shows_is_not_yet_proven_for_all_of_thirty_runs() -> None:
    close = pilot(3, price=49.0)
    assert close.cost is not None
    assert close.cost.theta.hi is not None
    assert close.cost.theta.hi < 1
    assert close.looks is not None
    assert close.looks.theta_upper is not None
    assert close.looks.theta_upper > 1
    assert "cheaper-proven" not in reasons(close)
    assert "cheaper-proven" in reasons(pilot(3, "planned_runs_per_arm=3", price=49.0))


def test_a_whole_plan_at_once_may_prove_what_the_two_sided_interval_leaves_open() -> None:
    found = pilot(3, "planned_runs_per_arm=3", price=49.1)
    assert found.cost is not None
    assert found.cost.theta.hi is not None
    assert found.cost.theta.hi > 1
    assert (found.verdict.word, reasons(found)[:2]) == ("SWITCH", ["cheaper-proven", "one-side-proven"])


def test_earlier_looks_reach_the_decision_by_settings_and_by_the_thread() -> None:
    first = pilot(3)
    (made,) = looks_made(first)
    assert (made.runs_incumbent, made.planned, made.comparison) == (3, 30, first.looks and first.looks.key)
    by_thread, by_hand = pilot(6, looks=(made,)), pilot(6, "earlier_looks=3")
    assert by_thread.looks is not None
    assert by_hand.looks is not None
    assert by_thread.looks.level == by_hand.looks.level < look(6, plan=THIRTY).level
    assert pilot(6, "earlier_looks=3, 4, 5").settings.earlier_looks == (3, 4, 5)


def test_an_answer_that_could_prove_nothing_is_no_look() -> None:
    assert looks_made(pilot(2)) == ()
    assert looks_made(pilot(3, "approved_regions=eu-central-1")) == ()


def test_guardrails_are_held_to_the_level_of_the_look() -> None:
    """An intersection–union test needs each of its parts at alpha over all looks."""
    first = decision("speech-finetune").quality[0]
    later = decision("speech-finetune", "earlier_looks=3,4").quality[0]
    assert first.difference == later.difference
    assert first.proven_lower is not None
    assert later.proven_lower is not None
    assert first.difference.lower is not None
    assert later.proven_lower < first.proven_lower < first.difference.lower


def test_a_proof_at_more_runs_than_were_planned_names_the_runs_that_it_holds_for() -> None:
    found = pilot(6, "planned_runs_per_arm=4")
    assert [r.arguments["planned"] for r in found.verdict.reasons if r.code == "cheaper-proven"] == [6]
    assert "this look, at 6 runs an arm, lies beyond the 4 planned ones" in render_comment(found)


WITH_QUALITY = "arm,run,duration_s,price_usd_per_hour,quality_metric,quality_value\n" + "".join(
    f"{arm},{i},{seconds},{price},wer,{7.4 + 0.01 * (i % 3):.2f}\n"
    for arm, price, times in (("gpu", 55, GPU), ("trn2", 40, TRN2))
    for i, seconds in enumerate(times, start=1)
)


def test_a_guardrail_that_no_look_is_left_for_is_not_told_as_failed() -> None:
    """The quality lies well inside its margin; what is missing is doubt to spend, and the reply says what to do."""
    posted = (PostedFile.from_bytes("pilot.csv", WITH_QUALITY.encode()),)
    given = ("margin.wer=0.3", "planned_runs_per_arm=5", "demand=500")
    open_one = analyse(Evidence(posted, overrides=given), today=TODAY)
    used_up = analyse(Evidence(posted, overrides=(*given, "earlier_looks=5")), today=TODAY)
    assert (open_one.verdict.word, used_up.verdict.word) == ("SWITCH", "STAY")
    assert reasons(used_up) == ["guardrail-not-judged"]
    assert [f.code for f in used_up.flips] == ["fresh-runs"]
    said = render_comment(used_up)
    assert "is not shown to hold" not in said
    assert "shown to be worse by no more" not in said
    assert "no doubt is left" in said and "fresh runs of both arms" in said
