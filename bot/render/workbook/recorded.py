"""Cash flow as values of the record, where contracts tie months or arms together beyond what formulas can follow.

One cell says whether any input that the figures rest on is no longer as the record has it.
"""

import datetime as dt
import re

from bot.render.workbook import styles
from bot.render.workbook.cells import Book, Sheet, Value
from scoring.model.economics import Economics, Month, Plan

RESTS_ON = ("price_a", "price_b", "paid_per_hour_a", "paid_per_hour_b", "hours_per_unit_a", "hours_ratio", "demand",
            "migration_cost", "annual_discount_rate", "reuse_share", "reuse_value", "split_minimum_gain",
            "capacity")  # fmt: skip
OF_A_CONTRACT = re.compile(r"contract\d+_(starts|ends|instances|hours|rate|overage|renewal_rate)")
CHANGED = "recorded_changed"
"""The cell that counts inputs that are no longer as the record has them."""
CLOSE = "0.000000001"
FORMS = {"factor": "0.0000", "moved": "0.0000", "gone": "0.0000", "partial-share": "0.0000", "full-share": "0.0000",
         "overage-rate": styles.PRICE,
         "rate-b": styles.PRICE}  # fmt: skip
HOURS = ("both-hours", "need-a", "need-b", "committed-a", "committed-b")


def is_recorded(economics: Economics) -> bool:
    """Whether slow moves, plans of both arms, spend commitments or a month that is cut say more than a sheet can."""
    of_both = any(month.further is not None and month.further.plans for month in economics.months)
    return bool(economics.true_ups or economics.cut_by) or of_both or not economics.moves_at_once


OF_SLOW_MOVES = ("plan-cost", "moved", "gone", "both-hours", "both-cost")
"""Columns of the recommended plan where its moves take months or both arms run for some."""


