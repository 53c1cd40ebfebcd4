"""Non-inferiority of each quality metric by formulas, paired by seed where the pilot was."""

from bot.render.workbook import styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.inputs import look_level
from bot.render.workbook.pilot import FIRST, is_live, oriented, oriented_formula, quality_column, run_span, seeds_of
from scoring.margins_asked import WIDE
from scoring.model.decision import Decision, QualityComparison
from scoring.seeds import ENOUGH_SEEDS
from scoring.statistics.quality import margin_of
from scoring.statistics.samples import mean, t_quantile, variance

Row = tuple[str, str | None, Value, str]


def build(sheet: Sheet, row: int) -> int:
    """A block for each metric; returns the next free row."""
    qualities = sheet.book.decision.quality
    for number, quality in enumerate(qualities):
        row = _block(sheet, row, number, quality) + 1
    return _totals(sheet, row)


def _span(book: Book, number: int, part: int) -> str:
    pilot = Sheet(book, book.workbook[book.words("sheet.pilot")])
    return pilot.span(quality_column(number, part), FIRST, FIRST + len(book.decision.runs) - 1)


def _block(sheet: Sheet, row: int, number: int, quality: QualityComparison) -> int:
    direction = sheet.book.words(f"statistics.{quality.direction.value}")
    sheet.word(1, row, "statistics.quality", "st_section", metric=quality.metric, direction=direction)
    live = is_live(sheet.book.decision, quality)
    readings = [Readings(sheet.book.decision, quality, arm) for arm in _arms(sheet.book)]
    if live and any(r.of_seeds for r in readings):
        row = _seeds(sheet, row, number, quality, readings)
    if not live:
        sheet.word(2, row, "statistics.q-not-live", "st_note")
        sheet.merge(row, 2, 5)
    return _bounds(sheet, row, number, quality, readings if live else None)


def _arms(book: Book) -> tuple[str, str]:
    return book.decision.incumbent or "", book.decision.candidate or ""


class Readings:
    """An arm's values as the engine compares them: a mean for each seed, and each run without a seed."""

    def __init__(self, decision: Decision, quality: QualityComparison, arm: str) -> None:
        of_seeds: dict[str, list[float]] = {}
        self.alone: list[float] = []
        for costed in decision.runs:
            posted = costed.run.quality.get(quality.metric)
            if costed.run.arm != arm or posted is None or costed.run.status.value != "ok":
                continue
            if costed.run.seed:
                of_seeds.setdefault(costed.run.seed, []).append(posted.value)
            else:
                self.alone.append(posted.value)
        self.of_seeds = {seed: mean(values) for seed, values in of_seeds.items()}
        self.repeats = any(len(values) > 1 for values in of_seeds.values())
        self.raw = [*self.of_seeds.values(), *self.alone]
        values = [oriented(value, quality) for value in self.raw]
        self.values = [v for v in values if isinstance(v, float)]
        self.refused = len(self.values) < len(self.raw)


def _seeds(sheet: Sheet, row: int, number: int, quality: QualityComparison, readings: list[Readings]) -> int:
    """The mean of each seed in either arm, and their difference; they are pairs while every seed stands in both."""
    book, decision = sheet.book, sheet.book.decision
    all_seeds = seeds_of(decision)
    seeds = list(dict.fromkeys(seed for r in readings for seed in r.of_seeds))
    sheet.heads(row + 1, [f"statistics.{h}" for h in ("seed", "block-a", "block-b", "seed-a", "seed-b", "block-d")])
    raw, roles, labels, counts = _span(book, number, 0), *(run_span(book, n) for n in ("role", "seed-no", "counts"))
    first, last = row + 2, row + 1 + len(seeds)
    for at, seed in enumerate(seeds, start=first):
        sheet.text(1, at, seed, "st_value")
        found: list[Value] = []
        for column, role, of in ((2, "A", readings[0]), (3, "B", readings[1])):
            where = f'{roles},"{role}",{labels},{all_seeds.index(seed) + 1},{counts},"{book.answer(True)}"'
            value = of.of_seeds.get(seed)
            sheet.formula(
                column, at, f'IFERROR(AVERAGEIFS({raw},{where}),"")', "" if value is None else value, "0.0000"
            )
            cell = f"${'BC'[column - 2]}{at}"
            better = "" if value is None else oriented(value, quality)
            formula = f'IF({cell}="","",IFERROR({oriented_formula(quality, cell)},""))'
            sheet.formula(column + 2, at, formula, better, "0.0000")
            found.append(better)
        both = isinstance(found[0], float) and isinstance(found[1], float)
        difference: Value = float(found[1]) - float(found[0]) if both else ""  # type: ignore[arg-type]
        sheet.formula(6, at, f'IF(OR($D{at}="",$E{at}=""),"",$E{at}-$D{at})', difference, "0.0000")
    spans = {
        name: sheet.span(column, first, last) for column, name in enumerate(("raw_a", "raw_b", "a", "b", "d"), start=2)
    }
    book.names |= {f"q{number}_seeds_{name}": address for name, address in spans.items()}
    used = f'SUMPRODUCT((({spans["raw_a"]}<>"")+({spans["raw_b"]}<>"")>0)*1)'
    alone = f'SUMPRODUCT(({labels}=0)*({counts}="{book.answer(True)}")*ISNUMBER({raw}))'
    whole = f"IF(AND(COUNT({spans['d']})={used},COUNT({spans['d']})>1,{alone}=0),1,0)"
    sheet.word(1, last + 1, "statistics.seeds-whole")
    sheet.formula(2, last + 1, whole, int(_is_paired(readings)), styles.COUNT)
    sheet.name(f"q{number}_whole", 2, last + 1, int(_is_paired(readings)))
    return last + 1


