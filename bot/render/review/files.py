"""All files that a review gives, by name: from the review alone, so that its record rebuilds them."""

from bot.render.calendar import Said, calendar_with
from bot.render.review.comment import render_comment
from bot.render.review.record import render_record
from bot.render.review.workbook import render_workbook
from scoring.review.values import Review

COMMENT, RECORD, WORKBOOK, CALENDAR = "review.md", "review.json", "review.xlsx", "review.ics"


def files_of(review: Review, repository: str = "") -> dict[str, bytes]:
    """Comment, workbook, record, and a calendar where there is any day; `repository` names whose days they are."""
    said = Said(tuple(one.due for one in review.dates), review.on, review.language, repository)
    calendar = calendar_with(None, said)
    names = [WORKBOOK, RECORD, *([CALENDAR] if calendar else [])]
    files = {
        COMMENT: render_comment(review, names).encode(),
        RECORD: render_record(review).encode(),
        WORKBOOK: render_workbook(review),
    }
    return files if calendar is None else {**files, CALENDAR: calendar}
