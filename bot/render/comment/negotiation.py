"""The plan's chances against staying, and the levers of a negotiation, a line each, for the folded part."""

from bot.render import figures
from bot.render.comment.voice import Voice
from bot.render.comment.worth import chance
from bot.render.phrases import unit_names
from bot.render.safe_text import literal
from scoring.model.decision import Decision
from scoring.model.odds import Ask, Lever, Odds, Side

SHOWN_LEVERS = 3
PRICED = frozenset({Ask.CANDIDATE_PRICE, Ask.INCUMBENT_PRICE, Ask.MONTH_EARLIER, Ask.EARLIEST_MONTH})


def lever_lines(decision: Decision, voice: Voice) -> list[str]:
    """The levers that are worth most; all of them stand in the memo."""
    told = decision.economics.negotiation
    return [f"- {lever_line(lever, voice)}" for lever in told.levers[:SHOWN_LEVERS]] if told else []


def lever_line(lever: Lever, voice: Voice) -> str:
    """One lever as a sentence: who must agree, to what, and what it is worth over the horizon."""
    arm = voice.incumbent if lever.side is Side.INCUMBENT else voice.candidate
    party = literal(lever.provider) if lever.provider else voice("ask.provider-of", arm=arm)
    code = f"ask.{lever.ask}-missed" if lever.only_if_missed else f"ask.{lever.ask}"
    return voice(
        code,
        party=party,
        contract=literal(lever.contract_id or ""),
        now=_figure(lever, "now", voice),
        then=_figure(lever, "then", voice),
        on=figures.day(lever.starts_on) if lever.starts_on else "",
        worth=voice.money(lever.worth, 3),
    )


def _figure(lever: Lever, end: str, voice: Voice) -> str:
    day, value = getattr(lever, f"day_{end}"), getattr(lever, end)
    if day is not None:
        return figures.day(day)
    if value is None:
        return ""
    return voice.price(value) if lever.ask in PRICED else figures.number(value, ",.0f")


def odds_line(decision: Decision, odds: Odds, voice: Voice) -> str:
    """In how many draws the plan saves, and how much."""
    drawn = voice("method.odds-of-ratio")
    if odds.demand_low is not None and odds.demand_high is not None:
        ends = {"low": figures.significant(odds.demand_low), "high": figures.significant(odds.demand_high)}
        units = unit_names(decision.cost.unit if decision.cost else "unit")
        drawn = voice("method.odds-of-both", **{**ends, "units": units})
    shown = {
        "chance": chance(odds.p_saves),
        "draws": figures.number(odds.draws),
        "drawn": drawn,
        "level": figures.percent(odds.level),
        "lo": voice.money(odds.saving_lo, 3),
        "hi": voice.money(odds.saving_hi, 3),
    }
    month = figures.day(decision.economics.months[odds.starts_at].starts_on)
    if not odds.recommended:
        return voice("method.odds-not-recommended", month=month, **shown)
    shares = {"same": odds.share_same_month, "other": odds.share_other_month, "never": odds.share_never}
    return voice("method.odds", month=month, **shown, **{name: chance(share) for name, share in shares.items()})
