"""Price books as catalogues write them; what is no price is named with its line, and a missing price stays missing."""

from decimal import Decimal

import pytest

from scoring.model.contract import PriceBook
from scoring.model.problem import Problem, Severity
from scoring.prices import MAX_PROBLEMS, find_price, read_prices
from scoring.reading.posted import PostedFile
from tests.shared import SHARED, needs_shared


def read(text: str) -> tuple[PriceBook, list[Problem]]:
    return read_prices(PostedFile.from_bytes("prices.csv", text.encode()))


FORMS = [
    (("40.5", "USD"), "instance_type,region,on_demand_usd_per_hour", "p5,r1,40.5"),
    (("40.5", "EUR"), "instance_type,region,on_demand_eur_per_hour", "p5,r1,40.5"),
    (("40.5", "GBP"), "instance_type,region,on_demand_gbp_per_hour", "p5,r1,40.5"),
    (("40.5", "CHF"), "instance_type,region,price_chf_per_hour", "p5,r1,40.5"),
    (("40.5", "USD"), "InstanceType,Region,Price,SpotPrice", "p5,r1,40.5,3"),
    (("40.5", "USD"), "SKU,Region,Price ($/hr)", "p5,r1,40.5"),
    (("40.5", "EUR"), "instance_type,region,price,currency", "p5,r1,40.5,€"),
    (("40.5", "EUR"), "instance_type,region,price,currency", "p5,r1,40.5,eur"),
    (("40.5", "USD"), "instance_type,region,price", "p5,r1,$40.5"),
    (("40.5", "USD"), "instance_type;region;price", "p5;r1;40,5"),
    (("40.5", "USD"), "instance_type,price,region,on_demand_usd_per_hour", "p5,39,r1,40.5"),
    (("40.5", "USD"), "instance_type,region,price,accelerator_count", "p5,r1,40.5,²"),
]


@pytest.mark.parametrize(("wanted", "header", "row"), FORMS)
def test_forms(wanted: tuple[str, str], header: str, row: str) -> None:
    book, problems = read(f"{header}\n{row}\n")
    assert problems == []
    found, problems = find_price(book, "P5", "R1")
    assert problems == []
    assert found is not None
    assert (found.price, found.currency) == (Decimal(wanted[0]), wanted[1])
    assert found.source == "list: prices.csv, line 2"


HEAD = "instance_type,region,price,currency\np5,r1,40,USD\n"
BAD = [
    (("price-invalid", 3, "price"), HEAD + "p5,r2,0,USD\n"),
    (("price-invalid", 3, "price"), HEAD + "p5,r2,-1,USD\n"),
    (("price-invalid", 3, "price"), HEAD + "p5,r2,NaN,USD\n"),
    (("price-invalid", 3, "price"), HEAD + "p5,r2,1e9,USD\n"),
    (("price-invalid", 3, "price"), HEAD + "p5,r2,cheap,USD\n"),
    (("price-invalid", 3, "price"), HEAD + "p5,r2,40%,USD\n"),
    (("price-invalid", 3, "price"), HEAD + "p5,r2,€40,USD\n"),
    (("price-invalid", 3, "price"), HEAD + "p5,r1,41,USD\n"),
    (("price-invalid", 3, "currency"), HEAD + "p5,r2,41,dollars\n"),
    (("price-invalid", 3, "instance_type"), HEAD + ",r2,41,USD\n"),
    (("price-invalid", 2, "price"), "instance_type;price\np5;1,234\n"),
    (("prices-without-rows", 1, None), "instance_type,region,monthly\np5,r1,40\n"),
    (("prices-without-rows", 1, None), "name,price\np5,40\n"),
    (("prices-without-rows", 1, None), "name,price\n"),
]


@pytest.mark.parametrize(("wanted", "text"), BAD)
def test_bad_books(wanted: tuple[str, int, str | None], text: str) -> None:
    book, problems = read(text)
    assert [(p.code, p.severity, p.file, p.row, p.column) for p in problems] == [
        (wanted[0], Severity.ERROR, "prices.csv", *wanted[1:])
    ]
    assert problems[0].expected
    if text.startswith(HEAD):
        assert len(book.rows) == 1


@pytest.mark.parametrize("text", ["instance_type,region,price\n", "\ncloud;instance_type;on_demand_usd_per_hour\n"])
def test_a_book_that_nobody_has_filled_in_is_no_mistake(text: str) -> None:
    assert read(text) == (PriceBook(rows=()), [])


@pytest.mark.parametrize("cell", ["", "n/a", "-"])
def test_a_missing_price_is_none_and_a_question(cell: str) -> None:
    book, problems = read(f"instance_type,region,price,note\np5,r1,40,\ntrn2,r1,{cell},by quote only\n")
    assert problems == []
    assert book.rows[1].on_demand_price is None
    found, problems = find_price(book, "trn2", "r1")
    assert found is None
    assert [(p.code, p.severity, p.found) for p in problems] == [
        ("price-missing", Severity.QUESTION, "trn2 in r1: by quote only")
    ]


def test_region() -> None:
    book, _ = read("instance_type,region,price\np5,r1,40\np5,r2,41\np4,r1,20\np4,r2,20\n")
    _, problems = find_price(book, "p5", None)
    assert [(p.code, p.found) for p in problems] == [("price-ambiguous", "r1: 40 USD, r2: 41 USD")]
    _, problems = find_price(book, "p5", "r3")
    assert [(p.code, p.found) for p in problems] == [("price-missing", "p5 in r3: listed only in r1, r2")]
    found, _ = find_price(book, "p4", None)
    assert found is not None
    assert found.price == 20


def test_many_bad_rows_are_not_all_told() -> None:
    _, problems = read("instance_type,region,price\n" + "".join(f"p5,r{i},-1\n" for i in range(500)))
    assert len(problems) == MAX_PROBLEMS


@needs_shared
def test_published_catalogue() -> None:
    book, problems = read((SHARED / "data" / "prices.csv").read_text(encoding="utf-8"))
    assert problems == []
    assert len(book.rows) == 19
    found, _ = find_price(book, "p5.48xlarge", "us-east-1")
    assert found is not None
    assert found.price == Decimal("55.04")
    assert "datareceipts" in found.source
    assert find_price(book, "trn2.48xlarge", "us-east-2")[1][0].code == "price-missing"
    assert find_price(book, "trn1.32xlarge", "ap-south-1")[1][0].code == "price-missing"
