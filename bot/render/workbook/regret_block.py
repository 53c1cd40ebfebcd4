"""Expected losses and the worth of further runs, as the record has them: no sheet can integrate the posterior."""

from bot.render import figures
from bot.render.workbook import styles
from bot.render.workbook.cells import Sheet, Value
from scoring.model.regret import Regret, RunOption

HEADS = ("runs", "value", "run-cost", "delay-cost", "net")


def build(sheet: Sheet, row: int) -> int:
    """The block; returns the row after it, the same where there is nothing to show."""
    regret = sheet.book.decision.regret
    if regret is None:
        return row
    sheet.word(1, row, "statistics.regret", "st_section")
    sheet.word(2, row, "statistics.regret-not-live", "st_note")
    sheet.merge(row, 2, 5)
    for offset, (label, value, form) in enumerate(_figures(regret), start=1):
        way = {"way": _way(sheet, regret)} if label in ("switch", "stay") else {}
        sheet.word(1, row + offset, f"statistics.regret-{label}", **way)
        sheet.put(2, row + offset, value, form)
    row += len(_figures(regret)) + 1
    row = _chances(sheet, row, regret)
    return _options(sheet, row, regret.options)


def _figures(regret: Regret) -> list[tuple[str, Value | None, str]]:
    figures: list[tuple[str, Value | None, str]] = [
        ("break-even", regret.break_even_theta, styles.RATIO),
        ("prior", regret.prior_sd, styles.RATIO),
        ("drift", regret.drift_sd, styles.RATIO),
        ("mean", regret.posterior_mean, styles.RATIO),
        ("lo", regret.credible_lo, styles.RATIO),
        ("hi", regret.credible_hi, styles.RATIO),
        ("chance", regret.p_saves, styles.CHANCE),
    ]
    if not regret.has_money:
        return figures
    return [
        *figures,
        ("worth", regret.value_per_theta, styles.MONEY),
        ("switch", regret.regret_switch, styles.MONEY),
        ("stay", regret.regret_stay, styles.MONEY),
        ("evpi", regret.evpi, styles.MONEY),
    ]


def _way(sheet: Sheet, regret: Regret) -> str:
    """How the record's losses were computed: those of the sheet Negotiation are always by the draws."""
    odds = sheet.book.decision.economics.odds
    drawn = odds is not None and (regret.regret_switch, regret.regret_stay) == (odds.regret_move, odds.regret_stay)
    return sheet.book.words(f"statistics.regret-by-{'draws' if drawn else 'line'}")


def _chances(sheet: Sheet, row: int, regret: Regret) -> int:
    for offset, chance in enumerate(regret.p_saves_at_least):
        sheet.word(1, row + offset, "statistics.regret-at-least", share=f"{figures.number(100 * chance.share, 'g')} %")
        sheet.put(2, row + offset, chance.probability, styles.CHANCE)
        sheet.put(3, row + offset, chance.amount, styles.MONEY)
    return row + len(regret.p_saves_at_least)


def _options(sheet: Sheet, row: int, options: tuple[RunOption, ...]) -> int:
    """What going on is worth; the net value is a formula of the figures beside it."""
    if not options:
        return row
    sheet.heads(row + 1, [f"statistics.option-{head}" for head in HEADS])
    for at, option in enumerate(options, start=row + 2):
        sheet.put(1, at, option.runs, styles.COUNT)
        for column, amount in enumerate((option.value, option.run_cost, option.delay_cost), start=2):
            sheet.put(column, at, amount, styles.MONEY)
        sheet.formula(5, at, f"$B{at}-$C{at}-$D{at}", option.net, styles.MONEY)
    return row + len(options) + 2
