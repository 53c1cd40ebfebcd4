"""`steelyard portability`: the porting map of a code base; with a baseline only new hard-coded device uses fail."""

import argparse
import sys
from pathlib import Path

from bot.render.locales import languages
from bot.render.notices import render_problems
from bot.render.portability import render_new, render_portability
from bot.render.record import engine_version
from bot.render.sarif import render_sarif
from bot.scanning import scanned
from bot.screen import shown
from bot.source_tree import is_without_commit
from scoring.model.portability import Finding, Portability, PortabilitySetting
from scoring.model.problem import Problem, Severity
from scoring.model.settings import Settings
from scoring.portability.assess import assess
from scoring.portability.baseline import new_uses
from scoring.portability.report import read_report, report_of
from scoring.reading.posted import PostedFile
from scoring.settings_file import read_settings

DONE, NEW, NOT_READ = 0, 1, 2
CONFIG = ".github/steelyard.yml"


def run(args: argparse.Namespace) -> int:
    """Exit status 0, 1 for new hard-coded uses with --fail-on-new, 2 for what cannot be read."""
    try:
        return _run(args)
    except OSError as failure:
        print(f"steelyard: {failure.strerror or failure}: {failure.filename}", file=sys.stderr)
        return NOT_READ


def _run(args: argparse.Namespace) -> int:
    settings, problems = _settings(args)
    language = args.language if args.language in languages() else settings.language
    if problems:
        sys.stdout.write(shown(render_problems(problems, language), args.format))
        return NOT_READ
    setting = settings.portability or PortabilitySetting()
    found = mapped(Path(args.path), args.ref, setting, args)
    before, problems = _before(args, setting)
    if problems:
        sys.stdout.write(shown(render_problems(problems, language), args.format))
        return NOT_READ
    asked = args.fail_on_new or args.only_new
    new = None if before is None and not asked else new_uses(found.findings, before or ())
    if args.sarif:
        Path(args.sarif).write_text(render_sarif(found), encoding="utf-8")
    if args.json:
        sys.stdout.write(report_of(found, engine_version()))
    else:
        told = render_new(new, language) if args.only_new and new is not None else None
        sys.stdout.write(shown(told or render_portability(found, language, new), args.format, language))
    return NEW if new and args.fail_on_new else DONE


def mapped(path: Path, ref: str | None, setting: PortabilitySetting, args: argparse.Namespace) -> Portability:
    """The map of what lies at the path. Raises OSError."""
    return assess(scanned(path, ref), setting, args.target)


def _before(args: argparse.Namespace, setting: PortabilitySetting) -> tuple[tuple[Finding, ...] | None, list[Problem]]:
    """The baseline's findings, None without one. Raises OSError."""
    if args.baseline_ref == "HEAD" and is_without_commit(Path(args.path)):
        return (), []
    if args.baseline_ref is not None:
        return mapped(Path(args.path), args.baseline_ref, setting, args).findings, []
    if args.baseline is None:
        return None, []
    path = Path(args.baseline)
    if not path.is_file():
        raise FileNotFoundError(2, "no such file", str(path))
    report, problems = read_report(PostedFile.from_path(path, name=path.name))
    return (report.findings if report else None), problems


def _settings(args: argparse.Namespace) -> tuple[Settings, list[Problem]]:
    """The tree's own settings, or the file that is named. Raises OSError."""
    path = Path(args.config) if args.config else Path(args.path) / CONFIG
    if not path.is_file():
        if args.config:
            raise FileNotFoundError(2, "no such file", str(path))
        return Settings(), []
    settings, problems = read_settings(PostedFile.from_path(path, name=path.name))
    return settings, [p for p in problems if p.severity in (Severity.ERROR, Severity.QUESTION)]
