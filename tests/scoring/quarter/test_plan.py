"""What a plan is told as: moves with their savings and deadlines, what binds, what is barred, what contradicts."""

from datetime import date
from decimal import Decimal

import numpy as np
import pytest

from scoring.model.contract import Commitment, Contract, Coverage
from scoring.model.leaving import EarlyTermination
from scoring.model.paying import Payment
from scoring.model.settings import CommitmentOption
from scoring.quarter.answer import (
    BarredReason,
    BindingCode,
    ConflictKind,
    Contradiction,
    MoveKind,
    QuarterPlan,
)
from scoring.quarter.plan import plan_of
from scoring.quarter.robust import Scenarios
from scoring.quarter.values import CapacityPool, CommitmentOffer, QuarterInput, Unproven
from tests.scoring.quarter.scenes import option, quarter, renewing, take_or_pay, workload

JUNE = date(2027, 6, 30)
YEAR_END = date(2027, 12, 31)


def planned(given: QuarterInput, scenarios: Scenarios | None = None) -> QuarterPlan:
    found = plan_of(given, scenarios)
    assert isinstance(found, QuarterPlan)
    return found


def switch_case(**terms: object) -> QuarterInput:
    """The reference case `switch_month`: a reservation for six more months, then B is cheaper."""
    work = workload("w", 700, option("a", 55.04), option("b", 21.5, hours_per_unit=900 / 700, migration_cost=40_000))
    return quarter(work, contracts=(take_or_pay("c-1", 720, 30, JUNE, "a", **terms),))


def test_the_reference_case_waits_for_the_end_of_the_reservation() -> None:
    found = planned(switch_case())
    assert found.today.cost == pytest.approx(360_768)
    assert found.optimal.cost == pytest.approx(285_700)
    (move,) = found.moves
    assert (move.kind, move.to_option, move.month, move.deadline) == (MoveKind.MOVE, "b", 6, date(2027, 7, 1))
    assert move.saving == pytest.approx(found.saving) == pytest.approx(75_068)


def test_discounting_is_the_reference_cases() -> None:
    found = planned(switch_case().model_copy(update={"annual_discount_rate": 0.1}))
    assert found.today.cost == pytest.approx(343_160.25262924656)
    assert found.optimal.cost == pytest.approx(273_732.835477287)


def test_a_renewal_that_does_not_pay_is_cancelled_by_its_notice_deadline() -> None:
    found = planned(switch_case(**renewing(40)))
    cancel = next(move for move in found.moves if move.kind is MoveKind.CANCEL)
    assert (cancel.subject, cancel.on, cancel.deadline) == ("c-1", date(2027, 7, 1), date(2027, 5, 31))
    assert found.optimal.cost == pytest.approx(285_700)
    assert found.today.cost == pytest.approx(6 * 21_600 + 6 * 28_800)
    without = sum((6 * 28_800, 6 * 21_600, 0))
    assert cancel.saving == pytest.approx(6 * 28_800)
    assert found.saving == pytest.approx(without - 285_700)


def test_a_renewal_on_request_that_pays_is_asked_for() -> None:
    found = planned(switch_case(**renewing(15, kind="on_request")))
    (move,) = found.moves
    assert (move.kind, move.beyond) == (MoveKind.RENEW, pytest.approx(6 * 10_800))
    assert found.optimal.cost == pytest.approx(6 * 21_600 + 6 * 10_800)


def test_a_missed_notice_leaves_nothing_to_decide() -> None:
    given = switch_case(**renewing(40)).model_copy(update={"today": date(2027, 1, 1)})
    contract = given.contracts[0].model_copy(update={"ends_on": date(2027, 1, 15)})
    found = planned(given.model_copy(update={"contracts": (contract,)}))
    assert not [move for move in found.moves if move.subject == "c-1"]


def test_a_contract_is_left_early_where_its_fee_is_below_what_it_saves() -> None:
    fee = {"early_termination": EarlyTermination(kind="fixed", amount=Decimal(1000), notice_days=10)}
    found = planned(switch_case(**fee))
    leave = next(move for move in found.moves if move.kind is MoveKind.LEAVE)
    assert (leave.month, leave.subject_to, leave.deadline) == (0, ("notice",), date(2026, 12, 22))
    assert found.optimal.cost == pytest.approx(1000 + 40_000 + 12 * 900 * 21.5)


def test_a_commitment_is_bought_for_what_is_used() -> None:
    offer = CommitmentOffer(
        option=CommitmentOption(id="q-1", term_months=12, rate=Decimal(2)), covers=Coverage(instance_types=("a",))
    )
    found = planned(quarter(workload("w", 1_460, option("a", 10.0)), offers=(offer,)))
    (move,) = found.moves
    assert (move.kind, move.instances, move.month) == (MoveKind.BUY, 2, 0)
    hours = (744, 672, 744, 720, 744, 720, 744, 744, 720, 744, 720, 744)
    assert found.optimal.cost == pytest.approx(sum(4 * h + 10 * max(0, 1_460 - 2 * h) for h in hours))


