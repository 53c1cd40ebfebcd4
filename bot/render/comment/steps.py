"""What would change the answer, and what to do next."""

from bot.render import figures
from bot.render.comment.problems import fix
from bot.render.comment.results import limit_text, margin_text
from bot.render.comment.voice import Voice
from bot.render.safe_text import words
from scoring.model.decision import Decision, Flip, Word
from scoring.model.economics import Band
from scoring.model.problem import Severity


def flips(decision: Decision, voice: Voice) -> str:
    """One line with the prices and limits at which the verdict changes."""
    shown = [text for flip in decision.flips if (text := _flip(decision, flip, voice))]
    return voice("flips.title", flips="; ".join(shown)) if shown else ""


def _flip(decision: Decision, flip: Flip, voice: Voice) -> str:
    walk_away = decision.economics.walk_away
    if flip.code.startswith("candidate-price") or flip.code == "walk-away-only":
        band = walk_away.candidate_price
        return voice(f"flips.{flip.code}", price=voice.price(band.point), band=_band(band, voice)) if band else ""
    if flip.code.startswith("incumbent-price"):
        band = walk_away.incumbent_price
        return voice(f"flips.{flip.code}", price=voice.price(band.point)) if band else ""
    metric = str(flip.arguments["metric"])
    if flip.code == "latency-within-limit":
        latency = next(x for x in decision.latency if x.metric == metric)
        return voice(f"flips.{flip.code}", metric=words(metric), limit=limit_text(latency, voice))
    quality = next(q for q in decision.quality if q.metric == metric)
    return voice(f"flips.{flip.code}", metric=words(metric), margin=margin_text(quality))


def _band(band: Band, voice: Voice) -> str:
    if band.lo is None or band.hi is None:
        return ""
    return voice("flips.band", lo=voice.price(band.lo), hi=voice.price(band.hi))


def next_steps(decision: Decision, voice: Voice) -> str:
    """The next thing to do: answer, run more, or try another price."""
    steps: list[str] = []
    refusing = [p for p in decision.problems if p.severity in (Severity.ERROR, Severity.QUESTION)]
    if refusing and decision.verdict.word in (None, Word.BLOCKED):
        codes = [r.code for r in decision.verdict.reasons]
        first = next((p for p in refusing if p.code in codes), refusing[0])
        steps.append(voice("next.fix", fix=fix(first, voice.language)))
    elif decision.verdict.word is Word.EXTEND and decision.next_runs and decision.next_runs.likely:
        more = decision.next_runs
        code = "next.more-runs" if more.safe else "next.more-runs-unsafe"
        steps.append(voice(code, likely=more.likely, safe=more.safe))
        steps += [voice("next.plan")] if voice.in_thread else []
    if decision.economics.reason == "no-demand" and decision.verdict.word is not None:
        steps.append(voice("next.demand"))
    whatif = _whatif(decision, voice)
    return voice("next.title", steps=" · ".join([*steps, *whatif])) if steps or whatif else ""


def _whatif(decision: Decision, voice: Voice) -> list[str]:
    band, arm = decision.economics.walk_away.candidate_price, decision.candidate
    priced = any("price" in f.code or f.code == "walk-away-only" for f in decision.flips)
    if band is None or arm is None or not arm.isalnum() or not priced:
        return []
    code = "next.whatif-in-thread" if voice.in_thread else "next.whatif"
    return [voice(code, arm=arm, price=figures.significant(band.point).replace(",", ""))]
