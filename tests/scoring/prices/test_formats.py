"""Catalogues and price lists give one book: each price with its place and day, spot beside on-demand, never in it."""

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from scoring.model.contract import PriceBook
from scoring.model.problem import Problem
from scoring.prices import find_price, read_prices
from scoring.reading.posted import PostedFile

HEAD = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone\n"


def catalogue(*rows: str, name: str = "aws/vms.csv") -> tuple[PriceBook, list[Problem]]:
    return read_prices(PostedFile.from_bytes(name, (HEAD + "\n".join(rows)).encode()))


def test_a_catalogue_of_zones() -> None:
    book, problems = catalogue(
        "p5.48xlarge,H100,8.0,192,2048,,55.04,30.5,us-east-1,use1-az1",
        "p5.48xlarge,H100,8.0,192,2048,,55.04,28.25,us-east-1,use1-az4",
        "p5.48xlarge,H100,8.0,192,2048,,55.04,,us-west-2,usw2-az1",
        "trn9.large,Trainium,1.0,8,32,,,0.25,us-east-1,use1-az1",
    )
    assert problems == []
    first, second, third = book.rows
    assert (first.cloud, first.accelerator, first.accelerator_count) == ("aws", "H100", 8)
    assert (first.on_demand_price, first.spot_price_min) == (Decimal("55.04"), Decimal("28.25"))
    assert (first.source.row, second.source.row, second.spot_price_min) == (2, 4, None)
    # A spot price alone prices nothing on demand.
    assert (third.on_demand_price, third.spot_price_min) == (None, Decimal("0.25"))
    assert find_price(book, "trn9.large", "us-east-1")[0] is None


BAD_ROWS = [
    (("price-contradictory", 2), "p5,H100,8,1,1,,55,,r1,z1", "p5,H100,8,1,1,,56,,r1,z2"),
    (("price-invalid", 2), "p5,H100,8,1,1,,-1,,r1,z1"),
    (("price-invalid", 2), "p5,H100,8,1,1,,NaN,,r1,z1"),
    (("price-invalid", 2), "p5,H100,8,1,1,,=1+1,,r1,z1"),
    (("price-invalid", 2), "p5,H100,8,1,1,,1e99,,r1,z1"),
    (("price-invalid", 2), ",H100,8,1,1,,55,,r1,z1"),
    (("price-invalid", 2), "p5,H100,8,1,1,,55,,,z1"),
    (("ragged-row", 2), "p5,H100,8"),
]


@pytest.mark.parametrize(("wanted", "rows"), [(wanted, rows) for wanted, *rows in BAD_ROWS])
def test_a_catalogues_flaws_have_their_line(wanted: tuple[str, int], rows: list[str]) -> None:
    book, problems = catalogue(*rows)
    assert [(p.code, p.row) for p in problems] == [wanted]
    assert book.rows == ()


def test_a_catalogue_of_more_rows_than_a_table_may_have() -> None:
    book, problems = catalogue(*(f"t{i // 4},,,,,,1.5,0.5,r1,z{i % 4}" for i in range(52_000)))
    assert problems == []
    assert len(book.rows) == 13_000


def product(sku: str, **attributes: str) -> dict[str, Any]:
    usual = {
        "instanceType": "p5.48xlarge", "location": "US East (N. Virginia)", "regionCode": "us-east-1", "gpu": "8",
        "operatingSystem": "Linux", "tenancy": "Shared", "preInstalledSw": "NA", "capacitystatus": "Used",
        "operation": "RunInstances",
    }  # fmt: skip
    told = {k: v for k, v in {**usual, **attributes}.items() if v}
    return {"sku": sku, "productFamily": "Compute Instance", "attributes": told}


def term(sku: str, amount: Any = "55.0400000000", unit: str = "Hrs", currency: str = "USD") -> dict[str, Any]:
    dimension = {"unit": unit, "endRange": "Inf", "beginRange": "0", "pricePerUnit": {currency: amount}}
    offer = {"sku": sku, "effectiveDate": "2026-11-01T00:00:00Z", "priceDimensions": {f"{sku}.J.6": dimension}}
    return {f"{sku}.J": offer}


def price_list(products: list[dict[str, Any]], terms: dict[str, Any]) -> tuple[PriceBook, list[Problem]]:
    by_sku = {p["sku"]: p for p in products}
    document = {"formatVersion": "v1.0", "offerCode": "AmazonEC2", "products": by_sku, "terms": {"OnDemand": terms}}
    return read_prices(PostedFile.from_bytes("index.json", json.dumps(document).encode()))


