"""The blocks of a paired pilot, live: which are shared, and the variance of the arms' differences over them."""

from bot.render.workbook import styles
from bot.render.workbook.cells import Sheet, Value
from bot.render.workbook.pilot import run_span
from scoring.statistics.blocks import ENOUGH_SHARED, shared_blocks
from scoring.statistics.ratio import block_differences, block_means
from scoring.statistics.samples import ArmSample, variance


def build(sheet: Sheet, row: int, a: ArmSample, b: ArmSample) -> int:
    """Each block's mean residual of either arm and their difference; the row below the table."""
    book = sheet.book
    sheet.heads(row, ["statistics.block", "statistics.block-a", "statistics.block-b", "statistics.block-d"])
    blocks = list(dict.fromkeys([*a.block, *b.block]))
    shared = shared_blocks(a, b)
    differences = dict(zip(shared, block_differences(a, b), strict=True))
    means = [dict(zip(shared, block_means(sample, shared), strict=True)) for sample in (a, b)]
    residual, roles, labels = (run_span(book, name) for name in ("residual", "role", "block"))
    for offset, block in enumerate(blocks, start=1):
        at = row + offset
        sheet.text(1, at, block, "st_value")
        for column, role, of_block in ((2, "a", means[0]), (3, "b", means[1])):
            ran = [f'COUNTIFS({roles},"{big}",{labels},$A{at},{run_span(book, "counted")},1)=0' for big in "AB"]
            sums = f'SUMIFS({residual},{roles},"{role.upper()}",{labels},$A{at})*shared_blocks/n_{role}'
            formula = f'IF(OR(blocks_whole=0,{",".join(ran)}),"",{sums})'
            sheet.formula(column, at, formula, of_block.get(block or "", ""), "0.0000")
        formula = f'IF(OR($B{at}="",$C{at}=""),"",$C{at}-$B{at})'
        sheet.formula(4, at, formula, differences.get(block or "", ""), "0.0000")
    first, last = row + 1, row + len(blocks)
    _totals(sheet, last + 1, (first, last), list(differences.values()))
    return last + 5


def _totals(sheet: Sheet, row: int, rows: tuple[int, int], differences: list[float]) -> None:
    """How many blocks are shared, whether they are enough to pair by, and the variance over them."""
    book, n = sheet.book, len(differences)
    span, listed = sheet.span(4, *rows), sheet.span(1, *rows)
    roles, labels, counted = (run_span(book, name) for name in ("role", "block", "counted"))
    in_a, in_b = (f'(COUNTIFS({roles},"{big}",{labels},{listed},{counted},1)>0)' for big in "AB")
    of_a, of_b = f"SUMPRODUCT({in_a}*1)", f"SUMPRODUCT({in_b}*1)"
    all_shared = f"AND(shared_blocks>1,shared_blocks={of_a},shared_blocks={of_b})"
    most_shared = f"AND(shared_blocks>={ENOUGH_SHARED},2*shared_blocks>=MAX({of_a},{of_b}))"
    figures: list[tuple[str, str, Value, str]] = [
        ("shared_blocks", f"SUMPRODUCT({in_a}*{in_b})", n, styles.COUNT),
        ("blocks_whole", f"IF(OR({all_shared},{most_shared}),1,0)", 1, styles.COUNT),
        ("block_variance", f'IF(blocks_whole=1,VAR({span})/shared_blocks,"")', variance(differences) / n, "0.00E+00"),
        ("block_nu", 'IF(blocks_whole=1,shared_blocks-1,"")', n - 1, styles.COUNT),
    ]
    for offset, (name, formula, value, form) in enumerate(figures):
        sheet.word(1, row + offset, f"statistics.{name.replace('_', '-')}")
        sheet.formula(2, row + offset, formula, value, form)
        sheet.name(name, 2, row + offset, value)
