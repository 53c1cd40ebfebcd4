"""How much of a posting is read: one place for every bound."""

MAX_FILE_BYTES = 600 * 2**20
"""A posted file, and what an archive or a workbook unpacks to."""
MAX_TABLE_BYTES = 64 * 2**20
"""A file that is held in memory as a table; above it only request-level latencies are streamed."""
MAX_TEXT_BYTES = 256 * 2**10
"""A comment or Markdown file."""
MAX_YAML_BYTES = 2**20
MAX_YAML_DEPTH = 50
MAX_MEMBERS = 50
MAX_WORKBOOK_MEMBERS = 2_000
MAX_RATIO = 200
"""Unpacked bytes a packed byte, for members above `RATIO_FROM_BYTES`."""
RATIO_FROM_BYTES = 2**20
MAX_COLUMNS = 2_000
MAX_ROWS = 50_000
MAX_CELLS = 2_000_000
"""Cells of one table."""
MAX_SHEET_AREA = 10_000_000
"""Cells between the outermost filled ones of a sheet; all are held at once, and 5 KB can declare 17 billion."""
MAX_LINE_CHARACTERS = 2**22
"""A line of a delimited text."""
MAX_NESTING = 3
HEAD_BYTES = 64 * 2**10
"""What a file is recognised by."""
