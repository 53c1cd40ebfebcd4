"""What AWS's commands print becomes entries of a contract book: exact terms, what is not in force told."""

import json
from datetime import date
from functools import lru_cache
from typing import Any

import pytest

from scoring.contracts.book import read_contracts
from scoring.contracts.sources import OUTPUTS, Reading, is_output, read_outputs
from scoring.model.problem import Severity
from scoring.reading.posted import PostedFile
from tests.shared import ROOT

DATA = ROOT / "tests" / "data" / "sources"
RESERVED = "describe-reserved-instances.us-east-1.json"
RESERVATIONS, BLOCKS = "describe-capacity-reservations.json", "describe-capacity-blocks.json"
PLANS, RATES = "describe-savings-plans.json", "describe-savings-plan-rates.json"


def read(*names: str) -> Reading:
    return read_outputs([PostedFile.from_path(DATA / name) for name in names])


def posted(value: Any, name: str = "output.json") -> PostedFile:
    return PostedFile.from_bytes(name, (value if isinstance(value, str) else json.dumps(value)).encode())


def changed(name: str, number: int = 0, file: str = "output.us-east-1.json", **fields: Any) -> PostedFile:
    """A fixture's record with other fields; None takes one away."""
    document = json.loads((DATA / name).read_text(encoding="utf-8"))
    key = next(k for k, v in document.items() if isinstance(v, list))
    record = {**document[key][number], **fields}
    return posted({key: [{k: v for k, v in record.items() if v is not None}]}, file)


def codes(reading: Reading) -> list[tuple[str, str | None]]:
    return [(p.code, p.found) for p in reading.problems]


def test_reserved_instances() -> None:
    reading = read(RESERVED)
    partial, upfront = (d.entry for d in reading.drafts)
    assert codes(reading) == [("contract-not-in-force", "11111111-aaaa-4bbb-8ccc-000000000003: retired")]
    assert [(d.file, d.row) for d in reading.drafts] == [(RESERVED, 3), (RESERVED, 22)]
    assert (partial["kind"], partial["rate"], partial["payment"]) == (
        "reserved_standard", "12.5", {"kind": "partial_upfront", "upfront": "219000"},
    )  # fmt: skip
    assert (partial["starts_on"], partial["ends_on"]) == (date(2026, 7, 1), date(2027, 6, 30))
    assert partial["covers"] == {"cloud": "aws", "regions": ["us-east-1"], "instance_types": ["p4d.24xlarge"]}
    assert partial["commitment"] == {"instances": 2}
    assert partial["owner"] == "ml-platform@example.com"
    assert partial["imported"]["effective rate"] == "25"  # 109,500 / 8,760 h + 12.50
    # All was paid at the start: an hour costs nothing any more, and what it cost is information.
    assert (upfront["kind"], upfront["rate"], upfront["payment"]) == (
        "reserved_convertible", "0", {"kind": "all_upfront", "upfront": "236520"},
    )  # fmt: skip
    assert upfront["imported"]["effective rate"] == "9"  # 236,520 / 26,280 h
    assert upfront["covers"]["zones"] == ["us-east-1b"]
    assert (upfront["starts_on"], upfront["ends_on"]) == (date(2026, 1, 15), date(2029, 1, 13))
    assert partial["source"]["origin"] == partial["id"]
    assert partial["source"]["url"].startswith("https://docs.aws.amazon.com/")


def test_capacity() -> None:
    reading = read(RESERVATIONS, BLOCKS)
    assert codes(reading) == [("contract-not-in-force", "cr-0000000000000003: cancelled")]
    reservation, block = (d.entry for d in reading.drafts)
    assert (reservation["kind"], reservation["commitment"]) == ("capacity_reservation", {"instances": 2})
    assert (reservation["starts_on"], reservation["ends_on"]) == (date(2026, 9, 1), date(2027, 2, 28))
    assert reservation["committed_until"] == date(2026, 11, 30)
    assert "rate" not in reservation  # it is paid at the on-demand rate, which the output does not hold
    assert (block["id"], block["kind"], block["rate"]) == ("cb-0000000000000001", "capacity_block", "0")
    assert block["covers"]["instance_types"] == ["trn2.48xlarge"]
    assert block["commitment"] == {"instances": 4}
    assert (block["starts_on"], block["ends_on"]) == (date(2027, 1, 11), date(2027, 1, 24))
    assert block["owner"] == "training"


