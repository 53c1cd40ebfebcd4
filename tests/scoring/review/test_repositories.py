"""Several repositories in one review: equal numbers and names stay apart, a shared contract counts once."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.contracts.notices import deadline_of
from scoring.model.contract import Contract
from scoring.model.settings import Settings
from scoring.model.signing import Act, Signature, Signer, Signing
from scoring.review.assemble import review
from scoring.review.changes import changes_since
from scoring.review.given import ReviewedWorkload, ReviewInput
from scoring.review.quarter import Quarter
from scoring.review.repositories import RepositoryInput, merged, rate_of
from scoring.review.values import Review, RiskCode
from scoring.sign_off import State
from tests.scoring.review.test_outcomes import decided, happened

TODAY = date(2027, 1, 11)
QUARTER = Quarter(year=2027, number=1)
HOME, TRAIN, SERVE = "lab/finance", "lab/train", "lab/serve"
ANA, BEN = (Signing(signers=(Signer(login=name),)) for name in ("ana", "ben"))


def contract(**more: Any) -> Contract:
    given: dict[str, Any] = {
        "id": "held", "kind": "take_or_pay", "starts_on": date(2026, 7, 1), "ends_on": date(2027, 6, 30),
        "covers": {"instance_types": ["p5.48xlarge"]}, "commitment": {"instances": 1}, "rate": "30",
        "source": {"file": "contracts.yml", "row": 2},
    }  # fmt: skip
    return Contract.model_validate({**given, **more})


def work(name: str = "asr", price: float = 40.0) -> ReviewedWorkload:
    plans = {"plan": price / 2}
    option = {"id": "gpu", "instance_type": "p5.48xlarge", "on_demand_price": price, "hours_per_unit": 5}
    option |= {"migration_cost": 100 * price, "savings_plan_rates": plans}
    given = {"name": name, "demand": {"units_per_month": 100}, "runs_on": "gpu", "options": [option]}
    return ReviewedWorkload.model_validate(given)


def other(repository: str = TRAIN, **more: Any) -> RepositoryInput:
    return RepositoryInput.model_validate({"repository": repository, "currency": "USD", **more})


def signature(login: str, act: Act = Act.APPROVED, place: str = "c5") -> Signature:
    at = datetime(2026, 7, 2, tzinfo=UTC)
    said = {"document": "d" * 64, "memo_sha256": "m" * 64, "verdict": "SWITCH", "folder": "decisions/2026Q3/issue-1/1"}
    return Signature.model_validate({"login": login, "act": act, "at": at, "place": place, **said})


def together(home: ReviewInput, *others: RepositoryInput) -> Review:
    given, problems = merged(home, others, TODAY, HOME)
    assert problems == []
    return review(given, QUARTER, TODAY, with_plan=False)


SAME: dict[str, Any] = {"document": "d" * 64, "memo_sha256": "m" * 64}
"""Two repositories may hold the very same record: a copied pilot."""


def collided() -> tuple[ReviewInput, RepositoryInput]:
    """Issue 1 in both, of the same record; what was paid, and who may sign and has, differ."""
    home = ReviewInput(
        decisions=(decided(1, **SAME), decided(2)),
        outcomes=(happened(1, 10, monthly_cost=650, cost_per_unit=1.2), happened(1, 11, monthly_cost=600)),
        signing=ANA,
        signatures=(signature("ana", Act.REJECTED),),
    )
    train = other(
        decisions=(decided(1, **SAME),),
        outcomes=(happened(1, 10, monthly_cost=400, cost_per_unit=1.9),),
        signing=BEN,
        signatures=(signature("ben", place="c9"),),
    )
    return home, train


def test_the_same_issue_number_in_two_repositories_mixes_no_figure() -> None:
    home, train = collided()
    found = together(home, train)
    assert {row.fact.key: (row.state, row.is_latest) for row in found.decisions} == {
        ("", 1, 1, 1): (State.REJECTED, True),
        ("", 2, 1, 1): (State.OPEN, True),
        (TRAIN, 1, 1, 1): (State.APPROVED, True),
    }
    # By hand: staying costs 1000 a month; 650 and 600 were paid at home, 400 in the other.
    assert [(row.repository, row.saved) for row in found.outcomes] == [(None, 350), (TRAIN, 600), (None, 400)]
    checks = [(row.repository, check) for row in found.outcomes for check in row.checks]
    costs = [(repository, check.actual, check.inside, check.counted) for repository, check in checks]
    assert costs == [(None, 0.6, True, True), (TRAIN, 0.95, False, True)]
    (calibration,) = found.calibration
    assert (calibration.n, calibration.inside) == (2, 1)
    waiting = {(pilot.repository, pilot.issue, pilot.why.value) for pilot in found.pilots}
    assert waiting == {(None, 1, "rejected"), (None, 2, "unsigned")}
    risks = {(risk.code, risk.repository, risk.issue) for risk in found.risks}
    assert risks == {(RiskCode.NOT_SIGNED_IN_TIME, None, 2), (RiskCode.OUTCOME_OUTSIDE, TRAIN, 1)}


def test_each_repository_alone_gives_the_same_rows_as_beside_the_other() -> None:
    """The figures of both are those of each, side by side."""
    home, train = collided()
    alone = review(home, QUARTER, TODAY, with_plan=False)
    apart = ReviewInput(**{name: getattr(train, name) for name in ("decisions", "outcomes", "signing", "signatures")})
    theirs = review(apart, QUARTER, TODAY, with_plan=False)
    both = together(home, train)
    saved = [row.saved or 0 for row in (*alone.outcomes, *theirs.outcomes)]
    assert sum(row.saved or 0 for row in both.outcomes) == sum(saved)
    assert [row.checks for row in both.outcomes if row.repository is None] == [row.checks for row in alone.outcomes]
    assert [row.state for row in both.decisions if row.fact.repository] == [row.state for row in theirs.decisions]
    assert [row.state for row in both.decisions if not row.fact.repository] == [row.state for row in alone.decisions]


@pytest.mark.parametrize("issue", [1, 3])
def test_an_outcome_is_of_its_own_repositorys_decision_or_of_none(issue: int) -> None:
    """Whatever a ledger's file writes of itself."""
    liar = happened(issue, 10, monthly_cost=1, repository=None if issue == 1 else HOME)
    stolen = happened(1, 10, monthly_cost=1, repository=TRAIN)
    home = ReviewInput(decisions=(decided(3),), outcomes=(stolen,))
    found = together(home, other(decisions=(decided(2),), outcomes=(liar,)))
    assert found.outcomes == ()
    unknown = [p.found for p in found.problems if p.code == "outcome-without-decision"]
    assert unknown == ["#1", f"train#{issue}"]


