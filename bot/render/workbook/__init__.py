"""The decision memo as a workbook: live wherever it is opened, and the same bytes for the same decision."""

import os

os.environ.setdefault("OPENPYXL_LXML", "False")

from openpyxl.workbook import Workbook

from bot.render.locales import in_language
from bot.render.messages import catalogue
from bot.render.workbook import (
    audit,
    cash_flow,
    compliance,
    contracts,
    inputs,
    memo,
    negotiation,
    pilot,
    portability,
    sensitivity,
    serving,
    statistics,
    styles,
)
from bot.render.workbook.cells import Book
from bot.render.workbook.finish import finished
from scoring.model.decision import Decision

BUILT = (
    inputs,
    pilot,
    statistics,
    contracts,
    cash_flow,
    sensitivity,
    serving,
    portability,
    compliance,
    memo,
    negotiation,
    audit,
)
"""Sheets in the order in which they are built, each on those before it; an absent one builds nothing."""
SHOWN = (
    "memo",
    "inputs",
    "pilot",
    "statistics",
    "contracts",
    "cash-flow",
    "sensitivity",
    "negotiation",
    "serving",
    "portability",
    "compliance",
    "audit",
)


@in_language(lambda decision, *_, **__: decision.settings.language)
def render_workbook(decision: Decision) -> bytes:
    """The memo's bytes."""
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    styles.register(workbook)
    book = Book(decision, catalogue(decision.settings.language, "workbook"), workbook)
    for sheet in BUILT:
        sheet.build(book)
    order = [book.words(f"sheet.{key}") for key in SHOWN]
    workbook._sheets.sort(key=lambda sheet: order.index(sheet.title))  # type: ignore[attr-defined]
    workbook.active = 0
    _describe(workbook, book)
    return finished(workbook, book.cached, decision.decided_on)


def _describe(workbook: Workbook, book: Book) -> None:
    properties = workbook.properties
    properties.creator = "steelyard"
    properties.title = book.words("property.title")
    properties.subject = book.words("property.subject")
    properties.description = properties.subject
    properties.category = book.words("property.category")
    properties.lastModifiedBy, properties.language = properties.creator, book.decision.settings.language
