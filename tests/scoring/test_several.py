"""Several workloads, phases and candidates in one posting: tested together, and never the best of many untested."""

import random
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.looks import comparison_key, looks_made
from scoring.model.decision import Basis, Claim, Decision, Multiplicity, Word
from tests.scoring.helpers import codes, csv

HEAD = "workload,phase,arm,run,duration_s,price_usd_per_hour,wer\n"
GIVEN = "margins: {wer: 0.3}\nbaseline: gpu\n"
SPREAD = (-0.02, 0.0, 0.02, 0.01)
"""Of the runs about their mean."""


def rows(
    arm: str, mean: float, workload: str = "", phase: str = "", wer: float = 7.0, runs: Iterable[float] = SPREAD
) -> list[str]:
    return [
        f"{workload},{phase},{arm},{i},{mean * (1 + x):.3f},36,{wer + x:.3f}\n" for i, x in enumerate(runs, start=1)
    ]


def table(*parts: Sequence[str]) -> str:
    return HEAD + "".join(line for part in parts for line in part)


def pair(workload: str, ratio: float, **more: str) -> list[str]:
    return [*rows("gpu", 1000, workload, **more), *rows("trn2", 1000 * ratio, workload, **more)]


def everything(decision: Decision) -> list[Decision]:
    return [decision, *decision.others]


def family(decision: Decision) -> Multiplicity:
    assert decision.multiplicity is not None
    return decision.multiplicity


def told(decision: Decision) -> dict[tuple[str | None, str], tuple[Word | None, bool, float | None, float | None, int]]:
    """What is said of each comparison, without the order."""
    return {
        (c.workload, c.candidate): (c.word, c.is_chosen, c.p, c.p_adjusted, c.rank) for c in family(decision).claims
    }


def proven(decision: Decision) -> set[tuple[str | None, str]]:
    return {(c.workload, c.candidate) for c in family(decision).claims if c.is_proven}


BORDER = 0.96
"""Proven alone in four runs, and not among three."""


def test_one_comparison_is_not_corrected() -> None:
    decision = csv(table(pair("asr", BORDER)), settings=GIVEN)
    assert (decision.verdict.word, decision.verdict.basis) == (Word.SWITCH, Basis.PROVEN)
    assert (decision.multiplicity, decision.claim, decision.rivals) == (None, None, ())


@pytest.mark.parametrize(
    ("words", "ratios"),
    [
        (["SWITCH", "SWITCH", "SWITCH"], (0.7, 0.7, 0.7)),
        (["SWITCH", "STAY", "STAY"], (0.7, 1.4, 1.4)),
        (["EXTEND", "STAY", "STAY"], (BORDER, 1.4, 1.4)),
        (["EXTEND", "EXTEND", "EXTEND"], (BORDER, BORDER, BORDER)),
        (["SWITCH", "SWITCH", "SWITCH"], (BORDER, 0.7, 0.7)),
    ],
)
def test_of_three_workloads_a_claim_must_stand_among_all(words: list[str], ratios: tuple[float, ...]) -> None:
    decision = csv(table(*(pair(f"w{i}", r) for i, r in enumerate(ratios))), settings=GIVEN)
    assert [d.verdict.word for d in everything(decision)] == words
    assert family(decision).size == 3


def test_what_is_proven_alone_only_says_so_and_what_would_settle_it() -> None:
    decision = csv(table(pair("asr", BORDER), pair("tts", 1.0), pair("mt", 1.0)), settings=GIVEN)
    claim, (reason, *others) = decision.claim, decision.verdict.reasons
    assert claim is not None
    assert (claim.alone, claim.word, decision.verdict.basis) == (Word.SWITCH, Word.EXTEND, Basis.ECONOMIC)
    assert (reason.code, reason.arguments["claims"], reason.arguments["adjusted"]) == (
        "not-among-several", 3, claim.p_adjusted,
    )  # fmt: skip
    assert not {r.code for r in others} & {"interval-holds-break-even", "looks-widen", "guardrail-undecided"}
    assert claim.p is not None and claim.level is not None
    assert claim.level < claim.p < family(decision).alpha
    assert decision.next_runs is not None and decision.next_runs.likely


