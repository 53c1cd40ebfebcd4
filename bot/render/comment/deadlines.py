"""Deadlines in the reply: what the recommendation needs said by when, and the next days that it rests on."""

from bot.render import figures
from bot.render.comment.leaving import recommended
from bot.render.comment.voice import Voice
from bot.render.safe_text import literal
from scoring.model.deadline import Advice, DueDate, DueKind
from scoring.model.decision import Decision
from scoring.model.economics import DeadlineStatus

SHOWN = 6
AMOUNT_DIGITS = 3


def deadlines(decision: Decision, voice: Voice) -> str:
    """A sentence for each notice that is to be given, let go or was missed; and a table of the days that matter."""
    sentences = [text for _, text in notice_lines(decision, voice)]
    return "\n\n".join([*sentences, *_table(told_dates(decision), voice)])


def told_dates(decision: Decision) -> list[DueDate]:
    """The days that the decision rests on, the next first."""
    left = _left_early(decision)
    return [due for due in decision.dates or () if due.matters and _is_told(due) and not _is_moot(due, left)]


def notice_lines(decision: Decision, voice: Voice) -> list[tuple[DueDate, str]]:
    """A sentence for each notice that is to be given, let go or was missed."""
    left, dates = _left_early(decision), told_dates(decision)
    return [(due, text) for due in dates if (text := _sentence(due, voice, due.subject in left))]


def _left_early(decision: Decision) -> set[str]:
    return {release.contract_id for release in recommended(decision.economics)}


def _is_moot(due: DueDate, left: set[str]) -> bool:
    """Of a contract that the plan leaves before, the end of its term is nothing to wait for."""
    return due.kind is DueKind.TERM_END and due.subject in left


def _is_told(due: DueDate) -> bool:
    """Of a term that renews by itself the notice is told, and not its end."""
    return due.kind is not DueKind.TERM_END or due.renewal != "automatic"


def _sentence(due: DueDate, voice: Voice, left_early: bool) -> str:
    if due.kind is not DueKind.NOTICE:
        return ""
    if due.advice is Advice.LET_RENEW:
        return voice("deadline.let-renew", contract=literal(due.subject), on=figures.day(due.day))
    if due.status is DeadlineStatus.MISSED:
        if due.renewed_until is None:
            return ""
        line = voice("deadline.missed", **_fields(due, voice))
        if due.cost_of_having_missed:
            amount = voice.money(due.cost_of_having_missed, AMOUNT_DIGITS)
            line += " " + voice("deadline.bound", amount=amount)
        return line
    if due.renewed_until is None:
        return ""
    if left_early:
        return voice("deadline.give-if-kept", **_fields(due, voice))
    code = "deadline.give" if due.advice is Advice.GIVE else "deadline.due"
    line = voice(code, **_fields(due, voice))
    if due.cost_of_missing:
        line += " " + voice("deadline.cost", amount=voice.money(due.cost_of_missing, AMOUNT_DIGITS))
    return line


def _fields(due: DueDate, voice: Voice) -> dict[str, object]:
    return {
        "contract": literal(due.subject),
        "on": figures.day(due.day),
        "left": _left(due, voice),
        "months": due.renewal_months,
        "until": figures.day(due.renewed_until) if due.renewed_until else "–",
        "amount": _obligation(due),
    }


def _obligation(due: DueDate) -> str:
    return "–" if due.obligation is None else figures.money(due.obligation, due.currency or "", AMOUNT_DIGITS)


def _left(due: DueDate, voice: Voice) -> str:
    code = {0: "today", 1: "one"}.get(due.days_left, "many" if due.days_left > 0 else "past")
    return voice(f"deadline.left-{code}", days=figures.number(abs(due.days_left)))


def _table(dates: list[DueDate], voice: Voice) -> list[str]:
    if not dates:
        return []
    rows = [voice("deadline.head"), voice("deadline.rule")]
    for due in dates[:SHOWN]:
        cells = [subject_of(due, voice), voice(f"deadline.what-{due.kind.value}"), figures.day(due.day)]
        rows.append(f"| {' | '.join([*cells, _left(due, voice), missing(due, voice)])} |")
    more = [voice("deadline.more", count=len(dates) - SHOWN)] if len(dates) > SHOWN else []
    return ["\n".join(rows), *more]


def subject_of(due: DueDate, voice: Voice) -> str:
    """What the day is of: a contract, a priced type, or the candidate."""
    return literal(due.subject) if due.subject.strip() else voice.candidate


def _missed(due: DueDate, voice: Voice) -> str:
    """What staying bound costs beyond the best that notice would have allowed; else what is owed, in words."""
    if due.renewed_until is None:
        return voice("deadline.missing-lapses")
    if due.cost_of_having_missed is None:
        return voice("deadline.missing-renewed", **_fields(due, voice))
    if not due.cost_of_having_missed:
        return voice("deadline.missing-nothing")
    return voice("deadline.missing-bound", amount=voice.money(due.cost_of_having_missed, AMOUNT_DIGITS))


def missing(due: DueDate, voice: Voice) -> str:
    """What missing the day costs: an amount where one is known."""
    if due.kind is not DueKind.NOTICE:
        return voice(f"deadline.missing-{due.kind.value}")
    if due.status is DeadlineStatus.MISSED:
        return _missed(due, voice)
    if due.advice is Advice.LET_RENEW:
        return voice("deadline.missing-wanted")
    if due.cost_of_missing is not None:
        code = "deadline.missing-cost" if due.cost_of_missing > 0 else "deadline.missing-nothing"
        return voice(code, amount=voice.money(due.cost_of_missing, AMOUNT_DIGITS))
    return voice("deadline.missing-renews" if due.renewed_until else "deadline.missing-lapses", **_fields(due, voice))
