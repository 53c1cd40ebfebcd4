"""Any posted bytes to the tables in them, by what they are and not by what they are called."""

from dataclasses import dataclass, field, replace

from scoring.model.problem import Problem
from scoring.problems import error, info, question
from scoring.reading.archives import unpack_gzip, unpack_tar, unpack_zip
from scoring.reading.charset import decode
from scoring.reading.delimited import read_delimited
from scoring.reading.limits import HEAD_BYTES, MAX_TABLE_BYTES
from scoring.reading.markdown import read_markdown
from scoring.reading.posted import PostedFile
from scoring.reading.sniff import Content, content_of, magic_of, text_kind
from scoring.reading.structured import read_json, read_json_lines, read_yaml
from scoring.reading.table import Table
from scoring.reading.workbook_file import read_workbook


@dataclass
class Held:
    """What a file holds: tables, files inside it, and what is wrong with it."""

    tables: list[Table] = field(default_factory=list)
    nested: list[PostedFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def tables_of(posted: PostedFile) -> Held:
    """Tables and nested files of one posted file. No bytes raise an exception; a file that cannot be opened does."""
    head = posted.read(HEAD_BYTES)
    content = content_of(head)
    if content is Content.EMPTY:
        return Held(problems=[question("file-empty", file=posted.name, found=f"{posted.size} bytes")])
    if content is Content.ZIP:
        return _unpacked(*unpack_zip(posted))
    if content is Content.GZIP:
        return _unpacked(*unpack_gzip(posted))
    if content is Content.TAR:
        return _unpacked(*unpack_tar(posted))
    if content is Content.WORKBOOK:
        tables, problems = read_workbook(posted)
        return Held([_with_context(table, posted) for table in tables], [], problems)
    if content in (Content.BINARY, Content.OLD_WORKBOOK):
        return Held(problems=[error("binary-file", file=posted.name, found=magic_of(head) or content.value)])
    if posted.size > MAX_TABLE_BYTES:
        found, expected = f"{posted.size:,} bytes", f"{MAX_TABLE_BYTES:,}"
        return Held(problems=[error("file-too-large", file=posted.name, found=found, expected=expected)])
    return _text_tables(posted)


def _unpacked(nested: list[PostedFile], problems: list[Problem]) -> Held:
    return Held([], nested, problems)


def _text_tables(posted: PostedFile) -> Held:
    text, encoding, guessed = decode(posted.read(MAX_TABLE_BYTES))
    notes = [info("charset-guessed", file=posted.name, found=encoding)] if guessed else []
    held = _by_kind(text, posted)
    held.tables = [_with_context(table, posted) for table in held.tables]
    held.problems = notes + held.problems
    return held


def _with_context(table: Table, posted: PostedFile) -> Table:
    return replace(table, preamble={**dict(posted.context), **table.preamble})


def _by_kind(text: str, posted: PostedFile) -> Held:
    name, line = posted.name, posted.first_line
    kind = text_kind(text, name)
    if kind is Content.JSON:
        tables, problems = read_json(text, name, line)
        return Held(tables, [], problems)
    if kind is Content.JSON_LINES:
        tables, problems = read_json_lines(text, name, line)
        return Held(tables, [], problems)
    if kind is Content.MARKDOWN:
        pieces = read_markdown(text, name, line)
        return Held(pieces.tables, pieces.blocks, pieces.problems)
    if kind is Content.YAML:
        tables, problems = read_yaml(text, name, line)
        return Held(tables, [], problems)
    tables, problems = read_delimited(text, name, line)
    return Held(tables, [], problems)
