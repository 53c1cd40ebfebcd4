"""The buyer's quantity: the ratio of arithmetic means, candidate over incumbent, with an interval that holds at n = 3.

Method and its measured coverage: `docs/method.md`.
"""

import math
from collections.abc import Sequence

from scoring.model.estimates import Design, RatioEstimate
from scoring.statistics.blocks import block_totals, blocks_worked, design_of, only_counted, shared_blocks, weighed
from scoring.statistics.samples import ArmSample, bounded_exp, mean, t_quantile, variance, welch_nu

SCREENING_RUNS = 2
EXACT = 1e-24
"""Relative variances below this are rounding, not spread."""


def ratio_of_means(
    incumbent: ArmSample, candidate: ArmSample, confidence: float, design: Design | None = None
) -> RatioEstimate:
    """theta = (ΣC_B/ΣW_B) / (ΣC_A/ΣW_A) with its two-sided interval at `confidence`.

    Unpaired runs take Welch's t on the log ratio. Shared blocks take the linearised paired t, each block counting
    alike (`blocks.run_weights`). Of arms that share one block alone only its runs count; where the arms have several
    blocks each and share too few of them, the block is the unit that is sampled. Runs or blocks without
    work keep their cost and are no observations. Never raises: without an honest interval the ends are None and
    `reason` says why.
    """
    design = design or design_of(incumbent, candidate)
    if design in (Design.PAIRED, Design.BLOCKED, Design.ONE_BLOCK):
        incumbent, candidate = weighed(incumbent, candidate)
    a, b = incumbent.per_unit, candidate.per_unit
    runs = _worked(incumbent, candidate)
    if a is None or b is None or not 0 < b / a < math.inf:
        idle = math.fsum(incumbent.work) <= 0 or math.fsum(candidate.work) <= 0
        return _refused("no-work" if idle else "not-positive", None, confidence, runs)
    if design is Design.CONFOUNDED:
        return _refused("confounded", b / a, confidence, runs)
    if min(runs.values()) < SCREENING_RUNS:
        return _refused("one-run", b / a, confidence, runs)
    if design in (Design.PAIRED, Design.BLOCKED):
        return _blocked(incumbent, candidate, confidence, design, runs)
    return _unpaired(incumbent, candidate, confidence, design, runs)


def _worked(incumbent: ArmSample, candidate: ArmSample) -> dict[str, int]:
    return {"n_incumbent": incumbent.worked, "n_candidate": candidate.worked}


def _unpaired(
    incumbent: ArmSample, candidate: ArmSample, confidence: float, design: Design, runs: dict[str, int]
) -> RatioEstimate:
    """Welch's t on the unit that was sampled: runs, the runs of the one shared block, or block totals."""
    if design is Design.SEPARATE_BLOCKS:
        return _welch(block_totals(incumbent), block_totals(candidate), confidence, "welch-blocks", runs)
    if design is Design.ONE_BLOCK:
        a, b = only_counted(incumbent), only_counted(candidate)
        return _welch(a, b, confidence, "welch-one-block", _worked(a, b))
    return _welch(incumbent, candidate, confidence, "welch-log-ratio", runs)


def _refused(reason: str, point: float | None, confidence: float, runs: dict[str, int]) -> RatioEstimate:
    return RatioEstimate(point=point, confidence=confidence, method="none", reason=reason).model_copy(update=runs)


def relative_residuals(sample: ArmSample) -> list[float]:
    """weight · (C_i − r·W_i) / C̄ for each run: its mean is 0 and its variance cv² of the ratio of sums."""
    per_unit, average = sample.per_unit, sample.total_cost / sample.n
    assert per_unit is not None  # noqa: S101 - the caller refused samples without work
    runs = zip(sample.weights, sample.cost, sample.work, strict=True)
    return [w * (c - per_unit * x) / average for w, c, x in runs]


def _welch(
    incumbent: ArmSample, candidate: ArmSample, confidence: float, method: str, runs: dict[str, int]
) -> RatioEstimate:
    if incumbent.per_unit is None or candidate.per_unit is None:
        return _refused("no-work", None, confidence, runs)
    theta = _theta(incumbent, candidate)
    if min(incumbent.worked, candidate.worked) < SCREENING_RUNS:
        return _refused("one-run", theta, confidence, runs)
    a = variance_of_mean(relative_residuals(incumbent), incumbent.worked)
    b = variance_of_mean(relative_residuals(candidate), candidate.worked)
    if a + b < EXACT:
        return _refused("no-spread", theta, confidence, runs)
    nu = welch_nu(a, incumbent.worked, b, candidate.worked)
    estimate = _interval(theta, math.sqrt(a + b), nu, confidence, method, False, runs)
    return _in_units(estimate, min(incumbent.worked, candidate.worked))


def variance_of_mean(values: Sequence[float], worked: int) -> float:
    """s²/n with only `worked` (two or more) of the n values for observations: s²(n − 1)/n² · w/(w − 1).

    Failed runs that cost next to nothing leave exactly what the runs that did work say.
    """
    n = len(values)
    found = variance(values) / n
    return found if worked == n else found * (n - 1) / n * worked / (worked - 1)


def _in_units(estimate: RatioEstimate, units: int) -> RatioEstimate:
    """Two blocks are a screening as two runs are, however many runs stand in them."""
    screening = units <= SCREENING_RUNS or estimate.qualifier == "screening"
    return estimate.model_copy(update={"units": units, "qualifier": "screening" if screening else None})


