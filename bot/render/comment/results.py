"""The table of figures: each metric with both arms, the ratio or difference with its interval, and how it reads."""

from collections.abc import Iterator

from bot.render import figures
from bot.render.comment.voice import Voice
from bot.render.safe_text import words
from scoring.model.decision import ArmResult, Comparison, Decision, LatencyComparison, QualityComparison
from scoring.model.estimates import BLOCKS, LEAST, PAYS, Direction, RatioEstimate

MORE = {PAYS: "more-pays", LEAST: "more-least", BLOCKS: "more-blocks"}
ENDED = ("no-run-pays", "planned-runs-made")
"""Reasons why no more runs are asked for though nothing is proven."""
NO_DIFFERENCE = 1e-12
"""Below it a difference is rounding."""


def results(decision: Decision, voice: Voice) -> str:
    """A Markdown table, or nothing where no metric could be compared."""
    rows = list(_rows(decision, voice))
    if not rows:
        return ""
    head = [voice("table.head"), voice("table.rule")]
    return "\n".join(head + [f"| {' | '.join(row)} |" for row in rows])


def _rows(decision: Decision, voice: Voice) -> Iterator[list[str]]:
    incumbent, candidate = decision.incumbent, decision.candidate
    if incumbent is None or candidate is None:
        return
    figures_rows = []
    if decision.cost is not None:
        figures_rows.append(_cost(decision, decision.cost, voice))
    if decision.time is not None:
        figures_rows.append(_time(decision, decision.time, voice))
    figures_rows += [_quality(quality, incumbent, candidate, voice) for quality in decision.quality]
    figures_rows += [latency_row(x, incumbent, candidate, voice) for x in decision.latency if x.is_guardrail]
    for row in figures_rows:
        yield row if decision.verdict.word is not None else [*row[:-1], voice("reads.unanswered")]
    counted = decision.cost or decision.time
    if counted is not None:
        yield _runs(decision, counted, voice)


def _arms(comparison: Comparison, decision: Decision) -> tuple[ArmResult, ArmResult]:
    return comparison.arms[decision.incumbent or ""], comparison.arms[decision.candidate or ""]


def ratio_text(theta: RatioEstimate) -> str:
    """A ratio with its interval: × 0.613 [0.572, 0.657]."""
    if theta.point is None:
        return "–"
    return f"{figures.ratio(theta.point)} {figures.interval(theta.lo, theta.hi)}".strip()


def _cost(decision: Decision, cost: Comparison, voice: Voice) -> list[str]:
    shown = [
        voice("table.unknown") if arm.cost_per_unit is None else voice.rate(arm.cost_per_unit * voice.unit_scale)
        for arm in _arms(cost, decision)
    ]
    reads = _no_interval(cost.theta, voice) or _cost_reads(cost.theta, decision, voice)
    claim, family = decision.claim, decision.multiplicity
    if claim is not None and family is not None and claim.has_fallen:
        reads = voice("reads.cheaper-alone", count=family.size)
    return [voice("table.cost"), *shown, ratio_text(cost.theta), reads]


def _cost_reads(theta: RatioEstimate, decision: Decision, voice: Voice) -> str:
    """Proven is what holds however often one looks; the interval beside it is that of this look alone."""
    k, looks = decision.economics.break_even_theta, decision.looks
    lower, upper = (looks.theta_lower, looks.theta_upper) if looks else (None, None)
    if theta.qualifier == "screening" and theta.units < min(theta.n_incumbent, theta.n_candidate):
        return voice("reads.screening-blocks", blocks=theta.units)
    if theta.qualifier == "screening":
        return voice("reads.screening")
    if upper is not None and upper < min(k, 1.0):
        return voice("reads.cheaper-proven")
    if upper is not None and upper < 1.0:
        return voice("reads.cheaper-not-enough", k=figures.significant(k))
    if lower is not None and lower > 1.0:
        return voice("reads.dearer-proven")
    alone = (theta.hi is not None and theta.hi < 1.0) or (theta.lo is not None and theta.lo > 1.0)
    return voice("reads.one-look" if alone else "reads.cost-open")


def _no_interval(theta: RatioEstimate, voice: Voice) -> str:
    return "" if theta.has_interval else voice("reads.no-interval", reason=voice(f"reason.{theta.reason}"))


def _time(decision: Decision, time: Comparison, voice: Voice) -> list[str]:
    shown = [
        voice("table.unknown")
        if arm.duration_per_unit_s is None
        else figures.duration(arm.duration_per_unit_s * voice.unit_scale)
        for arm in _arms(time, decision)
    ]
    theta = time.theta
    reads = _no_interval(theta, voice)
    if not reads and theta.lo is not None and theta.hi is not None:
        code = "faster" if theta.hi < 1 else "slower" if theta.lo > 1 else "same-time"
        reads = voice(f"reads.{code}")
    return [voice("table.time"), *shown, ratio_text(theta), reads]


def _quality(quality: QualityComparison, incumbent: str, candidate: str, voice: Voice) -> list[str]:
    means = [quality.arms[name].mean for name in (incumbent, candidate)]
    shown = ["–" if mean is None else _value(mean, quality) for mean in means]
    direction = voice(f"table.{'lower' if quality.direction is Direction.LOWER else 'higher'}")
    name = voice("table.quality", metric=words(quality.metric), direction=direction)
    return [name, *shown, _difference(quality), _quality_reads(quality, voice)]


