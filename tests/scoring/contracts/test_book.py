"""Books as people write them; and books with one mistake each, which must be named with file, line and fix."""

import pytest

from scoring.contracts.book import MAX_CONTRACTS, read_contracts
from scoring.model.contract import BusinessDayRule, Contract, RenewalKind
from scoring.model.paying import Payment
from scoring.model.problem import Problem, Severity
from scoring.reading.posted import PostedFile

GOOD = """\
- id: c1
  kind: reserved
  starts_on: 2026-07-01
  ends_on: 2027-06-30
  instances: 1
  rate: 38
"""
PLAN = """\
- id: p1
  kind: savings_plan_compute
  starts_on: 2026-07-01
  ends_on: 2027-06-30
  commitment_per_hour: 10
  rate: 5
"""
HEAD = "id,kind,starts_on,ends_on,instance_types,regions,instances,rate,notice_days,renewal,renewal_months,currency\n"
ROW = "a,take-or-pay,2026-01-01,2027-06-30,p5.48xlarge;p5e,us-east-1,1,38.5,90,automatic,12,eur\n"


def read(text: str, name: str = "contracts.yml") -> tuple[tuple[Contract, ...], list[Problem]]:
    return read_contracts(PostedFile.from_bytes(name, text.encode()))


def one(text: str, name: str = "contracts.yml") -> Contract:
    contracts, problems = read(text, name)
    assert problems == []
    return contracts[0]


FORMS = [
    (("days", 90, "previous"), "  notice: {days: 90, business_day: previous}\n"),
    (("days", 90, "previous"), "  notice_days: 90\n  notice_business_day: previous\n"),
    (("days", 90, "previous"), "  notice: 90 days\n  notice_business_day: previous\n"),
    (("days", 90, "none"), "  Notice: 90\n"),
    (("months", 3, "none"), "  notice: 3 months\n"),
    (("months", 3, "none"), "  notice:\n    months: 3\n"),
]


@pytest.mark.parametrize(("wanted", "text"), FORMS)
def test_forms_of_notice(wanted: tuple[str, int, str], text: str) -> None:
    notice = one(GOOD + text).notice
    assert notice is not None
    unit, length, rule = wanted
    assert (getattr(notice, unit), notice.business_day) == (length, BusinessDayRule(rule))


def test_nested_and_flat_are_the_same() -> None:
    nested = GOOD.replace("  instances: 1\n", "  commitment: {instances: 1}\n")
    nested += (
        "  covers: {instance_types: [p5.48xlarge], regions: [us-east-1]}\n  renewal: {kind: automatic, months: 12}\n"
    )
    flat = GOOD + "  instance_type: p5.48xlarge\n  region: us-east-1\n  renewal: auto\n  renewal_months: 12\n"
    notice = "  notice_days: 30\n"
    assert one(nested + notice) == one(flat + notice)
    assert one("contracts:\n" + GOOD) == one(GOOD).model_copy(update={"source": one("contracts:\n" + GOOD).source})
    by_id = "contracts:\n  c1:\n" + GOOD.replace("- id: c1\n", "").replace("  ", "    ")
    assert one(by_id).id == "c1"


def test_csv() -> None:
    contract = one(HEAD + ROW, "contracts.csv")
    assert contract.kind == "take_or_pay"
    assert contract.covers.instance_types == ("p5.48xlarge", "p5e")
    assert (contract.renewal.kind, contract.renewal.months, contract.currency) == (RenewalKind.AUTOMATIC, 12, "EUR")
    assert (contract.source.file, contract.source.row) == ("contracts.csv", 2)


@pytest.mark.parametrize(
    "term", ["payment: none", "payment: monthly", "ramp: none", "resale: no", "payment: {kind: none}"]
)
def test_a_term_that_says_nothing_is_no_problem(term: str) -> None:
    assert one(GOOD + f"  {term}\n").model_copy(update={"resale": None, "payment": Payment()}) == one(GOOD)


