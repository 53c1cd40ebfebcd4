"""`steelyard review`: a folder with books and a ledger in, the review of a quarter out."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from bot.folder import CONFIG_NAMES, CONTRACT_NAMES
from bot.render.notices import render_problems
from bot.render.review.files import files_of
from bot.render.review.record import render_record
from bot.repo_config import CONFIG_PATH, RepoConfig, read_repo_config
from bot.repositories_listed import is_same
from bot.review_several import WRONG, Beside, Other, reviewed_with
from bot.review_sources import Books, read_books, review_before
from bot.screen import shown
from scoring.model.problem import Problem
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
    books, problems, config = _books(folder, home=args.home)
    language = books.settings.language
    today = _day(args.today) if args.today else books.settings.decision_date or date.today()  # noqa: TID251 - the shell
    if today is None:
        told = {"column": "--today", "found": args.today[:40], "expected": "2027-01-11"}
        return _refused([error("day-unknown", **told)], language, args.format)
    wrong = [*(p for p in problems if p.severity in WRONG), *_unfit(args, config)]
    if wrong:
        return _refused(wrong, language, args.format)
    beside, doubts = _beside(args, config)
    read = _reader(folder)
    previous, odd = review_before(quarter, read)
    plan = not args.no_plan
    found = reviewed_with(beside, books, read, quarter, today, previous, (*odd, *doubts), with_plan=plan)
    if isinstance(found, list):
        return _refused(found, language, args.format)
    files = files_of(found)
    if args.out is not None:
        out = Path(args.out)
        out.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (out / name).write_bytes(data)
    comment = files["review.md"].decode()
    sys.stdout.write(render_record(found) if args.json else shown(comment, args.format, language))
    return REVIEWED


def _unfit(args: argparse.Namespace, config: RepoConfig) -> Iterator[Problem]:
    """What is wrong with the options that name repositories."""
    if args.repository and not args.home:
        yield error("review-home-unnamed")
    for name, _ in args.repository:
        if not any(is_same(name, listed) for listed in config.repositories):
            expected = ", ".join(config.repositories)[:200] or "none"
            yield error("review-repository-unlisted", column="--repository", found=name[:100], expected=expected)


def _beside(args: argparse.Namespace, config: RepoConfig) -> tuple[Beside, list[Problem]]:
    """The others that the home lists, each from its own folder if it agrees. Raises OSError."""
    others, lacking, problems = list[Other](), list[str](), list[Problem]()
    for name in config.repositories:
        path = next((path for given, path in args.repository if is_same(given, name)), None)
        other = _other(name, path, args.home) if path else error("review-repository-without-path", found=name)
        if isinstance(other, Problem):
            problems.append(other)
            lacking.append(name)
        else:
            others.append(other)
    return Beside(args.home or "", tuple(others), tuple(lacking)), problems


def _other(name: str, folder: Path, home: str) -> Other | Problem:
    books, problems, config = _books(folder, f"{name}:")
    if not config.may_be_reviewed_in(home):
        return error("review-repository-closed", found=name, home=home)
    return Other(name, replace(books, problems=tuple(problems)), _reader(folder))


def _books(folder: Path, named: str = "", home: str | None = None) -> tuple[Books, list[Problem], RepoConfig]:
    """A folder's books, what is wrong with them, and its section `github`; `named` stands before each file's name."""
    if not folder.is_dir():
        raise FileNotFoundError(2, "no such folder", str(folder))
    settings = _first(folder, (*CONFIG_NAMES, CONFIG_PATH), named)
    config, unsound = read_repo_config(settings, home)
    names = ((*CONTRACT_NAMES, config.contracts), (WORKLOADS, config.workloads), (OUTCOMES, config.outcomes))
    contracts, work, happened = (_first(folder, one, named) for one in names)
    books = read_books(settings, contracts, work, happened, config.signing)
    return books, [*unsound, *(p for p in books.problems if p not in unsound)], config


def _first(folder: Path, names: Sequence[str], named: str) -> PostedFile | None:
    found = next((name for name in names if (folder / name).is_file()), None)
    return PostedFile.from_path(folder / found, name=f"{named}{found}") if found else None


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