NAMES: list[tuple[dict[str, list[str]], dict[str, list[str]]]] = [
    ({HOME: ["asr"], TRAIN: ["ocr"]}, {TRAIN: ["ocr"]}),
    ({HOME: ["asr"], TRAIN: ["asr", "ocr"]}, {TRAIN: ["asr (train)", "ocr"]}),
    ({HOME: [], TRAIN: ["asr"], SERVE: ["asr"]}, {TRAIN: ["asr (train)"], SERVE: ["asr (serve)"]}),
    ({HOME: ["asr", "asr (train)"], TRAIN: ["asr"]}, {TRAIN: ["asr (train 2)"]}),
    ({HOME: ["asr"], TRAIN: ["asr", "asr (train)"]}, {TRAIN: ["asr (train 2)", "asr (train)"]}),
    ({HOME: ["asr"], TRAIN: ["asr"], SERVE: ["asr (train)"]}, {TRAIN: ["asr (train 2)"], SERVE: ["asr (train)"]}),
    ({HOME: ["asr"], "lab/a": ["asr"], "lab/a2": ["asr"]}, {"lab/a": ["asr (a)"], "lab/a2": ["asr (a2)"]}),
]


@pytest.mark.parametrize(("used", "wanted"), NAMES)
def test_work_of_one_name_is_told_apart_by_its_repository(
    used: dict[str, list[str]], wanted: dict[str, list[str]]
) -> None:
    home = ReviewInput(workloads=tuple(work(name) for name in used[HOME]))
    others = [
        other(
            name,
            workloads=tuple(work(w) for w in names),
            decisions=tuple(decided(n, workload=w) for n, w in enumerate(names, start=1)),
            outcomes=tuple(happened(n, workload=w) for n, w in enumerate(names, start=1)),
        )
        for name, names in used.items()
        if name != HOME
    ]
    for order in permutations(others):
        given, _ = merged(home, order, TODAY, HOME)
        assert [w.name for w in given.workloads[: len(used[HOME])]] == used[HOME]
        for name, names in wanted.items():
            assert [f.workload for f in given.decisions if f.repository == name] == names
            assert [o.workload for o in given.outcomes if o.repository == name] == names
        theirs = [name for repository in sorted(wanted, key=str.casefold) for name in wanted[repository]]
        assert [w.name for w in given.workloads[len(used[HOME]) :]] == theirs


