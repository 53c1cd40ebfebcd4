"""Every reference value that the methods cover, at its own tolerance; `origin` in the file says where it comes from."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring.model.estimates import DifferenceEstimate, Direction, RatioEstimate
from scoring.statistics import (
    evsi,
    latency,
    multiplicity,
    posterior,
    quality,
    ratio,
    sample_size,
    sequential,
    slow_runs,
)
from scoring.statistics.samples import ArmSample

REFERENCE = Path(__file__).parents[2] / "data" / "reference" / "statistics.json"
CASES = {case["id"]: case for case in json.loads(REFERENCE.read_text(encoding="utf-8"))["cases"]}
PRINTED = {("R_sleep_welch", "df"): 5e-4}
"""R prints these degrees of freedom with three decimals, coarser than the case's tolerance."""

Input = dict[str, Any]


def sample(values: list[float], blocks: bool = False) -> ArmSample:
    labels = tuple(str(i) if blocks else None for i in range(len(values)))
    return ArmSample(cost=tuple(values), work=(1.0,) * len(values), block=labels)


def of_ratio(e: RatioEstimate) -> dict[str, Any]:
    return {"ratio": e.point, "lo": e.lo, "hi": e.hi, "nu": e.nu, "se_log": e.se_log}


def of_difference(e: DifferenceEstimate) -> dict[str, Any]:
    return {"diff": e.point, "mean_diff": e.point, "lo": e.lo, "hi": e.hi, "lower95": e.lower}


def unpaired(i: Input) -> dict[str, Any]:
    return of_ratio(ratio.ratio_of_means(sample(i["A"]), sample(i["B"]), i["conf"]))


def paired(i: Input) -> dict[str, Any]:
    return of_ratio(ratio.ratio_of_means(sample(i["A"], True), sample(i["B"], True), i["conf"]))


def welch(i: Input) -> dict[str, Any]:
    d = quality.welch_difference(i["y"], i["x"], Direction.HIGHER, False, 0.95)
    assert d.point is not None and d.se is not None
    return {"t": d.point / d.se, "df": d.nu, "ci": [d.lo, d.hi]}


def paired_t(i: Input) -> dict[str, Any]:
    d = quality.paired_difference(i["y"], i["x"], Direction.HIGHER, False, 0.95)
    assert d.point is not None and d.se is not None
    return {"t": d.point / d.se, "df": d.nu, "ci": [d.lo, d.hi]}


def wilson(i: Input) -> dict[str, Any]:
    lo, hi = quality.wilson_interval(i["x"], i["n"], 0.95)
    return {"lo": lo, "hi": hi}


def tango(i: Input) -> dict[str, Any]:
    return of_difference(quality.paired_counts_difference(i["b"], i["c"], i["n"], Direction.HIGHER, i["conf"]))


def ranks(i: Input) -> dict[str, Any]:
    lo, hi = latency.order_statistic_ranks(i["n"], i["q"], i["conf"])
    return {"lo_rank": lo, "hi_rank": hi}


def smallest_n(i: Input) -> dict[str, Any]:
    n = latency.smallest_n_for_upper_bound
    return {"two_sided95": [n(q, 0.025) for q in i["q"]], "one_sided95": [n(q, 0.05) for q in i["q"]]}


def half_width(i: Input) -> dict[str, Any]:
    return {"n": sample_size.runs_for_half_width(i["cv"], i["cv"], i["h"], 0.95, 100)}


def seeds(i: Input) -> dict[str, Any]:
    d = quality.paired_difference(i["A"], i["B"], Direction.HIGHER, False, 0.95)
    assert d.point is not None and d.se is not None
    return {"t": (d.point + i["margin"]) / d.se, **of_difference(d)}


def equal_looks(i: Input) -> dict[str, Any]:
    of = {"LD-OBF": sequential.obrien_fleming_spending, "LD-Pocock": sequential.pocock_spending}[i["spending"]]
    fractions = tuple((k + 1) / i["K"] for k in range(i["K"]))
    return {"z": list(sequential.boundaries(fractions, tuple(of(i["alpha"], t) for t in fractions)))}


def looks_from_three(i: Input) -> dict[str, Any]:
    return {"p": sequential.nominal_levels(i["alpha"], tuple(n / i["N"] for n in range(3, i["N"] + 1)))}


