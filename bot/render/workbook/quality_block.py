"""Non-inferiority of each quality metric by formulas, paired by seed where the pilot was."""

from bot.render.workbook import styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.inputs import look_level
from bot.render.workbook.pilot import FIRST, LIVE_METHODS, oriented, quality_column, run_span
from scoring.model.decision import QualityComparison
from scoring.statistics.quality import margin_of
from scoring.statistics.samples import mean, t_quantile, variance

Row = tuple[str, str | None, Value, str]


def build(sheet: Sheet, row: int) -> int:
    """A block for each metric; returns the next free row."""
    qualities = sheet.book.decision.quality
    if not qualities:
        for name in ("quality_inferior", "quality_open"):
            sheet.word(1, row, f"statistics.{name.replace('_', '-')}")
            sheet.put(2, row, 0, styles.COUNT)
            sheet.name(name, 2, row, 0)
            row += 1
        return row
    blocks = []
    for number, quality in enumerate(qualities):
        row = _block(sheet, row, number, quality) + 1
        blocks.append(number)
    return _totals(sheet, row, blocks)


def _span(book: Book, number: int, part: int) -> str:
    pilot = Sheet(book, book.workbook[book.words("sheet.pilot")])
    return pilot.span(quality_column(number, part), FIRST, FIRST + len(book.decision.runs) - 1)


def _block(sheet: Sheet, row: int, number: int, quality: QualityComparison) -> int:
    direction = sheet.book.words(f"statistics.{quality.direction.value}")
    sheet.word(1, row, "statistics.quality", "st_section", metric=quality.metric, direction=direction)
    method = quality.difference.method
    if method == "paired-t":
        row = _seeds(sheet, row, number, quality)
    live = method in LIVE_METHODS
    if not live:
        sheet.word(2, row, "statistics.q-not-live", "st_note")
        sheet.merge(row, 2, 5)
    return _bounds(sheet, row, number, quality, live)


def _arm_values(quality: QualityComparison, arm: str | None) -> list[float]:
    return [z for v in quality.arms[arm or ""].values if isinstance(z := oriented(v, quality), float)]


def _seeds(sheet: Sheet, row: int, number: int, quality: QualityComparison) -> int:
    """Differences of runs with one seed; pairs only while every seed in use stands in both arms."""
    book = sheet.book
    seeds: dict[str, dict[str, float]] = {}
    for costed in book.decision.runs:
        posted = costed.run.quality.get(quality.metric)
        if posted and costed.run.seed and costed.run.status.value == "ok":
            role = "a" if costed.run.arm == book.decision.incumbent else "b"
            seeds.setdefault(costed.run.seed, {})[role] = float(oriented(posted.value, quality))
    sheet.heads(row + 1, ["statistics.seed", "statistics.block-a", "statistics.block-b", "statistics.block-d"])
    values, roles, labels = _span(book, number, 1), run_span(book, "role"), run_span(book, "seed")
    first = row + 2
    for offset, (seed, pair) in enumerate(seeds.items()):
        at = first + offset
        sheet.text(1, at, seed, "st_value")
        for column, role in ((2, "a"), (3, "b")):
            formula = f'IFERROR(AVERAGEIFS({values},{roles},"{role.upper()}",{labels},$A{at}),"")'
            sheet.formula(column, at, formula, pair[role], "0.0000")
        sheet.formula(4, at, f'IF(OR($B{at}="",$C{at}=""),"",$C{at}-$B{at})', pair["b"] - pair["a"], "0.0000")
    last = first + len(seeds) - 1
    a, b, d = (sheet.span(column, first, last) for column in (2, 3, 4))
    used = f'SUMPRODUCT((({a}<>"")+({b}<>"")>0)*1)'
    sheet.word(1, last + 1, "statistics.seeds-whole")
    sheet.formula(2, last + 1, f"IF(AND(COUNT({d})={used},COUNT({d})>1),1,0)", 1, styles.COUNT)
    sheet.name(f"q{number}_whole", 2, last + 1, 1)
    book.names[f"q{number}_d"] = d
    return last + 1


