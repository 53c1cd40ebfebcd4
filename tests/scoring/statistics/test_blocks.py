"""Blocks: how much each run counts, and intervals that neither row order, nor arms, nor units can bend."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.model.estimates import Design, RatioEstimate
from scoring.statistics.blocks import design_of_blocks, run_weights
from scoring.statistics.ratio import ratio_of_means
from scoring.statistics.samples import ArmSample

RUNS = st.lists(
    st.tuples(st.floats(1.0, 100.0), st.floats(0.5, 2.0), st.sampled_from(["d1", "d2", "d3", "d4", "d5"])),
    min_size=2, max_size=9,
)  # fmt: skip


def sample(runs: list[tuple[float, float, str]]) -> ArmSample:
    cost, work, block = zip(*runs, strict=True)
    return ArmSample(tuple(cost), tuple(work), tuple(block))


def ratio(a: ArmSample, b: ArmSample) -> RatioEstimate:
    return ratio_of_means(a, b, 0.95)


def same(one: RatioEstimate, other: RatioEstimate) -> bool:
    pairs = ((one.point, other.point), (one.lo, other.lo), (one.hi, other.hi))
    return one.reason == other.reason and all(x == y or x == pytest.approx(y, rel=1e-6) for x, y in pairs)


@pytest.mark.parametrize(
    ("wanted", "a", "b"),
    [
        (Design.BLOCKED, "1123", "1223"),
        (Design.BLOCKED, "1234", "123"),
        (Design.BLOCKED, "123456", "123"),
        (Design.SEPARATE_BLOCKS, "1123", "3345"),
        (Design.SEPARATE_BLOCKS, "12345677", "123"),
        (Design.UNPAIRED, "1234", "1256"),
        (Design.ONE_BLOCK, "111", "1123"),
        (Design.ONE_BLOCK, "1123", "1"),
        (Design.CONFOUNDED, "11", ["2", None]),
        (Design.UNPAIRED, "12", ["2", None]),
        (Design.UNPAIRED, [], []),
    ],
)
def test_designs(wanted: Design, a: str, b: str) -> None:
    assert design_of_blocks(tuple(a), tuple(b)) is wanted
    assert design_of_blocks(tuple(b), tuple(a)) is wanted


@pytest.mark.parametrize(
    ("wanted", "a", "b"),
    [
        ((1, 1, 1, 1), "1122", "12"),
        ((0.75, 0.75, 1.5), "112", "12"),
        ((4 / 3, 4 / 3, 4 / 3, 0), "1234", "1235"),
        ((1, 1, 1), "123", "456"),
        ((1.5, 1.5, 0), "112", "1"),
    ],
)
def test_every_shared_block_counts_alike(wanted: tuple[float, ...], a: str, b: str) -> None:
    assert run_weights(tuple(a), tuple(b))[0] == pytest.approx(wanted)


@settings(max_examples=40)
@given(RUNS, RUNS, st.randoms())
def test_row_order_says_nothing(a: list[tuple[float, float, str]], b: list[tuple[float, float, str]], random) -> None:  # type: ignore[no-untyped-def]
    shuffled = random.sample(a, len(a)), random.sample(b, len(b))
    assert same(ratio(sample(a), sample(b)), ratio(sample(shuffled[0]), sample(shuffled[1])))


@settings(max_examples=40)
@given(RUNS, RUNS)
def test_swapped_arms_invert_the_ratio(a: list[tuple[float, float, str]], b: list[tuple[float, float, str]]) -> None:
    one, other = ratio(sample(a), sample(b)), ratio(sample(b), sample(a))
    assert one.reason == other.reason
    if one.point is not None and one.hi is not None and other.point is not None and other.lo is not None:
        assert np.log(one.point) == pytest.approx(-np.log(other.point), abs=1e-9)
        assert one.hi * other.lo == pytest.approx(1, rel=1e-6) or one.hi > 1e100


@settings(max_examples=40)
@given(RUNS, RUNS, st.floats(0.01, 100), st.floats(0.01, 100))
def test_other_units_change_nothing(
    a: list[tuple[float, float, str]], b: list[tuple[float, float, str]], cost: float, work: float
) -> None:
    scaled = [
        replace(s, cost=tuple(c * cost for c in s.cost), work=tuple(w * work for w in s.work))
        for s in (sample(a), sample(b))
    ]
    assert same(ratio(sample(a), sample(b)), ratio(*scaled))


@settings(max_examples=40)
@given(RUNS, RUNS, st.floats(1.0, 3.0))
def test_more_spread_never_narrows(
    a: list[tuple[float, float, str]], b: list[tuple[float, float, str]], factor: float
) -> None:
    """What each run costs beyond its share of the work grows by one factor, the totals stay."""
    plain = sample(a), sample(b)
    weights = run_weights(plain[0].block, plain[1].block)
    wider = []
    for arm, weight in zip(plain, weights, strict=True):
        unit = replace(arm, weight=weight).per_unit or 0.0
        wider.append(
            replace(
                arm, cost=tuple(unit * w + factor * (c - unit * w) for c, w in zip(arm.cost, arm.work, strict=True))
            )
        )
    before, after = ratio(*plain), ratio(*wider)
    if before.se_log is not None and after.se_log is not None and after.method == before.method:
        assert after.se_log >= before.se_log * (1 - 1e-9)


@pytest.mark.parametrize(("blocks", "lone"), [(3, 0), (5, 0), (4, 2)])
def test_uneven_blocks_keep_their_coverage(blocks: int, lone: int) -> None:
    """Day spread 10 %, run spread 3 %, one to five runs a block: .93 to .98, within three standard errors."""
    rng, held, draws = np.random.default_rng(20261202), 0, 600
    for _ in range(draws):
        day = rng.gamma(100, 0.01, blocks + 2 * lone)
        arms = []
        for level, own in ((100.0, range(blocks, blocks + lone)), (80.0, range(blocks + lone, blocks + 2 * lone))):
            labels = [j for j in [*range(blocks), *own] for _ in range(rng.integers(1, 6))]
            cost = level * day[labels] * rng.gamma(1111, 1 / 1111, len(labels))
            arms.append(ArmSample(tuple(cost), (1.0,) * len(labels), tuple(f"d{j}" for j in labels)))
        found = ratio(*arms)
        held += found.lo is not None and found.hi is not None and found.lo <= 0.8 <= found.hi
    assert 0.93 - 0.027 <= held / draws <= 0.98 + 0.017
