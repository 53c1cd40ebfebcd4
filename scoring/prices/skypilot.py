"""SkyPilot-style catalogues (`catalogs/v8/aws/vms.csv`): a row a zone; streamed, since one cloud has 50,000 of them."""

import csv
import io
import re
from collections.abc import Iterator
from decimal import Decimal

from scoring.model.contract import PriceBook, PriceRow, Source
from scoring.model.problem import Problem
from scoring.prices.collected import Collected
from scoring.problems import error
from scoring.reading.charset import decode
from scoring.reading.posted import PostedFile

COLUMNS = ("InstanceType", "AcceleratorName", "AcceleratorCount", "Price", "SpotPrice", "Region")
OPTIONAL = ("AvailabilityZone", "vCPUs", "MemoryGiB", "GpuInfo", "Arch")
HEADER_BYTES = 4_096
CATALOGUE = "vms"
"""A catalogue's own name; the cloud is the folder that holds it, and stands nowhere in the file."""
MAX_PRICE = 10**7
_PRICE = re.compile(r"\d{1,7}(?:\.\d{1,20})?(?:[eE]-?\d{1,2})?\Z", re.ASCII)
_COUNT = re.compile(r"(\d{1,4})(?:\.0+)?\Z", re.ASCII)


def is_catalogue(posted: PostedFile) -> bool:
    """Whether the first line is the header of a catalogue."""
    text, _, _ = decode(posted.read(HEADER_BYTES))
    return set(COLUMNS) <= {name.strip() for name in text.split("\n", 1)[0].split(",")}


def read_catalogue(posted: PostedFile) -> tuple[PriceBook, list[Problem]]:
    """Prices in USD by type and region; the file holds no date, so its prices have none."""
    collected = Collected(posted.name)
    cloud = posted.folder if posted.stem == CATALOGUE else None
    with posted.open() as stream:
        reader = csv.reader(io.TextIOWrapper(stream, "utf-8", errors="replace", newline=""))
        try:
            header = [name.strip().lstrip("\ufeff") for name in next(reader)]
            places = {name: header.index(name) for name in COLUMNS}
            for row in _rows(reader, places, posted.name, cloud, collected):
                collected.add(row)
                if collected.full:
                    break
        except csv.Error as failure:
            collected.tell(error("csv-syntax", file=posted.name, row=reader.line_num, found=str(failure)[:200]))
    return collected.book()


def _rows(
    reader: "Iterator[list[str]]", places: dict[str, int], file: str, cloud: str | None, collected: Collected
) -> Iterator[PriceRow]:
    for cells in reader:
        line: int = reader.line_num  # type: ignore[attr-defined]
        if not cells:
            continue
        if len(cells) <= max(places.values()):
            found, expected = str(len(cells)), str(max(places.values()) + 1)
            collected.tell(error("ragged-row", file=file, row=line, found=found, expected=expected))
            continue
        named = {name: cells[index].strip() for name, index in places.items()}
        wrong = next((n for n in ("Price", "SpotPrice") if named[n] and _number(named[n]) is None), None)
        wrong = wrong or next((n for n in ("InstanceType", "Region") if not named[n] or len(named[n]) > 100), None)
        if wrong is not None:
            place = {"file": file, "row": line, "column": wrong, "found": named[wrong][:60]}
            collected.tell(error("price-invalid", **place, expected="0 or above" if "Price" in wrong else "a name"))
            continue
        count = _COUNT.match(named["AcceleratorCount"])
        # Every field is checked above; a catalogue of a cloud is read three times as fast.
        yield PriceRow.model_construct(
            cloud=cloud,
            region=named["Region"],
            instance_type=named["InstanceType"],
            accelerator=named["AcceleratorName"][:100] or None,
            accelerator_count=int(count[1]) if count else None,
            on_demand_price=_number(named["Price"]) or None,
            spot_price_min=_number(named["SpotPrice"]) or None,
            source=Source.model_construct(file=file, row=line),
        )


def _number(text: str) -> Decimal | None:
    """A price from 0 on; 0 is how a catalogue says that there is none."""
    number = Decimal(text) if _PRICE.match(text) else None
    return None if number is None or number > MAX_PRICE else number
