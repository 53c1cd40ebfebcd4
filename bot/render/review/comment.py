"""The review as Markdown: what is committed and used, what is due, what was decided and brought, what waits."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date

from bot.render import figures
from bot.render.comment.problems import alerts
from bot.render.locales import in_language, spoken
from bot.render.messages import Messages, catalogue
from bot.render.safe_text import literal
from scoring.model.deadline import DueDate
from scoring.model.economics import DeadlineStatus
from scoring.review.outcomes import COST
from scoring.review.values import (
    Calibration,
    Check,
    ContractPosition,
    DecisionRow,
    OpenPilot,
    OutcomeRow,
    Review,
    ReviewChange,
    Risk,
    Unassigned,
)

LIMIT = 62_000
"""Characters: GitHub takes 65,536, and a posted reply carries addresses and a marker."""
MOST_ROWS = 40
NOTHING = "–"


@in_language(lambda review, *_, **__: review.language)
def render_comment(review: Review, files: Sequence[str] = ()) -> str:
    """GitHub-flavoured Markdown; every figure is one of the review's. Long tables are cut, and say so."""
    words = catalogue(review.language, "review")
    parts = [text for section in SECTIONS if (text := section(review, words))]
    if files:
        parts.append(words("files", files=", ".join(f"`{name}`" for name in files)))
    text = "\n\n".join(parts) + "\n"
    if len(text) <= LIMIT:
        return text
    kept = text[:LIMIT].rpartition("\n\n")[0]
    return f"{kept}\n\n{words('cut')}\n"


def _headline(review: Review, words: Messages) -> str:
    quarter, on = review.quarter, figures.day(review.on)
    lines = [f"## {words('title', quarter=quarter, on=on)}"]
    total = review.totals[0]
    if review.contracts:
        told = {"cost": _money(total.commitment_cost, review), "unused": _money(total.wasted_cost, review)}
        lines.append(words("lead-commitments", share=_percent(total.used_share), **told))
        lines.append(words("lead-overage", overage=_money(total.overage_cost, review)))
    coming = [one.due for one in review.dates if one.due.status is not DeadlineStatus.MISSED]
    if coming:
        first = coming[0]
        named = {"what": words(f"due.{first.kind.value}"), "subject": literal(first.subject or NOTHING)}
        lines.append(words("lead-due", count=len(coming), day=figures.day(first.day), days=first.days_left, **named))
    saved = sum(row.saved for row in review.outcomes if row.saved is not None and row.currency == review.currency)
    if any(row.saved is not None for row in review.outcomes):
        lines.append(words("lead-saved", saved=_money(saved, review)))
    best = next((p for p in review.pilots if p.worth is not None), None)
    if best is not None:
        lines.append(words("lead-pilots", count=len(review.pilots), issue=best.issue, worth=_money(best.worth, review)))
    return "\n".join([lines[0], "", " ".join(lines[1:])]) if len(lines) > 1 else lines[0]


def _commitments(review: Review, words: Messages) -> str:
    if not review.contracts:
        return ""
    names = review.quarters
    head = [words("head.contract"), words("head.kind"), words("head.until")]
    head += [words("head.used-in", quarter=name) for name in names] + [words("head.unused", quarter=names[0])]
    rows = [_contract(c, review, words) for c in review.contracts]
    table = _table(head, rows, "lll" + "r" * (len(names) + 1), words)
    totals = [
        words(
            "total",
            quarter=t.quarter,
            cost=_money(t.commitment_cost, review),
            share=_percent(t.used_share),
            unused=_money(t.wasted_cost, review),
            overage=_money(t.overage_cost, review),
        )
        for t in review.totals
    ]
    return _section("commitments", words, table, "\n".join(totals), words("note-utilisation"))


def _contract(position: ContractPosition, review: Review, words: Messages) -> list[str]:
    used = [_percent(q.utilisation) for q in position.quarters]
    unused = _money(position.quarters[0].wasted_cost, review)
    kind = words(f"kind.{position.kind}")
    return [literal(position.contract_id), kind, figures.day(position.ends_on), *used, unused]


def _dates(review: Review, words: Messages) -> str:
    if not review.dates:
        return _section("dates", words, words("no-dates"))
    head = [words(f"head.{name}") for name in ("quarter", "day", "left", "what", "subject", "owner")]
    rows = [[one.quarter, *_date(one.due, words)] for one in review.dates]
    return _section("dates", words, _table(head, rows, "llrlll", words))


def _date(due: DueDate, words: Messages) -> list[str]:
    missed = due.status is DeadlineStatus.MISSED
    what = words(f"due.{due.kind.value}{'-missed' if missed else ''}")
    left = words("passed") if missed else figures.number(due.days_left)
    owner = literal(due.owner) if due.owner else NOTHING
    return [figures.day(due.day), left, what, literal(due.subject) if due.subject else NOTHING, owner]


