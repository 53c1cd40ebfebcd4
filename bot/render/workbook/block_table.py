"""The blocks of a pilot, live: what each arm did in each, which design they make, and the variance over them."""

from bot.render.workbook import styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.designs import Labelled, Pairing, in_totals, pairing_formula
from bot.render.workbook.pilot import run_span
from scoring.model.decision import CostedRun
from scoring.statistics.blocks import blocks_worked, shared_blocks
from scoring.statistics.ratio import block_differences, relative_residuals, variance_of_mean
from scoring.statistics.samples import ArmSample

HEADS = ("block", "block-runs-a", "block-runs-b", "block-a", "block-b", "block-d")
Runs = list[CostedRun]


def build(sheet: Sheet, row: int, a: ArmSample | None, b: ArmSample | None) -> int:
    """A row a block and the totals; the row below the table. Without a block one row says that there is no design."""
    decision = sheet.book.decision
    labelled = Labelled(decision)
    runs = [[c for c in decision.runs if c.run.arm == arm and in_totals(c)]
            for arm in (decision.incumbent, decision.candidate)]  # fmt: skip
    if not labelled.blocks:
        sheet.word(1, row, "statistics.design")
        sheet.put(2, row, 0, styles.COUNT)
        sheet.name("design", 2, row, 0)
        return row + 1
    pairing = labelled.pairing(*runs)
    sheet.heads(row, [f"statistics.{head}" for head in HEADS])
    first, last = row + 1, row + len(labelled.blocks)
    book_rows = sheet.book.values
    book_rows["first_block_row"], book_rows["last_block_row"] = first, last
    for number, block in enumerate(labelled.blocks, start=1):
        _block(sheet, row + number, number, block, _figures(labelled, runs, number, pairing, (a, b)))
    return _totals(sheet, last + 1, (first, last), labelled, runs, (a, b))


def _figures(
    labelled: Labelled, runs: list[Runs], number: int, pairing: Pairing, samples: tuple[ArmSample | None, ...]
) -> list[Value]:
    """Runs of either arm in the block, and its relative residual where the design uses it."""
    found: list[Value] = [sum(labelled.number[id(c)] == number for c in mine) for mine in runs]
    if None in samples:
        return [*found, "", ""]
    units = [_units(labelled, runs, pairing, arm) for arm in (0, 1)]
    for arm, sample in enumerate(samples):
        assert sample is not None  # noqa: S101 - as above
        used = (pairing is Pairing.BLOCKED and all(found[:2])) or (pairing is Pairing.SEPARATE and found[arm])
        residuals = relative_residuals(sample) if used else []
        of = [r for r, c in zip(residuals, runs[arm], strict=bool(used)) if labelled.number[id(c)] == number]
        found.append(sum(of) * units[arm] / sample.n if used else "")
    return found


def _units(labelled: Labelled, runs: list[Runs], pairing: Pairing, arm: int) -> int:
    """Blocks that the design counts in an arm."""
    of = [{labelled.number[id(c)] for c in mine} - {0} for mine in runs]
    return len(of[0] & of[1]) if pairing is Pairing.BLOCKED else len(of[arm])


def _block(sheet: Sheet, at: int, number: int, block: str, figures: list[Value]) -> None:
    book = sheet.book
    roles, labels, counted, residual = (run_span(book, n) for n in ("role", "block-no", "counted", "residual"))
    sheet.text(1, at, block, "st_value")
    for column, role, value in ((2, "A", figures[0]), (3, "B", figures[1])):
        formula = f'COUNTIFS({roles},"{role}",{labels},{number},{counted},1)'
        sheet.formula(column, at, formula, value, styles.COUNT)
    for column, role, value in ((4, "a", figures[2]), (5, "b", figures[3])):
        mine = "$B" if role == "a" else "$C"
        used = f"OR(AND(design=1,$B{at}>0,$C{at}>0),AND(design=3,{mine}{at}>0))"
        units = f"IF(design=1,shared_blocks,blocks_{role})"
        sums = f'SUMIFS({residual},{roles},"{role.upper()}",{labels},{number})*{units}/counted_{role}'
        sheet.formula(column, at, f'IF({used},{sums},"")', value, "0.0000")
    both = isinstance(figures[2], float) and isinstance(figures[3], float) and all(figures[:2])
    difference: Value = float(figures[3]) - float(figures[2]) if both else ""  # type: ignore[arg-type]
    paired = f'IF(OR(design<>1,$D{at}="",$E{at}=""),"",$E{at}-$D{at})'
    sheet.formula(6, at, paired, difference if _is_paired(sheet) else "", "0.0000")


