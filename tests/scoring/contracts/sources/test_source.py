"""A contract keeps what its book names as its source: the vendor's id, the page that documents it, the day."""

from datetime import date

import pytest

from scoring.contracts.book import read_contracts
from scoring.model.contract import Source
from scoring.reading.posted import PostedFile

BOOK = """contracts:
  - id: a
    kind: reservation
    starts_on: 2026-07-01
    ends_on: 2027-06-30
    instances: 1
    rate: 10
"""


@pytest.mark.parametrize(
    ("wanted", "source"),
    [
        ((None, None), ""),
        (("order form 12", None), "    source: order form 12\n"),
        (
            ("arn:1, https://example.com/page", date(2026, 12, 2)),
            "    source:\n      origin: arn:1\n      url: https://example.com/page\n      date: 2026-12-02\n",
        ),
        (("arn:1", None), "    source:\n      origin: arn:1\n      date: 2026-02-30\n"),
    ],
)
def test_source(wanted: tuple[str | None, date | None], source: str) -> None:
    (contract,), _ = read_contracts(PostedFile.from_bytes("contracts.yml", (BOOK + source).encode()))
    assert contract.source == Source(file="contracts.yml", row=2, origin=wanted[0], on=wanted[1])
