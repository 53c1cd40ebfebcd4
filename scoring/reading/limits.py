"""How much of a posting is read: one place for every bound."""

MAX_FILE_BYTES = 600 * 2**20
MAX_TABLE_BYTES = 64 * 2**20
MAX_TEXT_BYTES = 256 * 2**10
MAX_YAML_BYTES = 2**20
MAX_YAML_DEPTH = 50
MAX_MEMBERS = 50
MAX_WORKBOOK_MEMBERS = 2_000
MAX_RATIO = 200
MAX_COLUMNS = 500
MAX_ROWS = 50_000
MAX_NESTING = 3
HEAD_BYTES = 64 * 2**10
"""What a file is recognised by."""
