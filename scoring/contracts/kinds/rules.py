"""Vendors' rules, dated and with their page; a contract's own terms win over them."""

from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

import yaml

from scoring.model.base import Value

FILE = Path(__file__).with_name("rules.yml")


class VendorRule(Value):
    """One rule: `day` from which it holds, `share` or `days` where it has a figure, and where it is written."""

    day: date
    page: str
    seen_on: date
    share: Decimal | None = None


@cache
def vendor_rules() -> dict[str, VendorRule]:
    """All rules by name, read once."""
    listed = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return {name: VendorRule.model_validate(rule) for name, rule in listed.items()}


def vendor_rule(name: str) -> VendorRule:
    """A rule by its name."""
    return vendor_rules()[name]
