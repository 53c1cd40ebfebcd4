"""The command line. Every import of weight stands inside its subcommand, so that `--help` answers at once."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from bot.bench.options import add_options as add_bench_options
from bot.calibrate.options import add_options as add_calibrate_options
from bot.claim_options import add_options as add_claim_options
from bot.contract_options import add_contract_options, add_price_options
from bot.evidence_options import add_evidence_options
from bot.memo_options import add_options as add_memo_options
from bot.pilot_options import add_options as add_pilot_options
from bot.plan_options import add_options as add_plan_options
from bot.portability_options import add_options as add_portability_options
from bot.review_options import add_options as add_review_options

INTERNAL_ERROR = 70
MODULES = {
    "compare": "bot.compare",
    "memo": "bot.memo",
    "plan": "bot.plan",
    "portability": "bot.portability",
    "claim": "bot.claim",
    "pilot": "bot.pilot.command",
    "review": "bot.review",
    "init": "bot.init",
    "doctor": "bot.doctor",
    "action": "bot.action",
    "serve": "bot.serve",
    "web": "bot.serve",
    "worker": "bot.serve",
    "bench": "bot.bench",
    "calibrate": "bot.calibrate",
    "demo": "bot.demo",
    "schema": "bot.schemas",
    "contracts": "bot.contracts",
    "prices": "bot.prices",
}
"""Where each subcommand's `run(args)` stands; it is imported when it is asked for."""
EXAMPLES = """examples:
  steelyard compare samples/llama2-70b-lora --out out
  steelyard compare pilot.csv --set price.trn2=31.5 --set margin.wer=0.2
  steelyard plan --arms gpu,trn2 --cv 4% --detect 10% --sheet runs.csv
  steelyard schema settings
"""


def build_parser() -> argparse.ArgumentParser:
    """All subcommands with their options."""
    parser = argparse.ArgumentParser(
        prog="steelyard",
        description="Compares accelerator pilots with honest statistics, applies contracts, writes a decision memo.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _compare(commands.add_parser("compare", help="decide on a pilot's files: comment, memo, decision record"))
    add_memo_options(commands.add_parser("memo", help="rebuild comment and workbook from a decision record"))
    add_plan_options(commands.add_parser("plan", help="before a pilot: how many runs, in which order, a run sheet"))
    add_pilot_options(commands.add_parser("pilot", help="make the runs of a run sheet and keep their record"))
    add_claim_options(commands.add_parser("claim", help='does the pilot support "70 %% more audio per dollar"?'))
    add_portability_options(commands.add_parser("portability", help="what ties a code base to CUDA, in hours"))
    add_review_options(commands.add_parser("review", help="a quarter: commitments, days, decisions, outcomes"))
    add_contract_options(commands.add_parser("contracts", help="the contract book: import what is committed"))
    add_price_options(commands.add_parser("prices", help="price books: what is priced, of which day, what is missing"))
    _init(commands.add_parser("init", help="propose the files that a repository starts from"))
    _doctor(commands.add_parser("doctor", help="check what the bot needs, and say how to mend it"))
    _action(commands.add_parser("action", help="answer the event of a GitHub Actions run"))
    _demo(commands.add_parser("demo", help="see it work on this machine: a GitHub, an issue, the reply, the memo"))
    add_bench_options(commands.add_parser("bench", help="measure: a comparison, load, and kills at random moments"))
    add_calibrate_options(
        commands.add_parser("calibrate", help="simulate pilots whose truth is known: are claims kept?")
    )
    schema = commands.add_parser("schema", help="print a JSON schema")
    schema.add_argument("name", choices=("settings", "contracts", "decision", "review"))
    _process(commands.add_parser("serve", help="run the bot: receive from GitHub and work, in one place"))
    _process(commands.add_parser("web", help="only receive; workers beside it share the database"))
    _process(commands.add_parser("worker", help="only work; several may share one database"))
    return parser


def _compare(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Reads files or folders of a pilot and prints the decision. In a folder, steelyard.yml, contracts.yml, .csv "
        "or .json and prices.csv or .json are taken for what they are called. "
        "Exit status 0 with a decision, 2 for input that gives none."
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="posted files, or folders of them")
    add_evidence_options(parser)
    parser.add_argument("--out", metavar="DIR", help="write comment.md, memo.xlsx and decision.json there")
    parser.add_argument(
        "--portability", metavar="FILE", help="what `steelyard portability --json` wrote: prices the move"
    )
    parser.add_argument("--previous", metavar="RECORD.json", help="an earlier record: what changed since is told")
    parser.add_argument("--json", action="store_true", help="print the decision record alone")


def _demo(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Starts the bot beside a GitHub that runs on this machine alone (npm's emulate; it needs Node, which the extra "
        "`demo` brings), posts a pilot and /compare, and shows the reply. Nothing leaves the machine."
    )
    parser.add_argument("--once", action="store_true", help="end after the first reply")
    parser.add_argument("--out", metavar="DIR", help="where memo.xlsx and the log go (a new temporary folder)")


def _init(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Opens one pull request with the settings, an empty contract book and price book and the issue form; run "
        "again, it adds to the same one. What is on the default branch stays as it is."
    )
    parser.add_argument("--repo", metavar="OWNER/NAME", help="the repository; by default $GITHUB_REPOSITORY")
    parser.add_argument("--local", metavar="DIR", help="write the files into this working copy instead")
    parser.add_argument(
        "--action",
        nargs="?",
        const="",
        metavar="OWNER/NAME@COMMIT",
        help="with the workflow that answers without a server; where your reviewed copy of Steelyard is",
    )


def _doctor(parser: argparse.ArgumentParser) -> None:
    parser.description = "Checks and changes nothing. Exit status 0 when nothing fails, else 1. No secret is printed."
    parser.add_argument("--repo", metavar="OWNER/NAME", help="check this repository too")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def _action(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Answers the commands of the event that started a GitHub Actions run; action.yml calls it. It needs "
        "GITHUB_TOKEN and the variables of a run. Exit status 0 when the event was answered or asks for nothing, "
        "1 when that failed, 2 outside of a run."
    )


def _process(parser: argparse.ArgumentParser) -> None:
    parser.description = "Every setting is read from STEELYARD_<NAME> too; these flags win over the environment."
    parser.add_argument("--host", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (8080)")
    parser.add_argument(
        "--database-url", metavar="URL", help="postgresql://…; by default SQLite in the state directory"
    )
    parser.add_argument(
        "--state-dir", metavar="DIR", help="where the job database and the App's credentials lie (state)"
    )
    parser.add_argument("--workers", type=int, metavar="N", help="jobs at a time in this process (2)")
    parser.add_argument("--attended", action="store_true", help=argparse.SUPPRESS)


class _Version(argparse.Action):
    """The version, looked up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"steelyard {version('steelyard')}")
        parser.exit()


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; a bug is one line, with a trace for STEELYARD_TRACE=1."""
    args = build_parser().parse_args(argv)
    try:
        return _run(args)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as failure:
        if os.environ.get("STEELYARD_TRACE"):
            raise
        print(f"steelyard: internal error, please report it: {type(failure).__name__}: {failure}", file=sys.stderr)
        return INTERNAL_ERROR


def _run(args: argparse.Namespace) -> int:
    status: int = import_module(MODULES[args.command]).run(args)
    return status


if __name__ == "__main__":
    sys.exit(main())
