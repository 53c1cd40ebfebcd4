"""The options of `steelyard contracts` and `steelyard prices`; apart, so that `--help` loads nothing of weight."""

import argparse


def add_contract_options(parser: argparse.ArgumentParser) -> None:
    """The subcommands of the contract book."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="every mistake of a contract book, with its line and fix")
    check.description = (
        "Reads contract books and prints what is wrong with them, and between them. With settings (steelyard.yml, or a "
        "folder that holds it) it looks for the rates of their currencies too. Exit status 0, or 1 with an error."
    )
    check.add_argument("paths", nargs="+", metavar="PATH", help="contract books, YAML or CSV, settings, or folders")
    check.add_argument("--language", metavar="CODE", help="of what is told, en or es (that of the settings, else en)")
    show = actions.add_parser("show", help="what each contract promises and costs by month, and what leaving brings")
    show.description = (
        "Lists the contracts of books on a day: term, promise, hours and cost by month, notice, and what leaving on "
        "that day would bring. Exit status 0, or 2 where a book must be mended."
    )
    show.add_argument("paths", nargs="+", metavar="PATH", help="contract books, YAML or CSV, settings, or folders")
    show.add_argument("--on", metavar="DATE", help="the day, such as 2027-01-04 (today)")
    show.add_argument("--months", type=int, default=6, metavar="N", help="months from that day's on (6; at most 60)")
    show.add_argument("--json", action="store_true", help="print JSON")
    reading = actions.add_parser("import", help="turn what AWS's commands print, or AWS itself, into a contract book")
    reading.description = (
        "Reads outputs of `aws ec2 describe-reserved-instances`, `describe-capacity-reservations`, "
        "`describe-capacity-blocks`, `aws savingsplans describe-savings-plans`, `describe-savings-plan-rates`, and "
        "FOCUS cost exports; `aws` alone asks AWS (read-only, needs the extra `aws`). Prints a contract book, or adds "
        "to the one at --out and leaves what stands there as it is. Exit status 0, or 2 where something must be "
        "answered first."
    )
    reading.add_argument("sources", nargs="+", metavar="FILE|aws", help="files, or the word aws")
    reading.add_argument("--out", metavar="FILE", help="contract book (YAML) to write or to add to")
    reading.add_argument("--regions", metavar="CODES", help="regions to ask; of files: the one where they were made")
    reading.add_argument("--types", metavar="NAMES", help="with aws: instance types whose savings plan rates are asked")
    reading.add_argument("--profile", metavar="NAME", help="with aws: a profile of the AWS configuration")
    _deadlines(actions.add_parser("deadlines", help="by which day what must be said, and to whom"))


def _deadlines(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Lists notice deadlines, ends of term, price offers and confirmed capacity of contract books (YAML or CSV) or "
        "folders with contracts.yml and steelyard.yml. Exit status 0, or 2 where a file must be mended first."
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="contract books, or folders that hold them")
    parser.add_argument("--on", metavar="DATE", help="the day from which days count, such as 2027-01-04 (today)")
    parser.add_argument("--within", type=int, metavar="DAYS", help="only the next so many days, and what was missed")
    parser.add_argument("--ics", metavar="FILE", help="write a calendar, or update the one that is there")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_price_options(parser: argparse.ArgumentParser) -> None:
    """The subcommands of price books."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="what is priced, from where, of which day, and what is missing")
    show.add_argument("paths", nargs="+", metavar="PATH", help="price books: CSV, SkyPilot catalogue, AWS price list")
    show.add_argument("--type", dest="types", action="append", metavar="TYPE", help="an instance type; may be repeated")
    show.add_argument("--region", dest="regions", action="append", metavar="CODE", help="a region; may be repeated")
    show.add_argument("--json", action="store_true", help="print JSON")
