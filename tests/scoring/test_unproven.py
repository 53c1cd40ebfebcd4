"""What nothing proves: which answer money gives, and that no guardrail is passed over."""

from typing import Any

import pytest

from scoring.model.decision import Reason
from scoring.model.regret import Regret, RunOption
from scoring.unproven import Unproven, decide_unproven
from tests.scoring.test_decide import UNSURE, money, ratio

OPEN = Reason(code="interval-holds-break-even", arguments={"k": 1.0})
BEFORE, MADE = {"done": 5}, {"done": 30}


def option(net: float, runs: int = 4) -> RunOption:
    return RunOption(runs=runs, value=100 + net, run_cost=90, delay_cost=10, net=net)


def regret(
    chance: float = 0.8, switch: float | None = 10.0, stay: float | None = 60.0, net: float | None = -5.0, **other: Any
) -> Regret:
    known: dict[str, Any] = {
        "currency": "USD",
        "break_even_theta": 1.0,
        "prior_sd": 0.5,
        "posterior_mean": 0.95,
        "credible_lo": 0.9,
        "credible_hi": 1.0,
        "p_saves": chance,
        "regret_switch": switch,
        "regret_stay": stay,
        "evpi": None if switch is None or stay is None else min(switch, stay),
        "cost_per_run": None if switch is None else 20.0,
        "best": None if net is None else option(net),
    }
    return Regret(**{**known, **other})


SAVES, LOSES = regret(), regret(0.3, 60.0, 10.0)
PAYS, LOSES_AND_PAYS = regret(net=7.0), regret(0.3, 60.0, 10.0, net=7.0)
LIKELY, UNLIKELY = regret(0.8, None, None, None), regret(0.3, None, None, None)
MADE_SAVES, MADE_LOSES = regret(net=None), regret(0.3, 60.0, 10.0, net=None)


def case(known: Regret | None = SAVES, **other: Any) -> Unproven:
    facts: dict[str, Any] = {"theta": UNSURE, "k": 1.0, "economics": money(), "done": 5, "planned": 30, "open_by": OPEN}
    return Unproven(regret=known, **{**facts, **other})


def answer(asked: Unproven) -> tuple[str | None, list[str]]:
    verdict = decide_unproven(asked)
    assert verdict.basis is not None
    assert verdict.basis.value == "economic"
    return verdict.word.value if verdict.word else None, [r.code for r in verdict.reasons]


