"""What is proposed for a statement that is asked back means, when it is written, what it was proposed for."""

import re

import pytest

from bot.render.claim import render_unclear
from scoring.vendor_claims import Statement, Unclear, parse

ASKED = (
    "40% better price-performance",
    "up to 40% better price-performance",
    "hasta un 40 % mejor relación precio-rendimiento",
    "70 % faster",
    "up to 70 % faster",
    "30 % slower",
    "up to 3x tokens",
    "multiplica por cuatro el rendimiento",
    "a third cheaper",
)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("text", ASKED)
def test_a_proposal_is_read_as_its_reading(text: str, language: str) -> None:
    unclear = parse(text)
    assert isinstance(unclear, Unclear)
    proposed = re.findall(r"^- .*`([^`]+)`$", render_unclear(unclear, language), re.MULTILINE)
    assert len(proposed) == len(unclear.readings) > 0
    for words, reading in zip(proposed, unclear.readings, strict=True):
        claim = parse(words)
        assert isinstance(claim, Statement), words
        assert claim.metric is reading.metric
        assert claim.ratio == pytest.approx(reading.ratio, rel=0.005)
        assert claim.is_limit is (text.startswith(("up to", "hasta")) and reading.ratio < 1)