def _decisions(review: Review, words: Messages) -> str:
    new = [row for row in review.decisions if row.is_new]
    title = words("section.decisions", since=figures.day(review.since))
    if not new:
        return f"### {title}\n\n{words('no-decisions')}"
    head = [words(f"head.{name}") for name in ("issue", "workload", "verdict", "decided", "moves", "saving", "state")]
    rows = [_decision(row, words) for row in new]
    return f"### {title}\n\n{_table(head, rows, 'lllllrl', words)}"


def _decision(row: DecisionRow, words: Messages) -> list[str]:
    fact = row.fact
    saving = NOTHING
    if fact.saving is not None:
        saving = _ranged(fact.saving.point, fact.saving.lo, fact.saving.hi, fact.currency)
    moves = figures.day(fact.on) if fact.on else NOTHING
    state = words(f"state.{row.state.value}") if row.state else NOTHING
    if row.missing:
        state = words("missing", state=state, roles=", ".join(literal(role) for role in row.missing))
    if not row.is_latest:
        state = words("replaced")
    return [
        f"#{fact.issue}",
        _name(fact.workload),
        _verdict(fact.verdict, words),
        figures.day(fact.decided_on),
        moves,
        saving,
        state,
    ]


def _outcomes(review: Review, words: Messages) -> str:
    if not review.outcomes:
        return _section("outcomes", words, words("no-outcomes"))
    head = [
        words(f"head.{name}") for name in ("issue", "workload", "period", "figure", "said", "was", "reads", "saved")
    ]
    rows = [line for row in review.outcomes for line in _outcome(row, words)]
    notes = [_calibration(c, words) for c in review.calibration] or [words("calibration-none")]
    return _section("outcomes", words, _table(head, rows, "lllllllr", words), words("note-outcomes"), *notes)


def _outcome(row: OutcomeRow, words: Messages) -> Iterator[list[str]]:
    period = _period(row.outcome.starts_on, row.outcome.ends_on)
    saved = NOTHING if row.saved is None else figures.money(row.saved, row.currency, 3)
    first = [f"#{row.issue}", _name(row.workload), period]
    if not row.checks:
        yield [
            *first,
            NOTHING,
            NOTHING,
            NOTHING,
            words("reads.not-moved" if not row.after_move else "reads.none"),
            saved,
        ]
    for number, check in enumerate(row.checks):
        reads = words(_reads(check))
        yield [*first, _figure(check, words), _said(check), _value(check.actual), reads, saved if number == 0 else ""]


def _reads(check: Check) -> str:
    if check.keeps_margin is False:
        return "reads.margin-lost"
    return {True: "reads.inside", False: "reads.outside", None: "reads.no-interval"}[check.inside]


def _figure(check: Check, words: Messages) -> str:
    return words("figure.cost") if check.what == COST else words("figure.quality", metric=literal(check.what))


def _said(check: Check) -> str:
    if check.forecast is None:
        return NOTHING
    return " ".join(part for part in (_value(check.forecast), figures.interval(check.lo, check.hi)) if part)


def _value(value: float) -> str:
    return figures.significant(value)


def _calibration(found: Calibration, words: Messages) -> str:
    told = {"n": found.n, "inside": found.inside, "level": figures.level(found.level)}
    bounds = {"lo": figures.percent(found.lo), "hi": figures.percent(found.hi)}
    what = words(f"calibration.{found.what}")
    code = "calibration-few" if not found.is_enough else "calibration-agrees" if found.agrees else "calibration-off"
    return words(code, what=what, share=_percent(found.share), **told, **bounds)


def _pilots(review: Review, words: Messages) -> str:
    if not review.pilots:
        return _section("pilots", words, words("no-pilots"))
    head = [words(f"head.{name}") for name in ("rank", "issue", "workload", "verdict", "waits", "since", "worth")]
    rows = [_pilot(pilot, review, words) for pilot in review.pilots]
    return _section("pilots", words, _table(head, rows, "rlllllr", words), words("note-pilots"))


def _pilot(pilot: OpenPilot, review: Review, words: Messages) -> list[str]:
    worth = NOTHING
    if pilot.worth is not None and pilot.worth_of is not None:
        amount = _ranged(pilot.worth, pilot.lo, pilot.hi, review.currency)
        worth = words(f"worth.{pilot.worth_of.value}", amount=amount)
    waits = words(f"why.{pilot.why.value}", runs=pilot.further_runs or NOTHING)
    if pilot.missing:
        waits = words("missing", state=waits, roles=", ".join(literal(role) for role in pilot.missing))
    verdict = (
        words("no-verdict")
        if pilot.verdict == "NONE"
        else catalogue(review.language, "comment")(f"word.{pilot.verdict}")
    )
    return [str(pilot.rank), f"#{pilot.issue}", _name(pilot.workload), verdict, waits, figures.day(pilot.since), worth]


def _unassigned(review: Review, words: Messages) -> str:
    if not review.unassigned:
        return ""
    head = [words(f"head.{name}") for name in ("quarter", "contract", "free", "per-month", "free-cost")]
    rows = [_free(one, review, words) for one in review.unassigned]
    return _section("unassigned", words, _table(head, rows, "llrrr", words))