BAD: list[tuple[tuple[str, int, str | None, str | None], str]] = [
    (("contract-invalid", 4, "ends_on", "a day such as"), GOOD.replace("06-30", "06-31")),
    (("contract-invalid", 4, "ends_on", "on or after 2026-07-01"), GOOD.replace("2027-06-30", "2025-06-30")),
    (("contract-invalid", 4, "ends_on", "a day such as"), GOOD.replace("2027-06-30", "30/06/2027")),
    (("contract-invalid", 4, "ends_on", "a day such as"), GOOD.replace("2027-06-30", "9999-12-31")),
    (("contract-invalid", 4, "ends_on", "a day such as"), GOOD.replace("2027-06-30", "'1798675200'")),
    (("contract-invalid", 5, "instances", "above 0"), GOOD.replace("instances: 1", "instances: -1")),
    (("contract-invalid", 5, "instances", "above 0"), GOOD.replace("instances: 1", "instances: 0")),
    (("contract-invalid", 5, "instances", "above 0"), GOOD.replace("instances: 1", "instances: one")),
    (("contract-invalid", 1, "commitment", "one of them"), GOOD.replace("  instances: 1\n", "")),
    (("contract-invalid", 5, "instances", "one of them"), GOOD + "  instance_hours_per_month: 500\n"),
    (("contract-invalid", 7, "commitment.instances", "one value"), GOOD + "  commitment: {instances: 2}\n"),
    (("contract-invalid", 6, "rate", "from 0"), GOOD.replace("rate: 38", "rate: -1")),
    (("contract-invalid", 6, "rate", "from 0"), GOOD.replace("rate: 38", "rate: NaN")),
    (("contract-invalid", 6, "rate", "from 0"), GOOD.replace("rate: 38", "rate: 1e400")),
    (("contract-invalid", 6, "rate", "from 0"), GOOD.replace("rate: 38", "rate: $38")),
    (("contract-invalid", 7, "notice_days", "3,660"), GOOD + "  notice_days: 99999999999\n"),
    (("contract-invalid", 7, "notice.days", "3,660"), GOOD + "  notice: {days: soon}\n"),
    (("contract-invalid", 7, "notice.days", "one of them"), GOOD + "  notice: {days: 90, months: 3}\n"),
    (("contract-invalid", 7, "notice.holidays", "DE-BY"), GOOD + "  notice: {days: 9, holidays: DE-ZZ}\n"),
    (("contract-invalid", 7, "notice.holidays", "DE-BY"), GOOD + "  notice: {days: 9, holidays: Spain}\n"),
    (("contract-invalid", 7, "currency", "such as USD"), GOOD + "  currency: dollars\n"),
    (("contract-invalid", 7, "renewal", "on_request"), GOOD + "  renewal: perhaps\n  notice: 90\n"),
    (("contract-invalid", 7, "renewal", "notice.days"), GOOD + "  renewal: automatic\n  renewal_months: 12\n"),
    (("contract-invalid", 7, "renewal", "renewal.months"), GOOD + "  renewal: automatic\n  notice: 90\n"),
    (("contract-key-unknown", 7, "renewl", "renewal"), GOOD + "  renewl: automatic\n"),
    (("contract-key-unknown", 7, "notice.day", "notice.days"), GOOD + "  notice: {day: 90}\n"),
    (("contract-invalid", 1, "currency", "each contract"), "currency: EUR\ncontracts:\n" + GOOD),
    (("contract-invalid", 1, "id", "keys and values"), "- 5\n"),
    (("contract-invalid", 2, "id", "a name"), "contracts:\n" + GOOD.replace("c1", "''")),
    (("contract-kind-unknown", 2, "kind", "take_or_pay"), GOOD.replace("reserved", "lease")),
    (("contract-kind-unknown", 2, "kind", "reserved"), GOOD.replace("reserved", "reservd")),
    (("contract-invalid", 7, "resale.allowed", "true or false"), GOOD + "  resale: {allowed: maybe}\n"),
    (("contract-kind-unknown", 1, "kind", "on_demand"), GOOD.replace("  kind: reserved\n", "")),
    (("contract-id-twice", 7, "id", "of its own"), GOOD + GOOD),
    (("contract-hours-twice", 7, "id", "contracts.yml, line 1"), GOOD + GOOD.replace("c1", "c2")),
    (("contract-invalid", 7, "ramp", "2027-06-30"), GOOD + "  ramp: [{from: 2028-01-01, instances: 2}]\n"),
    (
        ("contract-invalid", 7, "ramp", "as the commitment"),
        GOOD + "  ramp: [{from: 2027-01-01, currency_per_hour: 2}]\n",
    ),
    (("contract-invalid", 7, "ramp", "a list of steps"), GOOD + "  ramp: doubles in spring\n"),
    (("contract-invalid", 6, "rate", "payment.upfront"), GOOD + "  payment: all_upfront\n"),
    (("contract-invalid", 7, "payment", "payment.upfront with it"), GOOD + "  payment: partial_upfront\n"),
    (("contract-invalid", 7, "payment.kind", "since an upfront"), GOOD + "  payment: {kind: none, upfront: 5}\n"),
    (("contract-invalid", 7, "true_up", "a share"), GOOD + "  true_up: yearly\n"),
    (("contract-invalid", 7, "minimum_utilisation", "such as 50 %"), GOOD + "  minimum_utilisation: 50\n"),
    (("contract-invalid", 7, "minimum_utilisation", "such as 50 %"), GOOD + "  minimum_utilisation: 1.2\n"),
    (("contract-invalid", 7, "resale_discount", "such as 50 %"), GOOD + "  resale_discount: 30\n  resale_fee: 12 %\n"),
    (("contract-invalid", 7, "upfront", "whole commitment"), PLAN + "  upfront: 9000000\n"),
    (("contract-invalid", 5, "instances", "currency_per_hour"), GOOD.replace("reserved", "savings_plan")),
    (("contract-invalid", 2, "kind", "an arm with that price"), GOOD.replace("reserved", "spot")),
    (("contract-term-not-supported", 7, "minimum_monthly_spend", None), GOOD + "  minimum_monthly_spend: 9000\n"),
    (("contract-term-not-supported", 7, "rate_escalation", None), GOOD + "  rate_escalation: 3%\n"),
    (("contracts-without-entries", 1, None, "contracts"), ""),
    (("contracts-without-entries", 1, None, "contracts"), "contracts: 7\n"),
    (("yaml-duplicate-key", 7, "rate", None), GOOD + "  rate: 39\n"),
]


