"""`steelyard pilot run`: every run of a sheet once, in order, whatever stops it in between."""

import argparse
import hashlib
import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.commands.evidence import settings_problems
from bot.pilot.asked import Asked, asked_with, in_order
from bot.pilot.facts import facts_of_machine
from bot.pilot.journal import Busy, Journal, only_one, write_whole
from bot.pilot.results import status_of, told_by
from bot.pilot.runs import ENDED, LOST, Attempt, Past, Stop, pid_of, record_of, start, wait
from bot.pilot.sheet import Planned, arm_values, filled, read_sheet, unknown_templates
from bot.pilot.table import Made, comment, table_csv
from bot.render.locales import ENGLISH, languages
from bot.render.notices import Markup, render_problems, say
from bot.screen import shown
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import error
from scoring.reading.posted import PostedFile
from scoring.settings_file import apply_overrides, read_settings

ALL_MADE, STOPPED, REFUSED, INTERRUPTED = 0, 1, 2, 130
TABLE, COMMENT = "pilot.csv", "comment.md"
SCHEMA = "steelyard/pilot/1"


@dataclass
class Kit:
    """What is to be made, and where to."""

    folder: Path
    journal: Journal
    planned: Sequence[Planned]
    columns: tuple[str, ...]
    command: Sequence[str]
    env: Mapping[str, str]
    result: str | None
    settings: Settings
    pairs: Sequence[str]
    asked: Asked
    language: str

    def tell(self, code: str, **fields: object) -> None:
        """A line of progress."""
        print(say(self.language, f"pilot-kit.{code}", **fields), file=sys.stderr, flush=True)


def run(args: argparse.Namespace) -> int:
    """Exit status 0 when all runs are made, 1 at a failed run, 2 for what cannot be followed, 130 when interrupted."""
    language = args.language if args.language in languages() else ENGLISH
    try:
        kit, problems = _kit(args, language)
        if problems or kit is None:
            sys.stdout.write(shown(render_problems(problems, language, title="pilot-kit.refused"), "auto", language))
            return REFUSED
        kit.folder.mkdir(parents=True, exist_ok=True)
        with only_one(kit.folder):
            return _make(kit, args)
    except Busy:
        print(f"steelyard: {say(language, 'pilot-kit.busy', folder=str(args.out))}", file=sys.stderr)
    except OSError as failure:
        place = f": {failure.filename}" if failure.filename else f": {args.out}"
        print(f"steelyard: {failure.strerror or failure}{place}", file=sys.stderr)
    return REFUSED


def _kit(args: argparse.Namespace, language: str) -> tuple[Kit | None, list[Problem]]:
    command = args.command_line[1:] if args.command_line[:1] == ["--"] else args.command_line
    arms, problems = arm_values(args.arm or ())
    planned, columns, wrong = read_sheet(Path(args.sheet), arms)
    problems += wrong
    if not command:
        problems.append(error("pilot-no-command", expected="-- COMMAND"))
    pairs = [pair.partition("=") for pair in args.env or ()]
    problems += [
        error("pilot-environment", found=name[:100], expected="NAME=VALUE") for name, sign, _ in pairs if not sign
    ]
    env = {name: value for name, _, value in pairs}
    texts = [*command, *env.values(), *filter(None, [args.result])]
    problems += unknown_templates(texts, planned)
    config = PostedFile.from_path(Path(args.config)) if args.config else None
    broken, mistaken = settings_problems(config, args.set or ())
    problems += [*broken, *mistaken]
    if problems:
        return None, problems
    of_file = read_settings(config)[0] if config else Settings()
    set_pairs = tuple(args.set or ())
    set_pairs += in_order(list(arms), {p.arm for p in planned}, apply_overrides(of_file, set_pairs)[0])
    settings = apply_overrides(of_file, set_pairs)[0]
    folder = Path(args.out)
    spoken = language if args.language else settings.language
    asked = asked_with(args.config, set_pairs, settings)
    journal = Journal(folder)
    return Kit(folder, journal, planned, columns, command, env, args.result, settings, set_pairs, asked, spoken), []


def _make(kit: Kit, args: argparse.Namespace) -> int:
    entries = kit.journal.entries()
    identity = _identity(kit)
    begun = next((e for e in entries if e["event"] == "pilot"), None)
    if begun is not None and begun.get("identity") != identity:
        kit.tell("other-pilot", folder=str(kit.folder))
        return REFUSED
    facts = facts_of_machine(args.versions)
    kit.journal.add("pilot", identity=identity, schema=SCHEMA, command=list(kit.command), facts=facts)
    stop = Stop({n: say(kit.language, f"pilot-kit.stop-{n}") for n in (1, 2)})
    try:
        return _all(kit, Past.of(entries), facts, stop, args)
    finally:
        stop.close()


