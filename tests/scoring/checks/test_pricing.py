"""Spot beside anything else is refused until the team says that it means it."""

from typing import Any

import pytest

from scoring.checks.pricing import check
from tests.scoring.scenes import Posted, run, scene, settings, short, summary

MIXED = ("pricing-mixed", "error")


def on(arm: str, *terms: str | None) -> Posted:
    return [run(arm, pricing=term) for term in terms]


@pytest.mark.parametrize(
    ("wanted", "incumbent", "candidate"),
    [
        ([], on("gpu", None), on("trn2", None)),
        ([], on("gpu", "on_demand"), on("trn2", "on_demand")),
        ([], on("gpu", "spot", "spot"), on("trn2", "spot")),
        ([], on("gpu", "on_demand"), on("trn2", "quote")),
        ([], on("gpu", "reserved"), on("trn2", None)),
        ([MIXED], on("gpu", "on_demand"), on("trn2", "spot")),
        ([MIXED], on("gpu", "spot"), on("trn2", "reserved")),
        ([MIXED], on("gpu", "spot", "on_demand"), on("trn2", "on_demand")),
        ([MIXED], on("gpu", None), on("trn2", "spot")),
        ([MIXED], on("gpu", "spot", None), on("trn2", "spot")),
        ([MIXED], summary("gpu", n=3, duration_s=(9, 1), pricing="spot"), on("trn2", "on_demand")),
        ([], summary("gpu", n=3, duration_s=(9, 1), pricing="spot"), on("trn2", "spot")),
    ],
)
def test_terms(wanted: list[Any], incumbent: Posted, candidate: Posted) -> None:
    assert short(check(scene(incumbent, candidate))) == wanted


def test_each_arms_terms_are_said() -> None:
    (said,) = check(scene(on("gpu", "spot", "on_demand"), on("trn2", None)))
    assert said.found == "gpu: on_demand, spot; trn2: not given"


def test_a_team_that_accepts_it_is_still_told() -> None:
    shown = scene(on("gpu", "on_demand"), on("trn2", "spot"), settings(mixed_pricing="accept"))
    assert short(check(shown)) == [("pricing-mixed", "warning")]