def margin_text(quality: QualityComparison) -> str:
    """0.2, 1 % where the margin is relative, 0.5 points of a metric in per cent."""
    if quality.margin_is_relative:
        return figures.percent(quality.margin)
    return figures.points(quality.margin) if quality.in_percent else figures.significant(quality.margin)


def _value(mean: float, quality: QualityComparison) -> str:
    return f"{figures.significant(mean * 100, 4)} %" if quality.in_percent else figures.significant(mean, 4)


def _difference(quality: QualityComparison) -> str:
    """In the metric's own direction of sign: the posted figures' difference, candidate minus incumbent."""
    d = quality.difference
    if d.point is None:
        return "–"
    sign = -1 if quality.direction is Direction.LOWER else 1
    in_hundreds = quality.margin_is_relative or quality.in_percent
    scale = sign * (100 if in_hundreds else 1)
    point = _with_unit(_signed(d.point * scale), quality)
    if d.lo is None or d.hi is None:
        return point
    lo, hi = sorted((d.lo * scale, d.hi * scale))
    ends = _with_unit(f"[{figures.joined(_signed(lo), _signed(hi))}]", quality)
    return f"{point} {ends}"


def _with_unit(text: str, quality: QualityComparison) -> str:
    if quality.margin_is_relative:
        return f"{text} %"
    return figures.of_points(text) if quality.in_percent else text


def _signed(value: float) -> str:
    if abs(value) < NO_DIFFERENCE:
        return "0"
    return f"{'+' if value > 0 else '−'}{figures.significant(abs(value))}"


def _quality_reads(quality: QualityComparison, voice: Voice) -> str:
    margin = margin_text(quality)
    if quality.inferior:
        return voice("reads.worse", margin=margin)
    if quality.non_inferior:
        return voice("reads.as-good", margin=margin)
    if quality.difference.reason:
        return voice("reads.no-interval", reason=voice(f"reason.{quality.difference.reason}"))
    return voice("reads.quality-open", margin=margin)


def limit_text(latency: LatencyComparison, voice: Voice) -> str:
    """400 ms, or 10 % above the incumbent where no limit is set."""
    if latency.limit_s is not None:
        return figures.duration(latency.limit_s)
    return voice("reads.incumbent-times", margin=figures.percent(latency.margin))


def latency_row(latency: LatencyComparison, incumbent: str, candidate: str, voice: Voice) -> list[str]:
    """One latency as a row of the table."""
    shown = [figures.duration(latency.arms[name]) if name in latency.arms else "–" for name in (incumbent, candidate)]
    if latency.ratio.qualifier == "within-one-run":
        reads = voice("reads.within-one-run")
    elif not latency.is_guardrail:
        reads = voice("reads.shown")
    else:
        code = "above-limit" if latency.fails else "within-limit" if latency.passes else "latency-open"
        reads = voice(f"reads.{code}", limit=limit_text(latency, voice))
    return [voice("table.latency", metric=words(latency.metric)), *shown, ratio_text(latency.ratio), reads]


def _runs(decision: Decision, comparison: Comparison, voice: Voice) -> list[str]:
    shown = [
        voice("table.failed", runs=arm.n, failed=arm.n_failed) if arm.n_failed else str(arm.n)
        for arm in _arms(comparison, decision)
    ]
    paired = voice("table.paired" if comparison.theta.paired else "table.unpaired")
    return [voice("table.runs"), *shown, paired, _runs_reads(decision, voice)]


def _runs_reads(decision: Decision, voice: Voice) -> str:
    more = decision.next_runs
    if more is None:
        return ""
    if more.likely is None:
        return voice("reads.more-unknown", limit=more.limit)
    if more.likely:
        return voice(f"reads.{MORE.get(more.goal, 'more')}", n=more.likely)
    codes = [reason.code for reason in decision.verdict.reasons]
    if "guardrail-not-judged" in codes:
        return voice("reads.looks-used-up")
    if "guardrail-undecidable" in codes:
        return voice("reads.more-unknown", limit=more.limit)
    return voice(f"reads.{next((code for code in ENDED if code in codes), 'enough')}")


def notes(decision: Decision, voice: Voice) -> str:
    """What the main figure leaves out: initialisation outside the timed run, a slow first run."""
    lines = []
    found = next((p for p in decision.problems if p.code == "initialisation-outside-run"), None)
    if found is not None and decision.with_initialisation is not None and decision.with_initialisation.point:
        seconds = {k: figures.duration(float(v)) for k, v in found.arguments.items() if k.startswith("first_")}
        code = "initialisation" if decision.cost and decision.cost.theta.point else "initialisation-time"
        lines.append(voice(code, ratio=figures.ratio(decision.with_initialisation.point), **seconds))
    left_out = decision.with_first_run_left_out
    if left_out is not None and left_out.point is not None:
        ends = figures.interval(left_out.lo, left_out.hi)
        lines.append(voice("without-first", ratio=figures.ratio(left_out.point), interval=ends))
    return "\n\n".join(lines)