def _free(one: Unassigned, review: Review, words: Messages) -> list[str]:
    amounts = [
        words(f"unit.{one.unit.value}", amount=figures.number(a, ",.0f")) for a in (one.amount, one.average_per_month)
    ]
    return [one.quarter, literal(one.contract_id), *amounts, _money(one.cost, review)]


def _risks(review: Review, words: Messages) -> str:
    if not review.risks:
        return ""
    lines = [f"- {_risk(risk, words)}" for risk in review.risks[:MOST_ROWS]]
    if len(review.risks) > MOST_ROWS:
        lines.append(words("more", count=len(review.risks) - MOST_ROWS))
    return _section("risks", words, "\n".join(lines))


def _risk(risk: Risk, words: Messages) -> str:
    amount = NOTHING if risk.amount is None else figures.money(risk.amount, risk.currency or "", 3)
    day = figures.day(risk.day) if risk.day else NOTHING
    told = {"subject": literal(risk.subject) if risk.subject else NOTHING, "issue": risk.issue or NOTHING}
    return words(
        f"risk.{risk.code.value}", day=day, amount=amount, share=_percent(risk.share), what=_name(risk.what), **told
    )


def _changes(review: Review, words: Messages) -> str:
    if review.previous is None:
        return words("no-previous")
    title = words("section.changes", previous=review.previous)
    lines = [f"- {_change(change, words)}" for change in review.changes[:MOST_ROWS]] or [words("no-changes")]
    if len(review.changes) > MOST_ROWS:
        lines.append(words("more", count=len(review.changes) - MOST_ROWS))
    return f"### {title}\n\n" + "\n".join(lines)


def _change(change: ReviewChange, words: Messages) -> str:
    before, after = (_side(change, side, words) for side in (change.before, change.after))
    return words(f"change.{change.code}", subject=literal(change.subject or NOTHING), before=before, after=after)


def _side(change: ReviewChange, side: str | None, words: Messages) -> str:
    if side is None:
        return NOTHING
    if change.code == "utilisation":
        return figures.percent(float(side))
    for prefix in ("state", "risk-name", "due"):
        if f"{prefix}.{side}" in words:
            return words(f"{prefix}.{side}")
    try:
        return figures.day(date.fromisoformat(side))
    except ValueError:
        return literal(side)


def _doubts(review: Review, words: Messages) -> str:
    works: dict[tuple[str, str], list[str]] = {}
    for q in review.questions:
        works.setdefault((q.gap.value, q.contract_id), []).append(_name(q.workload))
    asked = [
        words(f"question.{gap}", contract=literal(contract), workload=", ".join(names[:MOST_ROWS]))
        for (gap, contract), names in works.items()
    ]
    told = "\n".join(f"- {line}" for line in asked)
    found = alerts(review.problems, _Voice(review.language))
    return "\n\n".join(part for part in (f"### {words('section.questions')}\n\n{told}" if asked else "", found) if part)


class _Voice:
    """Speaks of problems."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, code: str, **arguments: object) -> str:
        return catalogue(self.language, "comment")(code, **arguments)


SECTIONS: tuple[Callable[[Review, Messages], str], ...] = (
    _headline,
    _commitments,
    _dates,
    _decisions,
    _outcomes,
    _pilots,
    _unassigned,
    _risks,
    _changes,
    _doubts,
)


def _section(code: str, words: Messages, *parts: str) -> str:
    return "\n\n".join([f"### {words(f'section.{code}')}", *parts])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], sides: str, words: Messages) -> str:
    rule = ["---:" if side == "r" else "---" for side in sides]
    lines = [f"| {' | '.join(row)} |" for row in (head, rule, *rows[:MOST_ROWS])]
    if len(rows) > MOST_ROWS:
        lines += ["", words("more", count=len(rows) - MOST_ROWS)]
    return "\n".join(lines)


def _name(text: str | None) -> str:
    return literal(text) if text else NOTHING


def _verdict(word: object, words: Messages) -> str:
    return words("no-verdict") if word is None else catalogue(spoken(), "comment")(f"word.{word}")


def _money(amount: float | None, review: Review) -> str:
    return NOTHING if amount is None else figures.money(amount, review.currency, 3)


def _ranged(point: float, lo: float | None, hi: float | None, currency: str) -> str:
    amount = figures.money(point, currency, 3)
    if lo is None or hi is None or lo == hi:
        return amount
    return f"{amount} ({figures.money(lo, currency, 3)} – {figures.money(hi, currency, 3)})"


def _percent(share: float | None) -> str:
    return NOTHING if share is None else figures.percent(share, 3)


def _period(first: date, last: date) -> str:
    if first.day == 1 and (first.year, first.month) == (last.year, last.month):
        return f"{first:%Y-%m}"
    return f"{first.isoformat()} – {last.isoformat()}"
