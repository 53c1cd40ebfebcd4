"""Contracts in the reply: what each plan costs, what is committed, and by when notice must be given."""

from bot.render import figures
from bot.render.comment.voice import Voice
from bot.render.safe_text import literal
from scoring.decide import WHOLE
from scoring.model.contract import RenewalKind
from scoring.model.decision import Decision
from scoring.model.economics import Deadline, DeadlineStatus, Economics, Plan


def plans(decision: Decision, voice: Voice) -> str:
    """A table of staying, the best full move and the recommended plan; and one of the commitments."""
    economics = decision.economics
    if not economics.months or economics.stay_npv is None:
        return ""
    title = voice(
        "plans.title",
        currency=voice.currency,
        months=economics.horizon_months,
        start=figures.day(economics.starts_on),
        rate=figures.percent(economics.annual_discount_rate),
    )
    rows = [voice("plans.head"), voice("plans.rule")]
    rows.append(f"| {voice('plans.stay')} | {voice.money(economics.stay_npv)} | |")
    rows += [_plan_row(economics, plan, voice) for plan in _shown_plans(economics)]
    migration = ""
    if economics.migration_cost:
        migration = "\n\n" + voice("plans.migration", cost=voice.money(economics.migration_cost))
    return "\n".join([title, "", *rows]) + migration + _commitments(decision, voice)


def _shown_plans(economics: Economics) -> list[Plan]:
    shown = []
    for plan in (economics.best_full, economics.best):
        if plan is not None and plan.starts_at < len(economics.months) and plan not in shown:
            shown.append(plan)
    return shown


def _plan_row(economics: Economics, plan: Plan, voice: Voice) -> str:
    months = economics.months
    on = figures.day(months[plan.starts_at].starts_on)
    if plan.starts_at == plan.full_at and any(month.full_share < WHOLE for month in months[plan.full_at :]):
        name = voice("plans.best-capped", on=on)
    elif plan.starts_at == plan.full_at:
        name = voice("plans.full", on=on)
    elif plan.full_at >= len(months):
        name = voice("plans.best-overflow", on=on)
    else:
        name = voice("plans.best-split", on=on, full_on=figures.day(months[plan.full_at].starts_on))
    return f"| {name} | {voice.money(plan.npv)} | {voice.money(-plan.saving)} |"


def _commitments(decision: Decision, voice: Voice) -> str:
    rows = []
    notice = {d.contract_id: d for d in decision.economics.deadlines}
    for contract in decision.contracts:
        months = [m for month in decision.economics.months for m in month.contracts if m.contract_id == contract.id]
        committed, used = sum(m.committed_hours for m in months), sum(m.used_hours for m in months)
        if not committed:
            continue
        active = [m for m in months if m.committed_hours]
        due = notice.get(contract.id)
        by = figures.day(due.notice_deadline) if due and due.notice_deadline else "–"
        hours = voice("details.hours", hours=f"{committed / len(active):,.0f}")
        until = figures.day(contract.ends_on)
        name = literal(contract.id) + (" (synthetic)" if contract.synthetic else "")
        rows.append(f"| {name} | {until} | {hours} | {figures.percent(used / committed)} | {by} |")
    if not rows:
        return ""
    return "\n\n" + "\n".join([voice("plans.commitments"), voice("plans.commitments-rule"), *rows])


def deadlines(decision: Decision, voice: Voice) -> str:
    """One line for each notice that is due or was missed."""
    lines = []
    contracts = {c.id: c for c in decision.contracts}
    for deadline in decision.economics.deadlines:
        contract = contracts.get(deadline.contract_id)
        if deadline.notice_deadline is None or contract is None:
            continue
        if _is_let_renew(decision, contract.id):
            lines.append(voice("deadline.let-renew", contract=literal(contract.id), on=figures.day(contract.ends_on)))
            continue
        automatic = contract.renewal.kind is RenewalKind.AUTOMATIC
        lines.append(_deadline(deadline, automatic, contract.renewal.months, voice))
    return "\n\n".join(lines)


def _is_let_renew(decision: Decision, contract_id: str) -> bool:
    """Whether the recommended plan is to stay and counts on this contract renewing."""
    economics = decision.economics
    stays = economics.best is not None and economics.best.starts_at >= len(economics.months)
    lapse, renewed = economics.stay_lapse_npv, economics.stay_renewed_npv
    return stays and contract_id in economics.stay_renews and lapse is not None and (renewed or lapse) < lapse


def _deadline(deadline: Deadline, automatic: bool, months: int, voice: Voice) -> str:
    missed = deadline.status is DeadlineStatus.MISSED
    if missed and deadline.renewed_until is not None:
        amount = voice.money(deadline.new_obligation or 0.0)
        renewal = voice("deadline.renewed", until=figures.day(deadline.renewed_until), amount=amount)
    elif automatic:
        renewal = voice("deadline.automatic", months=months)
    else:
        renewal = voice("deadline.lapses", until=figures.day(deadline.ends_on))
    assert deadline.notice_deadline is not None  # noqa: S101 - the caller passes none without
    line = voice(
        "deadline.missed" if missed else "deadline.due",
        contract=literal(deadline.contract_id),
        on=figures.day(deadline.notice_deadline),
        days=deadline.days_left,
        renewal=renewal,
    )
    if deadline.cost_of_missing and not missed:
        line += " " + voice("deadline.cost", amount=voice.money(deadline.cost_of_missing, 3))
    return line
