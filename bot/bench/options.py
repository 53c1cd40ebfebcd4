"""The options of `steelyard bench` and its subcommands; nothing of weight is imported for them."""

import argparse


def add_options(parser: argparse.ArgumentParser) -> None:
    """`bench` and its parts."""
    parser.description = "Prints measured times and memory; alone it passes no judgement."
    parser.add_argument("--large", action="store_true", help="also read 25 MB and 300 MB of request latencies")
    parser.add_argument(
        "--against", action="store_true", help="also time pandas and scipy.stats.bootstrap (extra bench)"
    )
    benches = parser.add_subparsers(dest="bench", metavar="BENCH")
    _chaos(benches.add_parser("chaos", help="kill the bot at random moments, count what was lost or done twice"))
    _intake(benches.add_parser("intake", help="time the answers to deliveries while a large file is parsed"))
    _page(benches.add_parser("page", help="time the pages of a ledger of thousands of decisions, with many readers"))
    benches.add_parser("timeline", help="time the shared timeline of all workloads on all contracts, over sizes")
    benches.add_parser("portability", help="time the porting map of a tree of 2,000 Python files")
    benches.add_parser("plan", help="time the optimal plan of all workloads on all contracts, over sizes")


def _chaos(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Runs the bot against a GitHub in memory, kills it at random moments, and counts in that GitHub what was lost "
        "or done twice. Exit status 1 when anything was."
    )
    parser.add_argument("--kills", type=_positive, default=60, metavar="N", help="how often to kill (%(default)s)")
    parser.add_argument("--deliveries", type=_positive, default=300, metavar="N", help="commands (%(default)s)")
    parser.add_argument("--redeliveries", type=_share, default=0.1, metavar="SHARE", help="posted again (%(default)s)")
    parser.add_argument("--life", type=float, default=6.0, metavar="S", help="longest time between kills (%(default)s)")
    parser.add_argument("--seed", type=int, default=7, metavar="N", help="of everything random (%(default)s)")
    parser.add_argument("--apart", action="store_true", help="one web and two worker processes instead of `serve`")
    parser.add_argument("--faults", action="store_true", help="GitHub fails as well, in every way that it does")
    _database(parser)


def _intake(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Posts signed deliveries over kept connections, alone and while a large file is parsed. Exit status 1 for any "
        "error, and on SQLite for a p99 above 300 ms."
    )
    parser.add_argument("--connections", type=_positive, default=50, metavar="N", help="kept alive (%(default)s)")
    parser.add_argument("--seconds", type=float, default=15.0, metavar="S", help="of each part (%(default)s)")
    parser.add_argument("--body-kb", type=_positive, default=25, metavar="KB", help="of a delivery (%(default)s)")
    parser.add_argument("--attachment-mb", type=_positive, default=300, metavar="MB", help="parsed (%(default)s)")
    _database(parser)


def _page(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Readers look at quarters, lists, decisions and memos of a large ledger while it grows. Exit status 1 for any "
        "error, a p95 above 300 ms of readers who pause, and a ledger that is read more than once for a change."
    )
    parser.add_argument("--decisions", type=_positive, default=5_000, metavar="N", help="in the ledger (%(default)s)")
    parser.add_argument("--readers", type=_positive, default=20, metavar="N", help="at a time (%(default)s)")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="of each part (%(default)s)")


def _database(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--database-url", metavar="URL", help="a PostgreSQL server where a database may be made")
    where.add_argument("--postgres", action="store_true", help="a throw-away PostgreSQL, from initdb and pg_ctl")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def _share(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError("between 0 and 1")
    return number