def test_a_price_list() -> None:
    book, problems = price_list(
        [
            product("A"),
            product("B", instanceType="trn1.32xlarge", gpu=""),
            product("C", operatingSystem="Windows"),
            product("D", tenancy="Dedicated"),
            product("E", capacitystatus="UnusedCapacityReservation"),
            product("F", regionCode="", instanceType="p4d.24xlarge"),
        ],
        {s: term(s, f"{n}.5") for n, s in enumerate("ABCDEF", start=1)},
    )
    assert problems == []
    assert [(r.instance_type, r.region, r.on_demand_price, r.accelerator_count) for r in book.rows] == [
        ("p5.48xlarge", "us-east-1", Decimal("1.5"), 8),
        ("trn1.32xlarge", "us-east-1", Decimal("2.5"), None),
        ("p4d.24xlarge", "us-east-1", Decimal("6.5"), 8),  # its location is named with a code by the others
    ]
    assert (book.rows[0].cloud, book.rows[0].source.on) == ("aws", date(2026, 11, 1))
    assert book.rows[0].source.origin == "index.json, SKU A"


@pytest.mark.parametrize("before", [0, 2**20 - 12], ids=["near the start", "across two pieces"])
def test_reserved_terms_are_said_to_be_left_out(before: int) -> None:
    terms = {"OnDemand": {"A": term("A")}, "Reserved": {"A": {"A.X": {"sku": "A"}}}}
    document = json.dumps({"formatVersion": "v1.0", "offerCode": "AmazonEC2", "products": {"A": product("A")}})
    text = document[:-1] + ', "terms": ' + json.dumps({"OnDemand": terms["OnDemand"]})[:-1] + ","
    text += " " * max(0, before - len(text)) + '"Reserved": ' + json.dumps(terms["Reserved"]) + "}}"
    book, problems = read_prices(PostedFile.from_bytes("index.json", text.encode()))
    assert [(p.code, p.severity) for p in problems] == [("price-terms-left-out", "info")]
    assert len(book.rows) == 1


LISTS = [
    ("price-region-unknown", [product("A", regionCode="")], {"A": term("A")}),
    ("price-contradictory", [product("A"), product("B")], {"A": term("A", "1"), "B": term("B", "2")}),
    ("price-invalid", [product("A")], {"A": term("A", "NaN")}),
    ("price-invalid", [product("A")], {"A": term("A", -1)}),
    ("price-invalid", [product("A")], {"A": term("A", "1", unit="Quantity")}),
    ("price-invalid", [product("A")], {"A": term("A", "1", currency="dollars")}),
    ("price-invalid", [product("A")], {"A": {"A.J": "free"}}),
    ("prices-without-rows", [], {}),
]


@pytest.mark.parametrize(("wanted", "products", "terms"), LISTS)
def test_a_price_lists_flaws(wanted: str, products: list[dict[str, Any]], terms: dict[str, Any]) -> None:
    book, problems = price_list(products, terms)
    assert [p.code for p in problems] == [wanted]
    assert book.rows == ()


@pytest.mark.parametrize("text", [
    '{"offerCode": "AmazonEC2", "products": {"A": ', '{"offerCode": 1, "products": {"A": NaN}}',
    '{"offerCode": 1, "products": {"A": ' + "[" * 50_000, '{"offerCode": 1, "products": 5}',
])  # fmt: skip
def test_a_broken_price_list_is_told(text: str) -> None:
    book, problems = read_prices(PostedFile.from_bytes("index.json", text.encode()))
    assert book.rows == ()
    assert len(problems) == 1
    assert problems[0].code in ("json-syntax", "prices-without-rows")


def test_the_day_of_a_price() -> None:
    def day(header: str, cells: str) -> date | None:
        text = f"instance_type,region,price,{header}\np5,r1,40,{cells}\n"
        return read_prices(PostedFile.from_bytes("prices.csv", text.encode()))[0].rows[0].source.on

    assert day("source", "list retrieved 2026-11-09") == date(2026, 11, 9)
    assert day("source,date", "list of 2026-11-09,2026-10-01") == date(2026, 10, 1)
    assert day("source", "from 2026-11-09 to 2026-11-10") is None
    assert day("source", "2026-13-40") is None