def _theta(incumbent: ArmSample, candidate: ArmSample) -> float:
    a, b = incumbent.per_unit, candidate.per_unit
    assert a is not None and b is not None  # noqa: S101 - as above
    return b / a


def block_differences(incumbent: ArmSample, candidate: ArmSample) -> list[float]:
    """Per shared block, the mean relative residual of the candidate's runs less that of the incumbent's.

    With equal work and one run a block this is b_i/ȳ − a_i/x̄.
    """
    incumbent, candidate = weighed(incumbent, candidate)
    shared = shared_blocks(incumbent, candidate)
    means_a, means_b = (block_means(sample, shared) for sample in (incumbent, candidate))
    return [b - a for a, b in zip(means_a, means_b, strict=True)]


def block_means(sample: ArmSample, shared: Sequence[str]) -> list[float]:
    """Mean relative residual of each shared block: by the weights n / S runs count in each of S blocks."""
    sums = dict.fromkeys(shared, 0.0)
    for residual, label in zip(relative_residuals(sample), sample.block, strict=True):
        if label in sums:
            sums[label] += residual
    return [total * len(shared) / sample.n for total in sums.values()]


def _blocked(
    incumbent: ArmSample, candidate: ArmSample, confidence: float, design: Design, runs: dict[str, int]
) -> RatioEstimate:
    differences = block_differences(incumbent, candidate)
    theta = _theta(incumbent, candidate)
    blocks = blocks_worked(incumbent, candidate)
    if blocks < SCREENING_RUNS:
        return _refused("one-run", theta, confidence, runs)
    se2 = variance_of_mean(differences, blocks)
    if se2 < EXACT:
        return _refused("no-spread", theta, confidence, runs)
    method = f"{design.value}-linearised"
    estimate = _interval(theta, math.sqrt(se2), blocks - 1, confidence, method, True, runs)
    return _in_units(estimate, blocks)


def _interval(
    theta: float, se_log: float, nu: float, confidence: float, method: str, paired: bool, runs: dict[str, int]
) -> RatioEstimate:
    half = t_quantile((1 + confidence) / 2, nu) * se_log
    lo, hi = bounded_exp(math.log(theta) - half), bounded_exp(math.log(theta) + half)
    fewest = min(runs.values())
    return RatioEstimate(
        point=theta,
        lo=lo,
        hi=hi,
        confidence=confidence,
        method=method,
        paired=paired,
        nu=nu,
        se_log=se_log,
        qualifier="screening" if fewest <= SCREENING_RUNS else None,
        n_incumbent=runs["n_incumbent"],
        n_candidate=runs["n_candidate"],
        units=fewest,
    )


def ratio_from_summaries(
    mean_a: float,
    sd_a: float | None,
    n_a: int | None,
    mean_b: float,
    sd_b: float | None,
    n_b: int | None,
    confidence: float,
) -> RatioEstimate:
    """The unpaired ratio from posted means, standard deviations and run counts per arm."""
    runs = {"n_incumbent": n_a or 0, "n_candidate": n_b or 0}
    if not (mean_a > 0 and mean_b > 0):
        return _refused("no-work", None, confidence, runs)
    theta = mean_b / mean_a
    if n_a is None or n_b is None:
        return _refused("summary-without-n", theta, confidence, runs)
    if min(n_a, n_b) < SCREENING_RUNS:
        return _refused("one-run", theta, confidence, runs)
    if sd_a is None or sd_b is None:
        return _refused("summary-without-sd", theta, confidence, runs)
    a, b = (sd_a / mean_a) ** 2 / n_a, (sd_b / mean_b) ** 2 / n_b
    if a + b < EXACT:
        return _refused("no-spread", theta, confidence, runs)
    return _interval(theta, math.sqrt(a + b), welch_nu(a, n_a, b, n_b), confidence, "summary-welch", False, runs)


def paired_log_ratio(a: Sequence[float], b: Sequence[float], confidence: float) -> RatioEstimate:
    """Sensitivity: paired t on log ratios, which targets the ratio of geometric means."""
    logs = [math.log(y / x) for x, y in zip(a, b, strict=True)]
    runs = {"n_incumbent": len(a), "n_candidate": len(b)}
    centre = mean(logs)
    if len(logs) < SCREENING_RUNS or variance(logs) < EXACT:
        return _refused("no-spread", bounded_exp(centre), confidence, runs)
    se = math.sqrt(variance(logs) / len(logs))
    return _interval(bounded_exp(centre), se, len(logs) - 1, confidence, "paired-log-ratio", True, runs)


def geometric_welch(a: Sequence[float], b: Sequence[float], confidence: float) -> RatioEstimate:
    """Sensitivity: Welch's t on logs, which targets the ratio of geometric means."""
    logs_a, logs_b = [math.log(x) for x in a], [math.log(y) for y in b]
    runs = {"n_incumbent": len(a), "n_candidate": len(b)}
    theta = bounded_exp(mean(logs_b) - mean(logs_a))
    if min(len(a), len(b)) < SCREENING_RUNS:
        return _refused("one-run", theta, confidence, runs)
    va, vb = variance(logs_a) / len(a), variance(logs_b) / len(b)
    if va + vb < EXACT:
        return _refused("no-spread", theta, confidence, runs)
    nu = welch_nu(va, len(a), vb, len(b))
    return _interval(theta, math.sqrt(va + vb), nu, confidence, "geometric-welch", False, runs)
