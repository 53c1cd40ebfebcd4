"""How many more runs an arm would decide a guardrail that is neither shown to hold nor to fail."""

import math
from collections.abc import Callable, Mapping, Sequence

from scipy.special import nctdtr

from scoring.decide import ENOUGH_RUNS
from scoring.looks import next_level
from scoring.model.decision import LatencyComparison, QualityComparison
from scoring.model.looks import Looks
from scoring.model.settings import Settings
from scoring.statistics.quality import margin_of
from scoring.statistics.ratio import SCREENING_RUNS
from scoring.statistics.sample_size import POWER, smallest_runs
from scoring.statistics.samples import mean, t_quantile, variance

Level = Callable[[int], float]
"""The one-sided level of a look at so many runs of each arm."""


def runs_for_guardrails(
    quality: Sequence[QualityComparison],
    latency: Sequence[LatencyComparison],
    candidate: str,
    settings: Settings,
    looks: Looks | None,
) -> Mapping[str, int | None]:
    """Further runs an arm that decide each open guardrail with power .8, if it is where it was measured.

    The level is that of the next look, after those so far. None where no number of the plan does; no entry where the
    spread is not known, or with too few runs for any proof.
    """
    if looks is None:
        return {}
    level, limit = next_level(looks, settings.planned_runs_per_arm, 1 - settings.confidence), looks.planned
    found = {q.metric: _of_quality(q, level, limit) for q in quality if not q.non_inferior and not q.inferior}
    found |= {
        x.metric: _of_latency(x, candidate, level, limit)
        for x in latency
        if x.is_guardrail and not x.passes and not x.fails
    }
    return {metric: runs or None for metric, runs in found.items() if runs is not None}


def _of_quality(quality: QualityComparison, level: Level, limit: int) -> int | None:
    d, runs = quality.difference, min((arm.n for arm in quality.arms.values()), default=0)
    if d.point is None or not d.se or d.nu is None:
        return None
    distance = d.point + margin_of(quality.margin, quality.margin_is_relative)
    return _more(distance, d.se, d.nu, runs, level, limit)


def _of_latency(latency: LatencyComparison, candidate: str, level: Level, limit: int) -> int | None:
    if latency.limit_s is not None:
        repetitions = latency.repetitions.get(candidate, ())
        seen = latency.block_means.get(candidate, repetitions)
        return _under_a_limit(seen, len(repetitions), latency.limit_s, level, limit)
    ratio, runs = latency.ratio, min((len(values) for values in latency.repetitions.values()), default=0)
    if not ratio.point or not ratio.se_log or ratio.nu is None:
        return None
    distance = math.log1p(latency.margin) - math.log(ratio.point)
    return _more(distance, ratio.se_log, ratio.nu, runs, level, limit)


def _under_a_limit(values: Sequence[float], runs: int, limit_s: float, level: Level, limit: int) -> int | None:
    """`values` are the observations (blocks, or repetitions) of so many runs: further runs come in as many blocks."""
    if len(values) < SCREENING_RUNS or min(values) <= 0:
        return None
    logs = [math.log(v) for v in values]
    se = math.sqrt(variance(logs) / len(logs))
    return _more(math.log(limit_s) - mean(logs), se, len(logs) - 1, runs, level, limit)


def _more(distance: float, se: float, nu: float, runs: int, level: Level, limit: int) -> int | None:
    """Smallest number of further runs whose one-sided test has power .8; 0 where none within the plan has.

    The error falls with the root of the number of runs, and its degrees of freedom grow with the runs less one.
    """
    if runs < ENOUGH_RUNS or se <= 0:
        return None

    def power(number: int) -> float:
        alpha, degrees = level(number), nu * (number - 1) / (runs - 1)
        if alpha <= 0:
            return 0.0
        shift = abs(distance) / (se * math.sqrt(runs / number))
        found = float(nctdtr(degrees, shift, t_quantile(1 - alpha, degrees)))
        return 1 - found if math.isfinite(found) else 1.0

    needed = smallest_runs(power, POWER, runs + 1, limit)
    return 0 if needed is None else needed - runs