def test_a_decision_of_the_home_is_not_of_another_repositorys_work_of_that_name() -> None:
    given, _ = merged(ReviewInput(decisions=(decided(1),)), [other(workloads=(work("asr"),))], TODAY, HOME)
    assert ([f.workload for f in given.decisions], [w.name for w in given.workloads]) == (["asr"], ["asr (train)"])


DIFFERENT: list[tuple[dict[str, Any], str | None]] = [
    ({}, None),
    ({"source": {"file": "lab/train:contracts.csv", "row": 9}}, None),
    ({"rate": "30.00"}, None),
    ({"rate": "31"}, "rate"),
    ({"ends_on": date(2027, 7, 31), "owner": "ana"}, "ends_on, owner"),
    ({"notice": {"days": 60}}, "notice"),
    ({"commitment": {"instances": 2}}, "commitment"),
    ({"currency": "EUR"}, "currency"),
    ({"other": {"po": "17"}}, "other"),
]


@pytest.mark.parametrize(("change", "fields"), DIFFERENT)
def test_a_contract_of_two_books_is_one_or_a_contradiction(change: dict[str, Any], fields: str | None) -> None:
    theirs = contract(**{"source": {"file": "lab/train:contracts.yml", "row": 7}, **change})
    found, problems = merged(ReviewInput(contracts=(contract(),)), [other(contracts=(theirs,))], TODAY, HOME)
    if fields is None:
        assert ([c.id for c in found.contracts], problems) == (["held"], [])
        return
    (problem,) = problems
    assert (problem.code, problem.found, problem.expected) == ("books-contradict", "held", fields)
    assert (problem.file, problem.row) == ("lab/train:contracts.yml", 7)
    assert problem.arguments == {"first": HOME, "second": TRAIN}


def test_a_shared_contract_is_paid_once() -> None:
    home = ReviewInput(contracts=(contract(),), workloads=(work("a"),))
    others = (other(contracts=(contract(),)), other(SERVE, contracts=(contract(),)))
    alone, shared = together(home), together(home, *others)
    assert shared.totals == alone.totals
    assert shared.contracts == alone.contracts


POOL = {"id": "pool", "hours_per_month": 2600, "region": "us-east-1"}
OFFER = {"id": "year", "kind": "reserved", "term_months": 12, "rate": 24.5, "covers": {"instance_types": ["trn2"]}}
SUPPLY: list[tuple[str, dict[str, Any], dict[str, Any], str | None]] = [
    ("pools", POOL, {}, None),
    ("pools", POOL, {"hours_per_month": 2500}, "hours_per_month"),
    ("pools", POOL, {"changes": [{"from": date(2027, 3, 1), "hours_per_month": 1}]}, "changes"),
    ("offers", OFFER, {}, None),
    ("offers", OFFER, {"currency": "USD"}, None),
    ("offers", OFFER, {"currency": "EUR"}, "currency"),
    ("offers", OFFER, {"rate": 24, "most_instances": 2}, "rate, most_instances"),
]


