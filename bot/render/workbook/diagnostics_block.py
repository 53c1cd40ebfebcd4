"""What the runs cannot show, from the record: slow runs, drift, the first run, and runs far from the others."""

from bot.render import figures
from bot.render.workbook import styles
from bot.render.workbook.cells import Sheet

ARM_HEADS = ("arm", "diagnosed-runs", "slow-seen", "slow-bound", "drift", "first-run")
OUTLIER_HEADS = ("arm", "outlier-run", "outlier-unit", "outlier-median", "outlier-distance", "outlier-ratio")


def build(sheet: Sheet, row: int) -> int:
    """The rows; nothing where no runs were compared."""
    found = sheet.book.decision.diagnostics
    if found is None or not found.arms:
        return row
    sheet.word(1, row, "statistics.diagnostics", "st_section")
    sheet.heads(row + 1, [f"statistics.{name}" for name in ARM_HEADS])
    row += 2
    for arm in found.arms:
        sheet.text(1, row, arm.arm, "st_value")
        sheet.put(2, row, arm.n, styles.COUNT)
        sheet.put(3, row, arm.slow_seen, styles.COUNT)
        sheet.put(4, row, arm.slow_run_bound, "0.0%")
        sheet.put(5, row, arm.autocorrelation, "0.00")
        sheet.put(6, row, arm.first_run_factor, styles.RATIO)
        row += 1
    for slow in found.slow_shares:
        sheet.word(1, row, "statistics.slow-share", slowdown=figures.number(slow.slowdown, "g"))
        sheet.put(2, row, slow.share, "0.0%")
        row += 1
    return _outliers(sheet, row)


def _outliers(sheet: Sheet, row: int) -> int:
    found = sheet.book.decision.diagnostics
    if found is None or not found.outliers:
        return row + 1
    sheet.heads(row, [f"statistics.{name}" for name in OUTLIER_HEADS])
    for outlier in found.outliers:
        row += 1
        named = sheet.book.words("inputs.source-line", file=outlier.file, row=outlier.row)
        place = named if outlier.row else outlier.file
        sheet.text(1, row, outlier.arm, "st_value")
        sheet.text(2, row, outlier.run or place, "st_value")
        sheet.put(3, row, outlier.per_unit, styles.UNIT_COST)
        sheet.put(4, row, outlier.median, styles.UNIT_COST)
        sheet.put(5, row, outlier.distance, "0.0")
        sheet.put(6, row, outlier.ratio_without.point if outlier.ratio_without else None, styles.RATIO)
    return row + 2
