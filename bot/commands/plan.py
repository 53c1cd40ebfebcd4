"""`/plan`: how many runs an arm before a pilot begins, in which blocks, what they cost and what they can see."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.commands.interface import Scope, SlashCommand
from bot.dossier import Answer, Dossier, Outcome
from scoring.model.problem import Problem
from scoring.problems import error

if TYPE_CHECKING:
    from scoring.plan import PlanRequest

USAGE = "/plan [runs=N] [detect=5%] [half_width=5%] [cost_per_run=AMOUNT] [cv=3%] [per_block=N] [seed=N] [KEY=VALUE …]"
SEEDS = 10_000
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)


@dataclass(frozen=True)
class _Key:
    """One of the command's own arguments: how it is read, and what is expected of it."""

    read: Callable[[str], object]
    expected: str


def answer(dossier: Dossier) -> Answer:
    """A plan from the pilot so far, or from defaults that are named. Raises OSError for a spooled file that is gone."""
    from bot.commands.evidence import checked, evidence_of
    from bot.commands.mistakes import malformed
    from bot.compare_line import in_thread
    from bot.render.plan import Place, render_plan
    from scoring.analysis import analyse
    from scoring.plan import plan_runs

    given, refusal = checked(dossier, USAGE, tuple(KEYS))
    if refusal is not None:
        return refusal
    request, problems = request_of(given.own, _seed(dossier))
    if problems:
        return malformed(problems, USAGE, dossier.language)
    decision = analyse(evidence_of(dossier, given.pairs), today=dossier.today)
    body = render_plan(plan_runs(decision, request), decision, Place(in_thread(given.pairs)), dossier.problems)
    return Answer(body=body, outcome=Outcome.SAID, problems=decision.problems)


def request_of(own: Iterable[tuple[str, str]], seed: int) -> tuple["PlanRequest", list[Problem]]:
    """The command's own arguments by name, with `seed` where none is given; a problem for each that cannot be read."""
    from scoring.plan import PlanRequest

    values, problems = dict[str, object](), list[Problem]()
    for name, text in own:
        value = KEYS[name].read(text.strip())
        if value is None:
            problems.append(error("setting-invalid", column=name, found=text[:100], expected=KEYS[name].expected))
        else:
            values[name] = value
    return PlanRequest.model_validate({"seed": seed, **values}), problems


def _seed(dossier: Dossier) -> int:
    """The same for an issue whenever it is asked, so that a sheet can be drawn again."""
    from hashlib import sha256

    place = f"{dossier.repository.casefold()}#{dossier.issue}"
    return int.from_bytes(sha256(place.encode()).digest()[:4], "big") % SEEDS


def _whole(low: int, high: int) -> Callable[[str], int | None]:
    def read(text: str) -> int | None:
        return int(text) if text.isascii() and text.isdigit() and len(text) < 9 and low <= int(text) <= high else None

    return read


def _share(text: str) -> float | None:
    """`5%` or 0.05."""
    plain = text.removesuffix("%").strip()
    if not _NUMBER.fullmatch(plain):
        return None
    share = float(plain) / (100 if text.endswith("%") else 1)
    return share if 0.001 <= share <= 0.9 else None


def _amounts(text: str) -> tuple[float, float] | None:
    """One for both arms, or the incumbent's and the candidate's apart by a slash."""
    amounts = [_amount(part) for part in text.split("/")]
    first, last = amounts[0], amounts[-1]
    return None if first is None or last is None or len(amounts) > 2 else (first, last)


def _amount(text: str) -> float | None:
    """In the settings' currency, its sign and separators of thousands apart."""
    plain = text.strip("$€£ ").replace(",", "").replace("_", "")
    return float(plain) if _NUMBER.fullmatch(plain) and float(plain) > 0 else None


KEYS = {
    "runs": _Key(_whole(2, 1000), "a whole number from 2 to 1000"),
    "detect": _Key(_share, "a saving from 0.1% to 90%"),
    "half_width": _Key(_share, "half an interval's width from 0.1% to 90%"),
    "cost_per_run": _Key(_amounts, "an amount above 0, such as 400, or 400/900 for incumbent and candidate"),
    "cv": _Key(_share, "a relative standard deviation from 0.1% to 90%"),
    "per_block": _Key(_whole(1, 100), "a whole number from 1 to 100"),
    "seed": _Key(_whole(0, 99_999_999), "a whole number"),
}
COMMAND = SlashCommand(
    name="plan",
    usage=USAGE,
    examples=("/plan", "/plan runs=5 cost_per_run=400", "/plan detect=5% baseline=gpu candidate=trn2"),
    scope=Scope.THREAD,
    records=False,
    answer=answer,
)
