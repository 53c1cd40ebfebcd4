"""Contracts in the reply: what each plan costs, and what is committed."""

from bot.render import figures
from bot.render.comment.leaving import leaving
from bot.render.comment.terms import terms
from bot.render.comment.voice import Voice
from bot.render.safe_text import literal
from scoring.model.decision import Decision
from scoring.model.economics import Economics, Plan
from scoring.moving import WHOLE


def plans(decision: Decision, voice: Voice) -> str:
    """A table of staying, the best full move and the recommended plan; and one of the commitments."""
    economics = decision.economics
    if not economics.months or economics.stay_npv is None:
        return ""
    title = voice(
        "plans.title" if decision.contracts else "plans.title-without",
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
    return (
        "\n".join([title, "", *rows])
        + migration
        + _moving(economics, voice)
        + _timing(economics, voice)
        + leaving(decision, voice)
        + _commitments(decision, voice)
        + terms(decision, voice)
    )


def _moving(economics: Economics, voice: Voice) -> str:
    """How long a move takes, and what running both arms costs."""
    told, plan = [], _shown_plans(economics)[-1:]
    if len(economics.migration_ramp) > 1:
        shares = ", ".join(figures.percent(share) for share in economics.migration_ramp)
        told.append(voice("plans.ramp", count=len(economics.migration_ramp), shares=shares))
    if economics.parallel_months and economics.parallel_cost is not None and plan:
        name = "plans.parallel-full" if plan[0].starts_at == plan[0].full_at else "plans.parallel-part"
        of_plan = voice(name, on=figures.day(economics.months[plan[0].starts_at].starts_on))
        cost = voice.money(economics.parallel_cost)
        told.append(voice("plans.parallel", count=economics.parallel_months, plan=of_plan, cost=cost))
    return "\n\n" + " ".join(told) if told else ""


def _timing(economics: Economics, voice: Voice) -> str:
    """Why the plan has its month, and what the same plan costs in the months beside it."""
    timing = economics.timing
    if timing is None:
        return ""
    named = [voice(f"timing.{reason.code}", contract=literal(reason.contract_id or "")) for reason in timing.reasons]
    beside = [("earlier", timing.earlier), ("later", timing.later)]
    told = [voice(f"timing.{name}", amount=voice.money(amount, 3)) for name, amount in beside if amount]
    on = figures.day(economics.months[timing.month].starts_on)
    neighbours = "; " + ", ".join(told) if told else ""
    return "\n\n" + voice("timing.line", on=on, reasons=", ".join(named), neighbours=neighbours)


def _shown_plans(economics: Economics) -> list[Plan]:
    shown = []
    for plan in (economics.best_full, economics.best):
        if plan is not None and plan.starts_at < len(economics.months) and plan not in shown:
            shown.append(plan)
    return shown


def moved_share(economics: Economics, plan: Plan) -> str:
    """Which share of the work a plan under a capacity moves: one for all months, or from the least to the most."""
    months = economics.months[plan.starts_at :]
    shares = sorted(m.full_share if m.index >= plan.full_at else m.partial_share for m in months)
    least, most = figures.percent(shares[0]), figures.percent(shares[-1])
    return most if least == most else f"{least} – {most}"


def _plan_row(economics: Economics, plan: Plan, voice: Voice) -> str:
    months = economics.months
    on = figures.day(months[plan.starts_at].starts_on)
    if plan.starts_at == plan.full_at and any(month.full_share < WHOLE for month in months[plan.full_at :]):
        name = voice("plans.best-capped", on=on, share=moved_share(economics, plan))
    elif plan.starts_at == plan.full_at:
        name = voice("plans.full", on=on)
    elif plan.full_at >= len(months):
        name = voice("plans.best-overflow", on=on)
    else:
        name = voice("plans.best-split", on=on, full_on=figures.day(months[plan.full_at].starts_on))
    sign = "+" if plan.saving < 0 else ""
    return f"| {name} | {voice.money(plan.npv)} | {sign}{voice.money(-plan.saving)} |"


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
        hours = voice("details.hours", hours=figures.number(committed / len(active), ",.0f"))
        until = figures.day(contract.ends_on)
        if due and due.renewed_until:
            until = voice("plans.until-renewed", on=figures.day(due.renewed_until))
        name = literal(contract.id) + (voice("plans.synthetic") if contract.synthetic else "")
        rows.append(f"| {name} | {until} | {hours} | {figures.percent(used / committed)} | {by} |")
    if not rows:
        return ""
    return "\n\n" + "\n".join([voice("plans.commitments"), voice("plans.commitments-rule"), *rows])