@pytest.mark.parametrize(("kind", "words", "change", "fields"), SUPPLY)
def test_a_pool_or_offer_of_two_books_is_one_or_a_contradiction(
    kind: str, words: dict[str, Any], change: dict[str, Any], fields: str | None
) -> None:
    def held(words: dict[str, Any], file: str) -> tuple[Any, ...]:
        return (words,) if kind == "pools" else ({"terms": words, "file": file, "row": 7},)

    home = ReviewInput.model_validate({kind: held(words, "workloads.yml")})
    theirs = other(**{kind: held({**words, **change}, "lab/train:workloads.yml")})
    found, problems = merged(home, [theirs], TODAY, HOME)
    assert getattr(found, kind) == getattr(home, kind)
    assert [(p.code, p.found, p.expected and set(p.expected.split(", "))) for p in problems] == (
        [("books-contradict", words["id"], set(fields.split(", ")))] if fields else []
    )


def test_an_offer_is_in_its_own_repositorys_currency() -> None:
    offer = {"terms": OFFER, "file": "workloads.yml", "row": 7}
    found, problems = merged(ReviewInput(), [other(currency="EUR", offers=(offer,))], TODAY, HOME)
    assert ([one.terms.currency for one in found.offers], problems) == (["EUR"], [])
    home = ReviewInput.model_validate({"offers": (offer,)})
    _, (problem,) = merged(home, [other(currency="EUR", offers=(offer,))], TODAY, HOME)
    assert (problem.code, problem.expected) == ("books-contradict", "currency")


def test_anothers_offer_is_none_of_the_homes_options() -> None:
    plain = {key: value for key, value in OFFER.items() if key != "covers"}
    home = ReviewInput(settings=Settings.model_validate({"commitment_options": [plain]}))
    offer = {"terms": OFFER, "file": "lab/train:workloads.yml", "row": 7}
    _, (problem,) = merged(home, [other(offers=(offer,))], TODAY, HOME)
    assert (problem.code, problem.expected, problem.row) == ("books-contradict", "commitment_options", 7)


def test_the_same_promise_under_two_names_in_two_books_is_doubted_and_counted() -> None:
    twin = contract(id="twin", source={"file": "lab/train:contracts.yml", "row": 2})
    found, problems = merged(ReviewInput(contracts=(contract(),)), [other(contracts=(twin,))], TODAY, HOME)
    assert [c.id for c in found.contracts] == ["held", "twin"]
    assert [(p.code, p.severity.value) for p in problems] == [("contract-hours-overlap", "warning")]


@pytest.mark.parametrize(
    ("of_home", "of_other", "doubted"),
    [(work(), work(), ["asr"]), (work(), work(price=41.0), []), (work("tts"), work(), [])],
)
def test_work_of_the_same_words_in_two_books_is_doubted(
    of_home: ReviewedWorkload, of_other: ReviewedWorkload, doubted: list[str]
) -> None:
    _, problems = merged(ReviewInput(workloads=(of_home,)), [other(workloads=(of_other,))], TODAY, "octo-org/home")
    assert [(p.code, p.found) for p in problems] == [("work-in-two-books", name) for name in doubted]


def test_notices_keep_to_the_holidays_of_their_own_repository_and_the_earliest_day_counts() -> None:
    """It is due on 6 January, which is a holiday in Spain and none in the United States."""
    noticed = contract(ends_on=date(2027, 4, 6), notice={"days": 90, "business_day": "previous"})
    spain, usa = (Settings.model_validate({"holidays": place}) for place in ("ES", "US"))

    def due(home: Settings, theirs: str | None, in_home: bool) -> date | None:
        held = ReviewInput(settings=home, contracts=(noticed,) if in_home else ())
        found, problems = merged(held, [other(contracts=(noticed,), holidays=theirs)], TODAY, HOME)
        assert problems == []
        return deadline_of(found.contracts[0])

    epiphany, eve = date(2027, 1, 6), date(2027, 1, 5)
    assert due(spain, "US", in_home=False) == epiphany
    assert due(usa, "ES", in_home=False) == eve
    assert due(spain, None, in_home=False) == eve
    assert due(usa, "ES", in_home=True) == due(spain, "US", in_home=True) == eve


