"""Statements of vendors and teams, in English and Spanish: the ratio that each claims, or the question it is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.vendor_claims import Metric, Statement, Unclear, parse

COST, TIME = Metric.COST, Metric.TIME
READ = [
    # more work for the money is less money for the work
    ("70 % more audio per dollar", COST, 1 / 1.7, "audio_hour"),
    ("70% más audio por dólar", COST, 1 / 1.7, "audio_hour"),
    ("1.7x tokens per dollar", COST, 1 / 1.7, "token"),
    ("1,7x tokens por dólar", COST, 1 / 1.7, "token"),
    ("tokens/$ up 70 %", COST, 1 / 1.7, "token"),
    ("increases tokens per dollar by 70%", COST, 1 / 1.7, "token"),
    ("200 % more tokens per dollar", COST, 1 / 3, "token"),
    ("twice the tokens per dollar", COST, 1 / 2, "token"),
    ("el doble de tokens por dólar", COST, 1 / 2, "token"),
    ("1.5x more tokens at the same cost", COST, 1 / 1.5, None),
    ("2x better price performance", COST, 1 / 2, None),
    # less money for the work
    ("70 % cheaper", COST, 0.3, None),
    ("70 % más barato", COST, 0.3, None),
    ("cuts cost by 40 %", COST, 0.6, None),
    ("reduce el costo en un 40 %", COST, 0.6, None),
    ("rebaja el coste un 40 por ciento", COST, 0.6, None),
    ("40 percent lower cost to train", COST, 0.6, None),
    ("40 % menos de costo por token", COST, 0.6, "token"),
    ("cost per token is 40 % lower", COST, 0.6, "token"),
    ("costs 40 % less per hour of audio", COST, 0.6, "audio_hour"),
    ("saves 40 %", COST, 0.6, None),
    ("ahorra el 40 %", COST, 0.6, None),
    ("-40 % cost", COST, 0.6, None),
    ("half the cost", COST, 0.5, None),
    ("la mitad del costo", COST, 0.5, None),
    ("cuts cost in half", COST, 0.5, None),
    ("a third of the price per token", COST, 1 / 3, "token"),
    ("un tercio del precio", COST, 1 / 3, None),
    ("3x cheaper", COST, 1 / 3, None),
    ("3 veces más barato", COST, 1 / 3, None),
    ("twice as cheap", COST, 0.5, None),
    # a part of it is not a part off it
    ("60 % of the cost", COST, 0.6, None),
    ("el 60 % del costo", COST, 0.6, None),
    ("cost reduced to 60 %", COST, 0.6, None),
    ("reduce el coste al 60 %", COST, 0.6, None),
    ("0.6x the cost", COST, 0.6, None),
    ("cost falls from $10 to $6 per run", COST, 0.6, None),
    ("el costo baja de 10 a 6", COST, 0.6, None),
    # time
    ("2x faster", TIME, 0.5, None),
    ("dos veces más rápido", TIME, 0.5, None),
    ("1.5x throughput", TIME, 1 / 1.5, None),
    ("50% more tokens per second", TIME, 1 / 1.5, "token"),
    ("1,5 veces más muestras por segundo", TIME, 1 / 1.5, "sample"),
    ("saves 40% of the training time", TIME, 0.6, None),
    ("ahorra un 40 % del tiempo", TIME, 0.6, None),
    ("halves training time", TIME, 0.5, None),
    ("1.5x faster at the same cost", TIME, 1 / 1.5, None),
    # a machine's name is no multiple, and hyphens join nothing else
    ("MI300X: 40% more tokens per dollar", COST, 1 / 1.4, "token"),
    ("MI355X delivers 40% more tokens per dollar compared to B200", COST, 1 / 1.4, "token"),
    ("1.9x performance-per-dollar for training throughput", COST, 1 / 1.9, None),
    ("2.1x performance-per-dollar", COST, 1 / 2.1, None),
    ("x2 tokens per dollar", COST, 1 / 2, "token"),
    ("multiplica por cuatro los tokens por dólar", COST, 1 / 4, "token"),
    ("multiplica por 2,5 los tokens por dólar", COST, 1 / 2.5, "token"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "metric", "ratio", "unit"), READ, ids=[row[0] for row in READ])
def test_a_claim_of_at_least_its_figure(text: str, metric: Metric, ratio: float, unit: str | None) -> None:
    claim = parse(text)
    assert isinstance(claim, Statement), claim
    assert (claim.metric, claim.unit, claim.low, claim.is_limit) == (metric, unit, None, False)
    assert claim.ratio == claim.high == pytest.approx(ratio)


BOUNDED = [
    ("at least 40 % cheaper", None, 0.6, False),
    ("more than 40 % cheaper", None, 0.6, False),
    ("40 % cheaper or more", None, 0.6, False),
    ("al menos un 40 % más barato que el H100", None, 0.6, False),
    ("less than 60 % of the cost", None, 0.6, False),
    ("menos de la mitad del costo", None, 0.5, False),
    ("30-50% cheaper", 0.5, 0.7, False),
    ("entre 30 % y 50 % más barato", 0.5, 0.7, False),
    ("Up to 40% lower cost to train", 0.6, None, True),
    ("reduces costs by up to 40 %", 0.6, None, True),
    ("hasta un 40 % más barato", 0.6, None, True),
    ("up to 1.7x tokens per dollar", 1 / 1.7, None, True),
    ("hasta 70 % más tokens por dólar", 1 / 1.7, None, True),
    ("Puede reducir los costes de entrenamiento hasta un 30-40 %", 0.6, None, True),
    ("up to 2-3x more tokens per dollar", 1 / 3, None, True),
    ("up to 10-20 % more expensive", None, 1.2, False),
    ("20 % more expensive", 1.2, None, False),
    ("20 % más caro", 1.2, None, False),
    ("no more than 10 % more expensive", None, 1.1, False),
    ("como máximo un 10 % más caro", None, 1.1, False),
    ("doubles the cost", 2.0, None, False),
    ("takes twice as long", 2.0, None, False),
    ("tarda el doble", 2.0, None, False),
    ("never more than 10 % more expensive", None, 1.1, False),
    ("no less than 40 % cheaper", None, 0.6, False),
    ("no menos de un 40 % más barato", None, 0.6, False),
    ("≥ 40 % cheaper", None, 0.6, False),
    ("< 40 % cheaper", 0.6, None, True),
    ("cost ≤ 60 % of the GPU's", None, 0.6, False),
    ("menos de un tercio del costo", None, 1 / 3, False),
    ("reduce el costo a una cuarta parte", None, 0.25, False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "low", "high", "is_limit"), BOUNDED, ids=[row[0] for row in BOUNDED])
def test_how_far_a_claim_reaches(text: str, low: float | None, high: float | None, is_limit: bool) -> None:
    claim = parse(text)
    assert isinstance(claim, Statement), claim
    assert claim.low == pytest.approx(low)
    assert claim.high == pytest.approx(high)
    assert claim.is_limit is is_limit


ASKED = [
    ("70 % faster", "faster", [(TIME, 1 / 1.7), (TIME, 0.3)]),
    ("un 30 % más rápido", "faster", [(TIME, 1 / 1.3), (TIME, 0.7)]),
    ("30 % slower", "faster", [(TIME, 1 / 0.7), (TIME, 1.3)]),
    ("40% better price-performance", "efficiency", [(COST, 1 / 1.4), (COST, 0.6)]),
    ("un 40 % mejor relación precio-rendimiento", "efficiency", [(COST, 1 / 1.4), (COST, 0.6)]),
    ("70 % more cost-effective", "efficiency", [(COST, 1 / 1.7), (COST, 0.3)]),
    ("70% more tokens", "no-metric", [(COST, 1 / 1.7), (TIME, 1 / 1.7)]),
    ("40 % más eficiente", "no-metric", [(COST, 1 / 1.4), (TIME, 1 / 1.4)]),
    ("40 %", "no-metric", []),
    ("0.6x cheaper", "part-of", [(COST, 0.6), (COST, 1 / 0.6)]),
    ("up to half the cost", "up-to-part", [(COST, 0.5)]),
    ("40 % lower price per hour", "hour-price", []),
    ("150 % cheaper", "beyond-all", []),
    ("5000x cheaper", "beyond-all", []),
    ("not 40 % cheaper", "negated", []),
    ("no es 40 % más barato", "negated", []),
    ("40 % cheaper and 2x faster", "several", []),
    ("1,700x cheaper", "thousands", []),
    ("up to 4x higher throughput and up to 10x lower latency", "several", []),
    ("multiplica por cuatro el rendimiento", "no-metric", [(COST, 1 / 4), (TIME, 1 / 4)]),
    *((text, "part-of", [(COST, part), (COST, 1 - part)])
      for text, part in (("a third cheaper", 1 / 3), ("saves a third", 1 / 3), ("costs a quarter less", 0.25))),
    *((text, "cut-off", []) for text in (
        "1e3x cheaper", ".5x the cost", "2 or 3 times cheaper", "two to three times cheaper",
        "dos o tres veces más barato",
        "40/50 % cheaper", "40–50–60 % cheaper", "-30 to -50 % cost", "one and a half times the throughput",
        "dos veces y media más barato", "half again as many tokens per dollar", "1 1/2 times cheaper")),
    *((text, "negated", []) for text in (
        "hardly 40 % cheaper", "nowhere near 40 % cheaper", "cannot be 40 % cheaper", "≠ 40 % cheaper",
        "apenas un 40 % más barato", "sin ser 40 % más barato", "ni un 40 % más barato")),
    ("1.7x tokens per second per chip", "per-device", []),
    ("2x el rendimiento por segundo por GPU", "per-device", []),
    ("$0.40 per million tokens", "no-figure", []),
    *((text, "no-figure", []) for text in (
        "in 20 % of cases it is cheaper", "40 % of customers save money", "cheaper at 40 % utilisation",
        "más barato en el 40 % de los casos", "40 % chance of being cheaper")),
    ("much cheaper", "no-figure", []),
    ("bananas are yellow", "nonsense", []),
    ("los plátanos son amarillos", "nonsense", []),
    ("", "empty", []),
    ("cheaper " * 100, "long", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "readings"), ASKED, ids=[row[0][:40] for row in ASKED])
def test_what_leaves_a_choice_is_asked(text: str, code: str, readings: list[tuple[Metric, float]]) -> None:
    asked = parse(text)
    assert isinstance(asked, Unclear), asked
    assert asked.code == code
    assert [reading.metric for reading in asked.readings] == [metric for metric, _ in readings]
    assert [reading.ratio for reading in asked.readings] == pytest.approx([ratio for _, ratio in readings])


@pytest.mark.parametrize(
    ("text", "metric"),
    [("30 % fewer watts", Metric.ENERGY), ("1.4x perf/W", Metric.ENERGY), ("40 % lower energy cost", Metric.ENERGY),
     ("un 30 % menos de coste de energía", Metric.ENERGY), ("un 20 % menos de energía", Metric.ENERGY),
     ("50 % lower latency", Metric.LATENCY), ("2 % better accuracy", Metric.QUALITY),
     ("half the memory", Metric.MEMORY)],
)  # fmt: skip
def test_what_no_pilot_compares_has_no_ratio(text: str, metric: Metric) -> None:
    claim = parse(text)
    assert isinstance(claim, Statement)
    assert (claim.metric, claim.ratio) == (metric, None)


def test_what_was_understood_is_told() -> None:
    about, times = parse("about 40 % cheaper"), parse("3x cheaper")
    assert isinstance(about, Statement) and about.notes == ("about",)
    assert isinstance(times, Statement) and times.notes == ("times-more",)


@given(st.integers(1, 99))
def test_more_work_for_the_money_and_less_money_for_the_work_are_different_claims(percent: int) -> None:
    more, less = parse(f"{percent} % more tokens per dollar"), parse(f"{percent} % cheaper per token")
    assert isinstance(more, Statement) and isinstance(less, Statement)
    assert more.ratio == pytest.approx(1 / (1 + percent / 100))
    assert less.ratio == pytest.approx(1 - percent / 100)
    assert more.ratio > less.ratio


@given(st.text(max_size=80), st.sampled_from(["", "40 % cheaper ", "2x faster ", "hasta un 40 % "]))
def test_any_text_is_a_claim_or_a_question(text: str, before: str) -> None:
    claim = parse(before + text)
    if isinstance(claim, Statement) and claim.ratio is not None:
        assert claim.ratio > 0
        assert (claim.low, claim.high) != (None, None)
