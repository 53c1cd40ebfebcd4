"""The comment's part on the plan: today's against the optimal one, move by move, what binds, or what contradicts."""

from collections.abc import Iterator
from datetime import date

from bot.render import figures
from bot.render.messages import Messages
from bot.render.review.parts import NOTHING, money, named, percent, section, table
from scoring.quarter.answer import (
    Barred,
    Binding,
    BindingCode,
    Conflict,
    Contradiction,
    Move,
    OfferFate,
    QuarterPlan,
)
from scoring.review.values import Review

HEADS = ("move", "subject", "change", "from-day", "decide-by", "saves", "pays-in")


def plan(review: Review, words: Messages) -> str:
    """Absent where there is no work, or the quarter is over."""
    if review.plan is None:
        return ""
    if isinstance(review.plan, Contradiction):
        return _contradiction(review.plan, review, words)
    found = review.plan
    told = {"today": money(found.today.cost, review), "best": money(found.optimal.cost, review)}
    span = {"count": len(found.months), "first": f"{found.months[0]:%Y-%m}"}
    parts = [words("plan.lead", saving=money(found.saving, review), gap=percent(found.gap), **told, **span)]
    if not found.in_time:
        parts.append(words("plan.out-of-time"))
    rows = [move_row(move, review, words) for move in found.moves]
    parts.append(
        table([words(f"head.{name}") for name in HEADS], rows, "lllllrr", words) if rows else words("plan.none")
    )
    if rows:
        parts.append(words("plan.note-moves"))
    parts += _robust(found, review, words)
    left = [named(one.offer) for one in found.offers if one.fate is OfferFate.NOT_WORTH]
    if left:
        parts.append(words("plan.not-bought", offers=figures.joined(*left)))
    lines = [binding(one, months, review, words) for one, months in bound_alike(found)]
    lines += [barred(one, review, words) for one in found.barred]
    if lines:
        parts.append("\n".join([words("plan.binds"), "", *(f"- {line}" for line in lines)]))
    return section("plan", words, *parts)


def lead(review: Review, words: Messages) -> list[str]:
    """What the best plan saves and what is to be decided first, in a sentence; none without a plan."""
    if review.plan is None:
        return []
    if isinstance(review.plan, Contradiction):
        return [words("lead-contradiction")]
    found = review.plan
    span = {"months": len(found.months), "first": f"{found.months[0]:%Y-%m}"}
    if not found.moves:
        return [words("lead-plan-none", **span)]
    first = min(found.moves, key=lambda move: move.deadline)
    told = {"what": words(f"plan.move.{first.kind.value}"), "subject": named(first.subject)}
    saving, day = money(found.saving, review), figures.day(first.deadline)
    return [words("lead-plan", saving=saving, count=len(found.moves), day=day, **told, **span)]


def move_row(move: Move, review: Review, words: Messages) -> list[str]:
    """What moves, from where to where, from when, by when it is to be decided, what it saves and how surely."""
    change = NOTHING
    if move.from_option or move.to_option:
        change = words("plan.from-to", before=named(move.from_option), after=named(move.to_option))
    elif move.instances is not None:
        change = bought(move, words)
    what = words(f"plan.move.{move.kind.value}")
    if move.unproven:
        what = words("plan.unproven", what=what)
    starts = words("plan.now") if move.on <= review.on else figures.day(move.on)
    pays = percent(move.pays_in)
    return [what, named(move.subject), change, starts, figures.day(move.deadline), money(move.saving, review), pays]


def bought(move: Move, words: Messages) -> str:
    """How many instances, and until when."""
    one = move.instances == 1
    count = words("plan.one-instance") if one else words("plan.instances", count=figures.number(move.instances or 0))
    return count if move.until is None else words("plan.until", count=count, until=figures.day(move.until))


def _robust(found: QuarterPlan, review: Review, words: Messages) -> list[str]:
    sure = found.robustness
    if sure is None:
        return [words("plan.no-scenarios")]
    told = {
        "mean": money(sure.saving_mean, review),
        "level": figures.level(sure.level),
        "share": percent(sure.saves_in),
    }
    lo, hi = money(sure.saving_lo, review), money(sure.saving_hi, review)
    lines = [words("plan.robust", count=sure.scenarios, lo=lo, hi=hi, **told)]
    if sure.regret > 0:
        lines.append(words("plan.robust-regret", regret=money(sure.regret, review)))
    breaches = sure.breaches.items()
    return [*lines, *(words("plan.breach", share=percent(share), subject=named(name)) for name, share in breaches)]


def bound_alike(found: QuarterPlan) -> Iterator[tuple[Binding, list[date]]]:
    """What binds, one of each subject, workload and option: with the most that it is worth, and its months."""
    alike: dict[tuple[str, str, str | None, str | None], list[Binding]] = {}
    for one in found.binding:
        alike.setdefault((one.code.value, one.subject, one.workload, one.option), []).append(one)
    for several in alike.values():
        dearest = max(several, key=lambda one: one.worth or 0.0)
        yield dearest, sorted({found.months[one.month] for one in several if one.month is not None})


def binding(one: Binding, months: list[date], review: Review, words: Messages) -> str:
    """In a sentence."""
    told = {"subject": named(one.subject), "workload": named(one.workload), "option": named(one.option)}
    told |= {"months": _months(months), "worth": money(one.worth, review)}
    if one.code is BindingCode.POOL_FULL and one.hours and one.worth is not None:
        hours, each = figures.number(one.hours, ",.0f"), money(one.worth / one.hours, review)
        return words("plan.binding.pool-full-hours", hours=hours, each=each, **told)
    return words(f"plan.binding.{one.code.value}", **told)


def _months(months: list[date]) -> str:
    """Months that follow each other are told by the first and the last."""
    spans = list[list[date]]()
    for month in months:
        if spans and _number(month) == _number(spans[-1][-1]) + 1:
            spans[-1].append(month)
        else:
            spans.append([month])
    return figures.joined(*(" – ".join(dict.fromkeys(f"{m:%Y-%m}" for m in (s[0], s[-1]))) for s in spans)) or NOTHING


def _number(month: date) -> int:
    return 12 * month.year + month.month


def barred(one: Barred, review: Review, words: Messages) -> str:
    """In a sentence, with what allowing it could save."""
    told = words(f"plan.barred.{one.reason.value}", workload=named(one.workload), option=named(one.option))
    return told if one.worth is None else words("plan.barred-worth", told=told, worth=money(one.worth, review))


def _contradiction(found: Contradiction, review: Review, words: Messages) -> str:
    lines = [f"- {_conflict(one, words)}" for one in found.conflicts]
    lines += [f"- {barred(one, review, words)}" for one in found.barred]
    lead = words("plan.contradiction" if found.smallest else "plan.contradiction-not-smallest")
    return section("plan", words, lead, "\n".join(lines))


def _conflict(one: Conflict, words: Messages) -> str:
    month = NOTHING if one.month is None else figures.number(one.month + 1)
    return words(f"plan.conflict.{one.kind.value}", subject=named(one.subject), month=month)
