"""The quarterly review for people: comment, workbook, calendar and record, from the review's value alone."""
