"""A zone lies in a region: hours promised there serve nobody elsewhere."""

from typing import Any

import pytest

from scoring.contracts.coverage import covers
from scoring.contracts.places import region_named, region_of_zone
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow
from tests.scoring.contracts.test_book import GOOD, one, read

ZONES = [
    ("us-east-1a", "us-east-1"),
    ("US-East-1A", "us-east-1"),
    ("us-gov-west-1b", "us-gov-west-1"),
    ("us-west-2-lax-1a", "us-west-2"),
    ("europe-west4-a", "europe-west4"),
    ("us-central1-f", "us-central1"),
    ("us-east-1", None),
    ("us-central1", None),
    ("westeurope", None),
    ("eu-north", None),
    ("use1-az1", None),
    ("1", None),
]


@pytest.mark.parametrize(("zone", "region"), ZONES)
def test_the_region_of_a_zone(zone: str, region: str | None) -> None:
    assert region_of_zone(zone) == region
    assert region_named(zone) == (region or zone.casefold())


def drawn(covers_: str, region: str | None) -> bool:
    contract: Contract = one(GOOD + f"  covers: {covers_}\n")
    flow: dict[str, Any] = {"arm": "gpu", "hours_per_unit": 1.0, "price_per_hour": 50.0, "instance_type": "p5.48xlarge"}
    return covers(contract, ArmFlow(**flow, region=region))


@pytest.mark.parametrize(
    ("covered", "region", "serves"),
    [
        ("{zones: [us-east-1a]}", "us-east-1", True),
        ("{zones: [us-west-2a]}", "us-east-1", False),
        ("{zones: [us-west-2a, us-east-1b]}", "us-east-1", True),
        ("{zones: [europe-west4-a]}", "europe-west1", False),
        ("{regions: [us-east-1]}", "us-east-1a", True),
        ("{regions: [us-west-2]}", "us-east-1a", False),
        ("{zones: ['1'], regions: [westeurope]}", "westeurope", True),
        ("{zones: ['1'], regions: [westeurope]}", "northeurope", False),
        ("{zones: [us-west-2a]}", None, True),
    ],
)
def test_a_contract_of_a_zone_serves_its_region_alone(covered: str, region: str | None, serves: bool) -> None:
    assert drawn(covered, region) is serves


@pytest.mark.parametrize(
    ("covered", "zone"),
    [
        ("{zones: ['1']}", "1"),
        ("{zones: [use1-az1]}", "use1-az1"),
        ("{zones: [us-west-2a], regions: [us-east-1]}", "us-west-2a"),
    ],
)
def test_a_zone_that_lies_nowhere_or_elsewhere_is_refused(covered: str, zone: str) -> None:
    _, problems = read(GOOD + f"  covers: {covered}\n")
    assert [(p.code, p.column, p.found) for p in problems] == [("contract-invalid", "covers.zones", zone)]
