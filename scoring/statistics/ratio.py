"""The buyer's quantity: the ratio of arithmetic means, candidate over incumbent, with an interval that holds at n = 3.

Method and its measured coverage: `docs/method.md`.
"""

import math
from collections.abc import Sequence

from scoring.model.estimates import Design, RatioEstimate
from scoring.statistics.samples import ArmSample, bounded_exp, mean, t_quantile, variance, welch_nu

SCREENING_RUNS = 2
EXACT = 1e-24
"""Relative variances below this are rounding, not spread."""


def design_of(incumbent: ArmSample, candidate: ArmSample) -> Design:
    """How the runs belong together, by their blocks.

    Paired: the same blocks in both arms, one run each. Blocked: the same with several. Confounded: every run has a
    block, the arms share none, and an arm has one block only. All else is unpaired.
    """
    blocks_a, blocks_b = set(incumbent.block), set(candidate.block)
    if None in blocks_a | blocks_b:
        return Design.UNPAIRED
    if blocks_a == blocks_b and len(blocks_a) > 1:
        single = len(blocks_a) == incumbent.n == candidate.n
        return Design.PAIRED if single else Design.BLOCKED
    if not blocks_a & blocks_b and min(len(blocks_a), len(blocks_b)) == 1:
        return Design.CONFOUNDED
    return Design.UNPAIRED


def ratio_of_means(
    incumbent: ArmSample, candidate: ArmSample, confidence: float, design: Design | None = None
) -> RatioEstimate:
    """theta = (ΣC_B/ΣW_B) / (ΣC_A/ΣW_A) with its two-sided interval at `confidence`.

    Unpaired runs take Welch's t on the log ratio; shared blocks take the linearised paired t. Where the arms have
    several blocks each but do not share them all, the block is the unit that is sampled. Never raises: without
    an honest interval the ends are None and `reason` says why.
    """
    a, b = incumbent.per_unit, candidate.per_unit
    runs = {"n_incumbent": incumbent.n, "n_candidate": candidate.n}
    if a is None or b is None or not 0 < b / a < math.inf:
        idle = math.fsum(incumbent.work) <= 0 or math.fsum(candidate.work) <= 0
        return _refused("no-work" if idle else "not-positive", None, confidence, runs)
    design = design or design_of(incumbent, candidate)
    if design is Design.CONFOUNDED:
        return _refused("confounded", b / a, confidence, runs)
    if min(incumbent.n, candidate.n) < SCREENING_RUNS:
        return _refused("one-run", b / a, confidence, runs)
    if design in (Design.PAIRED, Design.BLOCKED):
        return _blocked(incumbent, candidate, confidence, design, runs)
    return _welch(_sampled(incumbent), _sampled(candidate), confidence, runs)


def _refused(reason: str, point: float | None, confidence: float, runs: dict[str, int]) -> RatioEstimate:
    return RatioEstimate(point=point, confidence=confidence, method="none", reason=reason).model_copy(update=runs)


def relative_residuals(sample: ArmSample) -> list[float]:
    """(C_i − r·W_i) / C̄ for each run: its mean is 0 and its variance cv² of the ratio of sums."""
    per_unit, average = sample.per_unit, mean(sample.cost)
    assert per_unit is not None  # noqa: S101 - the caller refused samples without work
    return [(c - per_unit * w) / average for c, w in zip(sample.cost, sample.work, strict=True)]


def _sampled(sample: ArmSample) -> ArmSample:
    """Runs of several blocks, as block totals where an arm has more than one run in a block."""
    blocks = list(dict.fromkeys(sample.block))
    if None in blocks or len(blocks) in (1, sample.n):
        return sample
    cost = tuple(_total(sample.cost, sample.block, block) for block in blocks)
    work = tuple(_total(sample.work, sample.block, block) for block in blocks)
    return ArmSample(cost=cost, work=work, block=tuple(blocks))


def _total(values: Sequence[float], labels: Sequence[str | None], label: str | None) -> float:
    return math.fsum(v for v, of in zip(values, labels, strict=True) if of == label)


def _welch(incumbent: ArmSample, candidate: ArmSample, confidence: float, runs: dict[str, int]) -> RatioEstimate:
    a = variance(relative_residuals(incumbent)) / incumbent.n
    b = variance(relative_residuals(candidate)) / candidate.n
    theta = _theta(incumbent, candidate)
    if a + b < EXACT:
        return _refused("no-spread", theta, confidence, runs)
    nu = welch_nu(a, incumbent.n, b, candidate.n)
    return _interval(theta, math.sqrt(a + b), nu, confidence, "welch-log-ratio", False, runs)


def _theta(incumbent: ArmSample, candidate: ArmSample) -> float:
    a, b = incumbent.per_unit, candidate.per_unit
    assert a is not None and b is not None  # noqa: S101 - as above
    return b / a


def block_differences(incumbent: ArmSample, candidate: ArmSample) -> list[float]:
    """Per shared block, the mean relative residual of the candidate's runs less that of the incumbent's.

    With equal work and one run a block this is b_i/ȳ − a_i/x̄.
    """
    e_a, e_b = relative_residuals(incumbent), relative_residuals(candidate)
    means_a = {block: _mean_of(e_a, incumbent.block, block) for block in dict.fromkeys(incumbent.block)}
    means_b = {block: _mean_of(e_b, candidate.block, block) for block in dict.fromkeys(candidate.block)}
    return [means_b[block] - means_a[block] for block in means_a]


def _mean_of(values: Sequence[float], labels: Sequence[str | None], label: str | None) -> float:
    return mean([v for v, of in zip(values, labels, strict=True) if of == label])


def _blocked(
    incumbent: ArmSample, candidate: ArmSample, confidence: float, design: Design, runs: dict[str, int]
) -> RatioEstimate:
    differences = block_differences(incumbent, candidate)
    theta = _theta(incumbent, candidate)
    se2 = variance(differences) / len(differences)
    if se2 < EXACT:
        return _refused("no-spread", theta, confidence, runs)
    method = f"{design.value}-linearised"
    return _interval(theta, math.sqrt(se2), len(differences) - 1, confidence, method, True, runs)


def _interval(
    theta: float, se_log: float, nu: float, confidence: float, method: str, paired: bool, runs: dict[str, int]
) -> RatioEstimate:
    half = t_quantile((1 + confidence) / 2, nu) * se_log
    lo, hi = bounded_exp(math.log(theta) - half), bounded_exp(math.log(theta) + half)
    screening = min(runs.values()) <= SCREENING_RUNS
    return RatioEstimate(
        point=theta,
        lo=lo,
        hi=hi,
        confidence=confidence,
        method=method,
        paired=paired,
        nu=nu,
        se_log=se_log,
        qualifier="screening" if screening else None,
        n_incumbent=runs["n_incumbent"],
        n_candidate=runs["n_candidate"],
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
