"""What a decision leaves on the ledger: its own files and the calendar of all, in one commit."""

from base64 import b64encode
from typing import Any

import pytest
from icalendar import Calendar

from bot.render.comment.links import CALENDAR
from tests.bot.github.world import World
from tests.bot.test_handle import Conversation, commits

PILOT = "```csv\narm,run,region,duration_s,price_usd_per_hour,wer\n" + "".join(
    f"{arm},{i},{region},{seconds + i},{price},7.{i}\n"
    for arm, region, seconds, price in (("gpu", "eu-west-1", 3600, 55), ("trn2", "eu-north-1", 4000, 35))
    for i in range(3)
)
SETTINGS = """approved_regions: [eu-west-1, eu-north-1]
margins: {wer: 0.3}
demand: 1000
records: {controller: Example AG, purpose: speech recognition}
"""
CONTRACTS = """
- id: p5
  kind: take_or_pay
  starts_on: 2026-07-01
  ends_on: 2027-06-30
  covers: {instance_types: [gpu]}
  commitment: {instances: 1}
  rate: 38
  notice: {days: 90}
  renewal: {kind: automatic, months: 12, rate: 52}
"""


@pytest.fixture
def talk(world: World) -> Conversation:
    """A pilot in the EU, with a contract and what the team says of its processing."""
    talk = Conversation(world, PILOT + "```\n")
    talk.commit(".github/steelyard.yml", SETTINGS)
    talk.commit(".github/steelyard/contracts.yml", CONTRACTS)
    return talk


def files_of(talk: Conversation, sha: str) -> set[str]:
    commit = talk.olga.get(f"/repos/{talk.world.repository}/commits/{sha}")
    return {str(file["filename"]) for file in commit["files"]}


def events(talk: Conversation) -> dict[str, Any]:
    read = Calendar.from_ical(talk.ledger.read(CALENDAR).decode())
    return {str(event["SUMMARY"]): event for event in read.walk("VEVENT")}


def test_memo_calendar_and_draft_are_one_commit(talk: Conversation) -> None:
    talk.say("/compare")
    (sha, *earlier) = commits(talk)
    folder = f"decisions/2026Q4/issue-{talk.issue}/1"
    own = {f"{folder}/{name}" for name in ("comment.md", "decision.json", "memo.xlsx", "records.md")}
    assert files_of(talk, sha) == {*own, CALENDAR, "index.json"}
    assert earlier == []
    draft = talk.ledger.read(f"{folder}/records.md").decode()
    assert "| (a) | controller | `Example AG` |" in draft
    assert f"#{talk.issue}" in draft.replace("&#35;", "#").replace("&#47;", "/")
    assert set(events(talk)) == {"Notice due: p5", "Ends: p5"}
    (reply,) = talk.replies
    assert f"/blob/steelyard/{folder}/records.md)" in reply
    assert f"/blob/steelyard/{CALENDAR})" in reply


def test_another_issues_decision_adds_its_days_to_the_one_calendar(talk: Conversation) -> None:
    talk.say("/compare")
    before = events(talk)
    other = Conversation(talk.world, PILOT + "```\n")
    other.say('/compare price.trn2=34 price.trn2.expires_on="2027-03-31"')
    after = events(other)
    assert {name: after[name].to_ical() for name in before} == {name: e.to_ical() for name, e in before.items()}
    assert set(after) - set(before) == {"Price offer expires: trn2"}
    assert len(commits(talk)) == 2
    assert [entry.issue for entry in talk.ledger.index().entries] == [talk.issue, other.issue]


def test_a_changed_notice_moves_the_event_that_the_other_issue_wrote(talk: Conversation) -> None:
    talk.say("/compare")
    first = events(talk)["Notice due: p5"]
    other = Conversation(talk.world, PILOT + "```\n")
    path = f"/repos/{talk.world.repository}/contents/.github/steelyard/contracts.yml"
    later = b64encode(CONTRACTS.replace("days: 90", "days: 120").encode()).decode()
    talk.olga.put(path, {"message": "longer notice", "content": later, "sha": talk.olga.get(path)["sha"]})
    other.say("/compare")
    moved = events(other)["Notice due: p5"]
    assert (moved["UID"], int(moved["SEQUENCE"])) == (first["UID"], 1)
    assert moved["DTSTART"].dt < first["DTSTART"].dt


def test_who_neither_approves_eu_regions_nor_configures_records_gets_no_draft(world: World) -> None:
    talk = Conversation(world, PILOT + "```\n")
    talk.say("/compare margin.wer=0.3")
    assert [file for entry in talk.ledger.index().entries for file in entry.files] == [
        "comment.md",
        "decision.json",
        "memo.xlsx",
    ]
    assert "records.md" not in talk.replies[0]
