"""Vendors' rules, dated and with their page; a contract's own terms win over them."""

from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

import yaml
from pydantic import Field

from scoring.model.base import Value
from scoring.model.money import Currency

FILE = Path(__file__).with_name("rules.yml")


class ExtensionStep(Value):
    """A length is extended by `days` at a time until it has `up_to_days` in all."""

    days: int = Field(gt=0)
    up_to_days: int = Field(gt=0)


class VendorRule(Value):
    """One rule: `day` from which it holds, its figures by their unit, and where it is written."""

    page: str
    seen_on: date
    day: date | None = None
    share: Decimal | None = Field(default=None, ge=0, le=1)
    amount: Decimal | None = Field(default=None, ge=0)
    currency: Currency | None = None
    window_days: int | None = Field(default=None, gt=0)
    opens_days_before: int | None = Field(default=None, ge=0)
    closes_days_before: int | None = Field(default=None, ge=0)
    steps: tuple[ExtensionStep, ...] = ()


@cache
def vendor_rules() -> dict[str, VendorRule]:
    """All rules by name, read once."""
    listed = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return {name: VendorRule.model_validate(rule) for name, rule in listed.items()}


def vendor_rule(name: str) -> VendorRule:
    """A rule by its name."""
    return vendor_rules()[name]


def marketplace_fee() -> Decimal:
    """The share of a sale that Amazon's marketplace of reserved instances keeps."""
    return vendor_rule("aws-marketplace-fee").share or Decimal(0)


def refund_window_days() -> int:
    """For how many days a refund of an Azure reservation counts against the cap."""
    return vendor_rule("azure-refund-cap").window_days or 0


def longest_block_days() -> int:
    """The length that no extension of a capacity block may pass."""
    return max(step.up_to_days for step in vendor_rule("aws-capacity-block-extension").steps)