def test_a_block_needs_its_reservations() -> None:
    reading = read(BLOCKS)
    assert reading.drafts == []
    assert [(p.code, p.severity) for p in reading.problems] == [("contract-part-missing", Severity.QUESTION)]


def test_a_block_that_only_its_reservation_tells() -> None:
    kinds = [(d.entry["id"], d.entry["kind"]) for d in read(RESERVATIONS).drafts]
    assert kinds == [("cr-0000000000000001", "capacity_reservation"), ("cr-0000000000000002", "capacity_block")]


def test_savings_plans() -> None:
    reading = read(PLANS, RATES)
    assert codes(reading) == [("contract-not-in-force", "22222222-aaaa-4bbb-8ccc-000000000003: queued")]
    compute, instance = (d.entry for d in reading.drafts)
    assert (compute["kind"], compute["commitment"]) == ("savings_plan_compute", {"currency_per_hour": "30"})
    assert compute["payment"] == {"kind": "partial_upfront", "upfront": "131400"}
    assert compute["covered_rates"] == {"p4d.24xlarge": "15"}
    assert compute["imported"]["returnableUntil"] == "2026-10-08T00:00:00.000Z"
    assert compute["imported"]["recurringPaymentAmount"] == "15.0"
    assert compute["source"]["origin"].startswith("arn:aws:savingsplans::")
    assert (instance["kind"], instance["payment"]) == ("savings_plan_instance", {"kind": "none"})
    assert instance["covers"] == {"cloud": "aws", "regions": ["us-east-1"], "families": ["p5"]}
    assert (instance["starts_on"], instance["ends_on"]) == (date(2026, 3, 1), date(2029, 2, 28))
    assert "covered_rates" not in instance


def test_a_rate_that_differs_between_regions_is_told() -> None:
    rates = json.loads((DATA / RATES).read_text(encoding="utf-8"))
    other = json.loads(json.dumps(rates["searchResults"][0]))
    other["rate"], other["properties"][0]["value"] = "17.0", "eu-west-1"
    rates["searchResults"].append(other)
    plans = PostedFile.from_path(DATA / PLANS)
    reading = read_outputs([plans, posted(rates)])
    assert ("savings-plan-rates-differ", "p4d.24xlarge: us-east-1: 15, eu-west-1: 17") in codes(reading)
    assert "covered_rates" not in reading.drafts[0].entry
    in_europe = read_outputs([plans, posted(rates)], region="eu-west-1")
    assert in_europe.drafts[0].entry["covered_rates"] == {"p4d.24xlarge": "17"}


STATES = [
    ("contract-not-in-force", RESERVED, {"State": "queued"}),
    ("contract-not-in-force", RESERVED, {"State": "payment-failed"}),
    ("contract-payment-pending", RESERVED, {"State": "payment-pending"}),
    ("record-invalid", RESERVED, {"State": "happy"}),
    ("record-invalid", RESERVED, {"State": None}),
    ("record-invalid", RESERVED, {"State": ["active"]}),
    ("contract-type-not-counted", RESERVED, {"OfferingType": "Light Utilization"}),
    ("contract-covers-less", RESERVED, {"InstanceTenancy": "dedicated"}),
    ("contract-covers-less", RESERVED, {"ProductDescription": "Windows"}),
    ("record-fields-kept", RESERVED, {"Colour": "red"}),
    ("record-invalid", RESERVED, {"Scope": "Availability Zone"}),
    ("record-invalid", RESERVED, {"AvailabilityZone": "moon"}),
    ("record-invalid", RESERVED, {"InstanceCount": 0}),
    ("record-invalid", RESERVED, {"InstanceCount": 1.5}),
    ("record-invalid", RESERVED, {"InstanceCount": True}),
    ("record-invalid", RESERVED, {"FixedPrice": -1}),
    ("record-invalid", RESERVED, {"FixedPrice": float("nan")}),
    ("record-invalid", RESERVED, {"FixedPrice": float("inf")}),
    ("record-invalid", RESERVED, {"FixedPrice": "1e99"}),
    ("record-invalid", RESERVED, {"FixedPrice": 10**400}),
    ("record-invalid", RESERVED, {"RecurringCharges": [{"Amount": 1, "Frequency": "Daily"}]}),
    ("record-invalid", RESERVED, {"RecurringCharges": "12.5"}),
    ("record-invalid", RESERVED, {"Start": "yesterday"}),
    ("record-invalid", RESERVED, {"Start": 10**30}),
    ("record-invalid", RESERVED, {"End": "9999-12-31T23:59:59Z"}),
    ("record-invalid", RESERVED, {"InstanceType": 7}),
    ("record-invalid", RESERVED, {"ReservedInstancesId": None}),
    ("contract-not-in-force", RESERVATIONS, {"State": "assessing"}),
    ("contract-covers-less", RESERVATIONS, {"InstancePlatform": "Windows"}),
    ("record-invalid", RESERVATIONS, {"EndDate": None}),
    ("contract-not-in-force", BLOCKS, {"State": "payment-failed"}),
    ("record-invalid", BLOCKS, {"CapacityReservationIds": None}),
    ("contract-type-not-counted", PLANS, {"savingsPlanType": "SageMaker"}),
    ("contract-not-in-force", PLANS, {"state": "returned"}),
    ("record-invalid", PLANS, {"commitment": "=1+1"}),
    ("record-invalid", PLANS, {"savingsPlanType": "EC2Instance"}),
]


