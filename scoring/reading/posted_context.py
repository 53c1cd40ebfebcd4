"""`key: value` lines of a comment that apply to a tool's files: what a run does not say itself it takes over."""

from typing import Any

from scoring.model.pilot import Run
from scoring.problems import question
from scoring.reading.headers import currency_in, meaning_of
from scoring.reading.posted import PostedFile
from scoring.reading.preamble import COUNTS, Common, common_of
from scoring.reading.table import Table
from scoring.reading.tidy_table import TableReading
from scoring.reading.vocabulary import phase_of, pricing_of

ASKED = ("price", "phase", "pricing", *COUNTS)
NAMES = ("workload", "accelerator", "instance_type", "region", "block", "seed")


def with_context(found: TableReading, posted: PostedFile, arm: str) -> TableReading:
    """The reading with the lines applied; `arm` is the name that the runs have where their file names none."""
    if not posted.context or not (found.runs or found.summaries):
        return found
    table = Table(file=posted.name, header=(), header_row=posted.first_line, rows=(), preamble=dict(posted.context))
    common, problems = common_of(table)
    texts = common.texts
    for name, known in (("phase", phase_of), ("pricing", pricing_of)):
        if name in texts and known(texts[name]) is None:
            details = {"file": posted.name, "column": name, "found": texts[name][:100]}
            problems.append(question("preamble-not-used", **details))
    if "currency" in texts and common.price is not None and common.price_currency is None:
        common.price_currency = currency_in(texts["currency"]) or texts["currency"].upper()[:3]
    # A figure that the file tells itself, such as a duration, is prose in the comment.
    found.problems += [p for p in problems if meaning_of(p.column or "").field in ASKED]
    found.runs = [run.model_copy(update=_taken(run, common, arm)) for run in found.runs]
    return found


def _taken(run: Run, common: Common, arm: str) -> dict[str, Any]:
    """What the run takes over."""
    texts = common.texts
    taken: dict[str, Any] = {n: texts[n] for n in NAMES if n in texts and getattr(run, n) is None}
    taken |= {n: c for n, c in common.counts.items() if n == "device_count" and run.device_count is None}
    if "arm" in texts and run.arm == arm:
        taken["arm"] = texts["arm"]
    if run.phase is None and (phase := phase_of(texts.get("phase", ""))):
        taken["phase"] = phase
    if run.pricing is None and (pricing := pricing_of(texts.get("pricing", ""))):
        taken["pricing"] = pricing
    if "instance_count" in common.counts and run.instance_count == 1:
        taken["instance_count"] = common.counts["instance_count"]
    if common.price is not None and run.price_per_hour is None:
        taken |= {"price_per_hour": common.price, "currency": run.currency or common.price_currency}
    return {**taken, "conditions": {**common.conditions, **run.conditions}}
