"""Policy comes before price: approved regions, and capacity that somebody confirmed."""

from typing import Any

import pytest

from scoring.checks.regions import check
from scoring.model.pilot import Run
from tests.scoring.scenes import book, run, scene, settings, short


def at(arm: str, *regions: str | None) -> list[Run]:
    return [run(arm, region=region, instance_type=f"{arm}.48xlarge") for region in regions]


EU = ["eu-west-1", "eu-central-1"]
REFUSED = ("region-not-approved", "error", "trn2", "us-east-2")
INCUMBENT = ("incumbent-region-not-approved", "warning", "gpu", "us-east-1")
UNKNOWN = ("region-unknown", "question", "trn2", None)


@pytest.mark.parametrize(
    ("wanted", "approved", "incumbent", "candidate", "capacity"),
    [
        ([], [], "us-east-1", ["us-east-2"], None),
        ([], EU, "eu-west-1", ["eu-central-1"], None),
        ([], EU, "eu-west-1", ["EU-Central-1"], None),
        ([], ["EU-WEST-1"], "eu-west-1", ["eu-west-1"], None),
        ([REFUSED], EU, "eu-west-1", ["us-east-2"], None),
        ([REFUSED], EU, "eu-west-1", ["eu-west-1", "us-east-2"], None),
        ([REFUSED, INCUMBENT], EU, "us-east-1", ["us-east-2"], None),
        ([INCUMBENT], EU, "us-east-1", ["eu-west-1"], None),
        ([UNKNOWN], EU, "eu-west-1", [None], None),
        ([("capacity-price-unknown", "question", "trn2", "us-east-2")], EU, "eu-west-1", ["us-east-2"], "eu-west-1"),
        ([("region-incomplete", "question", "trn2", "1")], EU, "eu-west-1", ["eu-west-1", None], None),
        ([], EU, "eu-west-1", ["eu-west-1", None], "eu-west-1"),
        ([], EU, "eu-west-1", [None], "eu-west-1"),
        ([("region-not-approved", "error", "trn2", "us-west-2"),
          ("capacity-price-unknown", "question", "trn2", "eu-west-1")], EU, None, ["eu-west-1"], "us-west-2"),
    ],
)  # fmt: skip
def test_approved_regions(
    wanted: list[Any], approved: list[str], incumbent: str | None, candidate: list[str | None], capacity: str | None
) -> None:
    confirmed = {"region": capacity, "confirmed_by": "Ana", "confirmed_until": "2027-06-30"}
    given = settings(approved_regions=approved, capacity=confirmed if capacity else {})
    found = check(scene(at("gpu", incumbent), at("trn2", *candidate), given))
    assert short([p for p in found if p.code != "capacity-confirmed"], "arm", "found") == wanted


def test_approved_regions_that_the_price_book_lists_are_offered() -> None:
    kind = "trn2.48xlarge"
    prices = book((kind, "eu-west-1", "35.76"), (kind, "eu-central-1", None), (kind, "us-east-2", "30"))
    shown = scene(at("gpu", "eu-west-1"), at("trn2", "us-east-2"), settings(approved_regions=EU), prices)
    (said,) = check(shown)
    assert said.arguments["offered"] == "eu-west-1 (35.76), eu-central-1 (no public price)"
    assert said.expected == "eu-west-1, eu-central-1"
    assert (said.arguments["priced"], said.arguments["unpriced"]) == ("eu-west-1", "eu-central-1")


def test_an_eu_only_policy_names_what_unblocks_it_by_the_public_price_rows() -> None:
    """Rows of skypilot-org/skypilot-catalog catalogs/v8/aws/vms.csv@00148f2: no region of the EU lists Trainium2."""
    prices = book(("trn2.3xlarge", "ap-southeast-4", None), ("trn2.48xlarge", "us-east-2", None))
    shown = scene(at("gpu", "eu-west-1"), at("trn2", "us-east-2"), settings(approved_regions=EU), prices)
    (said,) = check(shown)
    assert said.code == "region-not-approved"
    assert (said.arguments["priced"], said.arguments["unpriced"]) == ("none", "eu-west-1, eu-central-1")


@pytest.mark.parametrize(
    ("wanted", "until"),
    [
        ([("capacity-expired", "error", "2026-11-30")], "2026-11-30"),
        ([("capacity-confirmed", "info", "2026-12-01")], "2026-12-01"),
        ([("capacity-confirmed", "info", "2027-06-30")], "2027-06-30"),
    ],
)
def test_capacity_holds_to_its_last_day(wanted: list[Any], until: str) -> None:
    given = settings(capacity={"confirmed_until": until, "confirmed_by": "Ana"})
    assert short(check(scene(at("gpu", None), at("trn2", None), given)), "found") == wanted


@pytest.mark.parametrize(
    ("wanted", "capacity"),
    [
        ([], {}),
        ([], {"hours_per_month": 720}),
        (["confirmed_by, confirmed_until"], {"region": "eu-west-1"}),
        (["confirmed_until"], {"region": "eu-west-1", "confirmed_by": "Ana"}),
        (["confirmed_by"], {"region": "eu-west-1", "confirmed_until": "2027-06-30"}),
        (["confirmed_by"], {"confirmed_by": " ", "confirmed_until": "2027-06-30"}),
        (["confirmed_until"], {"confirmed_by": "Ana", "hours_per_month": 720}),
        ([], {"region": "eu-west-1", "confirmed_by": "Ana", "confirmed_until": "2027-06-30"}),
    ],
)
def test_a_claim_of_capacity_says_who_and_until_when(wanted: list[str], capacity: dict[str, Any]) -> None:
    found = check(scene(at("gpu", None), at("trn2", None), settings(capacity=capacity)))
    assert [p.expected for p in found if p.code == "capacity-not-confirmed"] == wanted
