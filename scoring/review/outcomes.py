"""Forecast against outcome, decision by decision, and how often our intervals held."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from scipy.special import betaincinv

from scoring.model.decision import Word
from scoring.model.estimates import Direction
from scoring.review.given import DecisionFact, MonthForecast, Outcome, QualityForecast
from scoring.review.quarter import quarter_of
from scoring.review.values import Calibration, CalibrationStep, Check, OutcomeRow

COST = "cost"
QUALITY = "quality"
ENOUGH = 10
"""Outcomes from which on their share is told without a warning: with nine, 95 % and 67 % look alike."""
LEVEL_OF_SHARE = 0.95
A_HUNDRED = (30, 300)
"""A quality changes; one in per cent beside one as a share is about a hundred times as large."""


def decision_of(outcome: Outcome, decisions: Iterable[DecisionFact]) -> DecisionFact | None:
    """The decision that an outcome is of; None where it names none, or a workload that the decision does not have."""
    place = (outcome.repository, outcome.issue)
    same = [f for f in decisions if (f.repository, f.issue) == place and outcome.seq in (None, f.seq)]
    named = [f for f in same if outcome.workload is None or outcome.workload == f.workload]
    before = [f for f in named if outcome.seq is not None or f.decided_on <= outcome.ends_on]
    last = max((f.seq for f in before), default=None)
    of_it = [f for f in before if f.seq == last]
    return of_it[0] if len(of_it) == 1 else None


def outcome_rows(outcomes: Iterable[Outcome], decisions: Sequence[DecisionFact], today: date) -> Iterator[OutcomeRow]:
    """In the order of their periods; what begins after today has not happened."""
    ordered = sorted(outcomes, key=lambda o: (o.ends_on, o.starts_on, o.repository or "", o.issue, o.workload or ""))
    of_issue = by_issue(decisions)
    for outcome in ordered:
        fact = decision_of(outcome, of_issue[outcome.repository, outcome.issue])
        if fact is not None and outcome.starts_on <= today:
            yield _row(outcome, fact)


def by_issue(decisions: Iterable[DecisionFact]) -> Mapping[tuple[str | None, int], Sequence[DecisionFact]]:
    """The decisions of each issue, nothing for another: thousands of outcomes need not look through them all."""
    found = defaultdict[tuple[str | None, int], list[DecisionFact]](list)
    for fact in decisions:
        found[fact.repository, fact.issue].append(fact)
    return found


def _row(outcome: Outcome, fact: DecisionFact) -> OutcomeRow:
    moved = _all_moved(outcome, fact)
    cost = _cost_check(outcome, fact) if moved else None
    checks = [c for c in (cost, *(_quality_checks(outcome, fact) if moved else ())) if c is not None]
    months = _forecasts(outcome, fact)
    stay = sum(m.stay_cost for m in months) / len(months) if months else None
    planned = sum(m.planned_cost for m in months) / len(months) if months else None
    paid = outcome.monthly_cost
    return OutcomeRow(
        outcome=outcome,
        repository=fact.repository,
        issue=fact.issue,
        seq=fact.seq,
        part=fact.part,
        workload=fact.workload,
        currency=fact.currency,
        after_move=moved,
        checks=tuple(checks),
        stay_cost=stay,
        planned_cost=planned,
        saved=None if stay is None or paid is None else stay - paid,
    )


def _all_moved(outcome: Outcome, fact: DecisionFact) -> bool:
    """Whether all work was on the candidate: a part of it says nothing about the ratio."""
    day = fact.full_on or (fact.on if fact.verdict is Word.SWITCH else None)
    if not fact.moves or day is None or outcome.starts_on < day:
        return False
    return all(m.gone_share in (None, 1.0) for m in _forecasts(outcome, fact))


def _cost_check(outcome: Outcome, fact: DecisionFact) -> Check | None:
    """The ratio of the costs of a unit: the actual one to the incumbent's in the same time, else to the pilot's."""
    base = outcome.incumbent_cost_per_unit or fact.incumbent_cost_per_unit
    if outcome.cost_per_unit is None or not base or fact.theta is None:
        return None
    actual = outcome.cost_per_unit / base
    return _check(COST, fact.theta.point, fact.theta.lo, fact.theta.hi, fact.level, actual)


def _quality_checks(outcome: Outcome, fact: DecisionFact) -> Iterator[Check]:
    for metric, value in sorted(outcome.quality.items()):
        forecast = next((q for q in fact.quality if q.metric.casefold() == metric.casefold()), None)
        is_alike = (
            forecast is not None and _expected_form(forecast, value, metric in outcome.quality_in_percent) is None
        )
        if forecast is not None and is_alike and (difference := _difference(value, forecast)) is not None:
            margin = math.log1p(forecast.margin) if forecast.margin_is_relative else forecast.margin
            told = _check(forecast.metric, forecast.difference, forecast.lo, forecast.hi, fact.level, difference)
            yield told.model_copy(update={"keeps_margin": difference >= -margin})


def odd_qualities(outcome: Outcome, fact: DecisionFact) -> Iterator[tuple[str, str]]:
    """Metrics that the pilot did not measure, or not in this unit, each with what is expected."""
    known = {q.metric.casefold(): q for q in fact.quality}
    for metric in sorted(outcome.quality):
        forecast = known.get(metric.casefold())
        if forecast is None:
            yield metric, ", ".join(sorted(q.metric for q in fact.quality)) or "nothing"
        elif expected := _expected_form(forecast, outcome.quality[metric], metric in outcome.quality_in_percent):
            yield metric, expected


def _expected_form(forecast: QualityForecast, value: float, in_percent: bool) -> str | None:
    """How the pilot writes the metric, where a value is written in another unit: per cent, or a hundredth of it.

    A share beside a figure above 1 that is 30 to 300 times as large is taken for the same one in per cent.
    """
    mean = forecast.incumbent_mean or 0.0
    written = "8.2 %" if forecast.in_percent else "8.2" if mean > 1 else "0.082"
    if forecast.in_percent != in_percent:
        return written
    if in_percent or mean <= 0 or value <= 0 or (mean > 1) == (value > 1):
        return None
    low, high = sorted((mean, value))
    return written if A_HUNDRED[0] <= high / low <= A_HUNDRED[1] else None


def _difference(value: float, forecast: QualityForecast) -> float | None:
    """Above 0 the candidate is better, as in the pilot's estimate; of logarithms where the margin is relative."""
    base, sign = forecast.incumbent_mean, 1.0 if forecast.direction is Direction.HIGHER else -1.0
    if base is None:
        return None
    if not forecast.margin_is_relative:
        return sign * (value - base)
    return sign * math.log(value / base) if value > 0 and base > 0 else None


