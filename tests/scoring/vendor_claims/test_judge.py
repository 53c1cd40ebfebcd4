"""A claim against samples with known ratios: gaudi2 costs × 0.613 [0.571, 0.658] of h100."""

import math

import pytest

from scoring.vendor_claims import Judgement, Statement, Word, judge, parse
from scoring.vendor_claims.judge import word_of
from tests.samples import decision


def judged(text: str, sample: str = "llama2-70b-lora", *overrides: str) -> Judgement:
    claim = parse(text)
    assert isinstance(claim, Statement), claim
    return judge(claim, decision(sample, *overrides))


@pytest.mark.parametrize(
    ("word", "text"),
    [
        (Word.SUPPORTED, "30 % cheaper"),
        (Word.SUPPORTED, "30 % cheaper than h100"),
        (Word.SUPPORTED, "1.4x runs per dollar"),
        (Word.SUPPORTED, "between 30 % and 45 % cheaper"),
        (Word.SUPPORTED, "no more than 10 % more expensive"),
        (Word.SUPPORTED, "h100 costs 50 % more than gaudi2"),
        (Word.SUPPORTED, "compared with h100, gaudi2 is 30 % cheaper"),
        (Word.SUPPORTED, "moving from h100 to gaudi2 saves 30 %"),
        (Word.CONTRADICTED, "unlike gaudi2, h100 is 30 % cheaper"),
        (Word.CONTRADICTED, "replacing gaudi2 with h100 saves 30 %"),
        (Word.SUPPORTED, "up to 60 % cheaper"),
        (Word.NOT_SUPPORTED, "cuts cost by 40 %"),
        (Word.NOT_SUPPORTED, "up to 35 % cheaper"),
        (Word.CONTRADICTED, "half the cost"),
        (Word.CONTRADICTED, "20 % more expensive"),
        (Word.CONTRADICTED, "up to 20 % cheaper"),
        (Word.CONTRADICTED, "2x faster"),
        (Word.CONTRADICTED, "gaudi2 is 20 % dearer than h100"),
    ],
)
def test_the_words(word: Word, text: str) -> None:
    found = judged(text)
    assert (found.word, found.reason) == (word, None)
    assert found.lower is not None and found.upper is not None and found.point is not None
    assert found.lower < found.point < found.upper


@pytest.mark.parametrize(
    ("reason", "text", "sample", "overrides"),
    [
        ("other-arms", "A100 is 50 % dearer than gaudi2", "llama2-70b-lora", ()),
        ("other-arms", "30 % cheaper than TPU v5e", "llama2-70b-lora", ()),
        ("both-arms", "h100 and gaudi2: 30 % cheaper", "llama2-70b-lora", ()),
        ("energy", "30 % fewer watts", "llama2-70b-lora", ()),
        ("latency", "half the latency", "llama2-70b-lora", ()),
        ("screening", "30 % cheaper", "first-look", ()),
        ("other-unit", "30 % more images per dollar", "llm-serving", ()),
        ("unanswered", "30 % cheaper", "llama2-70b-lora", ("workload=another",)),
    ],
)
def test_not_tested_says_why(reason: str, text: str, sample: str, overrides: tuple[str, ...]) -> None:
    found = judged(text, sample, *overrides)
    assert (found.word, found.reason, found.lower) == (Word.NOT_TESTED, reason, None)


def test_an_up_to_is_read_both_ways() -> None:
    assert judged("up to 60 % cheaper").as_least is Word.CONTRADICTED
    assert judged("up to 35 % cheaper").as_least is Word.NOT_SUPPORTED


def test_an_open_claim_names_the_runs_that_decide_it_or_that_none_do() -> None:
    open_claim, too_close = judged("up to 35 % cheaper").more, judged("38 % cheaper").more
    assert open_claim is not None and open_claim.likely is not None and 5 <= open_claim.likely <= 20
    assert too_close is not None and too_close.likely is None
    first = judged("30 % cheaper", "first-look").more
    assert first is not None and (first.goal, first.likely) == ("least", 1)


def test_a_claim_of_the_incumbent_is_turned_around() -> None:
    found = judged("h100 costs 50 % more than gaudi2")
    assert found.inverted
    assert found.statement.high == pytest.approx(1 / 1.5)


def test_looking_often_widens_what_a_claim_is_held_against() -> None:
    once, often = judged("cuts cost by 40 %"), judged("cuts cost by 40 %", "llama2-70b-lora", "earlier_looks=3,5,7,9")
    assert once.upper is not None and often.upper is not None
    assert often.upper > once.upper


@pytest.mark.parametrize(
    ("low", "high", "lower", "upper", "word"),
    [
        (None, 0.6, 0.5, 0.59, Word.SUPPORTED), (None, 0.6, 0.5, 0.61, Word.NOT_SUPPORTED),
        (None, 0.6, 0.61, 0.7, Word.CONTRADICTED), (0.6, None, 0.61, 0.7, Word.SUPPORTED),
        (0.6, None, 0.5, 0.59, Word.CONTRADICTED), (0.5, 0.7, 0.55, 0.65, Word.SUPPORTED),
        (0.5, 0.7, 0.4, 0.8, Word.NOT_SUPPORTED), (0.5, 0.7, 0.71, 0.8, Word.CONTRADICTED),
        (None, 0.6, 0.6, math.inf, Word.NOT_SUPPORTED),
    ],
)  # fmt: skip
def test_an_interval_against_a_claim(
    low: float | None, high: float | None, lower: float, upper: float, word: Word
) -> None:
    assert word_of(low, high, lower, upper) is word