def test_savings_of_moves_that_share_a_contract_do_not_add_up() -> None:
    works = [workload(f"w-{i}", 100, option("a", 10.0), option("b", 9.0)) for i in range(2)]
    found = planned(quarter(*works, contracts=(take_or_pay("c", 150, 1, YEAR_END, "b"),)))
    assert found.saving == pytest.approx(12 * (150 * 10 + 50))
    assert sum(move.saving for move in found.moves) == pytest.approx(12 * 2 * (50 * 10 + 50))
    codes = [(b.code, b.subject, b.worth) for b in found.binding if b.month == 2]
    assert codes == [(BindingCode.CONTRACT_EXHAUSTED, "c", pytest.approx(9.0))]


def test_policy_comes_before_price_and_what_is_barred_says_what_it_could_save() -> None:
    ways = (option("a", 10.0, region="eu"), option("b", 1.0, region="us"), option("c", 5.0, region="EU", proven=False))
    given = quarter(workload("w", 100, *ways), approved_regions=("eu",))
    found = planned(given)
    assert found.moves == ()
    assert [(b.option, b.reason, b.worth) for b in found.barred] == [
        ("b", BarredReason.REGION_NOT_APPROVED, pytest.approx(12 * 900)),
        ("c", BarredReason.NOT_PROVEN, pytest.approx(12 * 500)),
    ]
    flagged = planned(given.model_copy(update={"unproven": Unproven.FLAG}))
    assert [(m.to_option, m.unproven) for m in flagged.moves] == [("c", True)]


def test_a_full_pool_names_who_finds_no_room() -> None:
    works = [workload(f"w-{i}", 100, option("a", 10.0), option("b", 5.0 + i, pool="p")) for i in range(2)]
    pool = CapacityPool(id="p", hours_per_month=(150.0,) * 12)
    found = planned(quarter(*works, pools=(pool,)))
    assert [(m.subject, m.to_option) for m in found.moves] == [("w-0", "b")]
    full = [b for b in found.binding if b.code is BindingCode.POOL_FULL]
    assert [(b.subject, b.workload, b.month, b.worth) for b in full] == [("p", "w-1", 0, pytest.approx(12 * 400))]


def test_caps_and_demands_that_contradict_are_named_and_no_others() -> None:
    works = [workload(f"w-{i}", 100, option("a", 10.0, pool="p" if i else None)) for i in range(4)]
    tight = CapacityPool(id="p", hours_per_month=(1000.0,) * 5 + (250.0,) + (1000.0,) * 6)
    found = plan_of(quarter(*works, pools=(tight,)))
    assert isinstance(found, Contradiction)
    named = [(c.kind, c.subject, c.month) for c in found.conflicts]
    demands = [(ConflictKind.DEMAND, f"w-{i}", None) for i in (1, 2, 3)]
    assert named == [*demands, (ConflictKind.CAP, "p", 5)]
    assert found.smallest


def test_a_workload_that_fits_nowhere_contradicts_alone() -> None:
    found = plan_of(quarter(workload("w", 100, option("a", 1.0, hours_cap=50.0)), workload("v", 1, option("a", 1.0))))
    assert isinstance(found, Contradiction)
    assert [(c.kind, c.subject) for c in found.conflicts] == [(ConflictKind.DEMAND, "w")]
    assert [b.reason for b in found.barred] == [BarredReason.OVER_CAP]


def test_the_order_of_the_input_changes_nothing() -> None:
    works = [workload(f"w-{i}", 100 + i, option("a", 10.0), option("b", 9.0), option("d", 9.0)) for i in range(4)]
    contracts = tuple(take_or_pay(f"c-{i}", 90, 3, JUNE, "b", "d", **renewing(4)) for i in range(3))
    given = quarter(*works, contracts=contracts)
    turned = quarter(
        *(w.model_copy(update={"options": w.options[::-1]}) for w in works[::-1]), contracts=contracts[::-1]
    )
    assert planned(given) == planned(turned) == planned(given)


def test_hours_above_a_minimum_cost_their_rate_only_where_they_are_used() -> None:
    contract = take_or_pay("c", 100, 4, YEAR_END, "a", minimum_utilisation=Decimal("0.5"))
    found = planned(quarter(workload("w", 70, option("a", 10.0)), contracts=(contract,)))
    assert found.optimal.cost == pytest.approx(12 * 70 * 4)


