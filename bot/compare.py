"""`steelyard compare`: files in, the comment on the screen, and comment, memo and record in a folder."""

import argparse
import sys
from datetime import date
from pathlib import Path

from bot.evidence_options import overrides_of
from bot.folder import find
from bot.record_file import open_record
from bot.render.comment import render_comment
from bot.render.notices import render_problems
from bot.render.record import render_record
from bot.screen import shown
from scoring.analysis import Evidence, analyse
from scoring.history import history_of
from scoring.model.decision import Decision
from scoring.reading.posted import PostedFile

DECIDED, UNDECIDED = 0, 2


def run(args: argparse.Namespace) -> int:
    """Exit status 0 with a decision of any kind, 2 for input that gives none."""
    try:
        evidence = gather(args)
        previous, problems = open_record(Path(args.previous)) if args.previous else (None, [])
    except OSError as failure:
        print(f"steelyard: {failure.strerror or failure}: {failure.filename}", file=sys.stderr)
        return UNDECIDED
    if args.previous and previous is None:
        sys.stdout.write(shown(render_problems(problems, "en", title="memo-render.previous"), args.format))
        return UNDECIDED
    decision = analyse(evidence, today=date.today())  # noqa: TID251 - the shell may read the clock
    if previous is not None:
        decision = decision.model_copy(update={"history": history_of(previous, decision)})
    if args.out is not None:
        try:
            write(decision, args.out)
        except OSError as failure:
            print(f"steelyard: {failure.strerror or failure}: {failure.filename}", file=sys.stderr)
            return UNDECIDED
    comment = render_comment(decision, files_written=args.out is not None)
    sys.stdout.write(render_record(decision) if args.json else shown(comment, args.format, decision.settings.language))
    return UNDECIDED if decision.verdict.word is None else DECIDED


def gather(args: argparse.Namespace) -> Evidence:
    """The files that the command line names. Raises OSError for one that cannot be opened."""
    found = find([Path(p) for p in args.paths])
    if found.missing:
        raise FileNotFoundError(2, "no such file or folder", found.missing[0])
    return Evidence(
        postings=tuple(found.postings),
        settings=_posted(args.config or found.config),
        contracts=_posted(args.contracts or found.contracts),
        prices=_posted(args.prices or found.prices),
        overrides=overrides_of(args),
        portability=_posted(getattr(args, "portability", None)),
    )


def _posted(path: Path | str | None) -> PostedFile | None:
    if path is None:
        return None
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(2, "no such file", str(path))
    return PostedFile.from_path(path, name=path.name)


def write(decision: Decision, folder: Path | str) -> None:
    """`comment.md`, `decision.json`, `memo.xlsx`, `records.md`, `deadlines.ics`; further comparisons get a memo each.

    A calendar that is there is updated, so that whoever reads it sees changed days and not doubled ones.
    """
    from bot.render.calendar import Said, calendar_file
    from bot.render.files import files_of

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files_of(decision).items():
        (folder / name).write_bytes(data)
    if decision.dates is not None:
        calendar_file(folder / "deadlines.ics", Said(decision.dates, decision.decided_on, decision.settings.language))