@pytest.mark.parametrize(("wanted", "name", "fields"), STATES)
def test_states_and_flaws(wanted: str, name: str, fields: dict[str, Any]) -> None:
    reading = read_outputs([changed(name, **fields)])
    assert wanted in [p.code for p in reading.problems]
    counted = wanted in ("contract-payment-pending", "contract-covers-less", "record-fields-kept")
    assert len(reading.drafts) == counted
    assert all(p.file == "output.us-east-1.json" and p.row == 1 for p in reading.problems)


def test_an_open_reservation_has_no_last_day() -> None:
    (draft,) = read_outputs([changed(RESERVATIONS, EndDateType="unlimited", EndDate=None)]).drafts
    assert "ends_on" not in draft.entry


REGIONS = [
    ("eu-west-1", "reserved.eu-west-1.json", {}, None),
    ("eu-west-1", "reserved.json", {"Region": "eu-west-1"}, None),
    ("eu-west-1", "reserved.json", {}, "eu-west-1"),
    ("us-gov-west-1", "us-gov-west-1.json", {}, None),
    ("us-east-1", "reserved.json", {"Region": "us-east-1"}, "eu-west-1"),
    (None, "reserved.json", {}, None),
    (None, "eu-west-1-and-eu-west-2.json", {}, None),
]


@pytest.mark.parametrize(("wanted", "name", "beside", "asked"), REGIONS)
def test_region(wanted: str | None, name: str, beside: dict[str, str], asked: str | None) -> None:
    document = json.loads((DATA / RESERVED).read_text(encoding="utf-8"))
    reading = read_outputs([posted({"ReservedInstances": document["ReservedInstances"][:1], **beside}, name)], asked)
    assert [d.entry["covers"]["regions"] for d in reading.drafts] == ([[wanted]] if wanted else [])
    assert [p.code for p in reading.problems] == ([] if wanted else ["contract-region-unknown"])


def test_outputs_may_follow_each_other_in_one_file() -> None:
    text = "\n".join((DATA / name).read_text(encoding="utf-8") for name in (RESERVED, RESERVATIONS, BLOCKS, PLANS))
    reading = read_outputs([posted(text, "contracts.us-east-1.json")])
    rows = [d.row for d in reading.drafts]
    assert len(rows) == 6
    assert all(row and "{" in text.split("\n")[row - 1] for row in rows)


def test_yaml_output() -> None:
    text = "ReservedInstances:\n" + "".join(
        f"{'- ' if i == 0 else '  '}{k}: {json.dumps(v)}\n"
        for i, (k, v) in enumerate(json.loads((DATA / RESERVED).read_text())["ReservedInstances"][0].items())
    )
    file = posted(text, "reserved.us-east-1.yml")
    assert is_output(file)
    assert [(d.entry["rate"], d.row) for d in read_outputs([file]).drafts] == [("12.5", 2)]


@pytest.mark.parametrize("name", [RESERVED, RESERVATIONS, PLANS])
def test_a_raw_output_is_a_contract_book(name: str) -> None:
    """Each record in force is a contract of the book, or says at its own line why it is none."""
    contracts, problems = read_contracts(PostedFile.from_path(DATA / name))
    rows = {c.source.row for c in contracts} | {p.row for p in problems if p.severity is not Severity.INFO}
    assert {d.row for d in read(name).drafts} <= rows
    assert all(p.file == name for p in problems)