def test_an_overage_rate_below_on_demand_is_lost_with_the_renewal() -> None:
    """With it 6 × (200 + 100 × 4), without 6 × 200 × 10."""
    contract = take_or_pay("c", 100, 2, JUNE, "a", overage_rate=Decimal(4), **renewing())
    found = planned(quarter(workload("w", 200, option("a", 10.0)), contracts=(contract,)))
    assert found.moves == ()
    assert found.optimal.cost == pytest.approx(12 * (200 + 400))
    lapsing = contract.model_copy(update={"renewal": contract.renewal.model_copy(update={"kind": "none", "months": 0})})
    lapsed = planned(quarter(workload("w", 200, option("a", 10.0)), contracts=(lapsing,)))
    assert lapsed.optimal.cost == pytest.approx(6 * 600 + 6 * 2_000)


def test_an_open_capacity_reservation_costs_its_rate_for_each_hour_run_in_or_not() -> None:
    """Two instances at 3 through January's 744 hours; 100 of them are run in, and 50 more are on demand."""
    contract = Contract(
        id="odcr",
        kind="capacity_reservation",
        starts_on=date(2026, 12, 1),
        ends_on=YEAR_END,
        covers=Coverage(instance_types=("a",)),
        commitment=Commitment(instances=Decimal(2)),
        rate=Decimal(3),
    )
    works = (workload("v", 100, option("a", 3.5), months=1), workload("w", 50, option("b", 4.0), months=1))
    found = planned(quarter(*works, months=1, contracts=(contract,)))
    assert found.today.cost == pytest.approx(2 * 744 * 3 + 50 * 4)


def savings_plan(**fields: object) -> Contract:
    given = {
        "id": "sp",
        "kind": "savings_plan_compute",
        "starts_on": date(2026, 1, 1),
        "ends_on": YEAR_END,
        "commitment": Commitment(currency_per_hour=Decimal(1)),
        "rate": Decimal(0),
        "covered_rates": {"a": Decimal(5), "b": Decimal(2)},
        **fields,
    }
    return Contract(**given)  # type: ignore[arg-type]


def test_a_savings_plan_is_a_budget_for_each_month_spent_where_it_saves_most() -> None:
    """January's 744 buy 100 h of b at 2 instead of 8 and 108.8 h of a at 5 instead of 10."""
    works = (workload("v", 100, option("b", 8.0), months=1), workload("w", 200, option("a", 10.0), months=1))
    found = planned(quarter(*works, months=1, contracts=(savings_plan(),)))
    assert found.optimal.cost == pytest.approx(744 + (200 - 544 / 5) * 10)
    paid = savings_plan(payment=Payment(kind="all_upfront", upfront=Decimal(17_520)))
    assert planned(quarter(*works, months=1, contracts=(paid,))).optimal.cost == pytest.approx((200 - 544 / 5) * 10)


def test_a_shortfall_of_a_spend_commitment_makes_staying_with_the_vendor_cheaper() -> None:
    spend = Contract(
        id="edp",
        kind="spend_commitment",
        provider="aws",
        starts_on=date(2027, 1, 1),
        ends_on=YEAR_END,
        commitment=Commitment(currency_total=Decimal(12_000)),
        rate=Decimal(0),
    )
    ways = (option("a", 10.0, cloud="aws"), option("b", 9.0, cloud="gcp"))
    found = planned(quarter(workload("w", 100, *ways), contracts=(spend,)))
    assert (found.moves, found.optimal.cost) == ((), pytest.approx(12_000))
    assert planned(quarter(workload("w", 100, *ways))).optimal.cost == pytest.approx(10_800)


def test_scenarios_say_how_often_a_move_pays_and_what_the_plan_may_cost_more() -> None:
    """The move saves 12 × 100 × (10 − 8θ) − 1,000: it pays while θ is below 1.1458."""
    work = workload("w", 100, option("a", 10.0), option("b", 8.0, migration_cost=1_000))
    theta = np.array([[0.9], [1.1], [1.2], [1.3]])
    found = planned(quarter(work), Scenarios(usages=(("w", "b"),), hours=theta))
    saved = 1_200 * (10 - 8 * theta[:, 0]) - 1_000
    assert found.robustness is not None
    assert [move.pays_in for move in found.moves] == [0.5]
    assert found.robustness.saves_in == 0.5
    assert found.robustness.saving_mean == pytest.approx(saved.mean())
    assert found.robustness.regret == pytest.approx(np.maximum(-saved, 0).mean())
    assert found.robustness.regret_of_today == pytest.approx(np.maximum(saved, 0).mean())


def test_scenarios_tell_a_pool_that_overflows() -> None:
    work = workload("w", 100, option("a", 10.0), option("b", 5.0, pool="p"))
    pool = CapacityPool(id="p", hours_per_month=(130.0,) * 12)
    other = workload("v", 40, option("a", 10.0), option("b", 5.0, pool="p"))
    demand = np.ones((4, 1, 12)) * np.array([0.9, 1.0, 1.2, 1.5])[:, None, None]
    found = planned(quarter(work, other, pools=(pool,)), Scenarios(workloads=("w",), demand=demand))
    assert found.robustness is not None
    assert found.robustness.breaches == {"p": 0.25}
