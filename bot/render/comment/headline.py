"""The first lines: the word, when, what it saves, and one sentence why."""

from bot.render import figures
from bot.render.comment.economics import moved_share
from bot.render.comment.problems import sentence
from bot.render.comment.steps import lacks_a_fact
from bot.render.comment.voice import Voice, is_economic
from bot.render.safe_text import words
from scoring.model.decision import Decision, Reason, Word
from scoring.model.economics import Economics, Plan
from scoring.model.estimates import BLOCKS
from scoring.model.problem import Severity

MOVING = (Word.SWITCH, Word.SPLIT)
ALIKE = 0.0005
"""A difference in cost that is not worth a figure."""


def headline(decision: Decision, voice: Voice) -> str:
    """A heading with the verdict, the saving under it, and the reasons."""
    lines = [f"### {verdict_line(decision, voice)}", _saving(decision, voice)]
    reasons = [_reason(r, voice) for r in decision.verdict.reasons if r.code in voice.reasons]
    if reasons:
        lines.append(_capital("; ".join(reasons)) + ".")
    return "\n\n".join(line for line in lines if line)


def _begun(text: str) -> str:
    """A sentence as the second half of another one."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def verdict_line(decision: Decision, voice: Voice) -> str:
    """The word and what to do when, in one line; an answer that nothing proves says so."""
    line = _answer(decision, voice)
    return voice("headline.economic", line=line) if is_economic(decision) else line


def _answer(decision: Decision, voice: Voice) -> str:
    word = decision.verdict.word
    if word is None:
        return voice("headline.none", fact=first_fact(decision, voice))
    named = {"word": voice.word(word)}
    if word is Word.BLOCKED:
        return voice("headline.blocked", fact=first_fact(decision, voice), **named)
    if word is Word.STAY:
        return voice("headline.stay", **named)
    if word is Word.EXTEND:
        likely = decision.next_runs.likely if decision.next_runs else None
        if decision.next_runs is not None and decision.next_runs.goal == BLOCKS and likely:
            return voice("headline.extend-blocks", runs=likely, **named)
        if lacks_a_fact(decision):
            return voice("headline.extend-fact", **named)
        return voice("headline.extend", runs=likely, **named) if likely else voice("headline.extend-plain", **named)
    return _moving(decision, voice, named)


def _moving(decision: Decision, voice: Voice, named: dict[str, str]) -> str:
    on, full_on = decision.verdict.on, decision.verdict.full_on
    if on is None:
        return voice("headline.switch", **named)
    if decision.verdict.word is Word.SWITCH:
        return voice("headline.switch-on", on=figures.day(on), **named)
    if any(r.code == "split-capacity" for r in decision.verdict.reasons):
        return voice("headline.split-capacity", on=figures.day(on), share=_share(decision), **named)
    if full_on is None:
        return voice("headline.split-overflow-only", on=figures.day(on), **named)
    return voice("headline.split-overflow-first", on=figures.day(on), full_on=figures.day(full_on), **named)


def _share(decision: Decision) -> str:
    plan = decision.economics.best
    return "" if plan is None else moved_share(decision.economics, plan)


def first_fact(decision: Decision, voice: Voice) -> str:
    """The first thing that must be answered, as one sentence."""
    codes = [r.code for r in decision.verdict.reasons]
    for problem in decision.problems:
        if problem.code in codes and problem.severity in (Severity.ERROR, Severity.QUESTION):
            return _begun(sentence(problem, voice.language).rstrip("."))
    known = [r for r in decision.verdict.reasons if r.code in voice.reasons]
    return _reason(known[0], voice) if known else voice("reason.no-cost")


def _reason(reason: Reason, voice: Voice) -> str:
    shown = {name: words(value) if isinstance(value, str) else value for name, value in reason.arguments.items()}
    return voice.reasons(reason.code, **shown)


def _saving(decision: Decision, voice: Voice) -> str:
    economics = decision.economics
    if decision.verdict.word is None:
        return ""
    saving = ""
    if economics.best is not None and economics.months:
        saving = _saving_of(economics, economics.best, decision, voice)
    joined = bool(saving) and _is_promised(decision)
    because = _because(decision, voice, alone=not joined)
    return f"{saving}{because}." if joined else " ".join(f"{text}." for text in (saving, because) if text)


def _is_promised(decision: Decision) -> bool:
    """Whether a saving is proven, so that it may be told as one."""
    return decision.verdict.word in MOVING and not is_economic(decision)


def _saving_of(economics: Economics, plan: Plan, decision: Decision, voice: Voice) -> str:
    arguments: dict[str, object] = {
        "months": economics.horizon_months,
        "start": figures.day(economics.starts_on),
        "stay": voice.money(economics.stay_npv or 0.0, 3),
        "saving": voice.money(plan.saving, 3),
    }
    if plan.starts_at >= len(economics.months):
        return voice("saving.none", **arguments)
    moving = _is_promised(decision)
    if economics.saving is None or economics.saving.lo is None or economics.saving.hi is None:
        return voice("saving.point" if moving else "saving.would-be-point", **arguments)
    arguments |= {"lo": voice.money(economics.saving.lo, 3), "hi": voice.money(economics.saving.hi, 3)}
    return voice("saving.range" if moving else "saving.would-be", **arguments)


def _because(decision: Decision, voice: Voice, alone: bool) -> str:
    """What the ratio says: the second half of the saving's sentence, or a sentence of its own."""
    cost = decision.cost
    if cost is None or cost.theta.point is None or decision.incumbent is None or decision.candidate is None:
        return ""
    a, b = cost.arms[decision.incumbent], cost.arms[decision.candidate]
    if a.price_per_hour is None or b.price_per_hour is None:
        return ""
    theta = cost.theta.point
    prices = {"price_a": voice.price(a.price_per_hour), "price_b": voice.price(b.price_per_hour)}
    code = "alike" if abs(theta - 1) < ALIKE else "cheaper" if theta < 1 else "dearer"
    return voice(f"{'measured' if alone else 'because'}.{code}", percent=figures.percent(abs(1 - theta)), **prices)
