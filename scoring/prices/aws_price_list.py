"""AWS's own price list (`AmazonEC2/current/<region>/index.json`): hundreds of megabytes, so it is streamed.

Of its products those of Linux on shared tenancy without further software, used on demand; reserved terms are not
read, which is said. Regions are the codes that the list itself gives.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, BinaryIO

from scoring.model.contract import PriceBook, PriceRow, Source
from scoring.model.problem import Problem
from scoring.prices.collected import Collected
from scoring.problems import error, info, question
from scoring.reading.charset import decode
from scoring.reading.limits import HEAD_BYTES, MAX_FILE_BYTES
from scoring.reading.posted import PostedFile

WANTED = {
    "operatingSystem": "Linux",
    "tenancy": "Shared",
    "preInstalledSw": "NA",
    "capacitystatus": "Used",
    "operation": "RunInstances",
}
"""What a product must be, where it says so."""
FAMILIES = ("Compute Instance", "Compute Instance (bare metal)")
RESERVED = re.compile(rb'"Reserved"\s{0,20}:\s{0,20}\{')
PIECE, OVERLAP = 2**20, 64
MAX_DEPTH = 200
SLICE = 1_024
MAX_PRODUCTS = 200_000
PAGE = "https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-service-price-list-file-for-services.html"
_AMOUNT = re.compile(r"\d{1,7}(?:\.\d{1,20})?\Z", re.ASCII)
_CURRENCY = re.compile(r"[A-Z]{3}\Z")
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:T|\Z)", re.ASCII)


class _Shallow:
    """A stream that refuses nesting which no price list has: the parser's time grows with its square."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._depth = stream, 0

    def read(self, size: int) -> bytes:
        """The next bytes. Raises ValueError for too deep a nesting; brackets in texts are close to balanced."""
        data = self._stream.read(size)
        for at in range(0, len(data), SLICE):
            part = data[at : at + SLICE]
            self._depth += part.count(b"[") + part.count(b"{") - part.count(b"]") - part.count(b"}")
            if self._depth > MAX_DEPTH:
                raise ValueError("nested too deeply")
        return data


def _items(stream: BinaryIO, below: str) -> Iterator[tuple[str, Any]]:
    """The keys and values of one object of the document, one after the other."""
    import ijson

    yield from ijson.kvitems(_Shallow(stream), below)


class _Odd(Exception):
    """A term that is not built as documented."""


@dataclass(frozen=True)
class _Product:
    """An instance type in a region."""

    instance_type: str
    region: str
    accelerators: int | None


def is_price_list(posted: PostedFile) -> bool:
    """Whether the head of a file is that of a price list."""
    text, _, _ = decode(posted.read(min(HEAD_BYTES, 8_192)))
    return text.lstrip().startswith("{") and ('"offerCode"' in text or '"products"' in text)


def read_price_list(posted: PostedFile) -> tuple[PriceBook, list[Problem]]:
    """On-demand prices by type and region, each with its SKU and the day from which it holds."""
    if posted.size > MAX_FILE_BYTES:
        details = {"found": f"{posted.size:,} bytes", "expected": f"{MAX_FILE_BYTES:,} bytes"}
        return PriceBook(), [error("file-too-large", file=posted.name, **details)]
    import ijson  # of no use to anything else

    collected = Collected(posted.name)
    try:
        products = _products(posted, collected)
        for row in _prices(posted, products, collected):
            collected.add(row)
    except (ijson.JSONError, UnicodeDecodeError, ValueError, RecursionError) as failure:
        return PriceBook(), [error("json-syntax", file=posted.name, found=str(failure)[:200].replace("\n", " "))]
    book, problems = collected.book()
    if _holds(posted, RESERVED):
        problems = [*problems, info("price-terms-left-out", file=posted.name)]
    if not book.rows and not problems:
        problems = [error("prices-without-rows", file=posted.name, expected="products and terms.OnDemand")]
    return book, problems