def _bounds(sheet: Sheet, row: int, number: int, quality: QualityComparison, live: bool) -> int:
    book, d, q = sheet.book, quality.difference, f"q{number}"
    margin = margin_of(quality.margin, quality.margin_is_relative)
    level = look_level(book.decision)
    one_sided = t_quantile(1 - level, d.nu) if d.nu and level > 0 else ""
    scale = f"LN(1+margin_{number})" if quality.margin_is_relative else f"margin_{number}"
    rows: list[Row] = _live_rows(sheet, number, quality) if live else _constant_rows(quality)
    rows += [
        ("t", _one_sided(q) if live else None, one_sided, "0.0000"),
        ("lower", f'IF({q}_t="","",{q}_point-{q}_t*{q}_se)' if live else None, _or(quality.proven_lower), "0.000000"),
        ("upper", f'IF({q}_t="","",{q}_point+{q}_t*{q}_se)' if live else None, _or(quality.proven_upper), "0.000000"),
        ("scale", scale, margin, "0.000000"),
        ("pass", f'IF({q}_lower="",0,IF({q}_lower>-{q}_scale,1,0))', int(bool(quality.non_inferior)), styles.COUNT),
        ("fail", f'IF({q}_upper="",0,IF({q}_upper<-{q}_scale,1,0))', int(bool(quality.inferior)), styles.COUNT),
    ]
    for offset, (name, formula, value, form) in enumerate(rows, start=1):
        sheet.word(1, row + offset, f"statistics.q-{name.replace('_', '-')}")
        if formula is None:
            sheet.put(2, row + offset, None if value == "" else value, form)
        else:
            sheet.formula(2, row + offset, formula, value, form)
        sheet.name(f"{q}_{name}", 2, row + offset, value)
    reads = "worse" if quality.inferior else "as-good" if quality.non_inferior else "open"
    words = {key: book.words(f"statistics.q-reads-{key}") for key in ("worse", "as-good", "open")}
    formula = f'IF({q}_fail=1,"{words["worse"]}",IF({q}_pass=1,"{words["as-good"]}","{words["open"]}"))'
    sheet.formula(3, row + len(rows), formula, words[reads], styles.GENERAL, "st_strong")
    return row + len(rows) + 1


def _one_sided(q: str) -> str:
    y = f"BETAINV(1-2*look_level,0.5,{q}_nu/2)"
    return f'IF(OR({q}_se="",{q}_nu="",look_level<=0),"",SQRT({q}_nu*{y}/(1-{y})))'


def _constant_rows(quality: QualityComparison) -> list[Row]:
    d = quality.difference
    return [
        ("point", None, _or(d.point), "0.000000"),
        ("se", None, _or(d.se), "0.000000"),
        ("nu", None, _or(d.nu), "0.000"),
    ]


def _live_rows(sheet: Sheet, number: int, quality: QualityComparison) -> list[Row]:
    """Means, variances of the means, difference, standard error, degrees of freedom; Welch unless pairs are whole."""
    book, q, d = sheet.book, f"q{number}", quality.difference
    values, squares, roles = _span(book, number, 1), _span(book, number, 2), run_span(book, "role")
    count = {r: f'SUMPRODUCT(({roles}="{r.upper()}")*ISNUMBER({values}))' for r in "ab"}
    rows: list[Row] = []
    for role, arm in (("a", book.decision.incumbent), ("b", book.decision.candidate)):
        mine = _arm_values(quality, arm)
        formula = f'IFERROR(AVERAGEIFS({values},{roles},"{role.upper()}"),"")'
        rows.append((f"mean_{role}", formula, mean(mine) if mine else "", "0.000000"))
    for role, arm in (("a", book.decision.incumbent), ("b", book.decision.candidate)):
        mine = _arm_values(quality, arm)
        n = count[role]
        formula = f'IF({n}<2,"",SUMIFS({squares},{roles},"{role.upper()}")/({n}-1)/{n})'
        rows.append((f"v_{role}", formula, variance(mine) / len(mine) if len(mine) > 1 else "", "0.00E+00"))
    both = f"{q}_v_a+{q}_v_b"
    se = f'IF(OR({q}_v_a="",{q}_v_b=""),"",IF({both}<1E-30,"",SQRT({both})))'
    nu = f'IF({q}_se="","",({both})^2/({q}_v_a^2/({count["a"]}-1)+{q}_v_b^2/({count["b"]}-1)))'
    if d.method == "paired-t":
        pairs = book.names[f"{q}_d"]
        se = f'IF({q}_whole=1,IF(VAR({pairs})<1E-30,"",SQRT(VAR({pairs})/COUNT({pairs}))),{se})'
        nu = f"IF({q}_whole=1,COUNT({pairs})-1,{nu})"
    rows += [
        ("point", f'IF(OR({q}_mean_a="",{q}_mean_b=""),"",{q}_mean_b-{q}_mean_a)', _or(d.point), "0.000000"),
        ("se", se, _or(d.se), "0.000000"),
        ("nu", nu, _or(d.nu), "0.000"),
    ]
    return rows


def _totals(sheet: Sheet, row: int, blocks: list[int]) -> int:
    qualities = sheet.book.decision.quality
    failing, passing = "+".join(f"q{n}_fail" for n in blocks), "+".join(f"q{n}_pass" for n in blocks)
    for name, formula, value in (
        ("quality_inferior", failing, sum(bool(q.inferior) for q in qualities)),
        ("quality_open", f"{len(blocks)}-({passing})", sum(not q.non_inferior for q in qualities)),
    ):
        sheet.word(1, row, f"statistics.{name.replace('_', '-')}")
        sheet.formula(2, row, formula, value, styles.COUNT)
        sheet.name(name, 2, row, value)
        row += 1
    return row


def _or(value: float | None) -> Value:
    return "" if value is None else value
