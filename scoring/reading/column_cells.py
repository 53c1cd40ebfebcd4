"""What the cells of a column tell about its meaning, beyond its header; and what they leave to be asked."""

from collections.abc import Iterator, Sequence

from scoring.model.estimates import Direction
from scoring.model.problem import Problem
from scoring.problems import question
from scoring.reading.headers import Meaning, normalised
from scoring.reading.numbers import Convention, is_missing, parse_number
from scoring.reading.table import Cell, Table

ARM_FIELDS = ("arm", "accelerator", "instance_type")
FIGURES = ("duration", "cost", "price", "throughput", "work", "work_units", "quality", "latency")
"""Of two columns for one of these it must be told which one counts."""
ALIKE = 0.01
"""Relative difference within which two columns say the same."""
CHANGES_COST = frozenset({
    "discount", "descuento", "rebate", "credit", "credits", "surcharge", "recargo", "tax", "taxes", "vat", "iva",
    "fee", "fees", "markup", "uplift",
})  # fmt: skip


def refined(table: Table, meanings: Sequence[Meaning]) -> list[Meaning]:
    """Meanings by header and cells together.

    `precision` with values such as 0.912 is a metric; a `GPU` column of numbers counts devices; an `n` that runs
    1, 2, 3 within an arm is a run number.
    """
    found = list(meanings)
    for index, meaning in enumerate(meanings):
        cells = table.column(index)
        if meaning.field == "condition" and meaning.name == "precision" and _are_shares(cells):
            found[index] = Meaning("quality", meaning.name, direction=Direction.HIGHER)
        elif meaning.field == "accelerator" and _are_counts(cells):
            found[index] = Meaning("device_count")
    arm = next((i for name in ARM_FIELDS for i, m in enumerate(found) if m.field == name), None)
    fields = {m.field for m in found}
    for index, meaning in enumerate(found):
        if meaning.field == "n" and "run" not in fields and _numbers_runs(table, index, arm):
            found[index] = Meaning("run")
    return found


def _texts(cells: Sequence[Cell]) -> list[str]:
    return [c.text for c in cells if not is_missing(c.text)]


def _are_shares(cells: Sequence[Cell]) -> bool:
    texts = _texts(cells)
    numbers = [parse_number(t, Convention(",")) or parse_number(t, Convention(".")) for t in texts]
    return bool(texts) and all(numbers) and any(n is not None and "." in n.digits for n in numbers)


def _are_counts(cells: Sequence[Cell]) -> bool:
    texts = _texts(cells)
    return bool(texts) and all(t.isascii() and t.isdigit() for t in texts)


def _numbers_runs(table: Table, index: int, arm: int | None) -> bool:
    """Whether each arm's cells count 1, 2, 3 …"""
    of_arm: dict[str, list[str]] = {}
    for row in table.rows:
        name = row.cell(arm).text if arm is not None else ""
        of_arm.setdefault(name, []).append(row.cell(index).text.split(".")[0])
    several = any(len(cells) > 1 for cells in of_arm.values())
    return several and all(cells == [str(i) for i in range(1, len(cells) + 1)] for cells in of_arm.values())


def one_each(table: Table, meanings: Sequence[Meaning]) -> tuple[list[Meaning], list[Problem]]:
    """Of two columns with one meaning the first counts and the other is kept as text; differing figures are asked."""
    first: dict[tuple[str, str], int] = {}
    kept, problems = list(meanings), list[Problem]()
    for index, meaning in enumerate(meanings):
        key = (meaning.field, meaning.name)
        if meaning.field == "other":
            continue
        if key not in first:
            first[key] = index
            continue
        kept[index] = Meaning("other", normalised(table.header[index]))
        if meaning.field in FIGURES and _differ(table, first[key], index, meanings):
            names = f"{table.header[first[key]]}, {table.header[index]}"
            place = {"file": table.file, "row": table.header_row, "column": table.header[index]}
            problems.append(question("columns-alike", **place, found=names[:200], expected="one of them"))
    return kept, problems


def _differ(table: Table, a: int, b: int, meanings: Sequence[Meaning]) -> bool:
    """Whether two columns say different things of a row; minutes and seconds of one time do not."""
    for row in table.rows:
        texts = (row.cell(a).text, row.cell(b).text)
        if any(is_missing(text) for text in texts):
            continue
        x, y = (parse_number(text, Convention(".")) for text in texts)
        if x is None or y is None:
            if texts[0] != texts[1]:
                return True
            continue
        first, second = x.value * meanings[a].scale, y.value * meanings[b].scale
        if abs(first - second) > ALIKE * max(abs(first), abs(second)):
            return True
    return False


def asked_of(table: Table, meanings: Sequence[Meaning]) -> Iterator[Problem]:
    """Questions that only the cells raise."""
    arm = next((i for name in ARM_FIELDS for i, m in enumerate(meanings) if m.field == name), None)
    for index, meaning in enumerate(meanings):
        cells = table.column(index)
        place = {"file": table.file, "row": table.rows[0].row if table.rows else None, "column": table.header[index]}
        if meaning.field == "other" and CHANGES_COST & set(meaning.name.split("_")) and _says_something(cells):
            yield question("column-changes-cost", **place, found=table.header[index][:100])
        elif meaning.field in ("price", "cost") and not meaning.unit_known:
            yield question("money-unit-unknown", **place, found=table.header[index][:100])
        elif not meaning.names_hour and _varies_within_arms(table, index, arm):
            yield question("price-not-hourly", **place, found=table.header[index][:100])
        elif meaning.field in ("quality", "quality_value") and not meaning.percent and _mixes_percent(cells):
            yield question("percent-mixed", **place, found=", ".join(_texts(cells)[:4]))


def _says_something(cells: Sequence[Cell]) -> bool:
    return any(t.strip(" 0.,%$€£") for t in _texts(cells))


def _varies_within_arms(table: Table, index: int, arm: int | None) -> bool:
    """An hourly price is the same for all runs of an arm; the cost of a run is not."""
    texts = [(row.cell(arm).text if arm is not None else "", row.cell(index).text) for row in table.rows]
    told = {(name, text) for name, text in texts if not is_missing(text)}
    return len({text for _, text in told}) > len({name for name, _ in told})


def _mixes_percent(cells: Sequence[Cell]) -> bool:
    """`7.4%` beside `7.5`: the latter may be 7.5 % or 750 %; a share below one is told from a per cent."""
    texts = _texts(cells)
    marked = [t for t in texts if t.rstrip().endswith("%")]
    plain = [parse_number(t, Convention(".")) for t in texts if not t.rstrip().endswith("%")]
    return bool(marked) and any(n is not None and abs(n.value) > 1 for n in plain)