def _is_paired(readings: list[Readings]) -> bool:
    a, b = readings
    whole = a.of_seeds.keys() == b.of_seeds.keys() and not (a.alone or b.alone or a.refused or b.refused)
    return whole and len(a.of_seeds) > 1


def _bounds(sheet: Sheet, row: int, number: int, quality: QualityComparison, readings: list[Readings] | None) -> int:
    book, d, q = sheet.book, quality.difference, f"q{number}"
    live = readings is not None
    margin = margin_of(quality.margin, quality.margin_is_relative)
    level = 0.0 if readings is not None and _too_few_seeds(readings) else look_level(book.decision)
    one_sided = t_quantile(1 - level, d.nu) if d.nu and d.se and level > 0 else ""
    scale = f"LN(1+margin_{number})" if quality.margin_is_relative else f"margin_{number}"
    rows: list[Row] = (
        _live_rows(book, number, quality, readings) if readings is not None else _constant_rows(book, quality)
    )
    wide = not quality.margin_is_relative and not quality.margin_is_default
    raw_a = quality.arms[book.decision.incumbent or ""].mean
    too_wide = f"IF(N({q}_raw_a)=0,0,IF(margin_{number}>{WIDE}*ABS({q}_raw_a),1,0))" if wide else "0"
    rows += [
        ("t", _one_sided(q) if live else None, one_sided, "0.0000"),
        ("lower", f'IF({q}_t="","",{q}_point-{q}_t*{q}_se)' if live else None, _or(quality.proven_lower), "0.000000"),
        ("upper", f'IF({q}_t="","",{q}_point+{q}_t*{q}_se)' if live else None, _or(quality.proven_upper), "0.000000"),
        ("scale", scale, margin, "0.000000"),
        ("wide", too_wide, int(wide and bool(raw_a) and quality.margin > WIDE * abs(raw_a or 0.0)), styles.COUNT),
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
    sheet.formula(3, row + len(rows), formula, words[reads], styles.GENERAL, "st_reads")
    sheet.merge(row + len(rows), 3, 5)
    return row + len(rows) + 1


def _too_few_seeds(readings: list[Readings]) -> bool:
    """Where a seed is repeated, its runs are one observation, and fewer than three of them prove nothing."""
    return any(r.repeats for r in readings) and min(len(r.raw) for r in readings) < ENOUGH_SEEDS


def _one_sided(q: str) -> str:
    y = f"BETAINV(1-2*{q}_level,0.5,{q}_nu/2)"
    return f'IF(OR({q}_se="",{q}_nu="",{q}_level<=0),"",SQRT({q}_nu*{y}/(1-{y})))'


def _constant_rows(book: Book, quality: QualityComparison) -> list[Row]:
    d, (a, b) = quality.difference, _arms(book)
    return [
        ("raw_a", None, _or(quality.arms[a].mean), "0.000000"),
        ("raw_b", None, _or(quality.arms[b].mean), "0.000000"),
        ("point", None, _or(d.point), "0.000000"),
        ("se", None, _or(d.se), "0.000000"),
        ("nu", None, _or(d.nu), "0.000"),
    ]


def _live_rows(book: Book, number: int, quality: QualityComparison, readings: list[Readings]) -> list[Row]:
    """Means, variances of the means, difference, standard error, degrees of freedom; Welch unless pairs are whole."""
    q, d = f"q{number}", quality.difference
    rows = [row for role, of in zip("ab", readings, strict=True) for row in _arm_rows(book, number, role, of)]
    level = look_level(book.decision)
    repeats = "FALSE"
    if f"{q}_seeds_a" in book.names:
        raw, labels = _span(book, number, 0), run_span(book, "seed-no")
        counts, roles = run_span(book, "counts"), run_span(book, "role")
        read = f'({labels}>0)*({counts}="{book.answer(True)}")*ISNUMBER({raw})'
        read = f'({labels}>0)*({counts}="{book.answer(True)}")*ISNUMBER({raw})'
        seeded = [f'SUMPRODUCT(({roles}="{r.upper()}")*{read})' for r in "ab"]
        listed = [book.names[f"{q}_seeds_raw_{r}"] for r in "ab"]
        more = [f"{n}>COUNT({seeds})" for n, seeds in zip(seeded, listed, strict=True)]
        repeats = f"OR({','.join(more)})"
    few = f"AND({repeats},MIN({q}_n_a,{q}_n_b)<{ENOUGH_SEEDS})"
    both = f"{q}_v_a+{q}_v_b"
    se = f'IF(OR({q}_v_a="",{q}_v_b=""),"",IF({both}<1E-30,"",SQRT({both})))'
    nu = f'IF({q}_se="","",({both})^2/({q}_v_a^2/({q}_n_a-1)+{q}_v_b^2/({q}_n_b-1)))'
    if f"{q}_whole" in book.names:
        pairs = book.names[f"{q}_seeds_d"]
        spread = f"DEVSQ({pairs})/(COUNT({pairs})-1)"
        se = f'IF({q}_whole=1,IF({spread}<1E-30,"",SQRT({spread}/COUNT({pairs}))),{se})'
        nu = f'IF({q}_se="","",IF({q}_whole=1,COUNT({pairs})-1,{nu}))'
    return [
        *rows,
        ("level", f"IF({few},0,look_level)", 0.0 if _too_few_seeds(readings) else level, "0.000%"),
        ("point", f'IF(OR({q}_mean_a="",{q}_mean_b=""),"",{q}_mean_b-{q}_mean_a)', _or(d.point), "0.000000"),
        ("se", se, _or(d.se), "0.000000"),
        ("nu", nu, _or(d.nu), "0.000"),
    ]


def _arm_rows(book: Book, number: int, role: str, of: Readings) -> list[Row]:
    """How many readings an arm has, their mean as posted and as compared, and the variance of that mean."""
    q, big = f"q{number}", role.upper()
    raw, values, squares = (_span(book, number, part) for part in (0, 1, 2))
    roles, labels, counts = (run_span(book, name) for name in ("role", "seed-no", "counts"))
    alone = f'({roles}="{big}")*({labels}=0)*({counts}="{book.answer(True)}")'
    count, raw_sum = f"SUMPRODUCT({alone}*ISNUMBER({raw}))", f"SUMPRODUCT({alone},{raw})"
    total, spread = f"SUMPRODUCT({alone},{values})", f"SUMPRODUCT({alone},{squares})"
    sound = f"SUMPRODUCT({alone}*ISNUMBER({values}))"
    mean_cell = f"{q}_mean_{role}"
    if f"{q}_seeds_a" in book.names:
        seeds, of_seeds = book.names[f"{q}_seeds_{role}"], book.names[f"{q}_seeds_raw_{role}"]
        count, raw_sum = f"COUNT({of_seeds})+{count}", f"SUM({of_seeds})+{raw_sum}"
        total, sound = f"SUM({seeds})+{total}", f"COUNT({seeds})+{sound}"
        away = f"COUNT({seeds})*(AVERAGE({seeds})-{mean_cell})^2"
        spread = f"IF(COUNT({seeds})=0,0,DEVSQ({seeds})+{away})+{spread}"
    n = f"{q}_n_{role}"
    found = of.values if not of.refused else []
    return [
        (f"n_{role}", count, len(of.raw), styles.COUNT),
        (f"raw_{role}", f'IF({n}=0,"",({raw_sum})/{n})', mean(of.raw) if of.raw else "", "0.000000"),
        (f"mean_{role}", f'IF(OR({n}=0,{sound}<{n}),"",({total})/{n})', mean(found) if found else "", "0.000000"),
        (f"v_{role}", f'IF(OR({n}<2,{mean_cell}=""),"",({spread})/({n}-1)/{n})',
         variance(found) / len(found) if len(found) > 1 else "", "0.00E+00"),
    ]  # fmt: skip


def _totals(sheet: Sheet, row: int) -> int:
    qualities = sheet.book.decision.quality

    def total(name: str) -> str:
        return "+".join(["0", *(f"q{number}_{name}" for number in range(len(qualities)))])

    wide = sum(int(sheet.book.number(f"q{number}_wide")) for number in range(len(qualities)))
    for name, formula, value in (
        ("quality_inferior", total("fail"), sum(bool(q.inferior) for q in qualities)),
        ("quality_open", f"{len(qualities)}-({total('pass')})", sum(not q.non_inferior for q in qualities)),
        ("margins_wide", total("wide"), wide),
    ):
        sheet.word(1, row, f"statistics.{name.replace('_', '-')}")
        sheet.formula(2, row, formula, value, styles.COUNT)
        sheet.name(name, 2, row, value)
        row += 1
    return row


def _or(value: float | None) -> Value:
    return "" if value is None else value
