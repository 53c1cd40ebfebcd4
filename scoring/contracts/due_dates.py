"""Every day of a book by which something must be said, confirmed or ordered, and which of them a decision rests on."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta

from scoring.contracts.coverage import covers
from scoring.contracts.deadlines import obligation_of_renewal
from scoring.contracts.kinds.rules import longest_block_days, vendor_rule
from scoring.contracts.notices import add_months, deadline_of, renewed_until, renews_automatically, status_on
from scoring.model.contract import Contract
from scoring.model.deadline import Advice, DueDate, DueKind
from scoring.model.decision import ArmResult, Decision, Word
from scoring.model.economics import ArmFlow, DeadlineStatus
from scoring.model.settings import Settings

BLOCK = "capacity_block"
ANSWERS = (Word.SWITCH, Word.SPLIT, Word.STAY)
"""Verdicts by which somebody may act on a notice."""


def due_dates(
    contracts: Iterable[Contract], settings: Settings, today: date, in_command: Collection[str] = ()
) -> tuple[DueDate, ...]:
    """All days from today on, and notices that were missed, in the order of days.

    Contracts are those of the term that runs today (`scoring.contracts.current_term`). `in_command` names the settings
    (`capacity`, `prices.NAME`) that one command has given.
    """
    found = [due for contract in contracts for due in _of_contract(contract, today)]
    found += _of_settings(settings, today, in_command)
    return tuple(sorted(found, key=_by_day))


def _of_contract(contract: Contract, today: date) -> Iterator[DueDate]:
    common = {"subject": contract.id, "owner": contract.owner, "provider": contract.provider, "source": contract.source}
    notice = _notice(contract, today, common)
    if notice is not None:
        yield notice
    if contract.ends_on >= today:
        renewal = {"renewal": contract.renewal.kind.value, "renewal_months": contract.renewal.months}
        yield _due(DueKind.TERM_END, contract.ends_on, today, **common, **renewal)
    yield from _of_term(contract, today, common)


def _of_term(contract: Contract, today: date, common: Mapping[str, object]) -> Iterator[DueDate]:
    """Steps of a ramp, ends of periods that are trued up, and the days on which a block can be extended."""
    for number, step in enumerate(contract.ramp, start=1):
        if step.starts_on >= today:
            yield _due(DueKind.RAMP_STEP, step.starts_on, today, **common, number=number)
    for number, day in enumerate(_period_ends(contract), start=1):
        if day >= today:
            yield _due(DueKind.TRUE_UP, day, today, **common, number=number)
    if contract.kind.casefold().replace("-", "_") == BLOCK and _length_days(contract) < longest_block_days():
        rule = vendor_rule("aws-capacity-block-extension")
        last = contract.ends_on - timedelta(days=rule.closes_days_before or 0)
        if last >= today:
            opens = contract.ends_on - timedelta(days=rule.opens_days_before or 0)
            yield _due(DueKind.EXTENSION, last, today, **common, opens_on=opens)


def _length_days(contract: Contract) -> int:
    return (contract.ends_on - contract.starts_on).days + 1


def _period_ends(contract: Contract) -> Iterator[date]:
    """Of a spend commitment: each year's last day where it is promised by the year, else the term's."""
    if contract.commitment.currency_total is None or not contract.true_up:
        return
    years = 1
    while contract.commitment.per_year:
        day = add_months(contract.starts_on, 12 * years) - timedelta(days=1)
        if day >= contract.ends_on:
            break
        yield day
        years += 1
    yield contract.ends_on


def _notice(contract: Contract, today: date, common: Mapping[str, object]) -> DueDate | None:
    day, status = deadline_of(contract), status_on(contract, today)
    if day is None or status is DeadlineStatus.NONE:
        return None
    renews = renews_automatically(contract)
    return _due(
        DueKind.NOTICE,
        day,
        today,
        **common,
        status=status,
        renewal=contract.renewal.kind.value,
        renewal_months=contract.renewal.months,
        renewed_until=renewed_until(contract) if renews else None,
        obligation=obligation_of_renewal(contract) if renews else None,
        currency=contract.currency,
    )


def _of_settings(settings: Settings, today: date, in_command: Collection[str]) -> Iterator[DueDate]:
    """Quotes and confirmations end after their day."""
    for name, price in settings.prices.items():
        if price.expires_on is not None and price.expires_on >= today:
            given = f"prices.{name}" in in_command
            yield _due(DueKind.QUOTE, price.expires_on, today, subject=name, owner=price.source, in_command=given)
    for option in settings.commitment_options:
        if option.expires_on is not None and option.expires_on >= today:
            yield _due(DueKind.OPTION, option.expires_on, today, subject=option.id, owner=option.source)
    capacity = settings.capacity
    if capacity.confirmed_until is not None and capacity.confirmed_until >= today:
        subject, given = capacity.region or "", "capacity" in in_command
        by = capacity.confirmed_by
        yield _due(DueKind.CAPACITY, capacity.confirmed_until, today, subject=subject, owner=by, in_command=given)


def _due(kind: DueKind, day: date, today: date, **more: object) -> DueDate:
    return DueDate.model_validate({"kind": kind, "day": day, "days_left": (day - today).days, **more})


def with_dates(decision: Decision, dates: Sequence[DueDate] | None) -> Decision:
    """The decision with the days of its book, those marked that it rests on, with what missing them costs it."""
    if dates is None:
        return decision
    mark = _Marks(decision)
    found = [*(mark.on(due) for due in dates), *_early_ends(decision)]
    return decision.model_copy(update={"dates": tuple(sorted(found, key=_by_day))})


def _by_day(due: DueDate) -> tuple[date, str, str, int]:
    return due.day, due.kind.value, due.subject, due.number


def _early_ends(decision: Decision) -> Iterator[DueDate]:
    """Days on which the recommended plan leaves contracts before their end, and until when that must be said."""
    economics, word, today = decision.economics, decision.verdict.word, decision.decided_on
    if economics.best is None or word not in ANSWERS:
        return
    moves = word is not Word.STAY and economics.best.starts_at < len(economics.months)
    held = {contract.id: contract for contract in decision.contracts}
    for release in economics.move_releases if moves else economics.stay_releases:
        contract = held[release.contract_id]
        common: dict[str, object] = {"subject": contract.id, "owner": contract.owner, "provider": contract.provider}
        common |= {"source": contract.source, "matters": True, "in_command": True}
        terms = contract.early_termination
        if "notice" in release.subject_to and terms is not None:
            yield _due(DueKind.EARLY_NOTICE, release.on - timedelta(days=terms.notice_days), today, **common)
        yield _due(DueKind.EARLY_END, release.on, today, **common)


class _Marks:
    """What one decision rests on, and what a missed notice costs it."""

    def __init__(self, decision: Decision) -> None:
        self._economics, self._word = decision.economics, decision.verdict.word
        compared = decision.cost or decision.time
        arms = tuple(compared.arms.values()) if compared else ()
        names = (name for arm in arms for name in (arm.arm, arm.instance_type, arm.accelerator))
        self._priced = {name.casefold() for name in names if name}
        flows = [_flow(arm) for arm in arms]
        self._drawn_on = {c.id for c in decision.contracts if any(covers(c, flow) for flow in flows)}
        horizon = add_months(self._economics.starts_on, self._economics.horizon_months)
        self._last = horizon - timedelta(days=1)
        self._costs = {d.contract_id: d.cost_of_missing for d in self._economics.deadlines}
        self._damages = {d.contract_id: d.cost_of_having_missed for d in self._economics.deadlines}

    def on(self, due: DueDate) -> DueDate:
        """The day as this decision sees it."""
        if not self._matters(due):
            return due
        more: dict[str, object] = {"matters": True}
        if due.kind is DueKind.NOTICE and due.status is DeadlineStatus.DUE:
            advice = self._advice(due)
            of_plan = advice is not Advice.LET_RENEW and not self._stays_against_the_plan
            more |= {"advice": advice, "cost_of_missing": self._costs.get(due.subject) if of_plan else None}
        if due.kind is DueKind.NOTICE and due.status is DeadlineStatus.MISSED and not self._stays_against_the_plan:
            more |= {"cost_of_having_missed": self._damages.get(due.subject)}
        return due.model_copy(update=more)

    def _matters(self, due: DueDate) -> bool:
        if due.day > self._last:
            return False
        if due.kind is DueKind.QUOTE:
            return due.subject.casefold() in self._priced
        if due.kind is DueKind.OPTION:
            return self._economics.option is not None and self._economics.option.option == due.subject
        return due.kind is DueKind.CAPACITY or due.subject in self._drawn_on

    @property
    def _stays_against_the_plan(self) -> bool:
        """Whether staying is the answer though the best plan moves: costs against that plan are not its."""
        best = self._economics.best
        return self._word is Word.STAY and best is not None and best.starts_at < len(self._economics.months)

    def _advice(self, due: DueDate) -> Advice:
        """A plan that moves lets every contract end; staying lets those renew that make it cheapest."""
        economics = self._economics
        best = economics.best
        if best is None or due.renewed_until is None or self._word not in ANSWERS:
            return Advice.NONE
        lapse, renewed = economics.stay_lapse_npv, economics.stay_renewed_npv
        staying = self._word is Word.STAY or best.starts_at >= len(economics.months)
        gains = lapse is not None and renewed is not None and renewed < lapse
        return Advice.LET_RENEW if staying and gains and due.subject in economics.stay_renews else Advice.GIVE


def _flow(arm: ArmResult) -> ArmFlow:
    """The arm as a contract sees it."""
    return ArmFlow(
        arm=arm.arm, hours_per_unit=1.0, price_per_hour=None, instance_type=arm.instance_type, region=arm.region
    )
