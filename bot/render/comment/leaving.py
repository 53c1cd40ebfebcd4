"""Contracts that the plan leaves early or takes up, what that rests on, and each way against doing without."""

from bot.render import figures
from bot.render.comment.voice import Voice
from bot.render.safe_text import literal
from scoring.model.decision import Decision
from scoring.model.economics import Economics
from scoring.model.switching import OptionTaken, OptionWeighed, RecoveryWeighed, Release

NEEDS_TAKERS = "needs-takers"


def leaving(decision: Decision, voice: Voice) -> str:
    """What the recommended plan asks of contracts, in one paragraph."""
    lines = leaving_lines(decision, voice)
    return "\n\n" + " ".join(lines) if lines else ""


def leaving_lines(decision: Decision, voice: Voice) -> list[str]:
    """A line for each contract that the recommended plan leaves or takes up, and what is saved without agreement."""
    economics = decision.economics
    releases = recommended(economics)
    lines = [_line(release, voice) for release in releases]
    if economics.option is not None and economics.best is not None and economics.best.starts_at < len(economics.months):
        lines.append(_taken(economics.option, voice))
    takers = [row for row in economics.recoveries if row.reason == NEEDS_TAKERS]
    if takers:
        ways = [f"{literal(row.contract_id)} {voice(f'leaving.way-{row.way}')}" for row in takers]
        lines.append(voice("leaving.takers", ways=", ".join(ways)))
    if economics.saving_without_other_work is not None:
        names = ", ".join(literal(work.name) for work in economics.other_work)
        lines.append(voice("leaving.others", names=names, amount=voice.money(economics.saving_without_other_work, 3)))
    if releases and economics.certain_saving is not None:
        lines.append(_certain(economics, economics.certain_saving, voice))
    return lines


def recommended(economics: Economics) -> tuple[Release, ...]:
    """What the recommended plan leaves: moving or staying."""
    plan = economics.best
    if plan is None:
        return ()
    return economics.move_releases if plan.starts_at < len(economics.months) else economics.stay_releases


def _certain(economics: Economics, saving: float, voice: Voice) -> str:
    """The plan without what somebody has to agree to: when it moves, and what it saves."""
    plan, months = economics.certain_plan, economics.months
    if plan is None:
        return voice("leaving.certain", amount=voice.money(saving, 3))
    if plan.starts_at >= len(months):
        return voice("leaving.certain-stay")
    told = {"amount": voice.money(saving, 3), "on": figures.day(months[plan.starts_at].starts_on)}
    if plan.starts_at == plan.full_at:
        return voice("leaving.certain-full", **told)
    if plan.full_at >= len(months):
        return voice("leaving.certain-overflow", **told)
    return voice("leaving.certain-split", **told, full_on=figures.day(months[plan.full_at].starts_on))


def _line(release: Release, voice: Voice) -> str:
    return voice(
        f"leaving.{release.way}",
        contract=literal(release.contract_id),
        on=figures.day(release.on),
        net=_net(release.cash, voice),
    )


def _taken(option: OptionTaken, voice: Voice) -> str:
    return voice(
        "leaving.takes",
        option=literal(option.option),
        on=figures.day(option.on),
        instances=option.instances,
        months=option.term_months,
        rate=voice.price(option.rate),
    )


def _net(cash: float, voice: Voice) -> str:
    return voice("leaving.brings" if cash >= 0 else "leaving.costs", amount=voice.money(abs(cash), 3))


def recovery_lines(decision: Decision, voice: Voice) -> list[str]:
    """Every way to leave a contract, weighed or why not; and other work that freed hours could serve."""
    economics = decision.economics
    lines = [_weighed(row, voice) for row in economics.recoveries]
    lines += [_option(row, voice) for row in economics.options]
    lines += [
        voice(
            "leaving.other-work",
            name=literal(work.name),
            hours=figures.number(work.hours_per_month, ",.0f"),
            price=voice.price(work.price_per_hour),
        )
        for work in economics.other_work
    ]
    lines += [voice("leaving.not-covered", name=literal(name)) for name in economics.other_work_not_covered]
    return [f"- {line}" for line in lines]


def _weighed(row: RecoveryWeighed, voice: Voice) -> str:
    named = {"contract": literal(row.contract_id), "way": voice(f"leaving.way-{row.way}")}
    if row.reason == NEEDS_TAKERS:
        return _needs(row, voice)
    if row.gain is None or row.on is None or row.cash is None:
        why = voice(f"leaving.why-{row.reason}", months=row.horizon_months or 0)
        return voice("leaving.not-weighed", **named, why=why)
    worth = voice("leaving.gains" if row.gain > 0 else "leaving.loses", amount=voice.money(abs(row.gain), 3))
    return voice("leaving.weighed", **named, on=figures.day(row.on), net=_net(row.cash, voice), worth=worth)


def _needs(row: RecoveryWeighed, voice: Voice) -> str:
    """What an exchange or a transfer needs, and who has to agree; what it brings is theirs to say."""
    told = {"contract": literal(row.contract_id), "amount": voice.money(row.remains or 0.0, 3)}
    to = voice(f"leaving.needs-{row.way}-to", names=", ".join(literal(name) for name in row.to)) if row.to else ""
    consent = voice("leaving.needs-consent") if "consent" in row.subject_to else ""
    return voice(f"leaving.needs-{row.way}", **told, to=to, consent=consent)


def _option(row: OptionWeighed, voice: Voice) -> str:
    named = {"option": literal(row.option), "months": row.term_months, "rate": voice.price(row.rate)}
    if row.gain is None or row.on is None:
        why = voice(f"leaving.why-{row.reason}", months=row.horizon_months or 0)
        return voice("leaving.option-not-weighed", **named, why=why)
    worth = voice("leaving.gains" if row.gain > 0 else "leaving.loses", amount=voice.money(abs(row.gain), 3))
    return voice("leaving.option", **named, instances=row.instances or 0, on=figures.day(row.on), worth=worth)
