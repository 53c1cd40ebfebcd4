"""What differs between two decisions, and how a history goes on from the last record."""

from datetime import UTC, datetime

import pytest

from bot.render.history import change_text
from bot.render.record import stamped
from scoring.changes import changes
from scoring.history import MOST_EARLIER, history_of
from scoring.model.decision import Decision
from scoring.model.history import Change
from scoring.model.signing import Act, Signature
from tests.bot.commands.dossiers import PILOT
from tests.scoring.helpers import csv, decide

SETTINGS = {"margin.wer": "0.3"}
BOOK = """
- {{id: p5, kind: take_or_pay, starts_on: 2026-07-01, ends_on: 2027-06-30, covers: {{instance_types: [gpu]}},
   commitment: {{instances: 1}}, rate: {rate}}}
"""
TWO = "workload,arm,run,duration_s,price_usd_per_hour\n" + "".join(
    f"{work},{arm},{run},{3600 + run},{price}\n" for work in "ab" for arm, price in (("gpu", 55), ("trn2", 35))
    for run in range(3)
)  # fmt: skip
ONE = "\n".join(line for line in TWO.splitlines() if not line.startswith("b,"))


def first(**more: str) -> Decision:
    return csv(PILOT, **{**SETTINGS, **more})


def told(before: Decision, now: Decision) -> dict[str, dict[str, object]]:
    """The first change of each kind."""
    found: dict[str, dict[str, object]] = {}
    for change in changes(before, now):
        found.setdefault(change.code, dict(change.arguments))
    return found


def test_the_same_again_has_changed_nothing() -> None:
    assert changes(first(), first()) == ()


def test_the_answer_comes_first_then_figures_then_what_went_in() -> None:
    found = changes(first(), first(**{"price.trn2": "90"}))
    codes = [c.code for c in found]
    assert codes[:3] == ["verdict", "ratio", "price"]
    assert found[0].arguments == {"before": "EXTEND", "after": "STAY"}
    assert found[2].arguments == {"arm": "trn2", "currency": "USD", "before": 35.0, "after": 90.0}
    assert set(codes[3:]) == {"setting"}


@pytest.mark.parametrize(
    ("wanted", "before", "now"),
    [
        ({"saving"}, first(demand="1000"), first(demand="2000")),
        ({"setting"}, first(), first(horizon="24m")),
        ({"file-added"}, csv(PILOT), decide(("pilot.csv", PILOT), ("notes.csv", "arm,run,duration_s\n"))),
        ({"file-removed"}, decide(("pilot.csv", PILOT), ("notes.csv", "arm,run,duration_s\n")), csv(PILOT)),
        ({"file-changed", "runs"}, csv(PILOT), csv(PILOT + "gpu,4,3605,55,7.1\n")),
        ({"candidate"}, csv(PILOT), csv(PILOT.replace("trn2", "tpu"))),
        ({"contract-added"}, first(), decide(("pilot.csv", PILOT), contracts=BOOK.format(rate=38), **SETTINGS)),
        (
            {"contract-changed"},
            decide(("pilot.csv", PILOT), contracts=BOOK.format(rate=38), **SETTINGS),
            decide(("pilot.csv", PILOT), contracts=BOOK.format(rate=39), **SETTINGS),
        ),
        ({"comparison-added"}, csv(ONE), csv(TWO)),
        ({"comparison-removed"}, csv(TWO), csv(ONE)),
    ],
)
def test_kinds_of_change(wanted: set[str], before: Decision, now: Decision) -> None:
    found = told(before, now)
    assert wanted <= found.keys()
    for change in changes(before, now):
        assert change_text(change, "en")


@pytest.mark.parametrize(("before", "now"), [("12", "12.00"), ("1e3", "1000")])
def test_a_number_written_otherwise_is_no_change(before: str, now: str) -> None:
    assert changes(first(migration_cost=before), first(migration_cost=now)) == ()


def test_a_price_is_told_once() -> None:
    keys = [
        c.arguments["key"]
        for c in changes(first(**{"price.trn2": "34"}), first(**{"price.trn2": "36"}))
        if c.code == "setting"
    ]
    assert keys == []


def test_of_several_comparisons_each_says_its_workload() -> None:
    dearer = TWO.replace("b,trn2,0,3600,35", "b,trn2,0,3600,99")
    ratios = [c for c in changes(csv(TWO), csv(dearer)) if c.code == "ratio"]
    assert [c.arguments["workload"] for c in ratios] == ["b"]
    assert change_text(ratios[0], "en").endswith("(`b`)")


@pytest.mark.parametrize(
    ("wanted", "change"),
    [
        ("the verdict went from SWITCH to –", Change(code="verdict", arguments={"before": "SWITCH", "after": "–"})),
        (
            "the first move went from – to 1 January 2027",
            Change(code="moves-on", arguments={"before": "–", "after": "2027-01-01"}),
        ),
        (
            "the saving went from – to $85,076",
            Change(code="saving", arguments={"after": 85_076.4, "currency": "USD"}),
        ),
        ("the cost ratio went from × 0.613 to –", Change(code="ratio", arguments={"before": 0.6131})),
        ("<code>&#64;all</code> is new", Change(code="file-added", arguments={"file": "@all"})),
    ],
)
def test_a_change_as_a_sentence(wanted: str, change: Change) -> None:
    assert change_text(change, "en") == wanted


def signature(document: str | None) -> Signature:
    return Signature(
        login="ana", act=Act.APPROVED, at=datetime(2026, 12, 2, tzinfo=UTC), place="c8", document=document,
        memo_sha256="m", verdict="SWITCH", folder="f",
    )  # fmt: skip


def test_each_record_carries_those_before_it_with_their_signatures() -> None:
    one = stamped(first())
    two = first(horizon="24m")
    two = stamped(two.model_copy(update={"history": history_of(one, two)}))
    three = history_of(two, first(), [signature(one.document), signature("other"), signature(None)])
    assert [e.document for e in three.earlier] == [one.document, two.document]
    assert [[s.login for s in e.signatures] for e in three.earlier] == [["ana"], []]
    assert {c.code for c in three.changes} == {"setting"}


def test_a_history_keeps_the_last_fifty() -> None:
    now = first()
    for _ in range(3):
        long = (history_of(stamped(now), now).earlier * 40)[:MOST_EARLIER]
        now = now.model_copy(update={"history": history_of(now, now).model_copy(update={"earlier": long})})
    assert len(history_of(now, now).earlier) == MOST_EARLIER
