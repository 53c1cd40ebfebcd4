"""The quarterly review: what is committed, used, due, decided and brought, as a value."""

from scoring.review.assemble import review

__all__ = ["review"]
