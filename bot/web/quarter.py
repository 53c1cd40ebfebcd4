"""The review's value as a page shows it: words, figures and a chart; nothing is computed but places on the drawing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from markupsafe import Markup

from bot.render import figures
from bot.render.locales import speaking
from bot.render.messages import Messages, catalogue
from bot.web.charts import Bar, timeline
from bot.web.pages import saying


@dataclass(frozen=True)
class Shown:
    """A quarter for the template; every text is written in the reader's language."""

    totals: tuple[dict[str, str], ...]
    contracts: tuple[dict[str, str], ...]
    dates: tuple[dict[str, Any], ...]
    chart: Markup | None
    on: str
    problems: int


def quarter_shown(review: Mapping[str, Any], language: str, today: date) -> Shown:
    """Of the value that the bounded process gave."""
    words = catalogue(language, "review")
    with speaking(language):
        return Shown(
            totals=tuple(_total(total, review["currency"]) for total in review["totals"]),
            contracts=tuple(_contract(contract, review["currency"], words) for contract in review["contracts"]),
            dates=tuple(_date(found["due"], words) for found in review["dates"]),
            chart=_chart(review, str(saying(language)("quarter.timeline")), today),
            on=figures.day(date.fromisoformat(review["on"])),
            problems=len(review["problems"]),
        )


def this_quarter(today: date) -> str:
    """`2027Q1`."""
    return f"{today.year}Q{(today.month + 2) // 3}"


def quarter_after(name: str, count: int) -> str | None:
    """The quarter so many later; None beyond the years that are shown."""
    year, number = divmod(4 * int(name[:4]) + int(name[5]) - 1 + count, 4)
    return f"{year}Q{number + 1}" if 2000 <= year <= 2099 else None


def _total(total: Mapping[str, Any], currency: str) -> dict[str, str]:
    money = {n: figures.money(total[n], currency) for n in ("commitment_cost", "wasted_cost", "overage_cost", "cost")}
    return {"quarter": total["quarter"], **money, "used": _share(total["used_share"])}


def _contract(contract: Mapping[str, Any], currency: str, words: Messages) -> dict[str, str]:
    now = contract["quarters"][0]
    notice = contract["notice_deadline"]
    return {
        "id": contract["contract_id"],
        "kind": words(f"kind.{contract['kind']}"),
        "owner": contract["owner"] or "–",
        "starts": figures.day(date.fromisoformat(contract["starts_on"])),
        "ends": figures.day(date.fromisoformat(contract["ends_on"])),
        "notice": figures.day(date.fromisoformat(notice)) if notice else "–",
        "missed": words("due.notice-missed") if contract["notice_status"] == "missed" else "",
        "used": _share(now["utilisation"]),
        "wasted": figures.money(now["wasted_cost"], currency),
        "cost": figures.money(now["cost"], currency),
    }


def _date(due: Mapping[str, Any], words: Messages) -> dict[str, Any]:
    missed = due["kind"] == "notice" and due["status"] == "missed"
    obligation, until = due["obligation"], due["renewed_until"]
    return {
        "day": figures.day(date.fromisoformat(due["day"])),
        "what": words(f"due.{due['kind']}{'-missed' if missed else ''}"),
        "subject": due["subject"],
        "left": figures.number(due["days_left"]),
        "passed": due["days_left"] < 0,
        "owner": due["owner"] or "–",
        "renewed_until": figures.day(date.fromisoformat(until)) if until and obligation is not None else "",
        "obligation": figures.money(obligation, due["currency"] or "") if obligation is not None else "",
    }


def _chart(review: Mapping[str, Any], title: str, today: date) -> Markup | None:
    if not review["contracts"]:
        return None
    months = [date.fromisoformat(month) for month in review["months"]]
    return timeline(title, months, [_bar(contract) for contract in review["contracts"]], today)


def _bar(contract: Mapping[str, Any]) -> Bar:
    notice = contract["notice_deadline"]
    return Bar(
        contract["contract_id"],
        date.fromisoformat(contract["starts_on"]),
        date.fromisoformat(contract["ends_on"]),
        _used(contract),
        date.fromisoformat(notice) if notice else None,
    )


def _used(contract: Mapping[str, Any]) -> list[float | None]:
    """By months; None in a quarter whose use is told of the whole period alone, as of a promise of money."""
    is_told = [quarter["utilisation"] is not None for quarter in contract["quarters"] for _ in range(3)]
    months = zip(contract["used"], contract["promised"], is_told, strict=True)
    return [part / whole if whole > 0 and told else None for part, whole, told in months]


def _share(share: float | None) -> str:
    return "–" if share is None else figures.percent(share)
