"""The review as Markdown: what is committed and used, what is due, what was decided and brought, what waits."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from bot.render import figures
from bot.render.comment.problems import alerts
from bot.render.locales import in_language
from bot.render.messages import Messages, catalogue
from bot.render.review.decided import decisions, outcomes, pilots
from bot.render.review.parts import (
    MOST_ROWS,
    NOTHING,
    Voice,
    issue_link,
    money,
    named,
    percent,
    section,
    table,
    verdict_word,
)
from bot.render.review.plan import lead, plan
from bot.render.safe_text import literal
from scoring.model.deadline import DueDate
from scoring.model.economics import DeadlineStatus
from scoring.review.outcomes import saved_in_all
from scoring.review.values import (
    ContractPosition,
    Review,
    ReviewChange,
    Risk,
    Unassigned,
)

_ISSUE = re.compile(r"(?:[\w.-]+/[\w.-]+)?#[0-9]+\Z", re.ASCII)
LIMIT = 62_000
"""Characters: GitHub takes 65,536, and a posted reply carries addresses and a marker."""


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
        told = {"cost": money(total.commitment_cost, review), "unused": money(total.wasted_cost, review)}
        lines.append(words("lead-commitments", share=percent(total.used_share), **told))
        lines.append(words("lead-overage", overage=money(total.overage_cost, review)))
    coming = [one.due for one in review.dates if one.due.status is not DeadlineStatus.MISSED]
    if coming:
        first = coming[0]
        named = {"what": words(f"due.{first.kind.value}"), "subject": literal(first.subject or NOTHING)}
        lines.append(words("lead-due", count=len(coming), day=figures.day(first.day), days=first.days_left, **named))
    lines += lead(review, words)
    saved = saved_in_all(review.outcomes, review.currency)
    if saved is not None:
        lines.append(words("lead-saved" if saved >= 0 else "lead-lost", saved=money(abs(saved), review)))
    best = next((p for p in review.pilots if p.worth is not None), None)
    if best is not None:
        issue = issue_link(best.repository, best.issue)
        lines.append(words("lead-pilots", count=len(review.pilots), issue=issue, worth=money(best.worth, review)))
    listed = "\n".join(f"- {line}" for line in lines[1:])
    return "\n\n".join(part for part in (lines[0], *_repositories(review, words), listed) if part)


def _repositories(review: Review, words: Messages) -> Iterator[str]:
    """Whose figures these are, and above all figures whose are missing."""
    lacking, others = (", ".join(map(literal, names)) for names in (review.lacking, review.repositories))
    if lacking:
        yield f"> [!WARNING]\n> {words('lacking', count=len(review.lacking), names=lacking)}"
    if others:
        yield words("repositories", count=len(review.repositories), names=others)


def _commitments(review: Review, words: Messages) -> str:
    if not review.contracts:
        return ""
    names = review.quarters
    head = [words("head.contract"), words("head.kind"), words("head.until")]
    head += [words("head.used-in", quarter=name) for name in names] + [words("head.unused", quarter=names[0])]
    rows = [_contract(c, review, words) for c in review.contracts]
    laid_out = table(head, rows, "lll" + "r" * (len(names) + 1), words)
    totals = [
        words(
            "total",
            quarter=t.quarter,
            cost=money(t.commitment_cost, review),
            share=percent(t.used_share),
            unused=money(t.wasted_cost, review),
            overage=money(t.overage_cost, review),
        )
        for t in review.totals
    ]
    return section("commitments", words, laid_out, "\n".join(totals), words("note-utilisation"))


def _contract(position: ContractPosition, review: Review, words: Messages) -> list[str]:
    used = [percent(q.utilisation) for q in position.quarters]
    unused = money(position.quarters[0].wasted_cost, review)
    kind = words(f"kind.{position.kind}")
    return [literal(position.contract_id), kind, figures.day(position.ends_on), *used, unused]


def _dates(review: Review, words: Messages) -> str:
    if not review.dates:
        return section("dates", words, words("no-dates"))
    head = [words(f"head.{name}") for name in ("quarter", "day", "left", "what", "subject", "owner")]
    rows = [[one.quarter, *_date(one.due, words)] for one in review.dates]
    return section("dates", words, table(head, rows, "llrlll", words))


def _date(due: DueDate, words: Messages) -> list[str]:
    missed = due.status is DeadlineStatus.MISSED
    what = words(f"due.{due.kind.value}{'-missed' if missed else ''}")
    left = words("passed") if missed else figures.number(due.days_left)
    owner = literal(due.owner) if due.owner else NOTHING
    return [figures.day(due.day), left, what, literal(due.subject) if due.subject else NOTHING, owner]


def _unassigned(review: Review, words: Messages) -> str:
    if not review.unassigned:
        return ""
    head = [words(f"head.{name}") for name in ("quarter", "contract", "free", "per-month", "free-cost")]
    rows = [_free(one, review, words) for one in review.unassigned]
    return section("unassigned", words, table(head, rows, "llrrr", words))


def _free(one: Unassigned, review: Review, words: Messages) -> list[str]:
    amounts = [
        words(f"unit.{one.unit.value}", amount=figures.number(a, ",.0f")) for a in (one.amount, one.average_per_month)
    ]
    return [one.quarter, literal(one.contract_id), *amounts, money(one.cost, review)]


def _risks(review: Review, words: Messages) -> str:
    if not review.risks:
        return ""
    lines = [f"- {_risk(risk, words)}" for risk in review.risks[:MOST_ROWS]]
    if len(review.risks) > MOST_ROWS:
        lines.append(words("more", count=len(review.risks) - MOST_ROWS))
    return section("risks", words, "\n".join(lines))


def _risk(risk: Risk, words: Messages) -> str:
    amount = NOTHING if risk.amount is None else figures.money(risk.amount, risk.currency or "", 3)
    day = figures.day(risk.day) if risk.day else NOTHING
    issue = issue_link(risk.repository, risk.issue) if risk.issue else NOTHING
    told = {"subject": literal(risk.subject) if risk.subject else NOTHING, "issue": issue}
    return words(
        f"risk.{risk.code.value}", day=day, amount=amount, share=percent(risk.share), what=named(risk.what), **told
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
    is_issue = change.code.startswith("decision-") and _ISSUE.match(change.subject)
    subject = change.subject if is_issue else literal(change.subject or NOTHING)
    return words(f"change.{change.code}", subject=subject, before=before, after=after)


def _side(change: ReviewChange, side: str | None, words: Messages) -> str:
    if side is None:
        return NOTHING
    if change.code == "utilisation":
        return figures.percent(float(side))
    if change.code == "decision-new":
        return verdict_word(None if side == "NONE" else side, words)
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
        works.setdefault((q.gap.value, q.contract_id), []).append(named(q.workload))
    asked = [
        words(f"question.{gap}", contract=literal(contract), workload=", ".join(names[:MOST_ROWS]))
        for (gap, contract), names in works.items()
    ]
    told = "\n".join(f"- {line}" for line in asked)
    found = alerts(review.problems, Voice(review.language))
    return "\n\n".join(part for part in (f"### {words('section.questions')}\n\n{told}" if asked else "", found) if part)


SECTIONS: tuple[Callable[[Review, Messages], str], ...] = (
    _headline,
    _commitments,
    _dates,
    decisions,
    outcomes,
    pilots,
    plan,
    _unassigned,
    _risks,
    _changes,
    _doubts,
)
