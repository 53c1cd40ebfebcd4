"""The options of `steelyard pilot`; apart from what they start, so that `--help` loads nothing of weight."""

import argparse

COMMAND = argparse.REMAINDER


def add_options(parser: argparse.ArgumentParser) -> None:
    """One action so far: `run`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    run = actions.add_parser("run", help="make the runs of a run sheet, one after the other")
    run.description = (
        "Runs COMMAND once for each line of the run sheet, in its order. {arm}, {run}, {seed}, {block}, {out} (a "
        "folder of the run's own), any column of the sheet and what --arm gives stand for their values, in COMMAND "
        "and in --env. What was made is in a journal: the same line again goes on where it stopped and repeats "
        "nothing. Exit status 0 when all runs are made, 1 when it stopped at a failed run, 2 for a line that cannot "
        "be followed, 130 when it was interrupted."
    )
    run.add_argument("--sheet", required=True, metavar="FILE", help="run sheet, as `steelyard plan --sheet` writes it")
    run.add_argument("--out", required=True, metavar="DIR", help="journal, logs, pilot.csv and comment.md go there")
    run.add_argument("--arm", action="append", metavar="NAME:KEY=VALUE,…", help="values of an arm: gpu:device=cuda:0")
    run.add_argument("--env", action="append", metavar="NAME=VALUE", help="environment of the command, {…} filled in")
    run.add_argument("--result", metavar="FILE", help="what every run has to leave: {out}/result.json")
    run.add_argument("--config", metavar="FILE", help="settings (steelyard.yml), for the prices of the arms")
    run.add_argument("--set", action="append", metavar="KEY=VALUE", help="a setting, such as price.gpu=3.20")
    run.add_argument("--versions", metavar="COMMAND", help='its output is kept once: "pip freeze"')
    run.add_argument("--keep-going", action="store_true", help="go on after a run that failed")
    run.add_argument("--language", metavar="CODE", help="of what is told, en or es")
    run.add_argument("command_line", nargs=COMMAND, metavar="-- COMMAND", help="the training or serving command")
