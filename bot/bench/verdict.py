"""What became of every command, by GitHub's own state: lost, doubled, and how soon work went on after a kill."""

import io
import json
import re
import statistics
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from openpyxl import load_workbook

from bot.github.index import Index
from bot.github.marker import parse

FAILED = "failed"
_FOLDER = re.compile(r"decisions/[0-9Q]+/issue-[0-9]+/[0-9]+")


@dataclass(frozen=True)
class Verdict:
    """Counts over all commands; each but `commits` and `deleted` has to be 0."""

    lost: int
    doubled_replies: int
    given_up: int
    doubled_commits: int
    entries_missing: int
    entries_doubled: int
    files_missing: int
    memos_broken: int
    commits: int
    deleted: int

    @property
    def is_clean(self) -> bool:
        """Nothing lost, nothing doubled, nothing broken."""
        wrong = (self.lost, self.doubled_replies, self.given_up, self.doubled_commits, self.entries_missing)
        return not any((*wrong, self.entries_doubled, self.files_missing, self.memos_broken))


def verdict(state: Mapping[str, Any], commands: Collection[int], blob: Callable[[str], bytes]) -> Verdict:
    """The verdict on comments that gave one command each; `blob` fetches a file of the ledger by its name."""
    replies = replies_of(state, commands)
    folders = Counter(folder for commit in state["commits"] for folder in _folders(commit["changed"]))
    places, listed = _entries(state, blob)
    expected = {f"c{number}" for number in commands}
    files = state["files"]
    return Verdict(
        lost=sum(number not in replies for number in commands),
        doubled_replies=sum(len(found) - 1 for found in replies.values()),
        given_up=sum(outcome == FAILED for found in replies.values() for _, outcome in found),
        doubled_commits=sum(count - 1 for count in folders.values()),
        entries_missing=len(expected - places.keys()),
        entries_doubled=sum(count - 1 for count in places.values()) + len(places.keys() - expected),
        files_missing=sum(path not in files for path in listed),
        memos_broken=sum(not _opens(blob(files[path])) for path in listed if path.endswith(".xlsx") and path in files),
        commits=len(state["commits"]),
        deleted=sum(what == "comment deleted" for _, what, _ in state["effects"]),
    )


def replies_of(state: Mapping[str, Any], commands: Collection[int]) -> dict[int, list[tuple[float, str]]]:
    """When each command was replied to, and with which outcome."""
    found: dict[int, list[tuple[float, str]]] = {}
    for comment in state["comments"]:
        reply = parse(comment["body"]) if comment["login"].endswith("[bot]") else None
        if reply and reply.place.startswith("c") and int(reply.place[1:]) in commands:
            found.setdefault(int(reply.place[1:]), []).append((comment["created"], reply.outcome))
    return found


def recoveries(state: Mapping[str, Any], commands: Collection[int], kills: Iterable[float]) -> list[float]:
    """For each kill that hit work under way: seconds until some of that work was taken up again, sorted.

    A command is under way from its first reaction to its reply; it is taken up again when it is reacted to anew.
    """
    replies = {number: min(found)[0] for number, found in replies_of(state, commands).items()}
    reacted: dict[int, list[float]] = {}
    for at, what, where in state["effects"]:
        if what == "reaction eyes":
            reacted.setdefault(where, []).append(at)
    seconds = []
    for kill in kills:
        under_way = [n for n, times in reacted.items() if times[0] < kill < replies.get(n, kill)]
        again = [at for n in under_way for at in reacted[n] if at > kill]
        if again:
            seconds.append(min(again) - kill)
    return sorted(seconds)


def quantiles(values: Collection[float]) -> tuple[float, float]:
    """Median and largest; zeros for none."""
    return (statistics.median(values), max(values)) if values else (0.0, 0.0)


def _folders(paths: Iterable[str]) -> set[str]:
    return {found[0] for path in paths if (found := _FOLDER.match(path))}


def _entries(state: Mapping[str, Any], blob: Callable[[str], bytes]) -> tuple[Counter[str], list[str]]:
    """How often each place stands in the index, and all files that it names."""
    name = state["files"].get("index.json")
    if name is None:
        return Counter(), []
    raw = blob(name)
    index = Index.read(raw)
    places = Counter(str(entry["place"]).partition("#")[0] for entry in json.loads(raw)["entries"])
    return places, [f"{entry.folder}/{file}" for entry in index.entries for file in entry.files]


def _opens(memo: bytes) -> bool:
    try:
        return bool(load_workbook(io.BytesIO(memo), read_only=True).sheetnames)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return False
