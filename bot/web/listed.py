"""A ledger's decisions as an address asks for them: filters, pages, and what may be chosen."""

import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from bot.github.index import Entry
from bot.web.shelf import Decisions

PAGE = 50
MOST_FILTER = 200
MOST_OFFERED = 500
FILTERS = ("workload", "verdict", "region")
ALL = "all"
_QUARTER = re.compile(r"[0-9]{4}Q[1-4]", re.ASCII)
_NUMBER = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)


@dataclass(frozen=True)
class Listed:
    """A page of the decisions, and where the other pages are. `offered` are the values of each filter."""

    entries: Sequence[Entry]
    count: int
    first: int
    chosen: Mapping[str, str]
    offered: Mapping[str, Sequence[str]]
    previous: str | None
    following: str | None

    @property
    def asked(self) -> tuple[Hashable, ...]:
        """What tells this page of this list from every other."""
        return (*self.chosen.items(), self.first)

    @property
    def last(self) -> int:
        """The number of the last one that is shown."""
        return self.first + len(self.entries) - 1


def listed_decisions(decisions: Decisions, root: str, quarter: str, given: Mapping[str, str]) -> Listed:
    """Those that `given`, an address's parameters, asks for; `root` is the address of the repository's page.

    Whatever cannot be is not asked for: without `decided` it is the page's quarter, without `page` the first.
    """
    chosen = {name: given.get(name, "")[:MOST_FILTER] for name in FILTERS}
    decided = given.get("decided", "")
    chosen["decided"] = decided if decided == ALL or _QUARTER.fullmatch(decided) else quarter
    of_quarter = "" if chosen["decided"] == ALL else chosen["decided"]
    found = decisions.chosen(quarter=of_quarter, **{name: chosen[name] for name in FILTERS})
    pages = max(1, -(-len(found) // PAGE))
    asked = given.get("page", "")
    number = min(int(asked), pages) if _NUMBER.fullmatch(asked) else 1
    first = (number - 1) * PAGE

    def address(at: int) -> str | None:
        if not 1 <= at <= pages:
            return None
        query = {"quarter": quarter, **{name: value for name, value in chosen.items() if value}, "page": str(at)}
        return f"{root}?" + "&".join(f"{name}={quote(value, safe='')}" for name, value in query.items()) + "#decisions"

    offered = {
        "decided": sorted(_offered(decisions.quarters, quarter, of_quarter), reverse=True),
        "workload": _offered(decisions.workloads, chosen["workload"]),
        "verdict": _offered(decisions.verdicts, chosen["verdict"]),
        "region": _offered(decisions.regions, chosen["region"]),
    }
    shown = found[first : first + PAGE]
    return Listed(shown, len(found), first + 1, chosen, offered, address(number - 1), address(number + 1))


def _offered(values: Collection[str], *chosen: str) -> list[str]:
    """What a filter can be set to, and what it is set to, be it known or not."""
    known = [value for value in values if len(value) <= MOST_FILTER][:MOST_OFFERED]
    return [*(value for value in dict.fromkeys(chosen) if value and value not in known), *known]
