"""`/outcome` and `/review` in a thread: what they keep on the ledger, and what they say."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.action import act, settings_of
from bot.dossier import Outcome
from bot.emulator import token_of
from bot.github.errors import NotFound
from bot.github.outcomes import Outcomes, path_of
from bot.handle import handle
from bot.render.review.record import read_record
from scoring.review.values import Review
from tests.bot.github.world import World
from tests.bot.test_handle import Conversation, commits

CONTRACT = """contracts:
  - id: held
    kind: take_or_pay
    starts_on: 2026-07-01
    ends_on: 2027-06-30
    covers: {instance_types: [p5.48xlarge]}
    commitment: {instances: 1}
    rate: 30
    notice: {days: 90}
"""
WORK = """workloads:
  - name: training
    demand: {units_per_month: 100}
    runs_on: gpu
    options:
      - {id: gpu, instance_type: p5.48xlarge, on_demand_price: 40, hours_per_unit: 5}
"""


@pytest.fixture
def talk(world: World) -> Conversation:
    talk = Conversation(world)
    talk.commit(".github/steelyard/contracts.yml", CONTRACT)
    talk.commit(".github/steelyard/workloads.yml", WORK)
    return talk


def test_a_quarter_is_reviewed_from_the_ledger_and_kept(talk: Conversation) -> None:
    talk.say("/compare margin.wer=0.3")
    told = talk.say("/outcome period=2027-01 cost=0.61 monthly=1000")
    assert told.outcome is Outcome.SAID
    (kept,) = Outcomes.read(talk.ledger.read(path_of(talk.issue))).outcomes
    assert (kept.seq, kept.cost_per_unit, kept.monthly_cost, kept.by) == (1, 0.61, 1000.0, "olga")

    said = talk.say("/review 2027Q1")
    assert said.outcome is Outcome.SAID
    assert "2027Q1" in said.body and "`held`" in said.body and "/reviews/2027Q1/review.xlsx)" in said.body
    review = _kept_review(talk)
    assert talk.issue in [row.fact.issue for row in review.decisions]
    assert [c.contract_id for c in review.contracts] == ["held"]
    assert review.contracts[0].quarters[0].used == pytest.approx(3 * 500)
    assert talk.ledger.read("reviews/2027Q1/review.xlsx")[:2] == b"PK"

    count = commits(talk)
    talk.say("/review 2027Q1")
    assert commits(talk) == count


def test_a_second_review_asks_for_no_record_again(talk: Conversation) -> None:
    talk.say("/compare margin.wer=0.3")
    record = f"{talk.ledger.index().entries[0].folder}/decision.json"

    def times() -> int:
        talk.world.github.asked.clear()
        talk.say("/review 2027Q1")
        return sum(one.path.partition("?")[0].endswith(record) for one in talk.world.github.asked)

    assert [times(), times()] == [1, 0]
    (row,) = _kept_review(talk).decisions
    assert row.fact.issue == talk.issue


def _kept_review(talk: Conversation) -> Review:
    review = read_record(talk.ledger.read("reviews/2027Q1/review.json"), "review.json")
    assert isinstance(review, Review)
    return review


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("/review", "2027Q1"),
        ("/review 2027Q7", "2027Q7"),
        ("/review 2027Q1 please", "2027Q1 please"),
        ("/review 2027-Q1", "2027-Q1"),
        ("/review Q1 2027", "Q1 2027"),
        ("/review 1999Q1", "1999Q1"),
        ("/outcome period=2027-01 cost=0.61", "no decision"),
    ],
)
def test_what_cannot_be_done_is_said(talk: Conversation, body: str, wanted: str) -> None:
    said = talk.say(body)
    assert said.outcome is Outcome.REFUSED
    assert wanted in said.body
    with pytest.raises(NotFound):
        talk.ledger.read("reviews/2027Q1/review.json")


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("cost=0.61", "period"),
        ("period=2027-13 cost=1", "2027-13"),
        ("period=2027-01", "cost"),
        ("period=2027-01 cost=1.234,5", "1.234,5"),
        ("period=2027-01 price=3", "price"),
        ("period=2027-01 workload=other cost=1", "other"),
        ('period=2027-01 workload="other work" cost=1', "other work"),
        ('period=2027-01 workload="other cost=1', "quote"),
        ("period=2027-01 cost=0.61 cost=6.1", "0.61, 6.1"),
        ("period=2027-01 cost=0.61 COST=0.61", "0.61, 0.61"),
        ("period=2027-01 quality.=1", "quality."),
        ("period=2027-01 cost=-1", "-1"),
        ("period=2027-01 cost=1e300", "1e300"),
        ("period=2027-01 cost=nan", "nan"),
        ("period=2027-01 cost", "cost"),
        ("", "period"),
    ],
)
def test_an_outcome_that_cannot_be_read_is_named_and_not_kept(talk: Conversation, words: str, wanted: str) -> None:
    talk.say("/compare margin.wer=0.3")
    said = talk.say(f"/outcome {words}")
    assert said.outcome is Outcome.REFUSED
    assert wanted in said.body
    with pytest.raises(NotFound):
        talk.ledger.read(path_of(talk.issue))


def test_an_edited_outcome_replaces_what_it_said(talk: Conversation) -> None:
    talk.say("/compare margin.wer=0.3")
    comment = talk.world.comment(talk.issue, "/outcome period=2027-01 cost=0.61", "olga")
    talk.answer(comment)
    talk.olga.patch(
        f"/repos/{talk.world.repository}/issues/comments/{comment['id']}", {"body": "/outcome period=2027-01 cost=0.7"}
    )
    talk.answer({**comment, "updated_at": "2027-01-01T00:00:00Z"})
    (kept,) = Outcomes.read(talk.ledger.read(path_of(talk.issue))).outcomes
    assert kept.cost_per_unit == 0.7


Run = Callable[[str], str]


@pytest.fixture
def run(talk: Conversation, tmp_path: Path) -> Run:
    """A comment of olga's, answered by the Action; gives the run's summary."""

    def ran(body: str) -> str:
        comment = talk.world.comment(talk.issue, body, "olga")
        event = {
            "action": "created",
            "issue": {"number": talk.issue},
            "comment": comment,
            "repository": {"full_name": talk.world.repository},
        }
        (tmp_path / "event.json").write_text(json.dumps(event))
        (tmp_path / "summary.md").write_text("")
        (tmp_path / "output.txt").write_text("")
        environment = {
            "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
            "GITHUB_EVENT_NAME": "issue_comment",
            "GITHUB_TOKEN": token_of("olga"),
            "GITHUB_API_URL": talk.world.settings.base_url,
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            "GITHUB_OUTPUT": str(tmp_path / "output.txt"),
            "RUNNER_TEMP": str(tmp_path),
        }
        assert act(environment, settings_of(environment), handle) == 0
        return (tmp_path / "summary.md").read_text()

    return ran


def test_the_action_reviews_and_keeps_outcomes_too(talk: Conversation, run: Run) -> None:
    talk.say("/compare margin.wer=0.3")
    assert "2026-10" in run("/outcome period=2026-10 cost=0.61")
    (kept,) = Outcomes.read(talk.ledger.read(path_of(talk.issue))).outcomes
    assert (kept.cost_per_unit, kept.by) == (0.61, "olga")
    said = run("/review 2026Q4")
    assert "2026Q4" in said and "`held`" in said and "/reviews/2026Q4/review.xlsx)" in said
    assert isinstance(read_record(talk.ledger.read("reviews/2026Q4/review.json"), "review.json"), Review)
    assert talk.ledger.read("reviews/2026Q4/review.xlsx")[:2] == b"PK"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("/review", "2027Q1"),
        ("/review 2027-Q1", "2027-Q1"),
        ("/review 2027Q1 2027Q2", "2027Q1 2027Q2"),
        ("/outcome period=2026-10 cost=0,61", "0,61"),
        ("/outcome", "period"),
    ],
)
def test_the_action_refuses_in_words_and_keeps_nothing(
    body: str, wanted: str, talk: Conversation, run: Run, tmp_path: Path
) -> None:
    """The run itself succeeds: the refusal is its answer, in the thread, the summary and the outputs."""
    talk.say("/compare margin.wer=0.3")
    count = commits(talk)
    said = run(body)
    assert wanted in said and "Traceback" not in said
    assert commits(talk) == count
    assert f"outcome={Outcome.REFUSED.value}\n" in (tmp_path / "output.txt").read_text()