def _identity(kit: Kit) -> str:
    """The same for the same runs of the same command; another one may not go on with this journal."""
    lines = [dict(sorted(planned.values.items())) for planned in kit.planned]
    told = json.dumps([lines, list(kit.command), dict(kit.env), kit.result], ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()


def _all(kit: Kit, past: Past, facts: Mapping[str, Any], stop: Stop, args: argparse.Namespace) -> int:
    by_key = {planned.key: planned for planned in kit.planned}
    if past.open is not None and past.open["key"] in by_key:
        attempt = Attempt(kit.folder, past.open["key"], past.open["attempt"])
        kit.tell("still-open", run=attempt.name)
        stop.pid = pid_of(attempt)
        _finish(kit, past, attempt, by_key[attempt.key], str(facts["host"]))
    if past.made:
        kit.tell("resumed", made=len(past.made), count=len(kit.planned))
    for planned in kit.planned:
        if planned.key in past.made:
            continue
        if stop.asked:
            break
        attempt = Attempt(kit.folder, planned.key, past.attempts.get(planned.key, 0) + 1)
        _announce(kit, past, planned)
        stop.pid = start(attempt, planned, kit.command, kit.env, kit.journal)
        ended = _finish(kit, past, attempt, planned, str(facts["host"]))
        _write(kit, past, facts)
        if ended is not None and ended["status"] != "ok" and not args.keep_going:
            kit.tell("stopped-at-failure", log=str(attempt.file("stderr")))
            return STOPPED
    _write(kit, past, facts)
    if len(past.made) < len(kit.planned):
        kit.tell("interrupted", made=len(past.made), count=len(kit.planned))
        return INTERRUPTED
    _conclude(kit, past, args)
    return ALL_MADE


def _announce(kit: Kit, past: Past, planned: Planned) -> None:
    left = len(kit.planned) - len(past.made)
    walls = [entry["record"].get("wall_s") or 0.0 for entry in past.made.values()]
    fields = {"number": planned.number, "count": len(kit.planned), "arm": planned.arm, "run": planned.values["run"]}
    if walls:
        kit.tell("running-left", **fields, left=Markup(_span(sum(walls) / len(walls) * left)))
    else:
        kit.tell("running", **fields)


def _span(seconds: float) -> str:
    """About how long: `40 s`, `12 min`, `3.5 h`."""
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def _finish(kit: Kit, past: Past, attempt: Attempt, planned: Planned, host: str) -> dict[str, Any] | None:
    """Wait for the run and keep how it ended; None for one that was ended from outside and is to be made again."""
    wait(attempt)
    record = record_of(attempt)
    past.open = None
    if record is None or record.get("interrupted"):
        kit.journal.add(LOST, key=attempt.key, attempt=attempt.number)
        past.attempts[attempt.key] = attempt.number
        past.lost += 1
        kit.tell("lost", run=attempt.name)
        return None
    told = told_by(attempt.out, attempt.file("stdout"), planned.arm, kit.settings) if "wall_s" in record else {}
    status, why = status_of(record, told, _missing(kit, attempt, planned))
    ended = {"key": attempt.key, "attempt": attempt.number, "status": status.value, "why": why, "host": host}
    entry = {**ended, "record": record, "told": told}
    kit.journal.add(ENDED, **entry)
    past.made[attempt.key] = entry
    seconds = Markup(f"{record.get('wall_s') or 0:.1f}")
    kit.tell(f"ended-{status.value}", seconds=seconds, exit_code=Markup(str(record["exit_code"])))
    if why is not None:
        kit.tell(f"why.{why}")
    if record.get("left_behind"):
        kit.tell("left-behind", count=record["left_behind"])
    return entry


def _missing(kit: Kit, attempt: Attempt, planned: Planned) -> str | None:
    """The file that the run had to leave and did not."""
    if kit.result is None:
        return None
    path = Path(filled(kit.result, {**planned.values, "out": str(attempt.out)}))
    return None if path.is_file() and path.stat().st_size else str(path)


def _write(kit: Kit, past: Past, facts: Mapping[str, Any]) -> None:
    """Table and comment of all runs so far, in the order of the sheet. Raises OSError."""
    made = [
        Made(planned, entry["record"], entry["told"], entry["status"], entry["host"])
        for planned in kit.planned
        if (entry := past.made.get(planned.key)) is not None
    ]
    if not made:
        return
    table = table_csv(made, kit.columns, kit.settings)
    write_whole(kit.folder / TABLE, table)
    write_whole(kit.folder / COMMENT, comment(made, table, facts, kit.asked, kit.language))


def _conclude(kit: Kit, past: Past, args: argparse.Namespace) -> None:
    failed = sum(entry["status"] != "ok" for entry in past.made.values())
    if past.lost:
        kit.tell("lost-count", count=past.lost)
    kit.tell("all-made", made=len(past.made), failed=failed, comment=str(kit.folder / COMMENT))
    words = ["steelyard", "compare", str(kit.folder / TABLE)]
    words += ["--config", args.config] if args.config else []
    words += [word for pair in kit.pairs for word in ("--set", pair)]
    print(shlex.join(words))
