"""The draft record of processing: who gets one, where the arms run, what is a transfer, and what nobody has said."""

from typing import Any

import pytest

from scoring.countries import geography
from scoring.model.records import ProcessingRecord
from tests.scoring.helpers import decide

HEAD = "arm,run,instance_type,region,duration_s,price_usd_per_hour\n"
EU = "approved_regions: [eu-central-1, eu-west-1]\n"
RECORDS = "records: {controller: Example AG}\n"
CONTRACT = (
    "- {{id: c, provider: {provider}, kind: take_or_pay, starts_on: 2026-01-01, ends_on: 2027-12-31, rate: 1, "
    "commitment: {{instances: 1}}, covers: {{instance_types: [p5]}}}}\n"
)
BOOK = "cloud,region,instance_type,price_usd_per_hour\naws,eu-west-1,p5,55\n"
FULL = """records:
  controller: Example AG
  contact: privacy office
  purpose: speech
  data_subjects: callers
  data: [calls, transcripts]
  artefacts: [weights]
  recipients: [the provider]
  retention: 90 days
  security: [encryption]
"""


def record(regions: tuple[str, str], settings: str, **more: str) -> ProcessingRecord | None:
    rows = "".join(
        f"{arm},{i},{kind},{region},{3600 + i},55\n"
        for arm, kind, region in (("gpu", "p5", regions[0]), ("trn2", "trn2", regions[1]))
        for i in range(3)
    )
    return decide(("pilot.csv", HEAD + rows), settings=f"baseline: gpu\n{settings}", **more).records


def places(record: ProcessingRecord | None) -> list[tuple[str, str | None, str | None, bool | None]]:
    return [(p.use.value, p.region, p.country, p.in_eea) for p in record.places] if record else []


@pytest.mark.parametrize(
    ("wanted", "settings"),
    [
        (False, ""),
        (False, "approved_regions: [us-east-1, us-east-2]\n"),
        (False, "approved_regions: [our-own-hall]\n"),
        (False, "approved_regions: [eu-west-2, eu-central-2]\n"),
        (True, EU),
        (True, "approved_regions: [us-east-1, EU-West-1]\n"),
        (True, "approved_regions: [norwayeast]\n"),
        (True, RECORDS),
        (True, "records: {}\n"),
    ],
)
def test_who_gets_a_draft(wanted: bool, settings: str) -> None:
    assert (record(("us-east-1", "us-east-2"), settings) is not None) is wanted


GPU = ("incumbent", "eu-west-1", "IE", True)


@pytest.mark.parametrize(
    ("wanted", "transfers", "candidate", "settings"),
    [
        ([GPU, ("candidate", "eu-central-1", "DE", True)], 0, "eu-central-1", RECORDS),
        ([GPU, ("candidate", "us-east-2", "US", False)], 1, "us-east-2", RECORDS),
        ([GPU, ("candidate", "eu-central-2", "CH", False)], 1, "eu-central-2", RECORDS),
        ([GPU, ("candidate", "norwayeast", "NO", True)], 0, "norwayeast", RECORDS),
        ([GPU, ("candidate", "fra-1", None, None)], 0, "fra-1", RECORDS),
        ([GPU, ("candidate", None, None, None)], 0, "", RECORDS),
        ([GPU, ("candidate", "fra-1", "DE", True)], 0, "fra-1", "records: {countries: {FRA-1: DE}}\n"),
        ([GPU, ("candidate", "osl-1", "NO", True)], 0, "osl-1", "records: {countries: {osl-1: NO}}\n"),
        ([GPU, ("candidate", "ath-1", "GR", True)], 0, "ath-1", "records: {countries: {ath-1: el}}\n"),
        ([GPU, ("candidate", "us-east-2", "US", False), ("capacity", "eu-north-1", "SE", True)], 1, "us-east-2",
         RECORDS + "capacity: {region: eu-north-1, confirmed_by: x, confirmed_until: 2027-12-31}\nprices: {trn2: 9}\n"),
        ([GPU, ("candidate", "eu-north-1", "SE", True)], 0, "eu-north-1",
         RECORDS + "capacity: {region: EU-North-1, confirmed_by: x, confirmed_until: 2027-12-31}\nprices: {trn2: 9}\n"),
    ],
)  # fmt: skip
def test_where_the_arms_run_and_what_leaves(wanted: list[Any], transfers: int, candidate: str, settings: str) -> None:
    drafted = record(("eu-west-1", candidate), settings)
    assert places(drafted) == wanted
    assert drafted is not None
    assert len(drafted.transfers) == transfers


