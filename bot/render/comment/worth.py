"""One line on what being wrong would cost, and whether further runs are worth their price."""

from bot.render import figures
from bot.render.comment.voice import Voice
from scoring.model.decision import Basis, Decision, Word
from scoring.model.regret import Regret, RunOption

DECIDES = (Word.EXTEND, Word.SWITCH, Word.SPLIT, Word.STAY)
NEARLY = 0.995
"""A chance above it is told as more than 99 %."""


def worth(decision: Decision, voice: Voice) -> str:
    """Chance of a saving, expected losses and the best further runs, where nothing is proven; else nothing."""
    regret, verdict = decision.regret, decision.verdict
    if regret is None or verdict.word not in DECIDES or verdict.basis is not Basis.ECONOMIC:
        return ""
    lines = [_chance(regret, voice)]
    if lost := losses(regret, voice):
        lines.append(lost)
    if regret.best is not None and (regret.pays or verdict.word is not Word.EXTEND):
        lines.append(of_runs(regret.best, voice))
    return voice("worth.title", lines="; ".join(lines))


def chance(probability: float) -> str:
    """82 %; the ends are never told as certain."""
    if probability > NEARLY:
        return "> 99 %"
    return "< 1 %" if probability < 1 - NEARLY else f"{figures.number(100 * probability, '.0f')} %"


def losses(regret: Regret, voice: Voice) -> str:
    """What moving and what staying loses on average; nothing where there is no money."""
    if regret.regret_switch is None or regret.regret_stay is None:
        return ""
    amounts = {"switch": voice.money(regret.regret_switch, 3), "stay": voice.money(regret.regret_stay, 3)}
    return voice("worth.regret", **amounts)


def _chance(regret: Regret, voice: Voice) -> str:
    told = [s for s in regret.p_saves_at_least if s.probability >= 0.5]
    if not told:
        return voice("worth.chance", chance=chance(regret.p_saves))
    of = {"amount": voice.money(told[-1].amount, 3), "chance_of": chance(told[-1].probability)}
    return voice("worth.chance-of", chance=chance(regret.p_saves), **of)


def of_runs(best: RunOption, voice: Voice) -> str:
    """What the best number of further runs is worth, and what it costs."""
    waiting = voice("worth.waiting", delay=voice.money(best.delay_cost, 3)) if best.delay_cost else ""
    shown = {"runs": best.runs, "value": voice.money(best.value, 3), "cost": voice.money(best.run_cost, 3)}
    return voice("worth.pays" if best.net > 0 else "worth.pays-not", waiting=waiting, **shown)


def posterior(regret: Regret, voice: Voice) -> str:
    """How the chance was come by, for the folded part on method."""
    drift = voice("method.drift", drift=figures.percent(regret.drift_sd)) if regret.drift_sd else ""
    return voice(
        "method.posterior",
        prior=figures.significant(regret.prior_sd),
        drift=drift,
        mean=figures.ratio(regret.posterior_mean),
        level=figures.percent(regret.credible_level),
        interval=figures.interval(regret.credible_lo, regret.credible_hi),
    )
