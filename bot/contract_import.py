"""`steelyard contracts import`: what vendors print becomes a contract book; what a person wrote stays as it is."""

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from bot.contract_merge import Merged, merged, names_in
from bot.render.notices import render_problems
from bot.screen import shown
from scoring.contracts.sources import Reading, is_output, read_outputs
from scoring.contracts.sources.focus import is_export, read_export, told
from scoring.model.problem import Problem, Severity
from scoring.problems import error
from scoring.reading.archives import unpack_gzip
from scoring.reading.posted import PostedFile
from scoring.reading.sniff import Content, content_of

DONE, UNANSWERED = 0, 2
LIVE = "aws"
MAGIC_BYTES = 512
YAML_NAMES = (".yml", ".yaml")


def run(args: argparse.Namespace) -> int:
    """Exit status 0, or 2 where a file cannot be read or something must be answered first."""
    try:
        return _import(args, date.today())  # noqa: TID251 - the shell may read the clock
    except OSError as failure:
        print(f"steelyard: {failure.strerror or failure}: {failure.filename}", file=sys.stderr)
        return UNANSWERED


def _import(args: argparse.Namespace, today: date) -> int:
    regions = [code.strip() for code in (args.regions or "").split(",") if code.strip()]
    if LIVE in args.sources:
        files, problems = _asked(args, regions)
    else:
        files, problems = _files(args.sources)
    if args.out is not None and not args.out.lower().endswith(YAML_NAMES):
        problems.append(error("import-book-not-yaml", file=args.out, expected="contracts.yml"))
    book, unreadable = _book(args.out)
    problems += unreadable
    reading = _read(files, regions[0] if len(regions) == 1 else None, book)
    result = merged(book, reading.drafts, today, args.out)
    problems += [*reading.problems, *result.problems]
    _say(problems)
    broken = any(p.severity is Severity.ERROR for p in problems)
    if not broken:
        _write(result, args.out)
    unanswered = any(p.severity in (Severity.ERROR, Severity.QUESTION) for p in problems)
    return UNANSWERED if unanswered else DONE


def _files(names: Sequence[str]) -> tuple[list[PostedFile], list[Problem]]:
    """The files, a packed one (`export.csv.gz`) unpacked within the bounds of every archive."""
    files, problems = list[PostedFile](), list[Problem]()
    for name in names:
        posted = PostedFile.from_path(Path(name), name=Path(name).name)
        if content_of(posted.read(MAGIC_BYTES)) is not Content.GZIP:
            files.append(posted)
            continue
        unpacked, found = unpack_gzip(posted)
        files += unpacked
        problems += found
    return files, problems


def _asked(args: argparse.Namespace, regions: Sequence[str]) -> tuple[list[PostedFile], list[Problem]]:
    from bot.aws import describe

    if args.sources != [LIVE]:
        return [], [error("import-mixed", found=" ".join(args.sources)[:100], expected=LIVE)]
    types = [name.strip() for name in (args.types or "").split(",") if name.strip()]
    return describe(regions, args.profile, types)


def _read(files: Sequence[PostedFile], region: str | None, book: str) -> Reading:
    """Exports and outputs by what they hold; a file of neither is told."""
    exports = [file for file in files if is_export(file)]
    outputs = [file for file in files if file not in exports and is_output(file)]
    reading = read_outputs(outputs, region)
    for file in exports:
        known = {name for d in reading.drafts for name in (d.entry["id"], d.entry["source"]["origin"])}
        reading.problems += told(read_export(file), known | names_in(book))
    reading.problems += [
        error("import-not-known", file=file.name) for file in files if file not in exports and file not in outputs
    ]
    return reading


def _book(out: str | None) -> tuple[str, list[Problem]]:
    """The book as it stands; letters that would have to be guessed are not written back."""
    if out is None or not Path(out).is_file():
        return "", []
    try:
        return Path(out).read_bytes().decode("utf-8-sig"), []
    except UnicodeDecodeError:
        return "", [error("import-book-letters", file=out, expected="UTF-8")]


def _say(problems: Sequence[Problem]) -> None:
    """Everything but information, on the error output: the book alone goes to the other."""
    if any(p.severity is not Severity.INFO for p in problems):
        sys.stderr.write(shown(render_problems(problems, "en", title="import.title")))
    for problem in problems:
        if problem.severity is Severity.INFO:
            sys.stderr.write(f"{problem.file}:{problem.row or ''} {problem.found}\n")


def _write(result: Merged, out: str | None) -> None:
    if out is None:
        sys.stdout.write(result.text)
        return
    if result.text:
        Path(out).write_text(result.text, encoding="utf-8", newline="\n")
    sys.stderr.write(f"{out}: +{result.added} ={result.kept}\n")
