"""A command's arguments: paths of the repository and `KEY=VALUE` settings; anything else is a problem with its fix."""

import difflib
import re
from collections.abc import Collection
from dataclasses import dataclass

from bot.grammar import Command
from scoring.model.problem import Problem
from scoring.problems import error

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"'})
"""What a phone makes of a straight quote."""
_WORD = re.compile(r'(?:"[^"]*"|[^"\s])+')
_PATH = re.compile(r"[^=]*[./@][^=]*\Z")
SHOWN = 100


@dataclass(frozen=True)
class Arguments:
    """`paths` as `path` or `path@ref`; `pairs` as `KEY=VALUE` without quotes; `problems` name what is neither."""

    paths: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def arguments_of(command: Command, keys: Collection[str] = ()) -> Arguments:
    """The arguments told apart; `keys` are the names that a mistaken word may have meant."""
    text = " ".join(command.arguments).translate(_QUOTES)
    if text.count('"') % 2:
        return Arguments(problems=(error("argument-quote-open", found=text[:SHOWN]),))
    paths, pairs, problems = list[str](), list[str](), list[Problem]()
    for word in _WORD.findall(text):
        plain = word.replace('"', "")
        if plain.startswith("-"):
            problems.append(_flag(plain))
        elif "=" in plain:
            pairs.append(plain)
        elif _PATH.match(plain):
            paths.append(plain)
        else:
            problems.append(_unknown(plain, keys))
    return Arguments(tuple(paths), tuple(pairs), tuple(problems))


def _flag(word: str) -> Problem:
    """`--set KEY=VALUE` is the command line's way; a comment gives the pair alone."""
    return error("argument-is-flag", found=word[:SHOWN], expected="KEY=VALUE")


def _unknown(word: str, keys: Collection[str]) -> Problem:
    near = difflib.get_close_matches(word[:SHOWN].casefold(), keys, n=1)
    if near:
        return error("argument-without-value", found=word[:SHOWN], expected=f"{near[0]}=…")
    return error("argument-unknown", found=word[:SHOWN], expected="KEY=VALUE")