BROKEN = [
    ("json-syntax", 2, '{"ReservedInstances": [\n{"State": }]}'),
    ("json-syntax", 1, '{"ReservedInstances": ' + "[" * 100_000),
    ("json-syntax", 1, '{"ReservedInstances": [{"FixedPrice": ' + "9" * 5_000 + "}]}"),
    ("record-invalid", 1, '{"ReservedInstances": {"State": "active"}}'),
    ("record-invalid", 1, '{"ReservedInstances": ["active"]}'),
    ("record-invalid", 1, '{"ReservedInstances": [{"Tags": ' + "[" * 40 + "]" * 40 + "}]}"),
    ("json-syntax", 2, '{"ReservedInstances": []}\n[]'),
]


@pytest.mark.parametrize(("code", "row", "text"), BROKEN)
def test_hostile_files_are_told_with_their_line(code: str, row: int, text: str) -> None:
    reading = read_outputs([posted(text)])
    assert [(p.code, p.row) for p in reading.problems] == [(code, row)]
    assert reading.drafts == []


@pytest.mark.parametrize(
    ("wanted", "text"),
    [(True, '{"ReservedInstances": []}'), (True, '{\n  "NextToken": "x",\n  "CapacityReservations": [\n'),
     (True, "savingsPlans:\n- state: active\n"), (False, "contracts: []\n"), (False, "id,kind\nReservedInstances,x\n")],
)  # fmt: skip
def test_recognised_by_content(wanted: bool, text: str) -> None:
    assert is_output(posted(text, "contracts.yml")) is wanted


NAMES = {
    "ReservedInstances": ("ec2", "ReservedInstances", {"State": "State"}),
    "CapacityReservations": ("ec2", "CapacityReservation", {"State": "State"}),
    "CapacityBlocks": ("ec2", "CapacityBlock", {"State": "State"}),
    "savingsPlans": ("savingsplans", "SavingsPlan", {}),
    "searchResults": ("savingsplans", "SavingsPlanRate", {}),
}


@lru_cache
def model(service: str) -> Any:
    loaders = pytest.importorskip("botocore.loaders", reason="botocore is in the extra `aws`")
    session = pytest.importorskip("botocore.session").get_session()
    assert loaders
    return session.get_service_model(service)


@pytest.mark.parametrize("output", OUTPUTS, ids=lambda output: output.key)
def test_fields_are_those_of_the_services_model(output: Any) -> None:
    service, shape, _ = NAMES[output.key]
    assert output.fields == set(model(service).shape_for(shape).members)


ENUMERATIONS = [
    ("ec2", "ReservedInstanceState", "aws_reserved_instances", "STATES"),
    ("ec2", "OfferingClassType", "aws_reserved_instances", "CLASSES"),
    ("ec2", "scope", "aws_reserved_instances", "SCOPES"),
    ("ec2", "CapacityReservationState", "aws_capacity_reservations", "STATES"),
    ("ec2", "CapacityReservationType", "aws_capacity_reservations", "TYPES"),
    ("ec2", "EndDateType", "aws_capacity_reservations", "END_TYPES"),
    ("ec2", "CapacityBlockResourceState", "aws_capacity_blocks", "STATES"),
    ("savingsplans", "SavingsPlanState", "aws_savings_plans", "STATES"),
    ("savingsplans", "SavingsPlanType", "aws_savings_plans", "TYPES"),
    ("savingsplans", "SavingsPlanPaymentOption", "aws_savings_plans", "PAYMENTS"),
]


@pytest.mark.parametrize(("service", "shape", "module", "name"), ENUMERATIONS)
def test_enumerations_are_those_of_the_services_model(service: str, shape: str, module: str, name: str) -> None:
    from importlib import import_module

    ours = getattr(import_module(f"scoring.contracts.sources.{module}"), name)
    assert set(ours) == set(model(service).shape_for(shape).enum)


@pytest.mark.parametrize("name", [RESERVED, RESERVATIONS, BLOCKS, PLANS, RATES])
def test_fixtures_hold_only_what_the_services_model_has(name: str) -> None:
    document = json.loads((DATA / name).read_text(encoding="utf-8"))
    key = next(k for k, v in document.items() if isinstance(v, list))
    service, shape, _ = NAMES[key]
    for record in document[key]:
        _check(record, model(service).shape_for(shape))


def _check(value: Any, shape: Any) -> None:
    if shape.type_name == "structure":
        assert set(value) <= set(shape.members)
        for name, below in value.items():
            _check(below, shape.members[name])
    elif shape.type_name == "list":
        for item in value:
            _check(item, shape.member)
    elif getattr(shape, "enum", None):
        assert value in shape.enum
