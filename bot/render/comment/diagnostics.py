"""What the runs cannot show, in lines: slow runs, drift, the first run, outliers."""

from bot.render import figures
from bot.render.comment.results import ratio_text
from bot.render.comment.voice import Voice
from bot.render.safe_text import literal, words
from scoring.model.decision import Decision
from scoring.model.diagnostics import ArmDiagnostics, Diagnostics, Outlier
from scoring.model.pilot import WithinRun


def diagnostic_lines(decision: Decision, voice: Voice) -> list[str]:
    """One bullet a finding; empty where no runs were compared."""
    found = decision.diagnostics
    if found is None or decision.cost is None or decision.cost.theta.point is None:
        return []
    told = [line for arm in found.arms for line in _arm(arm, voice)]
    told += _slow_shares(decision, found, voice) + [_outlier(outlier, voice) for outlier in found.outliers]
    return [f"- {line}" for line in told]


def _arm(arm: ArmDiagnostics, voice: Voice) -> list[str]:
    name = literal(arm.arm)
    lines = [voice("runs.slow", arm=name, seen=arm.slow_seen, n=arm.n, bound=figures.percent(arm.slow_run_bound))]
    if arm.autocorrelation is not None:
        lines.append(voice("runs.drift", arm=name, value=figures.number(arm.autocorrelation, ".2f")))
    if arm.first_run_factor is not None:
        lines.append(voice("runs.first", arm=name, factor=figures.significant(arm.first_run_factor)))
    return lines


def _slow_shares(decision: Decision, found: Diagnostics, voice: Voice) -> list[str]:
    shares = [
        voice(
            "runs.slow-share",
            share=figures.percent(slow.share),
            slowdown=figures.number(slow.slowdown, "g"),
        )
        for slow in found.slow_shares
    ]
    k = figures.significant(decision.economics.break_even_theta)
    return [voice("runs.slow-shares", shares=voice("runs.or").join(shares), k=k)] if shares else []


def _outlier(outlier: Outlier, voice: Voice) -> str:
    apart = outlier.per_unit / outlier.median - 1
    named = outlier.run is not None and not outlier.file.endswith(outlier.run)
    return voice(
        "runs.outlier",
        arm=literal(outlier.arm),
        run=voice("runs.run", run=literal(outlier.run or "")) if named else "",
        file=literal(outlier.file),
        row=voice("runs.row", row=outlier.row) if outlier.row else "",
        apart=voice("runs.above" if apart > 0 else "runs.below", share=figures.percent(abs(apart))),
        ratio=ratio_text(outlier.ratio_without) if outlier.ratio_without else "–",
    )


def within_lines(decision: Decision, voice: Voice) -> list[str]:
    """What each guardrail's latency is inside the one run of an arm that has no other."""
    return [
        voice(
            "method.latency-within",
            metric=words(latency.metric),
            arm=literal(arm),
            bounds=_bounds(within, voice),
            confidence_within=figures.percent(within.confidence),
            n=figures.number(within.n),
        )
        for latency in decision.latency
        if latency.is_guardrail
        for arm, within in latency.within.items()
    ]


def _bounds(within: WithinRun, voice: Voice) -> str:
    ends = {name: figures.duration(end) for name, end in (("lo", within.lo), ("hi", within.hi)) if end is not None}
    code = {("lo", "hi"): "bounds", ("lo",): "bound-below", ("hi",): "bound-above"}.get(tuple(ends), "bound-none")
    return voice(f"method.{code}", **ends)
