"""`steelyard memo render`: comment and workbook again, from a decision record alone, byte by byte as they were."""

import argparse
import sys
from pathlib import Path

from bot.record_file import open_record
from bot.render.notices import render_problems, say
from bot.screen import shown
from scoring.model.decision import Decision
from scoring.model.problem import Problem
from scoring.problems import error

RENDERED, REFUSED = 0, 2


def run(args: argparse.Namespace) -> int:
    """Exit status 0, or 2 for a file that is no sound record of this version, or a folder that cannot be written."""
    path = Path(args.record)
    try:
        decision, problems = open_record(path)
    except OSError as failure:
        return _failed(failure)
    if decision is None:
        return _refused(problems, "en")
    language = decision.settings.language
    files = _rendered(decision, path.name)
    if isinstance(files, Problem):
        return _refused([files], language)
    if problems:
        sys.stderr.write(shown(render_problems(problems, language, title="memo-render.doubts")))
    try:
        for name, content in files.items():
            target = Path(args.out) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            print(say(language, "memo-render.written", file=str(target)))
    except OSError as failure:
        return _failed(failure)
    return RENDERED


def _rendered(decision: Decision, name: str) -> dict[str, bytes] | Problem:
    """All but the record itself. A record may be well formed and yet say what no engine says."""
    from bot.render.files import RECORD, files_of

    try:
        return {file: data for file, data in files_of(decision).items() if file != RECORD}
    except Exception as failure:
        return error("record-contradicts-itself", file=name, found=f"{type(failure).__name__}: {failure}"[:100])


def _refused(problems: list[Problem], language: str) -> int:
    sys.stdout.write(shown(render_problems(problems, language, title="memo-render.title")))
    return REFUSED


def _failed(failure: OSError) -> int:
    print(f"steelyard: {failure.strerror or failure}: {failure.filename}", file=sys.stderr)
    return REFUSED
