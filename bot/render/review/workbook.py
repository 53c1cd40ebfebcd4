"""The review as a workbook: rows of the ledger and the timeline as they are, every sum of them a live formula."""

import os

os.environ.setdefault("OPENPYXL_LXML", "False")

from openpyxl.workbook import Workbook

from bot.render.locales import in_language
from bot.render.review import overview, plan_sheet, sheets
from bot.render.review.pages import Pages
from bot.render.workbook import styles
from bot.render.workbook.finish import finished
from scoring.review.values import Review

BUILT = (
    sheets.commitments,
    sheets.work,
    sheets.deadlines,
    sheets.decisions,
    sheets.outcomes,
    sheets.pilots,
    sheets.risks,
    plan_sheet.build,
    overview.build,
)
"""The overview comes last, since it sums the others, and is shown first."""


@in_language(lambda review, *_, **__: review.language)
def render_workbook(review: Review) -> bytes:
    """The workbook's bytes; the same review gives the same."""
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    styles.register(workbook)
    pages = Pages(review, workbook)
    for build in BUILT:
        build(pages)
    first = pages.words("sheet.overview")
    workbook._sheets.sort(key=lambda sheet: sheet.title != first)  # type: ignore[attr-defined]
    workbook.active = 0
    workbook.properties.creator = "steelyard"
    workbook.properties.title = pages.words("property.title", quarter=review.quarter)
    return finished(workbook, pages.cached, review.on)