def regret(i: Input) -> dict[str, Any]:
    stay, switch, below = posterior.lognormal_regrets(i["m"], i["s"], 1 - i["M"] / i["S"])
    mean = math.exp(i["m"] + i["s"] ** 2 / 2)
    return {"E_theta": mean, "regret_stay": i["S"] * stay, "regret_switch": i["S"] * switch, "p_saves": below}


def further_runs(i: Input) -> dict[str, Any]:
    """The case's text names the worth of a unit of theta, the break-even ratio and the degrees of freedom."""
    se, one_run = i["cv"] * math.sqrt(2 / i["n"]), 2 * i["cv"] ** 2
    value = evsi.value_of_runs(i["ratio"], se, 2 * (i["n"] - 1), 0.95, one_run, np.array([float(i["k_runs"])]))
    return {"EVSI": 2e6 * float(value[0])}


METHODS: dict[str, Callable[[Input], dict[str, Any]]] = {
    "ratio_unpaired_n5": unpaired,
    "ratio_unpaired_n2": unpaired,
    "ratio_paired_n5": paired,
    "ratio_paired_log_n5": lambda i: of_ratio(ratio.paired_log_ratio(i["A"], i["B"], i["conf"])),
    "ratio_geometric_welch_logs": lambda i: of_ratio(ratio.geometric_welch(i["A"], i["B"], i["conf"])),
    "R_sleep_welch": welch,
    "R_sleep_paired": paired_t,
    "wilson_81_263": wilson,
    "tango_40_20_160": tango,
    "tango_12_9_500": tango,
    "mcnemar_exact_12_9": lambda i: {"p": quality.mcnemar_exact(i["b"], i["c"])},
    "orderstat_1000_0.5": ranks,
    "orderstat_1000_0.95": ranks,
    "orderstat_1000_0.99": ranks,
    "orderstat_200_0.99_no_upper": ranks,
    "min_n_quantile_upper": smallest_n,
    "latency_p99_ratio_reps": lambda i: of_ratio(latency.latency_ratio(i["p99_A"], i["p99_B"], 0.95)),
    "holm_bh": lambda i: {"holm": multiplicity.holm(i["p"]), "bh": multiplicity.benjamini_hochberg(i["p"])},
    "R_power_t_test": lambda i: {
        "power": sample_size.power_of(1.0, 1.0, i["delta"], i["n"], 0.025),
    },
    "n_halfwidth_cv0.05_h0.05": half_width,
    "n_halfwidth_cv0.05_h0.03": half_width,
    "n_halfwidth_cv0.02_h0.02": half_width,
    "n_power_cv5_r95": lambda i: {
        "n": sample_size.runs_for_power(i["cv"], i["cv"], i["ratio"], 0.05, 0.8, 100),
    },
    "ni_paired_scores": seeds,
    "landemets_obf_K5": equal_looks,
    "landemets_pocock_K5": equal_looks,
    "landemets_pocock_looks3to10": looks_from_three,
    "expected_regret_normal": regret,
    "evsi_unknown_cv_n3_k3": further_runs,
    "rule_of_three_exact": lambda i: {"upper": [slow_runs.slow_run_bound(n) for n in i["n"]]},
}


def test_every_reference_case_is_covered() -> None:
    assert METHODS.keys() == CASES.keys()


@pytest.mark.parametrize("name", METHODS)
def test_reference_value(name: str) -> None:
    case = CASES[name]
    got = METHODS[name](case["input"])
    compared = [key for key in case["expected"] if key in got]
    assert compared, f"nothing of {name} was compared"
    for key in compared:
        wanted = case["expected"][key]
        if wanted is None or (isinstance(wanted, int) and case["tol"] < 1):
            assert got[key] == wanted, key
        else:
            tolerance = max(case["tol"], PRINTED.get((name, key), 0.0))
            assert got[key] == pytest.approx(wanted, rel=0, abs=tolerance), key


def test_newcombe_against_an_independent_score_inversion() -> None:
    """Newcombe 1998, Table II, row (a): 56/70 against 48/80 gives 0.0524 to 0.3339."""
    d = quality.counts_difference(48, 80, 56, 70, Direction.HIGHER, 0.95)
    assert d.point == pytest.approx(0.2)
    assert d.lo == pytest.approx(0.0524, abs=5e-5)
    assert d.hi == pytest.approx(0.3339, abs=5e-5)


def test_a_relative_margin_is_on_logs() -> None:
    assert quality.margin_of(0.01, relative=True) == pytest.approx(math.log(1.01))
    assert quality.margin_of(0.01, relative=False) == 0.01