def test_work_priced_in_another_currency_is_exchanged_or_cannot_be_used() -> None:
    rates = [{"source": "EUR", "target": "USD", "rate": "1.10", "on": date(2026, 12, 31)}]
    home = ReviewInput(settings=Settings.model_validate({"rates": rates}))
    euros = other(currency="EUR", workloads=(work(price=100.0),))
    assert rate_of(euros, home.settings, TODAY) == pytest.approx(1.1)
    (option,) = merged(home, [euros], TODAY)[0].workloads[0].options
    assert option.on_demand_price == pytest.approx(110)
    assert option.migration_cost == pytest.approx(11_000)
    assert option.savings_plan_rates == pytest.approx({"plan": 55})
    assert rate_of(euros, Settings(), TODAY) is None
    assert rate_of(other(currency="EUR"), Settings(), TODAY) == 1.0
    with pytest.raises(ValueError, match="EUR"):
        merged(ReviewInput(), [euros], TODAY)


def test_the_home_alone_is_as_it_was() -> None:
    home, _ = collided()
    home = home.model_copy(update={"contracts": (contract(),), "workloads": (work(),)})
    assert merged(home, (), TODAY, HOME) == (home, [])


def parts() -> st.SearchStrategy[list[RepositoryInput]]:
    names = st.sampled_from(["asr", "ocr", "asr (a)", "asr (b)"])
    facts = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 2), names), max_size=4)
    one = st.tuples(facts, st.lists(names, unique=True, max_size=3), st.booleans())
    several = st.lists(one, min_size=2, max_size=3)
    return several.map(lambda drawn: [_part(f"lab/{'abc'[n]}", *part) for n, part in enumerate(drawn)])


def _part(repository: str, facts: list[tuple[int, int, str]], works: list[str], has_contract: bool) -> RepositoryInput:
    return other(
        repository,
        decisions=tuple(decided(issue, seq, workload=name) for issue, seq, name in dict.fromkeys(facts)),
        outcomes=tuple(happened(issue, workload=name, monthly_cost=issue) for issue, _, name in facts),
        workloads=tuple(map(work, works)),
        contracts=(contract(),) if has_contract else (),
    )


@settings(max_examples=40, deadline=None)
@given(parts())
def test_the_order_of_repositories_changes_nothing_and_nothing_is_lost(others: list[RepositoryInput]) -> None:
    home = ReviewInput(decisions=(decided(1),), workloads=(work("asr"),))
    first, _ = merged(home, others, TODAY, HOME)
    assert first == merged(home, others[::-1], TODAY, HOME)[0]
    assert len(first.decisions) == 1 + sum(len(o.decisions) for o in others)
    names = [w.name for w in first.workloads]
    assert len(set(names)) == len(names) == 1 + sum(len(o.workloads) for o in others)
    owners: dict[str, set[str | None]] = {}
    for fact in first.decisions:
        owners.setdefault(fact.workload or "", set()).add(fact.repository)
    assert all(len(repositories) == 1 for repositories in owners.values())


def told(before: Review, now: Review) -> Iterator[tuple[str, str]]:
    for change in changes_since(before, now):
        yield change.code, change.subject


def test_a_repository_that_is_missing_now_is_told_and_its_contracts_are_not_over() -> None:
    home = ReviewInput(contracts=(contract(),), workloads=(work("a"),))
    theirs = contract(id="theirs", commitment={"instances": 2})
    train = other(contracts=(theirs,), workloads=(work("b"),), decisions=(decided(1),))
    both = together(home, train).model_copy(update={"repositories": (TRAIN,)})
    alone = together(home)
    assert list(told(both, alone)) == [("repository-gone", TRAIN)]
    added = dict(told(alone, both))
    assert (added["repository-new"], added["contract-new"], added["decision-new"]) == (TRAIN, "theirs", "train#1")
    assert "utilisation" not in added
