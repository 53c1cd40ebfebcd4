"""Options of every command that judges files: settings, contracts and prices, and how the answer is shown."""

import argparse

MOST_RUNS = 100_000


def add_evidence_options(parser: argparse.ArgumentParser) -> None:
    """`--config`, `--contracts`, `--prices`, `--set`, `--language`, `--look` and `--format`."""
    parser.add_argument("--config", metavar="FILE", help="settings (steelyard.yml)")
    parser.add_argument("--contracts", metavar="FILE", help="contract book (YAML, CSV, or AWS's outputs)")
    parser.add_argument("--prices", metavar="FILE", help="price book (CSV, or a price list)")
    parser.add_argument("--set", action="append", metavar="KEY=VALUE", help="a setting; may be given again")
    parser.add_argument("--language", metavar="CODE", help="of what is told, en or es; as `--set language=`")
    parser.add_argument(
        "--look",
        action="append",
        type=_runs,
        metavar="N",
        help="runs an arm at which this pilot was judged before; once for each earlier look",
    )
    parser.add_argument(
        "--format",
        choices=("auto", "terminal", "markdown"),
        default="auto",
        help="laid out for a terminal, or Markdown; auto: Markdown where the output is no terminal",
    )


def overrides_of(args: argparse.Namespace) -> tuple[str, ...]:
    """The settings that the options give: those of `--set`, the language, and the earlier looks."""
    looks = ",".join(str(runs) for runs in args.look or ())
    language = (f"language={args.language}",) if args.language else ()
    return (*(args.set or ()), *language, *([f"earlier_looks={looks}"] if looks else []))


def _runs(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text[:9]) < MOST_RUNS:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no number of runs an arm")
    return int(text)
