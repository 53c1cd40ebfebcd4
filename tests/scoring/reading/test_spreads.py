"""A spread is what its header says: a standard error is no standard deviation."""

import math

import pytest

from scoring.analysis import Evidence, analyse
from scoring.model.decision import Decision
from scoring.reading.headers import meaning_of
from scoring.reading.posted import PostedFile
from scoring.reading.spreads import as_deviation, without_spread
from tests.scoring.scenes import TODAY


@pytest.mark.parametrize(
    ("header", "bare", "kind"),
    [
        ("duration_s (mean ± SE)", "duration_s", "se"),
        ("duration ± SE (s)", "duration (s)", "se"),
        ("time (s), mean +/- s.e.m.", "time (s)", "se"),
        ("Duración (s) ± error estándar", "duracion (s)", "se"),
        ("duration (s) ± standard error of the mean", "duration (s)", "se"),
        ("duration (mean ± stderr, s)", "duration (s)", "se"),
        ("duration_s mean (SE)", "duration_s", "se"),
        ("time (s), mean ± 95% CI", "time (s)", "ci95"),
        ("tiempo (s) ± IC 95 %", "tiempo (s)", "ci95"),
        ("duration_s ± SD", "duration_s", "sd"),
        ("duration_s ± desviación típica", "duration_s", "sd"),
        ("duration_s ± range", "duration_s", "unclear"),
        ("duration_s ± 2 SE", "duration_s", "unclear"),
        ("duration (±, s)", "duration (±, s)", ""),
        ("duration_s", "duration_s", ""),
        ("mean (seconds)", "mean (seconds)", ""),
    ],
)
def test_what_a_header_says_of_its_spread(header: str, bare: str, kind: str) -> None:
    found = without_spread(header)
    assert found[1] == kind
    assert not kind or found[0] == bare


@pytest.mark.parametrize(
    ("header", "of", "kind"),
    [
        ("duration_stderr", "duration:", "se"),
        ("duration_sem_s", "duration:", "se"),
        ("se_of_duration_s", "duration:", "se"),
        ("cost_usd_standard_error", "cost:", "se"),
        ("duration_s_ci95", "duration:", "ci95"),
        ("duration_sd", "duration:", ""),
    ],
)
def test_columns_of_spreads(header: str, of: str, kind: str) -> None:
    found = meaning_of(header)
    assert (found.field, found.name, found.spread) == ("spread", of, kind)


@pytest.mark.parametrize("header", ["phase", "license", "response", "house_price", "dataset"])
def test_words_that_only_end_alike_are_no_spreads(header: str) -> None:
    assert meaning_of(header).field != "spread"


def test_a_standard_error_takes_the_number_of_runs() -> None:
    assert as_deviation(2.0, "se", 9) == pytest.approx(6.0)
    assert as_deviation(1.96, "ci95", 4) == pytest.approx(2.0, rel=1e-4)
    assert (as_deviation(2.0, "sd", None), as_deviation(2.0, "se", None), as_deviation(2.0, "unclear", 9)) == (
        2,
        None,
        None,
    )


def posted(header: str, a: str, b: str) -> Decision:
    head = f"| arm | n | {header} | price_usd_per_hour |"
    text = f"{head}\n|---|---|---|---|\n| gpu | 9 | {a} | 10 |\n| trn2 | 9 | {b} | 10 |\n"
    return analyse(Evidence((PostedFile.from_bytes("p.md", text.encode()),)), today=TODAY)


@pytest.mark.parametrize(
    ("header", "word", "code"),
    [
        ("duration_s (mean ± SD)", "SWITCH", None),
        ("duration_s (mean ±)", "SWITCH", "plus-minus-is-sd"),
        ("duration_s (mean ± SE)", "EXTEND", "spread-is-se"),
        ("duration_s (mean ± 95 % CI)", "SWITCH", "spread-is-ci95"),
        ("duration_s (mean ± range)", None, "spread-unclear"),
    ],
)
def test_a_saving_that_standard_deviations_prove_standard_errors_do_not(
    header: str, word: str | None, code: str | None
) -> None:
    found = posted(header, "3600 ± 100", "3350 ± 110")
    told = {p.code for p in found.problems} & {"plus-minus-is-sd", "spread-is-se", "spread-is-ci95", "spread-unclear"}
    assert (found.verdict.word, told) == (word, {code} - {None})


def test_the_interval_is_that_of_the_deviation() -> None:
    by_error = posted("duration_s ± SE", "3600 ± 100", "3350 ± 110")
    by_deviation = posted("duration_s ± SD", "3600 ± 300", "3350 ± 330")
    assert by_error.cost is not None and by_deviation.cost is not None
    assert by_error.cost.theta.lo is not None and not math.isnan(by_error.cost.theta.lo)
    assert (by_error.cost.theta.lo, by_error.cost.theta.hi) == pytest.approx(
        (by_deviation.cost.theta.lo, by_deviation.cost.theta.hi)
    )


def test_a_spread_below_zero_is_refused() -> None:
    text = "arm,n,mean_duration_s,sd_duration_s,price_usd_per_hour\ngpu,5,3600,-40,10\ntrn2,5,3900,60,8\n"
    found = analyse(Evidence((PostedFile.from_bytes("p.csv", text.encode()),)), today=TODAY)
    (asked,) = [p for p in found.problems if p.code == "spread-negative"]
    assert (found.verdict.word, asked.found, asked.column) == (None, "-40", "sd_duration_s")


def test_the_items_error_of_a_single_run_makes_no_summary() -> None:
    text = "arm,duration_s,price_usd_per_hour,acc,acc_stderr\ngpu,3600,10,0.81,0.01\ntrn2,3900,8,0.812,0.01\n"
    found = analyse(Evidence((PostedFile.from_bytes("p.csv", text.encode()),)), today=TODAY)
    assert (len(found.pilot.runs), len(found.pilot.summaries)) == (2, 0)
