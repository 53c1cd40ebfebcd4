"""What would change the answer, and what to do next."""

from bot.render import figures
from bot.render.comment.problems import fix
from bot.render.comment.results import limit_text, margin_text
from bot.render.comment.voice import Voice
from bot.render.safe_text import words
from scoring.model.decision import Decision, Flip, Word
from scoring.model.economics import Band
from scoring.model.estimates import BLOCKS, NOT_BY_RUNS
from scoring.model.problem import Severity

UNSETTLED = ("quality-no-spread", "seeds-too-few", "limit-one-block")
"""Problems of a guardrail that further runs of the same kind would not settle."""

SHORTER = {"region-not-approved": "next.region-not-approved"}
"""Steps whose whole text stands in the alert below."""


def lacks_a_fact(decision: Decision) -> bool:
    """Whether an answer of EXTEND waits for something that no further run of the same kind would bring."""
    reason = decision.cost.theta.reason if decision.cost else None
    unsettled = any(p.code in UNSETTLED for p in decision.problems)
    return reason in NOT_BY_RUNS or (unsettled and not (decision.next_runs and decision.next_runs.likely))


def flips(decision: Decision, voice: Voice) -> str:
    """One line with the prices and limits at which the verdict changes."""
    shown = [text for flip in decision.flips if (text := flip_text(decision, flip, voice))]
    return voice("flips.title", flips="; ".join(shown)) if shown else ""


def flip_text(decision: Decision, flip: Flip, voice: Voice) -> str:
    """One price or limit at which the verdict changes."""
    walk_away = decision.economics.walk_away
    if flip.code.startswith("candidate-price") or flip.code == "walk-away-only":
        band = walk_away.candidate_price
        return voice(f"flips.{flip.code}", price=voice.price(band.point), band=_band(band, voice)) if band else ""
    if flip.code.startswith("incumbent-price"):
        band = walk_away.incumbent_price
        return voice(f"flips.{flip.code}", price=voice.price(band.point)) if band else ""
    if flip.code == "fresh-runs":
        return voice("flips.fresh-runs")
    metric = str(flip.arguments["metric"])
    if flip.code == "latency-within-limit":
        latency = next(x for x in decision.latency if x.metric == metric)
        return voice(f"flips.{flip.code}", metric=words(metric), limit=limit_text(latency, voice))
    quality = next(q for q in decision.quality if q.metric == metric)
    told = voice(f"flips.{flip.code}", metric=words(metric), margin=margin_text(quality))
    of_items = quality.difference.scope != "eval-set" and not quality.inferior
    return voice("flips.more-items", told=told) if of_items and flip.code == "quality-within-margin" else told


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
        shorter = SHORTER.get(first.code)
        steps.append(voice(shorter) if shorter else voice("next.fix", fix=fix(first, voice.language)))
    elif decision.verdict.word is Word.EXTEND and decision.next_runs and decision.next_runs.likely:
        more = decision.next_runs
        code = "next.more-runs" if more.safe else "next.more-runs-unsafe"
        code = "next.more-blocks" if more.goal == BLOCKS else code
        steps.append(voice(code, likely=more.likely, safe=more.safe))
        steps += [voice("next.plan")] if voice.in_thread else []
    if decision.verdict.word is Word.EXTEND:
        reason = decision.cost.theta.reason if decision.cost else None
        steps += [voice(f"next.{reason}")] if reason in NOT_BY_RUNS else []
        steps += [voice("next.fix", fix=fix(p, voice.language)) for p in decision.problems if p.code in UNSETTLED]
    if decision.economics.reason == "no-demand" and decision.verdict.word is not None:
        steps.append(voice("next.demand"))
    whatif = _whatif(decision, voice)
    return voice("next.title", steps=" · ".join([*steps, *whatif])) if steps or whatif else ""


def _whatif(decision: Decision, voice: Voice) -> list[str]:
    band, arm = decision.economics.walk_away.candidate_price, decision.candidate
    priced = any("price" in f.code or f.code == "walk-away-only" for f in decision.flips)
    if band is None or arm is None or not arm.isalnum() or not priced:
        return []
    upward = any(f.code == "candidate-price-above" for f in decision.flips)
    now, price = _price_now(decision), figures.beyond(band.point, upward)
    if price is None or not _would_tell(decision, now, float(price), upward):
        return []
    return [voice("next.whatif-in-thread" if voice.in_thread else "next.whatif", arm=arm, price=price)]


def _price_now(decision: Decision) -> float | None:
    arm = decision.cost.arms.get(decision.candidate or "") if decision.cost else None
    return arm.price_per_hour if arm else None


def _would_tell(decision: Decision, now: float | None, price: float, upward: bool) -> bool:
    """Whether another price could change the answer: not where something else blocks it or it lies beyond already."""
    if now is None:
        return True
    if decision.verdict.word in (None, Word.BLOCKED):
        return False
    return now < price if upward else now > price