HOLDS = "interval-holds-break-even"
SPLIT_TOO_SMALL = money(1, 2, 2, (1, 1))
WER: dict[str, Any] = {"undecided": ("wer",)}
TABLE: list[tuple[tuple[str, list[str]], Unproven]] = [
    # money is known: more runs while they pay, then the smaller expected loss
    (("EXTEND", [HOLDS, "runs-pay"]), case(PAYS)),
    (("EXTEND", [HOLDS, "runs-pay"]), case(LOSES_AND_PAYS)),
    (("SWITCH", [HOLDS, "economic-switch", "no-run-pays"]), case(SAVES)),
    (("STAY", [HOLDS, "economic-stay", "no-run-pays"]), case(LOSES)),
    (("SWITCH", [HOLDS, "economic-switch", "planned-runs-made"]), case(MADE_SAVES, **MADE)),
    (("STAY", [HOLDS, "economic-stay", "planned-runs-made"]), case(MADE_LOSES, **MADE)),
    (("SWITCH", [HOLDS, "economic-switch", "no-run-pays", "move-now"]), case(economics=money(1, 0, 0, (1, 1)))),
    (("SPLIT", [HOLDS, "economic-switch", "no-run-pays", "split-overflow-first"]),
     case(economics=money(1, 0, 1, (1, 1)))),
    # the best plan stays though moving is likely to save
    (("STAY", [HOLDS, "gain-too-small"]), case(theta=ratio(0.8, 0.9, 1.1), economics=SPLIT_TOO_SMALL)),
    (("STAY", [HOLDS, "point-stay"]), case(theta=ratio(0.8, 1.01, 1.1), economics=SPLIT_TOO_SMALL)),
    (("STAY", ["gain-too-small"]),
     case(theta=ratio(0.8, 0.9, 0.95), economics=SPLIT_TOO_SMALL, open_by=None, **WER)),
    # no money: the planned runs first, then the better chance
    (("EXTEND", [HOLDS]), case(LIKELY)),
    (("EXTEND", [HOLDS]), case(UNLIKELY)),
    (("SWITCH", [HOLDS, "economic-switch", "planned-runs-made"]), case(LIKELY, **MADE)),
    (("STAY", [HOLDS, "economic-stay", "planned-runs-made"]), case(UNLIKELY, **MADE)),
    # money without the cost of a run: the same, by the smaller loss
    (("EXTEND", [HOLDS]), case(regret(cost_per_run=None, best=None))),
    (("SWITCH", [HOLDS, "economic-switch", "planned-runs-made"]), case(regret(0.4, cost_per_run=None), **MADE)),
    # no posterior: the planned runs first, then the measured ratio
    (("EXTEND", [HOLDS]), case(None)),
    (("SWITCH", [HOLDS, "point-switch", "planned-runs-made"]), case(None, theta=ratio(0.1, 0.2, 1.1), **MADE)),
    (("STAY", [HOLDS, "point-stay", "planned-runs-made"]), case(None, theta=ratio(0.1, 1.0, 9.0), **MADE)),
    # a guardrail that is not shown to hold
    (("EXTEND", ["guardrail-undecided"]), case(open_by=None, **WER)),
    (("EXTEND", [HOLDS, "guardrail-undecided"]), case(SAVES, **WER)),
    (("EXTEND", [HOLDS, "runs-pay", "guardrail-undecided"]), case(PAYS, guardrail_runs={"wer": 9}, **WER)),
    (("EXTEND", [HOLDS, "guardrail-undecided", "guardrail-undecided"]),
     case(SAVES, undecided=("wer", "ttft_p99"), guardrail_runs={"wer": 9})),
    (("STAY", ["guardrail-undecidable"]), case(open_by=None, guardrail_runs={"wer": None}, **WER)),
    (("STAY", ["guardrail-undecidable"]), case(PAYS, guardrail_runs={"wer": None}, **WER)),
    (("STAY", ["guardrail-undecidable"]), case(MADE_SAVES, **MADE, **WER)),
    (("STAY", ["guardrail-undecidable"]), case(LIKELY, **MADE, **WER)),
    (("STAY", ["guardrail-undecidable"]),
     case(SAVES, undecided=("wer", "cer"), guardrail_runs={"wer": None, "cer": 3})),
    # a guardrail that no look is left for
    (("STAY", ["guardrail-not-judged"]), case(MADE_SAVES, **MADE, **WER, looks_used_up=True)),
    (("STAY", ["guardrail-not-judged"]),
     case(SAVES, open_by=None, guardrail_runs={"wer": None}, **WER, looks_used_up=True)),
    (("EXTEND", [HOLDS, "guardrail-undecided"]), case(SAVES, guardrail_runs={"wer": 9}, **WER, looks_used_up=True)),
    # and none need be settled for a move that is not worth making
    (("STAY", [HOLDS, "economic-stay", "no-run-pays"]), case(LOSES, guardrail_runs={"wer": 9}, **WER)),
    (("STAY", [HOLDS, "economic-stay", "planned-runs-made"]), case(UNLIKELY, **MADE, **WER)),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "asked"), TABLE)
def test_rules(wanted: tuple[str, list[str]], asked: Unproven) -> None:
    assert answer(asked) == wanted


@pytest.mark.parametrize(("wanted", "chance"), [(99, 0.99999), (80, 0.8), (50, 0.5), (1, 1e-9)])
def test_a_chance_is_never_told_as_certain(wanted: int, chance: float) -> None:
    reasons = {r.code: r.arguments for r in decide_unproven(case(regret(chance))).reasons}
    assert reasons["economic-switch"] == {"chance": wanted}


def test_equal_losses_keep_what_is_there() -> None:
    assert answer(case(regret(0.5, 10.0, 10.0)))[0] == "STAY"
    assert answer(case(regret(0.5, None, None, None), **MADE))[0] == "STAY"


def test_the_plan_that_is_told_is_the_one_that_was_planned() -> None:
    """Eleven runs of ten planned: ten were planned."""
    verdict = decide_unproven(case(MADE_SAVES, done=11, planned=10))
    assert [r.arguments for r in verdict.reasons if r.code == "planned-runs-made"] == [{"runs": 10}]
