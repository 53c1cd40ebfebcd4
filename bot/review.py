"""`steelyard review`: a folder with books and a ledger in, the review of a quarter out."""

import argparse
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from bot.folder import CONFIG_NAMES, CONTRACT_NAMES
from bot.render.notices import render_problems
from bot.render.review.files import files_of
from bot.render.review.record import render_record
from bot.repo_config import CONFIG_PATH, read_repo_config
from bot.review_sources import ledger_of, read_books, review_before, reviewed
from bot.screen import shown
from scoring.model.problem import Problem, Severity
from scoring.problems import error
from scoring.reading.posted import PostedFile
from scoring.review.quarter import Quarter, quarter_named

REVIEWED, REFUSED = 0, 2
MOST_BYTES = 64 * 1024 * 1024
WORKLOADS, OUTCOMES = "workloads.yml", "outcomes.csv"


def run(args: argparse.Namespace) -> int:
    """Exit status 0 with a review, 2 for input that gives none."""
    quarter = quarter_named(args.quarter)
    if isinstance(quarter, Problem):
        return _refused([quarter], "en", args.format)
    try:
        return _reviewed(args, Path(args.folder), quarter)
    except OSError as failure:
        print(f"steelyard: {failure.strerror or failure}: {failure.filename}", file=sys.stderr)
        return REFUSED


def _reviewed(args: argparse.Namespace, folder: Path, quarter: Quarter) -> int:
    if not folder.is_dir():
        raise FileNotFoundError(2, "no such folder", str(folder))
    settings, contracts, work, happened = (_first(folder, names) for names in BOOKS)
    config, unsound = read_repo_config(settings)
    books = read_books(settings, contracts, work, happened, config.signing)
    language = books.settings.language
    today = _day(args.today) if args.today else books.settings.decision_date or date.today()  # noqa: TID251 - the shell
    if today is None:
        told = {"column": "--today", "found": args.today[:40], "expected": "2027-01-11"}
        return _refused([error("day-unknown", **told)], language, args.format)
    found = [*unsound, *(p for p in books.problems if p not in unsound)]
    wrong = [p for p in found if p.severity in (Severity.ERROR, Severity.QUESTION)]
    if wrong:
        return _refused(wrong, language, args.format)
    read = _reader(folder)
    previous, doubts = review_before(quarter, read)
    review = reviewed(books, ledger_of(read), quarter, today, previous, doubts, not args.no_plan)
    files = files_of(review)
    if args.out is not None:
        out = Path(args.out)
        out.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (out / name).write_bytes(data)
    comment = files["review.md"].decode()
    sys.stdout.write(render_record(review) if args.json else shown(comment, args.format, language))
    return REVIEWED


BOOKS: tuple[Sequence[str], ...] = ((*CONFIG_NAMES, CONFIG_PATH), CONTRACT_NAMES, (WORKLOADS,), (OUTCOMES,))


def _first(folder: Path, names: Sequence[str]) -> PostedFile | None:
    found = next((path for name in names if (path := folder / name).is_file()), None)
    return PostedFile.from_path(found, name=found.relative_to(folder).as_posix()) if found else None


def _reader(folder: Path) -> Callable[[str], bytes | None]:
    def read(path: str) -> bytes | None:
        file = folder / path
        if not file.is_file():
            return None
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES)

    return read


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _refused(problems: Sequence[Problem], language: str, form: str) -> int:
    sys.stdout.write(shown(render_problems(problems, language, title="review.refused", shorten=False), form, language))
    return REFUSED