def test_phases_of_a_workload_are_claims_of_their_own() -> None:
    decision = csv(table(pair("asr", BORDER, phase="train"), pair("asr", 1.0, phase="serve")), settings=GIVEN)
    assert [(c.phase, c.p_adjusted) for c in family(decision).claims] == [
        ("train", pytest.approx(2 * (decision.claim.p if decision.claim and decision.claim.p else 0))),
        ("serve", pytest.approx(1.0, abs=0.5)),
    ]


def test_inside_a_workload_every_part_must_pass_uncorrected() -> None:
    """An intersection–union test: the p of the claim is the largest of its parts, and no part is held to less."""
    both = csv(table(pair("asr", 0.7), pair("tts", 0.7)), settings=GIVEN).claim
    worse = csv(table(rows("gpu", 1000, "asr"), rows("trn2", 700, "asr", wer=7.29), pair("tts", 0.7)), settings=GIVEN)
    assert both is not None and both.p_cost is not None and worse.claim is not None
    assert both.p == max(both.p_cost, *both.p_guardrails.values())
    assert worse.claim.p == worse.claim.p_guardrails["wer"] > family(worse).alpha
    assert worse.verdict.word not in (Word.SWITCH, Word.SPLIT)
    assert all(r.code.startswith("guardrail-undecid") for r in worse.verdict.reasons)


@pytest.mark.parametrize(
    ("chosen", "words", "means"),
    [
        ("b", {"a": "SWITCH", "b": "SWITCH", "c": "EXTEND"}, {"a": 800, "b": 600, "c": 1000}),
        ("a", {"a": "SWITCH", "b": "STAY"}, {"a": 800, "b": 1300}),
        ("b", {"a": "STAY", "b": "EXTEND"}, {"a": 1300, "b": 1000}),
        ("a", {"a": "EXTEND", "b": "EXTEND", "c": "EXTEND"}, {"a": 1000 * BORDER, "b": 1000, "c": 1001}),
        ("b", {"a": "STAY", "b": "STAY"}, {"a": 1400, "b": 1300}),
    ],
)
def test_of_several_candidates_the_one_that_saves_most_among_the_proven_is_told(
    chosen: str, words: dict[str, str], means: dict[str, float]
) -> None:
    decision = csv(table(rows("gpu", 1000), *(rows(arm, mean) for arm, mean in means.items())), settings=GIVEN)
    assert decision.candidate == chosen
    assert {c.candidate: c.word for c in family(decision).claims} == words
    assert {c.candidate for c in decision.rivals} == set(means) - {chosen}
    assert decision.verdict.word == words[chosen]
    assert all(c.reasons for c in decision.rivals)


def test_money_chooses_among_the_proven_and_says_who_was_left() -> None:
    cheap_but_bad = rows("bad", 500, wer=9.0)
    decision = csv(table(rows("gpu", 1000), rows("a", 800), rows("b", 700), cheap_but_bad),
                   settings=GIVEN + "demand: 1000\n")  # fmt: skip
    reasons: dict[str, Claim] = {c.candidate: c for c in decision.rivals}
    assert (decision.candidate, decision.verdict.word) == ("b", Word.SWITCH)
    assert reasons["a"].reasons[0].code == "another-saves-more"
    assert reasons["bad"].reasons[0].code == "quality-inferior"
    assert decision.claim is not None and decision.claim.saving is not None
    assert reasons["a"].saving is not None and decision.claim.saving > reasons["a"].saving


