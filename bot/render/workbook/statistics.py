"""Statistics: the ratio, its interval, non-inferiority and the verdict, by formulas from Pilot and Inputs.

T.INV.2T cuts the degrees of freedom to a whole number in Excel and LibreOffice, and Welch's are not whole; so
the quantile comes from the beta distribution: y = BETAINV(p, 1/2, ν/2), t = √(ν·y/(1 − y)).
"""

from bot.render.workbook import (
    arms_block,
    diagnostics_block,
    quality_block,
    regret_block,
    styles,
    together,
    unit_cost_block,
)
from bot.render.workbook.arms_block import LABEL, A, B, or_empty
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.designs import Pairing
from bot.render.workbook.inputs import is_by_cost_alone
from scoring.decide import ENOUGH_RUNS
from scoring.model.decision import Decision
from scoring.statistics.samples import t_quantile, welch_nu

NOT_LIVE = ("refused",)
"""Why a ratio is not recomputed: the engine refuses to compare at all."""


def build(book: Book) -> None:
    """The sheet; its named cells feed Cash flow and the Memo."""
    sheet = book.sheet("statistics")
    sheet.widths(52, 18, 18, 18, 18, 26)
    sheet.word(1, 1, "statistics.title", "st_title")
    sheet.word(1, 2, "statistics.note", "st_note")
    sheet.merge(2, 1, 5, 28)
    sheet.word(LABEL, 4, "statistics.arm", "st_head")
    for column, arm in ((A, book.decision.incumbent), (B, book.decision.candidate)):
        sheet.text(column, 4, arm or "", "st_head")
    row = arms_block.build(sheet, 5)
    row = _ratio(sheet, row + 1)
    row = unit_cost_block.build(sheet, row + 1)
    row = regret_block.build(sheet, row + 1)
    row = quality_block.build(sheet, row + 1)
    row = diagnostics_block.build(sheet, row + 1)
    row = together.statistics_block(sheet, row + 1)
    sheet.worksheet.freeze_panes = "B5"
    sheet.print_setup(landscape=False, title_rows="4:4", pages=0, last=6)
    book.values["statistics_end"] = row


def t_formula(probability: str, nu: str) -> str:
    """Two-sided t quantile with fractional degrees of freedom."""
    y = f"BETAINV({probability},0.5,{nu}/2)"
    return f"SQRT({nu}*{y}/(1-{y}))"


def _ratio(sheet: Sheet, row: int) -> int:
    """theta with its interval, and the hours ratio."""
    book, decision = sheet.book, sheet.book.decision
    theta = decision.cost.theta if decision.cost else None
    live = theta is None or theta.reason not in NOT_LIVE
    sheet.word(1, row, "statistics.ratio", "st_section")
    rows = _ratio_rows(book)
    for offset, (name, formula, value, form) in enumerate(rows, start=1):
        sheet.word(1, row + offset, f"statistics.{name.replace('_', '-')}")
        if live or name in ("hours_ratio", "fewest_runs"):
            sheet.formula(2, row + offset, formula, value, form)
        else:
            sheet.put(2, row + offset, None if value == "" else value, form)
        sheet.name(name, 2, row + offset, value)
    if not live and theta is not None:
        sheet.word(3, row + 1, "statistics.not-live", "st_note", reason=theta.reason or theta.method)
    return row + len(rows) + 1