@pytest.mark.parametrize(("wanted", "text"), BAD)
def test_bad_books(wanted: tuple[str, int, str | None, str | None], text: str) -> None:
    code, row, column, expected = wanted
    _, problems = read(text)
    assert [(p.code, p.severity, p.file, p.row, p.column) for p in problems] == [
        (code, Severity.ERROR, "contracts.yml", row, column)
    ]
    assert expected is None or expected in (problems[0].expected or "")


@pytest.mark.parametrize("text", ["contracts: []\n", "# one a commitment\ncontracts: []  # none yet\n"])
def test_a_book_that_says_it_holds_nothing_is_no_mistake(text: str) -> None:
    assert read(text) == ((), [])


SAID = [
    (("contract-recovery-not-counted", Severity.WARNING), "  resale: {allowed: true}\n"),
    (("contract-recovery-not-counted", Severity.WARNING), "  transfer: between accounts\n"),
    (("contract-field-kept", Severity.INFO), "  ticket: FIN-12\n"),
]


@pytest.mark.parametrize(("wanted", "text"), SAID)
def test_what_is_not_counted_is_said(wanted: tuple[str, Severity], text: str) -> None:
    contracts, problems = read(GOOD + text)
    assert [(p.code, p.severity, p.row) for p in problems] == [(*wanted, 7)]
    name = text.split(":")[0].strip()
    assert name in contracts[0].other or getattr(contracts[0], name) is not None