@pytest.mark.parametrize(("word", "candidates"), [("SWITCH", ("a",)), ("EXTEND", ("a", "b"))])
def test_the_best_of_several_is_never_moved_to_without_proof(word: str, candidates: tuple[str, ...]) -> None:
    """With no run left in the plan one candidate alone is judged by what is expected; the best of two is not."""
    wide = (-0.2, 0.2, 0.1, -0.1)
    text = table(rows("gpu", 1000, runs=wide), *(rows(arm, 960 + 5 * i, runs=wide) for i, arm in enumerate(candidates)))
    decision = csv(text, settings="margins: {wer: 1.7}\nbaseline: gpu\nplanned_runs_per_arm: 4\n")
    assert (decision.verdict.word, decision.verdict.basis, decision.candidate) == (word, Basis.ECONOMIC, "a")
    assert ("best-of-several" in {r.code for r in decision.verdict.reasons}) == (len(candidates) > 1)


def test_every_candidate_was_looked_at_and_counts_as_that_later() -> None:
    decision = csv(table(rows("gpu", 1000), rows("a", 800), rows("b", 700)), settings=GIVEN)
    made = looks_made(decision)
    assert {look.comparison for look in made} == {comparison_key(None, None, ["gpu", arm]) for arm in ("a", "b")}
    assert {(look.runs_incumbent, look.runs_candidate) for look in made} == {(4, 4)}


def test_a_candidate_that_was_asked_for_is_compared_alone_and_the_others_are_named() -> None:
    text = table(rows("gpu", 1000), rows("a", 800), rows("b", 700))
    decision = csv(text, settings=GIVEN, candidate="a")
    (left,) = [p for p in decision.problems if p.code == "arms-left-out"]
    assert (decision.candidate, decision.verdict.word, left.found, left.arguments["arms"]) == (
        "a", Word.SWITCH, "a", "b",
    )  # fmt: skip
    assert decision.multiplicity is None
    assert "arms-left-out" not in codes(csv(text, settings=GIVEN))


ratios = st.sampled_from([0.6, 0.94, 0.95, BORDER, 1.0, 1.2])
postings = st.lists(ratios, min_size=2, max_size=4)
SAME = 1 + 1e-9
few = settings(max_examples=12, deadline=None)


@few
@given(postings, st.randoms(use_true_random=False))
def test_the_order_of_workloads_and_rows_changes_nothing(of: list[float], lot: random.Random) -> None:
    lines = [line for i, ratio in enumerate(of) for line in pair(f"w{i}", ratio)]
    shuffled = list(lines)
    lot.shuffle(shuffled)
    assert told(csv(HEAD + "".join(shuffled), settings=GIVEN)) == told(csv(HEAD + "".join(lines), settings=GIVEN))


@few
@given(postings, st.randoms(use_true_random=False))
def test_the_order_of_candidates_changes_nothing(of: list[float], lot: random.Random) -> None:
    candidates = [rows(f"c{i}", 1000 * ratio) for i, ratio in enumerate(of)]
    shuffled = [rows("gpu", 1000), *candidates]
    lot.shuffle(shuffled)
    one, other = csv(table(*shuffled), settings=GIVEN), csv(table(rows("gpu", 1000), *candidates), settings=GIVEN)
    assert (told(one), one.candidate, one.verdict) == (told(other), other.candidate, other.verdict)


@few
@given(postings)
def test_the_correction_never_makes_a_claim_easier(of: list[float]) -> None:
    for claim in family(csv(table(*(pair(f"w{i}", r) for i, r in enumerate(of))), settings=GIVEN)).claims:
        assert claim.p is not None and claim.p_adjusted is not None and claim.p_triage is not None
        assert claim.p <= claim.p_triage * SAME and claim.p_triage <= claim.p_adjusted * SAME
        assert not claim.is_proven or claim.alone in (Word.SWITCH, Word.SPLIT)
        assert claim.is_proven == (claim.p_adjusted <= 0.05 and claim.alone in (Word.SWITCH, Word.SPLIT))


@few
@given(postings, st.sampled_from([1.0, 1.3, 3.0]))
def test_a_hopeless_workload_never_turns_a_refusal_into_a_claim(of: list[float], hopeless: float) -> None:
    posted = [pair(f"w{i}", ratio) for i, ratio in enumerate(of)]
    before = proven(csv(table(*posted), settings=GIVEN))
    after = proven(csv(table(*posted, pair("hopeless", hopeless)), settings=GIVEN))
    assert after <= before