def _holds(posted: PostedFile, key: re.Pattern[bytes]) -> bool:
    """Whether a key stands anywhere in the file, which is read through in pieces."""
    with posted.open() as stream:
        rest = b""
        while piece := stream.read(PIECE):
            if key.search(rest + piece):
                return True
            rest = piece[-OVERLAP:]
    return False


def _products(posted: PostedFile, collected: Collected) -> dict[str, _Product]:
    """The products that are priced, by their SKU."""
    found: dict[str, _Product] = {}
    codes: dict[str, str] = {}
    nameless: dict[str, tuple[_Product, str]] = {}
    with posted.open() as stream:
        for sku, product in _items(stream, "products"):
            attributes = product.get("attributes") if isinstance(product, dict) else None
            if not isinstance(attributes, dict) or product.get("productFamily", FAMILIES[0]) not in FAMILIES:
                continue
            code, location = attributes.get("regionCode"), str(attributes.get("location", ""))[:100]
            if isinstance(code, str) and code:
                codes[location] = code
            instance_type = attributes.get("instanceType")
            if not isinstance(instance_type, str) or not 0 < len(instance_type) <= 100 or not _wanted(attributes):
                continue
            gpus = str(attributes.get("gpu", ""))
            of_type = _Product(instance_type, str(code or ""), int(gpus) if re.fullmatch("[0-9]{1,3}", gpus) else None)
            if code:
                found[sku] = of_type
            else:
                nameless[sku] = (of_type, location)
            if len(found) + len(nameless) > MAX_PRODUCTS:
                raise ValueError("more products than a price list has")
    for sku, (product, location) in nameless.items():
        if location in codes:
            found[sku] = _Product(product.instance_type, codes[location], product.accelerators)
        else:
            told = f"{product.instance_type} in {location or 'no location'}"
            collected.tell(question("price-region-unknown", file=posted.name, found=told, expected="regionCode"))
    return found


def _wanted(attributes: dict[str, Any]) -> bool:
    return all(attributes.get(name, value) == value for name, value in WANTED.items()) and (
        attributes.get("marketoption", "OnDemand") == "OnDemand"
    )


def _prices(posted: PostedFile, products: dict[str, _Product], collected: Collected) -> Iterator[PriceRow]:
    with posted.open() as stream:
        for sku, offers in _items(stream, "terms.OnDemand"):
            product = products.get(sku)
            for offer in offers.values() if product and isinstance(offers, dict) else ():
                assert product is not None  # noqa: S101 - no offers are looked at without it
                try:
                    price, currency, on = _price(offer)
                except _Odd as odd:
                    place = {"file": posted.name, "column": f"terms.OnDemand.{sku}"[:100]}
                    collected.tell(error("price-invalid", **place, found=str(odd)[:60], expected="a price per hour"))
                    continue
                yield PriceRow(
                    cloud="aws",
                    region=product.region,
                    instance_type=product.instance_type,
                    accelerator_count=product.accelerators,
                    on_demand_price=price or None,
                    currency=currency,
                    source=Source(file=posted.name, origin=f"{posted.name}, SKU {sku[:40]}", on=on),
                )


def _price(offer: Any) -> tuple[Decimal, str, date | None]:
    """The price of an hour, its currency, and the day from which it holds."""
    dimensions = offer.get("priceDimensions") if isinstance(offer, dict) else None
    listed = list(dimensions.values()) if isinstance(dimensions, dict) else []
    hourly = [d for d in listed if isinstance(d, dict) and str(d.get("unit")).casefold() in ("hrs", "hours")]
    per_unit = hourly[0].get("pricePerUnit") if len(hourly) == 1 else None
    if not isinstance(per_unit, dict) or len(per_unit) != 1:
        raise _Odd(f"{len(hourly)} hourly prices")
    currency, amount = next(iter(per_unit.items()))
    if not _CURRENCY.match(currency) or not _AMOUNT.match(str(amount)):
        raise _Odd(f"{amount} {currency}")
    day = _DAY.match(str(offer.get("effectiveDate", "")))
    try:
        return Decimal(str(amount)), currency, date.fromisoformat(day[1]) if day else None
    except ValueError:
        raise _Odd(str(offer.get("effectiveDate"))) from None
