"""Price books: what an instance type costs by the hour, in which region, by which source; a missing price stays one.

A file is recognised by what it holds: a table, a SkyPilot catalogue, or a price list of AWS.
"""

from scoring.model.contract import PriceBook
from scoring.model.problem import Problem
from scoring.prices.aws_price_list import is_price_list, read_price_list
from scoring.prices.csv_book import MAX_PROBLEMS, read_csv_book
from scoring.prices.find import FoundPrice, find_price
from scoring.prices.skypilot import is_catalogue, read_catalogue
from scoring.reading.posted import PostedFile

__all__ = ["MAX_PROBLEMS", "FoundPrice", "find_price", "read_prices"]

FORMATS = ((is_price_list, read_price_list), (is_catalogue, read_catalogue))
"""Whether a file is of a format, and its reader; what none of them knows is a table."""


def read_prices(posted: PostedFile) -> tuple[PriceBook, list[Problem]]:
    """The price book of a file; what holds no price, or two at once, is told with its place."""
    read = next((read for recognises, read in FORMATS if recognises(posted)), read_csv_book)
    book, problems = read(posted)
    return book, problems[:MAX_PROBLEMS]
