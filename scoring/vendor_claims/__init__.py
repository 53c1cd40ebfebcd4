"""A statement about cost or time, such as "70 % more audio per dollar": read as a ratio, and held against a pilot."""

from scoring.vendor_claims.judge import judge
from scoring.vendor_claims.parse import parse
from scoring.vendor_claims.values import Judgement, Metric, Reading, Statement, Unclear, Word

__all__ = ["Judgement", "Metric", "Reading", "Statement", "Unclear", "Word", "judge", "parse"]
