"""Margins that nobody chose, or that look like those of another unit."""

from collections.abc import Sequence

from scoring.model.decision import QualityComparison
from scoring.model.problem import Problem
from scoring.problems import question, warning

WIDE = 0.25
"""Of the incumbent's mean: an absolute margin above it was hardly given in the metric's unit."""


def margins_asked(quality: Sequence[QualityComparison], incumbent: str) -> list[Problem]:
    """Margins that nobody chose, that may be of another unit, or that are too wide to guard anything."""
    problems = []
    for q in quality:
        mean = q.arms[incumbent].mean
        if q.margin_is_default:
            problems.append(warning("margin-is-default", metric=q.metric, share=q.margin))
        elif not q.margin_is_relative and mean and q.margin > WIDE * abs(mean):
            problems.append(question("margin-too-wide", metric=q.metric, found=f"{q.margin:g}", expected=f"{mean:.4g}"))
    return problems
