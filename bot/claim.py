"""`steelyard claim`: a statement such as "70 % more audio per dollar" against a pilot's files; the same as `/claim`."""

import argparse
import json
import sys
from datetime import date

from bot.compare import gather
from bot.render.claim import render_claim, render_unclear
from bot.render.locales import ENGLISH, languages
from bot.screen import shown
from scoring.analysis import analyse
from scoring.vendor_claims import Unclear, judge, parse

TESTED, NOT_TESTED = 0, 2
SCHEMA = "steelyard/claim/1"


def run(args: argparse.Namespace) -> int:
    """Exit status 0 for a statement that was held against the pilot, 2 where it is asked back or there is no file."""
    claimed = parse(args.statement)
    if isinstance(claimed, Unclear):
        language = args.language if args.language in languages() else ENGLISH
        sys.stdout.write(shown(render_unclear(claimed, language), args.format, language))
        return NOT_TESTED
    try:
        evidence = gather(args)
    except OSError as failure:
        print(f"steelyard: {failure.strerror or failure}: {failure.filename}", file=sys.stderr)
        return NOT_TESTED
    decision = analyse(evidence, today=date.today())  # noqa: TID251 - the shell may read the clock
    judged = [judge(claimed, one) for one in (decision, *decision.others)]
    if args.json:
        told = [one.model_dump(mode="json") for one in judged]
        print(json.dumps({"schema": SCHEMA, "judged": told}, indent=2, ensure_ascii=False))
    else:
        sys.stdout.write(shown(render_claim(judged, decision), args.format, decision.settings.language))
    return TESTED
