"""The options of `steelyard portability`; apart from what they start, so that `--help` loads nothing of weight."""

import argparse

TARGETS = ("generic", "trainium", "gaudi", "rocm", "tpu")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Path, target, outputs, and the baseline."""
    parser.description = (
        "Finds what ties a code base to CUDA, and what moving it costs in hours. Reads Python, notebooks, Dockerfiles, "
        "requirements, shell scripts and YAML, and runs none of it. Exit status 0, 1 with --fail-on-new for new "
        "hard-coded device uses, 2 for input that cannot be read."
    )
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help="a folder, a tarball or a file (.)")
    parser.add_argument("--ref", metavar="REF", help="the commit of the git repository at PATH, not its work tree")
    parser.add_argument("--target", choices=TARGETS, help="where it is to run (the settings', else generic)")
    parser.add_argument("--config", metavar="FILE", help="settings with hours and rate (PATH/.github/steelyard.yml)")
    parser.add_argument("--json", action="store_true", help="print the whole map as JSON; `compare` reads it")
    parser.add_argument("--sarif", metavar="FILE", help="write SARIF 2.1.0 for code scanning there")
    before = parser.add_mutually_exclusive_group()
    before.add_argument("--baseline", metavar="FILE", help="an earlier map as JSON")
    before.add_argument("--baseline-ref", metavar="REF", help="a commit of the git repository at PATH")
    parser.add_argument(
        "--fail-on-new", action="store_true", help="exit 1 for hard-coded device uses that the baseline has not"
    )
    parser.add_argument("--only-new", action="store_true", help="tell the new uses alone, not the whole map")
    parser.add_argument("--language", metavar="CODE", help="of what is told, en or es")
    parser.add_argument("--format", choices=("auto", "terminal", "markdown"), default="auto", help=argparse.SUPPRESS)
