"""All files that a decision gives, by name: from the decision alone, so that its record rebuilds them."""

from bot.render.comment import render_comment
from bot.render.comment.links import COMMENT, MEMO, RECORD, RECORDS, Links
from bot.render.record import render_record, stamped
from bot.render.records import render_records
from bot.render.workbook import render_workbook
from scoring.model.decision import Decision

__all__ = ["COMMENT", "MEMO", "RECORD", "RECORDS", "files_of"]


def files_of(decision: Decision) -> dict[str, bytes]:
    """Comment, record, a memo for each comparison of the posting, and the draft of processing where there is one.

    With a `thread` the comment is a reply there: its links are relative to the files' folder.
    """
    decision = stamped(decision)
    comparisons = (decision, *decision.others)
    draft = render_records(decision, decision.thread)
    links = Links.of(len(comparisons), calendar=bool(decision.dates), records=draft is not None)
    comment = render_comment(decision, links if decision.thread else None)
    files = {COMMENT: comment.encode(), RECORD: render_record(decision).encode()}
    files |= {name: render_workbook(d) for name, d in zip(links.memos, comparisons, strict=True)}
    return files | ({RECORDS: draft.encode()} if draft is not None else {})
