"""What each run cost: price × hours × instances, or the cost as posted; never both and never a guess."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from scoring.arms import ArmData, Arms
from scoring.model.contract import PriceBook
from scoring.model.decision import CostedRun
from scoring.model.estimates import MeanSpread
from scoring.model.pilot import Pilot, Pricing, Run, RunStatus, Summary
from scoring.model.problem import Problem
from scoring.model.settings import PriceSetting, Settings
from scoring.prices import find_price
from scoring.problems import info, question, warning
from scoring.setup import Setup

COST_TOLERANCE = Decimal("0.02")
UNLISTED = (Pricing.SPOT, Pricing.QUOTE)
"""Terms whose price stands in no list: the list's on-demand price would be a guess."""
UNPRICED = ("price-missing", "price-ambiguous")
SECONDS_PER_HOUR = 3600.0


@dataclass(frozen=True)
class HourlyPrice:
    """Price of an instance-hour in the decision's currency, and where it came from."""

    per_hour: Decimal
    source: str


def price_of(
    row: Run | Summary, settings: Settings, book: PriceBook, today: date
) -> tuple[HourlyPrice | None, list[Problem]]:
    """Settings win over what was posted, which wins over the price book; a missing price is a question."""
    setting = configured_price(row, settings)
    if setting is not None:
        return _from_setting(row, setting, settings, today)
    if row.price_per_hour is not None:
        amount, problems = to_currency(row.price_per_hour, row.currency or settings.currency, settings, today)
        source = row.price_source or row.file
        return (HourlyPrice(amount, source) if amount is not None else None), problems
    if row.instance_type is None:
        return None, []
    if row.pricing in UNLISTED:
        terms = row.pricing.value.replace("_", " ")
        return None, [question("price-missing", found=f"{row.instance_type} ({terms})", expected="a price per hour")]
    found, problems = find_price(book, row.instance_type, row.region)
    if found is None:
        return None, problems
    amount, more = to_currency(found.price, found.currency, settings, today)
    return (HourlyPrice(amount, found.source) if amount is not None else None), problems + more


def configured_price(row: Run | Summary, settings: Settings) -> PriceSetting | None:
    """The price that the settings give for its arm, instance type or accelerator, in this order."""
    wanted = {name.casefold(): value for name, value in settings.prices.items()}
    for name in (row.arm, row.instance_type, row.accelerator):
        if name and name.casefold() in wanted:
            return wanted[name.casefold()]
    return None


def _from_setting(
    row: Run | Summary, setting: PriceSetting, settings: Settings, today: date
) -> tuple[HourlyPrice | None, list[Problem]]:
    if setting.expires_on is not None and setting.expires_on < today:
        found = setting.expires_on.isoformat()
        return None, [question("quote-expired", found=found, expected=f"after {today}", arm=row.arm)]
    amount, problems = to_currency(setting.per_hour, setting.currency or settings.currency, settings, today)
    source = f"{setting.basis.value}: {setting.source}" if setting.source else setting.basis.value
    return (HourlyPrice(amount, source) if amount is not None else None), problems


def to_currency(
    amount: Decimal, currency: str, settings: Settings, today: date
) -> tuple[Decimal | None, list[Problem]]:
    """The amount in the decision's currency by the latest configured rate on or before today."""
    if currency == settings.currency:
        return amount, []
    direct = [r for r in settings.rates if (r.source, r.target) == (currency, settings.currency) and r.on <= today]
    inverse = [r for r in settings.rates if (r.target, r.source) == (currency, settings.currency) and r.on <= today]
    if direct:
        return amount * max(direct, key=lambda r: r.on).rate, []
    if inverse:
        return amount / max(inverse, key=lambda r: r.on).rate, []
    return None, [question("currency-rate-missing", found=currency, expected=settings.currency, currency=currency)]


def cost_arm(
    name: str, runs: Sequence[Run], summary: Summary | None, setup: Setup, today: date, default_work: bool
) -> tuple[ArmData, list[Problem]]:
    """An arm with hours, cost and work of each run; `default_work` counts one run as one unit of work.

    An evaluation beside runs that have time did none.

    Where runs were posted beside a summary, the runs count and the summary does not.
    """
    if not runs and summary is not None:
        priced, problems = _cost_summary(summary, setup, today)
        return ArmData(name, summary=priced), _of_arm(problems, name)
    problems = []
    costed = []
    timed = any(not run.is_evaluation for run in runs)
    for run in runs:
        worked = default_work and not (timed and run.is_evaluation)
        one, found = _cost_run(run, setup.settings, setup.prices, today, worked)
        costed.append(one)
        problems += found
    return ArmData(name, runs=tuple(costed)), _of_arm(problems, name)


def _of_arm(problems: Sequence[Problem], arm: str) -> list[Problem]:
    named = [p.model_copy(update={"arguments": {**p.arguments, "arm": arm}}) for p in problems]
    return _once(named)


def _cost_summary(summary: Summary, setup: Setup, today: date) -> tuple[Summary, list[Problem]]:
    """The summary with its price and its own cost in the decision's currency; neither where the two differ."""
    settings = setup.settings
    price, problems = price_of(summary, settings, setup.prices, today)
    cost, more = _exchanged(summary, settings, today)
    hours = summary.duration_s.mean / SECONDS_PER_HOUR * summary.instance_count if summary.duration_s else None
    computed = price.per_hour * Decimal(repr(hours)) if price and hours is not None else None
    stated = None if cost is None else Decimal(repr(cost.mean))
    _, differing = _reconciled(summary, computed, stated, settings)
    if cost is not None:
        problems = [p for p in problems if p.code not in UNPRICED]
    if differing or (computed is not None and settings.cost_source == "computed"):
        cost = None
    per_hour, source = (None, None) if price is None or differing else (price.per_hour, price.source)
    if cost is not None and stated is not None and hours:
        per_hour, source = stated / Decimal(repr(hours)), None
    update = {"cost": cost, "price_per_hour": per_hour, "price_source": source}
    return summary.model_copy(update=update), problems + more + differing


