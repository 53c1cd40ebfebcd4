"""What readers of CSV exports share: the table with its headers said in our words, read as any table is."""

from collections.abc import Callable

from scoring.model.settings import Settings
from scoring.reading.charset import decode
from scoring.reading.delimited import read_delimited
from scoring.reading.interface import Reader
from scoring.reading.limits import MAX_TABLE_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.table import Table
from scoring.reading.tidy_table import TableReading, read_table
from scoring.reading.unknown_table import no_known_column


def header_of(head: bytes) -> list[str]:
    """The cells of the first line, unquoted."""
    line = head.lstrip(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("utf-8", "replace")
    return [cell.strip().strip('"') for cell in line.strip().split(",")] if len(line) < 30_000 else []


def table_reader(name: str, claims: Callable[[bytes], bool], said: Callable[[Table], Table]) -> Reader:
    """A reader that says headers anew and leaves cells, units and questions to the reader of tables."""

    def read(posted: PostedFile, arm: str, settings: Settings) -> TableReading:
        content, _, _ = decode(posted.read(MAX_TABLE_BYTES))
        tables, problems = read_delimited(content, posted.name, posted.first_line)
        reading = TableReading(problems=list(problems))
        for table in tables:
            found = read_table(said(table), settings, arm)
            if found is None:
                reading.problems.append(no_known_column(table))
            else:
                found.problems = reading.problems + found.problems
                reading = found
        return reading

    return Reader(name=name, claims=claims, read=read)
