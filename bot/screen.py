"""What the command line prints: Markdown into a pipe or a file, laid out where a person reads it on a terminal."""

import shutil
import sys

from bot.render.terminal import to_terminal


def shown(markdown: str, how: str = "auto", language: str = "en") -> str:
    """`how` is auto, terminal or markdown; the width is the terminal's own, or $COLUMNS."""
    laid_out = how == "terminal" or (how == "auto" and sys.stdout.isatty())
    return to_terminal(markdown, shutil.get_terminal_size().columns, language) if laid_out else markdown
