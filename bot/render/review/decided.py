"""The comment's part on decisions: the new ones, what came of those before, and what waits."""

from collections.abc import Iterator, Sequence
from datetime import date

from bot.render import figures
from bot.render.comment.problems import alerts
from bot.render.locales import in_language
from bot.render.messages import Messages, catalogue
from bot.render.review.parts import (
    NOTHING,
    Voice,
    issue_link,
    named,
    percent,
    period_of,
    ranged,
    section,
    table,
    verdict_word,
)
from bot.render.safe_text import literal
from scoring.problems import warning
from scoring.review.given import DecisionFact, Outcome
from scoring.review.outcomes import COST, QUALITY, decision_of, odd_qualities, outcome_rows
from scoring.review.values import Calibration, Check, DecisionRow, OpenPilot, OutcomeRow, Review


def decisions(review: Review, words: Messages) -> str:
    """Those since the last review."""
    new = [row for row in review.decisions if row.is_new]
    title = words("section.decisions", since=figures.day(review.since))
    if not new:
        return f"### {title}\n\n{words('no-decisions')}"
    head = [words(f"head.{name}") for name in ("issue", "workload", "verdict", "decided", "moves", "saving", "state")]
    rows = [_decision(row, words) for row in new]
    return f"### {title}\n\n{table(head, rows, 'lllllrl', words)}"


def _decision(row: DecisionRow, words: Messages) -> list[str]:
    fact = row.fact
    saving = NOTHING
    if fact.saving is not None:
        saving = ranged(fact.saving.point, fact.saving.lo, fact.saving.hi, fact.currency)
    moves = figures.day(fact.on) if fact.on else NOTHING
    state = words(f"state.{row.state.value}") if row.state else NOTHING
    if row.missing:
        state = words("missing", state=state, roles=", ".join(literal(role) for role in row.missing))
    if not row.is_latest:
        state = words("replaced")
    return [
        issue_link(fact.repository, fact.issue),
        named(fact.workload),
        verdict_word(fact.verdict, words),
        figures.day(fact.decided_on),
        moves,
        saving,
        state,
    ]


def outcomes(review: Review, words: Messages) -> str:
    """What happened against what was said, the newest first, and whether the intervals hold."""
    if not review.outcomes:
        return section("outcomes", words, words("no-outcomes"))
    head = [
        words(f"head.{name}") for name in ("issue", "workload", "period", "figure", "said", "was", "reads", "saved")
    ]
    rows = [line for row in reversed(review.outcomes) for line in _outcome(row, words)]
    notes = [_calibration(c, words) for c in review.calibration] or [words("calibration-none")]
    return section("outcomes", words, table(head, rows, "lllllllr", words), words("note-outcomes"), *notes)


def _outcome(row: OutcomeRow, words: Messages) -> Iterator[list[str]]:
    period = period_of(row.outcome.starts_on, row.outcome.ends_on)
    saved = NOTHING if row.saved is None else figures.money(row.saved, row.currency, 3)
    first = [issue_link(row.repository, row.issue), named(row.workload), period]
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
    return words(code, what=what, share=percent(found.share), **told, **bounds)


def pilots(review: Review, words: Messages) -> str:
    """Those that wait, the one that is worth most first."""
    if not review.pilots:
        return section("pilots", words, words("no-pilots"))
    head = [words(f"head.{name}") for name in ("rank", "issue", "workload", "verdict", "waits", "since", "worth")]
    rows = [_pilot(pilot, review, words) for pilot in review.pilots]
    return section("pilots", words, table(head, rows, "rlllllr", words), words("note-pilots"))


def _pilot(pilot: OpenPilot, review: Review, words: Messages) -> list[str]:
    worth = NOTHING
    if pilot.worth is not None and pilot.worth_of is not None:
        amount = ranged(pilot.worth, pilot.lo, pilot.hi, review.currency)
        worth = words(f"worth.{pilot.worth_of.value}", amount=amount)
    waits = words(f"why.{pilot.why.value}", runs=pilot.further_runs or NOTHING)
    if pilot.missing:
        waits = words("missing", state=waits, roles=", ".join(literal(role) for role in pilot.missing))
    verdict = verdict_word(None if pilot.verdict == "NONE" else pilot.verdict, words)
    issue = issue_link(pilot.repository, pilot.issue)
    return [str(pilot.rank), issue, named(pilot.workload), verdict, waits, figures.day(pilot.since), worth]


@in_language(lambda outcome, facts, today, language: language)
def render_outcome(outcome: Outcome, facts: Sequence[DecisionFact], today: date, language: str) -> str:
    """The reply to one outcome: what was kept, and how it stands to what the decision said."""
    words = catalogue(language, "review")
    rows = [line for row in outcome_rows([outcome], facts, today) for line in _outcome(row, words)]
    heads = ("issue", "workload", "period", "figure", "said", "was", "reads", "saved")
    laid_out = table([words(f"head.{name}") for name in heads], rows, "lllllllr", words)
    title = words("outcome-kept", period=period_of(outcome.starts_on, outcome.ends_on))
    parts = [f"### {title}", laid_out if rows else words("outcome-later"), words("note-outcomes")]
    fact = decision_of(outcome, facts)
    odd = odd_qualities(outcome, fact) if fact else ()
    told = [warning("outcome-quality-not-compared", column=QUALITY, found=m, expected=wanted) for m, wanted in odd]
    return "\n\n".join([*parts, *([alerts(told, Voice(language))] if told else [])]) + "\n"
