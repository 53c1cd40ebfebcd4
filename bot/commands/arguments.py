"""A command's arguments: paths of the repository and `KEY=VALUE` pairs; anything else is a problem with its fix."""

import difflib
import re
from collections.abc import Collection
from dataclasses import dataclass

from bot.grammar import Command
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import error
from scoring.settings_forms import ALIASES, name_of

SETTINGS = (*Settings.model_fields, *ALIASES)
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
"""What a phone makes of a straight quote."""
_WORD = re.compile(r'(?:"[^"]*"|[^"\s])+')
_FILE = re.compile(r".*\.(?:csv|tsv|json|jsonl|ya?ml|xlsx|md|txt|log|zip|gz|tgz)\Z", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"[\d.,%]+\Z")
_ADDRESS_END = re.compile(r"[?#].*", re.DOTALL)
"""Where GitHub puts the secret of a raw link to a private file; it must not be said again in a reply or a memo."""
ADDRESSES = ("https://", "http://")
SHOWN = 100
ALIKE = 0.75
"""Closer than difflib's own: a word of a sentence is no mistaken setting."""


@dataclass(frozen=True)
class Arguments:
    """`paths` as `path` or `path@ref`; `pairs` are settings as `KEY=VALUE`, quotes taken off; `own` the command's own.

    `problems` name what is none of these.
    """

    paths: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    own: tuple[tuple[str, str], ...] = ()
    problems: tuple[Problem, ...] = ()


def arguments_of(command: Command, own_keys: Collection[str] = ()) -> Arguments:
    """The arguments told apart. `own_keys` are names of `KEY=VALUE` that are no settings but the command's own."""
    words = words_of(command)
    if isinstance(words, Problem):
        return Arguments(problems=(words,))
    paths, pairs, own, problems = list[str](), list[str](), list[tuple[str, str]](), list[Problem]()
    for word in words:
        key, separator, value = word.partition("=")
        name = key.casefold().replace("-", "_")
        if word.startswith("-"):
            problems.append(error("argument-is-flag", found=word[:SHOWN], expected="KEY=VALUE"))
        elif word.casefold().startswith(ADDRESSES):
            paths.append(_ADDRESS_END.sub("", word))
        elif separator and name in own_keys:
            own.append((name, value))
        elif separator and (near := _meant(name, own_keys)):
            problems.append(error("setting-unknown", column=key[:SHOWN], found=key[:SHOWN], expected=near))
        elif separator:
            pairs.append(word)
        elif _is_path(word):
            paths.append(word)
        else:
            problems.append(_unknown(word, (*own_keys, *SETTINGS)))
    return Arguments(tuple(paths), tuple(pairs), tuple(own), tuple(problems))


def words_of(command: Command) -> list[str] | Problem:
    """The arguments with their quotes taken off; what stands in quotes is one."""
    text = " ".join(command.arguments).translate(_QUOTES)
    if text.count('"') % 2:
        return error("argument-quote-open", found=text[:SHOWN])
    return [quoted.replace('"', "") for quoted in _WORD.findall(text)]


def without_secret(word: str) -> str:
    """An address without what follows its path."""
    return _ADDRESS_END.sub("", word) if word.casefold().startswith(ADDRESSES) else word


def _is_path(word: str) -> bool:
    """A slash, a ref or a file's ending; `margin.wer` and `0.2` are what is left of a setting without its sign."""
    plain = word.partition("@")[0]
    if "/" in word or _FILE.match(plain):
        return bool(plain)
    is_setting = name_of(plain.partition(".")[0]) in Settings.model_fields
    return bool(plain) and ("@" in word or "." in plain) and not is_setting and not _NUMBER.match(word)


def _meant(name: str, own_keys: Collection[str]) -> str | None:
    """An own key that a name resembles, where no setting is called so or resembles it more."""
    top = name.partition(".")[0]
    if not own_keys or name_of(top) in Settings.model_fields:
        return None
    near = difflib.get_close_matches(top[:SHOWN], (*own_keys, *SETTINGS), n=1)
    return near[0] if near and near[0] in own_keys else None


def _unknown(word: str, keys: Collection[str]) -> Problem:
    near = difflib.get_close_matches(word.partition(".")[0][:SHOWN].casefold(), keys, n=1, cutoff=ALIKE)
    if near:
        return error("argument-without-value", found=word[:SHOWN], expected=f"{near[0]}=…")
    return error("argument-unknown", found=word[:SHOWN], expected="KEY=VALUE")