def columns_of(economics: Economics, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns that are shown."""
    return columns if economics.moves_at_once else (*columns, *OF_SLOW_MOVES)


def months(sheet: Sheet, first: int, columns: tuple[str, ...]) -> None:
    """A row a month, `columns` by their names."""
    economics = sheet.book.decision.economics
    for i, month in enumerate(economics.months):
        row = first + i
        sheet.put(1, row, month.starts_on, "yyyy-mm", "st_value")
        sheet.put(2, row, i, styles.COUNT)
        sheet.put(3, row, month.calendar_hours, styles.COUNT)
        values = _of_month(economics, month)
        for column, name in enumerate(columns, start=1):
            if name in values:
                form = FORMS.get(name, styles.HOURS if name in HOURS else styles.MONEY)
                sheet.put(column, row, values[name], form)


def _of_month(economics: Economics, month: Month) -> dict[str, Value | None]:
    found: dict[str, Value | None] = {
        "factor": month.factor,
        "need-a": month.need_incumbent_hours,
        "need-b": month.need_candidate_hours,
        "committed-a": month.committed_incumbent_hours,
        "committed-b": month.committed_candidate_hours,
        "commitment": month.commitment_cost,
        "overage-rate": month.incumbent_overage_rate,
        "rate-b": month.candidate_price,
        "partial-share": month.partial_share,
        "full-share": month.full_share,
        "stay": month.stay_cost,
        "partial": month.partial_cost,
        "full": month.full_cost,
        "stay-renewed": month.stay_renewed_cost,
    }
    if month.plan_cost is not None:
        found |= {"moved": month.moved_share, "gone": month.gone_share, "plan-cost": month.plan_cost}
        found |= {"both-hours": month.parallel_hours, "both-cost": month.parallel_cost}
    for name, curve in (("full-npv", economics.switch_npv_by_month), ("plan-npv", economics.npv_by_start)):
        if month.index < len(curve):
            found[name] = curve[month.index]
    return found


def plans(sheet: Sheet, row: int) -> int:
    """The recommended plan and its prices by the names that formulas of the other sheets use; returns the next row."""
    economics = sheet.book.decision.economics
    if economics.best is None or economics.best_full is None:
        return row
    sheet.word(1, row, "cash-flow.plans", "st_section")
    for at, (name, (value, form)) in enumerate(
        _figures(economics, economics.best, economics.best_full).items(), row + 1
    ):
        sheet.word(1, at, f"cash-flow.p-{name.replace('_', '-')}")
        sheet.merge(at, 1, 4)
        if value is None:
            sheet.formula(5, at, '""', "", form)
        else:
            sheet.put(5, at, value, form)
        sheet.name(name, 5, at, "" if value is None else value)
    return at + 2


def _figures(economics: Economics, best: Plan, full: Plan) -> dict[str, tuple[Value | None, str]]:
    moves = best.starts_at < len(economics.months)
    shown, prices, saving = best if moves else full, economics.walk_away, economics.saving
    b, a = prices.candidate_price, prices.incumbent_price
    money: dict[str, float | None] = {
        "stay_npv": economics.stay_npv,
        "full_best_npv": full.npv,
        "plan_npv": best.npv,
        "plan_saving": best.saving,
        **({} if economics.moves_at_once else {"parallel_npv": economics.parallel_cost}),
        "shown_npv": shown.npv,
        "saving_lo": saving.lo if saving else None,
        "saving_hi": saving.hi if saving else None,
    }
    counts = {"full_start": full.starts_at, "plan_start": best.starts_at, "plan_full": best.full_at}
    price: dict[str, float | None] = {"walk_away_a": a.point if a else None}
    price |= {f"walk_away_b{end}": x for end, x in (("", b.point), ("_lo", b.lo), ("_hi", b.hi))} if b else {}
    return {
        **{name: (value, styles.MONEY) for name, value in money.items()},
        **{name: (value, styles.COUNT) for name, value in counts.items()},
        **{name: (value, styles.PRICE) for name, value in price.items()},
        "break_even": (economics.break_even_theta, styles.RATIO),
    }


def inputs_as_recorded(sheet: Sheet, row: int) -> None:
    """Each input that the figures rest on, as the record has it and as it is now; and one cell for all of them."""
    book = sheet.book
    names = [name for name in book.names if name in RESTS_ON or OF_A_CONTRACT.fullmatch(name)]
    sheet.word(1, row, "cash-flow.as-recorded", "st_section")
    first = row + 1
    for at, name in enumerate(names, start=first):
        value = book.values.get(name)
        sheet.text(1, at, name, "st_muted")
        sheet.merge(at, 1, 4)
        sheet.formula(5, at, f"IF({_same(name, value)},0,1)", 0, styles.COUNT)
    span = sheet.span(5, first, first + max(0, len(names) - 1))
    sheet.formula(5, row, f"SUM({span})", 0, styles.COUNT)
    sheet.name(CHANGED, 5, row, 0)
    as_it_was, changed = (book.words(f"cash-flow.{word}") for word in ("unchanged", "changed"))
    sheet.formula(1, 3, f'IF({CHANGED}=0,"{as_it_was}","{changed}")', as_it_was, styles.GENERAL, "st_strong")
    sheet.merge(3, 1, 12, 28)


def _same(name: str, value: Value | None) -> str:
    if value is None or value == "":
        return f'{name}=""'
    if isinstance(value, dt.date):
        return f"{name}=DATE({value.year},{value.month},{value.day})"
    if isinstance(value, str):
        return f'{name}="{value}"' if value.isalnum() else "TRUE"
    return f'AND({name}<>"",ABS(N({name})-{value!r})<={CLOSE}*MAX(1,ABS({value!r})))'


def note(book: Book) -> str:
    """The sentence at the head of the sheet: which cells follow no input."""
    true_ups = book.decision.economics.true_ups
    if not book.decision.economics.moves_at_once:
        return book.words("cash-flow.recorded-slow")
    if true_ups:
        return book.words("cash-flow.recorded-true-ups", contracts=", ".join({t.contract_id: None for t in true_ups}))
    told = {p.contract_id: None for m in book.decision.economics.months if m.further for p in m.further.plans}
    if not told:
        return book.words("cash-flow.recorded-cut", contracts=", ".join(book.decision.economics.cut_by))
    return book.words("cash-flow.recorded-plans", contracts=", ".join(told))
