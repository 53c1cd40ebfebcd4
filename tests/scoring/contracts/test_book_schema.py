"""The schema of contract books takes what the reader takes, and refuses what needs no calendar and no vendor."""

import json
from typing import Any

import jsonschema
import pytest
import yaml

from scoring.contracts.book_schema import book_schema
from scoring.contracts.kinds import KINDS
from scoring.model.problem import Severity
from scoring.reading.yaml_document import load_yaml
from tests.scoring.contracts.test_book import BAD, FORMS, GOOD, PLAN, read
from tests.shared import ROOT

CHECK = jsonschema.Draft202012Validator(book_schema(), format_checker=jsonschema.FormatChecker())
BOOKS = sorted([*ROOT.glob("samples/**/contracts.yml"), ROOT / "templates" / "config" / "contracts.yml"])

BEYOND = {
    ("ends_on", "on or after 2026-07-01"), ("ends_on", "a day such as", "9999-12-31"),
    ("instances", "one of them"), ("commitment.instances", "one value"), ("notice.holidays", "DE-BY", "DE-ZZ"),
    ("renewal", "notice.days"), ("renewal", "renewal.months"), ("renewl", "renewal"),
    ("currency", "each contract"), ("id", "of its own"), ("id", "contracts.yml, line 1"), ("ramp", "2027-06-30"),
    ("ramp", "as the commitment"), ("rate", "payment.upfront"), ("payment", "payment.upfront with it"),
    ("payment.kind", "since an upfront"), ("upfront", "whole commitment"), ("minimum_monthly_spend", None),
    ("rate_escalation", None),
}  # fmt: skip
"""What only `steelyard contracts check` tells: two fields or contracts at once, days, terms of no field."""


def complaints(value: Any) -> list[str]:
    return [error.message for error in CHECK.iter_errors(value)]


def as_texts(text: str) -> Any:
    """As the reader takes it: every scalar a text."""
    return load_yaml(text, "contracts.yml")[0].value


def as_values(text: str) -> Any:
    """As an editor takes it: numbers, booleans, and days as texts."""
    return json.loads(json.dumps(yaml.safe_load(text), default=str))


@pytest.mark.parametrize("take", [as_texts, as_values])
def test_it_takes_the_books_of_the_samples_and_every_form_of_notice(take: Any) -> None:
    assert len(BOOKS) > 8
    for text in [*(book.read_text(encoding="utf-8") for book in BOOKS), *(GOOD + notice for _, notice in FORMS), PLAN]:
        assert complaints(take(text)) == [], text


@pytest.mark.parametrize(
    "terms",
    [
        "  payment: no upfront\n",
        "  ramp: none\n  resale: no\n",
        "  ramp: [{from: 2027-01-01, instances: 0}, {starts_on: 2027-02-01, rate: 3}]\n",
        "  transfer: between accounts\n  ticket: FIN-12\n  owner:\n",
        "  renewal: auto\n  renewal_months: 12\n  notice_days: 30\n",
        "  early_termination: {fee_share: 12.5 %, note: by letter}\n",
        "  instance_type: p5.48xlarge\n  covers_region: us-east-1; us-east-2\n",
    ],
)
def test_it_takes_further_forms(terms: str) -> None:
    assert complaints(as_texts(GOOD + terms)) == []
    assert complaints(as_values(GOOD + terms)) == []
    assert [p for p in read(GOOD + terms)[1] if p.severity is Severity.ERROR] == []


@pytest.mark.parametrize(("wanted", "text"), BAD)
def test_it_refuses_bad_books_and_leaves_the_rest_to_the_reader(
    wanted: tuple[str, int, str | None, str | None], text: str
) -> None:
    _, _, column, expected = wanted
    named = {(column, expected), *((column, expected, word) for word in text.replace("}", " ").split())}
    assert bool(complaints(as_texts(text))) is not bool(named & BEYOND)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.promises and kind.refused is None])
def test_each_kind_is_asked_for_a_commitment_of_its_own(kind: Any) -> None:
    book = GOOD.replace("reserved", kind.aliases[0].replace("_", "-").upper() if kind.aliases else kind.name)
    for form in ("instances", "instance_hours_per_month", "currency_per_hour", "currency_total"):
        text = book.replace("instances: 1", f"{form}: 1")
        assert bool(complaints(as_values(text))) is (form not in kind.commitments)


def test_a_kind_without_another_price_is_asked_for_its_rate() -> None:
    assert complaints(as_values(GOOD.replace("  rate: 38\n", "")))
    assert complaints(as_values(PLAN.replace("  rate: 5\n", ""))) == []