def _check(what: str, forecast: float | None, lo: float | None, hi: float | None, level: float, actual: float) -> Check:
    inside = None if lo is None or hi is None else lo <= actual <= hi
    return Check(what=what, forecast=forecast, lo=lo, hi=hi, level=level, actual=actual, inside=inside)


def with_counted(rows: Sequence[OutcomeRow]) -> tuple[OutcomeRow, ...]:
    """Each decision's last check of each figure that had an interval is marked: it counts in the calibration."""
    last = {(row.key, c.what): n for n, row in enumerate(rows) for c in row.checks if _judged(c)}
    marked = []
    for number, row in enumerate(rows):
        checks = tuple(
            check.model_copy(update={"counted": last.get((row.key, check.what)) == number}) for check in row.checks
        )
        marked.append(row.model_copy(update={"checks": checks}))
    return tuple(marked)


def with_saved_months(
    rows: Sequence[OutcomeRow], decisions: Sequence[DecisionFact], today: date
) -> tuple[OutcomeRow, ...]:
    """In how many months each row's saving counts: those forecast that have begun and that no nearer row tells of."""
    facts = {fact.key: fact for fact in decisions}
    told: set[tuple[str | None, int, str | int, date]] = set()
    months = dict[int, int]()
    for number in sorted(range(len(rows)), key=lambda n: (_days(rows[n]), -n)):
        row = rows[number]
        mine = {
            (row.repository, row.issue, row.workload or row.part, month.starts_on)
            for month in _forecasts(row.outcome, facts[row.key])
            if row.saved is not None and month.starts_on <= today
        }
        months[number] = len(mine - told)
        told |= mine
    return tuple(row.model_copy(update={"saved_months": months[number]}) for number, row in enumerate(rows))


def _days(row: OutcomeRow) -> int:
    return (row.outcome.ends_on - row.outcome.starts_on).days


def _forecasts(outcome: Outcome, fact: DecisionFact) -> list[MonthForecast]:
    return [m for m in fact.months if outcome.starts_on <= m.starts_on <= outcome.ends_on]


def saved_in_all(rows: Sequence[OutcomeRow], currency: str) -> float | None:
    """What the months that count saved, of decisions in that currency; None where no month counts."""
    counted = [row.saved * row.saved_months for row in rows if row.saved is not None and row.currency == currency]
    return sum(counted) if any(row.saved_months and row.currency == currency for row in rows) else None


def _judged(check: Check) -> bool:
    return check.inside is not None


def calibrations(rows: Sequence[OutcomeRow]) -> tuple[Calibration, ...]:
    """Of the cost ratios and of the qualities that count, for each level that intervals were given at."""
    counted = [(row.outcome.ends_on, check) for row in rows for check in row.checks if check.counted]
    levels = sorted({check.level for _, check in counted})
    return tuple(
        _calibration(what, level, found)
        for what in (COST, QUALITY)
        for level in levels
        if (found := sorted(_held(counted, what, level)))
    )


def _held(counted: Iterable[tuple[date, Check]], what: str, level: float) -> Iterator[tuple[date, bool]]:
    for day, check in counted:
        if check.level == level and (check.what == COST) == (what == COST):
            yield day, check.inside is True


def _calibration(what: str, level: float, found: Sequence[tuple[date, bool]]) -> Calibration:
    n, inside = len(found), sum(held for _, held in found)
    lo, hi = share_interval(inside, n)
    quarters = sorted({(quarter_of(day).first, quarter_of(day).name) for day, _ in found})
    steps = (_step(name, [held for day, held in found if quarter_of(day).first <= first]) for first, name in quarters)
    return Calibration(
        what=what,
        level=level,
        n=n,
        inside=inside,
        share=inside / n,
        lo=lo,
        hi=hi,
        is_enough=n >= ENOUGH,
        agrees=lo <= level <= hi,
        steps=tuple(steps),
    )


def _step(quarter: str, held: Sequence[bool]) -> CalibrationStep:
    return CalibrationStep(quarter=quarter, n=len(held), inside=sum(held))


def share_interval(inside: int, n: int) -> tuple[float, float]:
    """The exact two-sided interval of a binomial share, 95 % (Clopper and Pearson 1934)."""
    tail = (1 - LEVEL_OF_SHARE) / 2
    lo = float(betaincinv(inside, n - inside + 1, tail)) if inside else 0.0
    hi = float(betaincinv(inside + 1, n - inside, 1 - tail)) if inside < n else 1.0
    return lo, hi