def test_runs_that_do_not_say_where_are_a_place_that_is_missing() -> None:
    rows = [f"{arm},{i},p5,eu-west-1,{3600 + i},55\n" for arm in ("gpu", "trn2") for i in range(3)]
    drafted = decide(("pilot.csv", HEAD + "".join(rows).replace("eu-west-1", "", 1)), settings=RECORDS).records
    assert places(drafted)[:2] == [("incumbent", "eu-west-1", "IE", True), ("incumbent", None, None, None)]


@pytest.mark.parametrize(
    ("wanted", "country", "contracts", "prices"),
    [
        (None, "IE", "", ""),
        ("AWS", "IE", CONTRACT.format(provider="Amazon Web Services"), ""),
        ("AWS", "IE", "", BOOK),
        ("AWS", "IE", CONTRACT.format(provider="aws"), BOOK),
        (None, "IE", CONTRACT.format(provider="lambda"), BOOK),
        ("neocloud", None, CONTRACT.format(provider="neocloud"), ""),
    ],
)  # fmt: skip
def test_a_provider_is_named_by_the_books_and_its_region_by_its_own_list(
    wanted: str | None, country: str | None, contracts: str, prices: str
) -> None:
    drafted = record(("eu-west-1", "eu-west-1"), RECORDS, contracts=contracts, prices=prices)
    assert drafted is not None
    assert (drafted.places[0].provider, drafted.places[0].country) == (wanted, country)


EVERY_FIELD = ["contact", "purpose", "data_subjects", "data", "artefacts", "recipients", "retention", "security"]


@pytest.mark.parametrize(
    ("wanted", "candidate", "settings"),
    [
        (["controller", *EVERY_FIELD], "eu-west-1", EU),
        (EVERY_FIELD, "eu-west-1", RECORDS),
        ([], "eu-west-1", FULL),
        (["transfers"], "us-east-2", FULL),
        (["transfers", "country"], "fra-1", FULL),
        (["transfers", "region"], "", FULL),
        ([], "us-east-2", FULL + "  transfers: standard contractual clauses\n"),
        (["purpose", "data"], "eu-west-1", FULL.replace("speech", "' '").replace("[calls, transcripts]", "['']")),
    ],
)
def test_what_nobody_has_said_is_missing(wanted: list[str], candidate: str, settings: str) -> None:
    drafted = record(("eu-west-1", candidate), settings)
    assert drafted is not None
    assert [item.code for item in drafted.missing if item.code != "provider"] == wanted


def test_an_answer_without_a_verdict_has_no_draft() -> None:
    rows = "".join(f"{arm},{i},{arm},eu-west-1,,\n" for arm in ("gpu", "trn2") for i in range(3))
    undecided = decide(("pilot.csv", HEAD + rows), settings=RECORDS)
    assert (undecided.verdict.word, undecided.records) == (None, None)


def test_a_decision_names_the_lists_that_it_used() -> None:
    drafted = record(("eu-west-1", "fra-1"), RECORDS)
    assert drafted is not None
    assert [source.page.split("/")[2] for source in drafted.sources] == [
        "github.com",
        "ec.europa.eu",
        "www.efta.int",
    ]


def test_the_lists_are_sound() -> None:
    lists = geography()
    assert len(lists.eea) == 30
    for listed in lists.providers:
        assert all(len(country) == 2 and country.isupper() for country in listed.country_of.values())
        assert all(region == region.casefold() for region in listed.country_of)