def test_one_bad_contract_does_not_lose_the_others() -> None:
    text = GOOD.replace("rate: 38", "rate: x") + GOOD.replace("c1", "c2")
    contracts, problems = read(text)
    assert [c.id for c in contracts] == ["c2"]
    assert [p.row for p in problems] == [6]
    contracts, problems = read(HEAD + ROW + ROW.replace("a,", "b,", 1).replace("06-30", "02-30") + "\n", "book.csv")
    assert [c.id for c in contracts] == ["a"]
    assert [(p.row, p.column) for p in problems] == [(3, "ends_on")]


def test_on_demand_promises_nothing() -> None:
    contract = one(GOOD.replace("reserved", "on_demand").replace("  instances: 1\n", ""))
    assert contract.kind == "on_demand"
    _, problems = read(GOOD.replace("reserved", "on_demand"))
    assert [(p.code, p.column) for p in problems] == [("contract-field-kept", "instances")]


def test_a_book_has_an_end() -> None:
    text = "".join(GOOD.replace("c1", f"c{i}") for i in range(MAX_CONTRACTS + 1))
    contracts, problems = read(text)
    assert contracts == ()
    assert [p.code for p in problems] == ["file-too-large"]


def test_a_contract_with_several_mistakes_names_them_all_at_once() -> None:
    text = GOOD.replace("starts_on: 2026-07-01", "starts_on: 2026-02-30").replace("rate: 38", "rate: 3o")
    _, problems = read(text + "  notice_days: soon\n  resale: {allowed: maybe}\n")
    assert sorted(p.column or "" for p in problems) == ["notice_days", "rate", "resale.allowed", "starts_on"]


def two(**other: str) -> str:
    """A book with one contract, and the same under another id with some of its lines otherwise."""
    second = GOOD.replace("c1", "c2")
    for key, value in other.items():
        at = [line for line in second.splitlines(True) if line.startswith(f"  {key}:")]
        second = second.replace(at[0], f"  {key}: {value}\n") if at else second + f"  {key}: {value}\n"
    return GOOD + second


@pytest.mark.parametrize(
    ("other", "code", "severity"),
    [
        ({}, "contract-hours-twice", Severity.ERROR),
        ({"rate": "40"}, "contract-hours-twice", Severity.WARNING),
        ({"starts_on": "2026-09-15", "ends_on": "2027-09-14"}, "contract-hours-overlap", Severity.WARNING),
        ({"starts_on": "2027-06-30", "ends_on": "2028-06-29"}, "contract-hours-overlap", Severity.WARNING),
        ({"starts_on": "2027-07-01", "ends_on": "2028-06-30"}, None, None),
        ({"ends_on": "2027-12-31", "rate": "40"}, "contract-hours-overlap", Severity.WARNING),
        ({"starts_on": "2026-09-15", "ends_on": "2027-09-14", "rate": "40"}, None, None),
        ({"instances": "2"}, None, None),
        ({"region": "us-east-1"}, "contract-hours-overlap", Severity.WARNING),
        ({"provider": "aws", "starts_on": "2026-09-15"}, "contract-hours-overlap", Severity.WARNING),
        ({"currency": "EUR"}, None, None),
        ({"kind": "committed_use"}, None, None),
    ],
)
def test_one_purchase_under_two_ids(other: dict[str, str], code: str | None, severity: Severity | None) -> None:
    _, problems = read(two(**other))
    assert [(p.code, p.severity) for p in problems] == ([(code, severity)] if code else [])


def test_contracts_of_two_regions_are_two() -> None:
    _, problems = read(GOOD + "  region: us-east-1\n" + GOOD.replace("c1", "c2") + "  region: us-west-2\n")
    assert problems == []