def _ratio_rows(book: Book) -> list[tuple[str, str, Value, str]]:
    decision = book.decision
    theta = decision.cost.theta if decision.cost else None
    se2, degrees = _spread_values(book)
    if theta is not None and theta.se_log is not None:
        se2, degrees = theta.se_log**2, or_empty(theta.nu)
    se = or_empty(theta.se_log if theta else None)
    t = t_quantile((1 + decision.settings.confidence) / 2, degrees) if se != "" and isinstance(degrees, float) else ""
    a, b = "variance_a/units_a", "variance_b/units_b"
    none = 'OR(variance_a="",variance_b="")'
    welch = f'IF({none},"",{a}+{b})'
    welch_df = f'IF({none},"",IFERROR(({a}+{b})^2/(({a})^2/(units_a-1)+({b})^2/(units_b-1)),""))'
    units = "MIN(units_a,units_b)"
    if "block_variance" in book.names:
        welch = f'IF(design=1,block_variance,IF(design=4,"",{welch}))'
        welch_df = f'IF(design=1,IF(blocks_worked<2,"",blocks_worked-1),{welch_df})'
        units = f"IF(design=1,blocks_worked,IF(design=5,1,{units}))"
    fewest = int(min(book.number("worked_a"), book.number("worked_b")))
    unknown = 'OR(theta="",log_variance="",MIN(worked_a,worked_b)<2)'
    return [
        ("theta", 'IF(OR(unit_cost_a="",unit_cost_b=""),"",unit_cost_b/unit_cost_a)',
         or_empty(theta.point if theta else None), styles.RATIO),
        ("log_variance", welch, se2, "0.00E+00"),
        ("degrees", welch_df, degrees, "0.000"),
        ("se_log", f'IF({unknown},"",IF(log_variance<1E-24,"",SQRT(log_variance)))', se, "0.000000"),
        ("t_value", f'IF(OR(se_log="",degrees=""),"",{t_formula("confidence", "degrees")})', t, "0.0000"),
        ("theta_lo", 'IF(t_value="","",EXP(LN(theta)-t_value*se_log))',
         or_empty(theta.lo if theta else None), styles.RATIO),
        ("theta_hi", 'IF(t_value="","",EXP(LN(theta)+t_value*se_log))',
         or_empty(theta.hi if theta else None), styles.RATIO),
        ("hours_ratio", 'IF(OR(hours_per_unit_a="",hours_per_unit_b=""),"",hours_per_unit_b/hours_per_unit_a)',
         or_empty(_hours_ratio(book)), styles.RATIO),
        *_proven(book, se, degrees),
        ("fewest_runs", "MIN(worked_a,worked_b)", fewest, styles.COUNT),
        ("fewest_units", units, _fewest_units(book), styles.COUNT),
        *_break_even_alone(decision),
    ]  # fmt: skip


def _fewest_units(book: Book) -> int:
    design = int(book.number("design"))
    if design == Pairing.BLOCKED:
        return int(book.number("blocks_worked"))
    return 1 if design == Pairing.DAYS_APART else int(min(book.number("units_a"), book.number("units_b")))


def _break_even_alone(decision: Decision) -> list[tuple[str, str, Value, str]]:
    """Without months: the ratio below which moving pays by cost alone."""
    if decision.economics.months:
        return []
    k = decision.economics.break_even_theta
    spend = "(unit_cost_a*demand*horizon)"
    formula = f'IF(unit_cost_a="",1,1-migration_cost/{spend})' if is_by_cost_alone(decision) else repr(k)
    return [("break_even_alone", formula, k, styles.RATIO)]


def _spread_values(book: Book) -> tuple[Value, Value]:
    """Variance and degrees of freedom by the formulas, where the record has no interval."""
    design = int(book.number("design"))
    if design == Pairing.CONFOUNDED:
        return "", _welch_values(book)[1]
    if design == Pairing.BLOCKED:
        worked = int(book.number("blocks_worked"))
        return book.values.get("block_variance", ""), worked - 1 if worked > 1 else ""
    return _welch_values(book)


def _proven(book: Book, se: Value, nu: Value) -> list[tuple[str, str, Value, str]]:
    """Bounds of theta that hold however often one looks, at the one-sided level of the record's look."""
    looks = book.decision.looks
    t: Value = ""
    if looks is not None and looks.theta_lower is not None and se != "" and isinstance(nu, float):
        t = t_quantile(1 - looks.level, nu)
    bound = 'IF(look_t="","",EXP(LN(theta){}look_t*se_log))'
    quantile = t_formula("1-2*look_level", "degrees")
    unproven = f'OR(se_log="",degrees="",MIN(worked_a,worked_b)<{ENOUGH_RUNS},look_level<=0)'
    return [
        ("look_t", f'IF({unproven},"",{quantile})', t, "0.0000"),
        ("theta_lower", bound.format("-"), or_empty(looks.theta_lower if looks else None), styles.RATIO),
        ("theta_upper", bound.format("+"), or_empty(looks.theta_upper if looks else None), styles.RATIO),
    ]


def _welch_values(book: Book) -> tuple[Value, Value]:
    a, b = (book.values.get(f"variance_{role}", "") for role in "ab")
    if not isinstance(a, float) or not isinstance(b, float):
        return "", ""
    u_a, u_b = int(book.number("units_a")), int(book.number("units_b"))
    if min(u_a, u_b) < 2:
        return "", ""
    nu: Value = welch_nu(a / u_a, u_a, b / u_b, u_b) if a + b > 0 else ""
    return a / u_a + b / u_b, nu


def _hours_ratio(book: Book) -> float | None:
    a, b = book.number("hours_per_unit_a"), book.number("hours_per_unit_b")
    return b / a if a and b else None