def _is_paired(sheet: Sheet) -> bool:
    labelled, decision = Labelled(sheet.book.decision), sheet.book.decision
    runs = [[c for c in decision.runs if c.run.arm == arm and in_totals(c)]
            for arm in (decision.incumbent, decision.candidate)]  # fmt: skip
    return labelled.pairing(*runs) is Pairing.BLOCKED


def _totals(
    sheet: Sheet,
    row: int,
    rows: tuple[int, int],
    labelled: Labelled,
    runs: list[Runs],
    samples: tuple[ArmSample | None, ArmSample | None],
) -> int:
    """How many blocks there are, which design they make, and the variance over the shared ones."""
    book, (a, b) = sheet.book, samples
    n_a, n_b, d = (sheet.span(column, *rows) for column in (2, 3, 6))
    of = [{labelled.number[id(c)] for c in mine} - {0} for mine in runs]
    pairing = labelled.pairing(*runs)
    shared, worked, variance = len(of[0] & of[1]), 0, None
    if a is not None and b is not None and pairing is Pairing.BLOCKED:
        worked = blocks_worked(a, b)
        assert len(shared_blocks(a, b)) == shared  # noqa: S101 - the same labels
        variance = variance_of_mean(block_differences(a, b), worked) if worked > 1 else None
    in_both = "*".join(f"({worked_in_blocks(book, role, labelled)}>0)" for role in "AB")
    spread = f"SUMSQ({d})*blocks_worked/(shared_blocks^2*(blocks_worked-1))"
    figures: list[tuple[str, str, Value, str]] = [
        ("blocks_a", f'COUNTIF({n_a},">0")', len(of[0]), styles.COUNT),
        ("blocks_b", f'COUNTIF({n_b},">0")', len(of[1]), styles.COUNT),
        ("shared_blocks", f"SUMPRODUCT(({n_a}>0)*({n_b}>0))", shared, styles.COUNT),
        ("unlabelled", f"counted_a+counted_b-SUM({n_a})-SUM({n_b})",
         sum(labelled.number[id(c)] == 0 for mine in runs for c in mine), styles.COUNT),
        ("design", pairing_formula(labelled.source), int(pairing), styles.COUNT),
        ("blocks_worked", f"IF(design=1,SUMPRODUCT({in_both}),0)", worked, styles.COUNT),
        ("block_variance", f'IF(blocks_worked<2,"",{spread})', "" if variance is None else variance, "0.00E+00"),
    ]  # fmt: skip
    for offset, (name, formula, value, form) in enumerate(figures):
        sheet.word(1, row + offset, f"statistics.{name.replace('_', '-')}")
        sheet.formula(2, row + offset, formula, value, form)
        sheet.name(name, 2, row + offset, value)
    sheet.word(3, row + 4, "statistics.designs", "st_beside")
    sheet.merge(row + 4, 3, 6)
    return row + len(figures)


def rows_of(book: Book) -> tuple[int, int]:
    """First and last row of the table."""
    return int(book.number("first_block_row")), int(book.number("last_block_row"))


def worked_in_blocks(book: Book, role: str, labelled: Labelled) -> str:
    """For each block, in how many of its runs an arm did work: an array for SUMPRODUCT."""
    roles, labels, worked = (run_span(book, name) for name in ("role", "block-no", "worked"))
    numbers = "{" + ";".join(str(n) for n in range(1, len(labelled.blocks) + 1)) + "}"
    return f'COUNTIFS({roles},"{role}",{labels},{numbers},{worked},1)'