def _exchanged(summary: Summary, settings: Settings, today: date) -> tuple[MeanSpread | None, list[Problem]]:
    if summary.cost is None:
        return None, []
    rate, problems = to_currency(Decimal(1), summary.cost_currency or settings.currency, settings, today)
    if rate is None:
        return None, problems
    mean, sd = summary.cost.mean * float(rate), summary.cost.sd
    return summary.cost.model_copy(update={"mean": mean, "sd": None if sd is None else sd * float(rate)}), problems


def _cost_run(
    run: Run, settings: Settings, book: PriceBook, today: date, default_work: bool
) -> tuple[CostedRun, list[Problem]]:
    price, problems = price_of(run, settings, book, today)
    hours = _hours(run, settings)
    computed = price.per_hour * Decimal(repr(hours)) if price and hours is not None else None
    stated = None
    if run.stated_cost is not None and _knows_work(run):
        stated, more = to_currency(run.stated_cost, run.cost_currency or settings.currency, settings, today)
        problems += more
    cost, more = _reconciled(run, computed, stated, settings)
    per_hour = float(price.per_hour) if price else None
    if cost is not None and cost is not computed and hours:
        per_hour = float(cost) / hours
    costed = CostedRun(
        run=run,
        hours=hours,
        cost=None if cost is None else float(cost),
        work=_work(run, default_work),
        price_per_hour=per_hour,
        note=price.source if price and cost is computed else None,
    )
    if stated is not None:
        problems = [p for p in problems if p.code not in UNPRICED]
    return costed, problems + more


def _knows_work(run: Run) -> bool:
    """Whether the work behind a posted cost is known: a throughput alone speaks of an hour, not of the run."""
    return run.duration_s is not None or run.throughput is None or run.work_units is not None


def _hours(run: Run, settings: Settings) -> float | None:
    if run.duration_s is None:
        return None if run.throughput is None else float(run.instance_count)
    seconds = run.duration_s + (run.initialisation_s or 0.0 if settings.count_initialisation else 0.0)
    return seconds / SECONDS_PER_HOUR * run.instance_count


def _work(run: Run, default_work: bool) -> float:
    if run.status is RunStatus.FAILED:
        return 0.0
    if default_work:
        return 1.0
    if run.work_units is not None:
        return run.work_units
    if run.throughput is not None:
        return run.throughput * (run.duration_s if run.duration_s is not None else SECONDS_PER_HOUR)
    return 0.0


def _reconciled(
    row: Run | Summary, computed: Decimal | None, stated: Decimal | None, settings: Settings
) -> tuple[Decimal | None, list[Problem]]:
    if computed is None or stated is None:
        return (stated if computed is None else computed), []
    if settings.cost_source == "stated":
        return stated, []
    if settings.cost_source == "computed" or abs(computed - stated) <= COST_TOLERANCE * max(computed, stated):
        return computed, []
    found = f"{stated:f}"
    place = {"file": row.file, "row": row.row, "column": "cost_usd"}
    return None, [question("cost-disagrees", **place, found=found, expected=f"{computed:.4f}")]


def price_notes(arms: Arms, book: PriceBook, settings: Settings) -> list[Problem]:
    """Where a price that is used differs from the list by more than 2 %, and where it is an assumption."""
    notes: list[Problem] = []
    for costed in {_price_of(c): c for arm in arms.both for c in arm.runs}.values():
        run = costed.run
        if costed.note and costed.note.startswith("assumption"):
            notes.append(warning("price-is-assumption", arm=run.arm, price=costed.price_per_hour or 0.0))
        if run.price_per_hour is None or run.instance_type is None or configured_price(run, settings):
            continue
        listed, _ = find_price(book, run.instance_type, run.region)
        if listed and listed.currency == (run.currency or settings.currency):
            gap = abs(listed.price - run.price_per_hour)
            if gap > COST_TOLERANCE * listed.price:
                found, listed_at = f"{run.price_per_hour:f}", f"{listed.price:f}"
                notes.append(info("price-differs-from-list", found=found, expected=listed_at, arm=run.arm))
    return _once(notes)


def _price_of(costed: CostedRun) -> tuple[object, ...]:
    """All that a note about a run's price depends on."""
    run = costed.run
    place = (run.arm, run.instance_type, run.accelerator, run.region)
    return (*place, run.price_per_hour, run.currency, costed.price_per_hour, costed.note)


def _once(problems: Sequence[Problem]) -> list[Problem]:
    return list({p.model_dump_json(): p for p in problems}.values())


def prices_not_used(setup: Setup, pilot: Pilot) -> list[Problem]:
    """Prices set by a pair for a name that nothing in the posting bears."""
    rows: tuple[Run | Summary, ...] = (*pilot.runs, *pilot.summaries)
    names = [n for row in rows for n in (row.arm, row.instance_type, row.accelerator) if n]
    known = {n.casefold() for n in names} | {f"{n.casefold()}.{f}" for n in names for f in PriceSetting.model_fields}
    arms = ", ".join(pilot.arm_names)
    wrong = [name for name in setup.named_prices if rows and name.casefold() not in known]
    return [question("price-not-used", found=name[:100], expected=arms) for name in wrong]
