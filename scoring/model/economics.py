"""What the contracts do to the decision: the months, the plans over them, and the prices at which the answer flips."""

from datetime import date
from enum import StrEnum

from scoring.model.base import Value
from scoring.model.odds import Negotiation, Odds
from scoring.model.switching import (
    FurtherMonth,
    OptionTaken,
    OptionWeighed,
    OtherWork,
    RecoveryWeighed,
    Release,
    TrueUp,
)
from scoring.model.timing import Timing


class Band(Value):
    """A value with the ends that it takes at the ends of the ratio's interval."""

    point: float
    lo: float | None = None
    hi: float | None = None


class ArmFlow(Value):
    """What an arm needs and pays: instance-hours for a unit of work, and the price of an instance-hour.

    `price_per_hour` None: the price is not known, and only a walk-away price can be told.
    """

    arm: str
    hours_per_unit: float
    price_per_hour: float | None
    instance_type: str | None = None
    region: str | None = None


class ContractMonth(Value):
    """One contract in one month: hours and cost; `used_hours` is at STAY (the whole demand on the incumbent).

    `cost` holds an upfront payment of the month. `overage_rate` is its price of an hour above, where it names one.
    """

    contract_id: str
    committed_hours: float
    used_hours: float
    wasted_hours: float
    cost: float
    renewed: bool = False
    overage_rate: float | None = None


class Month(Value):
    """One month of the horizon. Hours are instance-hours, costs are in the decision's currency, undiscounted.

    `factor` is (1 + r)^(−index/12), cash at the start of the month. `need_*_hours` are for the whole demand.
    `partial_share` and `full_share` are the shares of the demand that the candidate takes at those levels of
    a plan (overflow or capacity first; everything that capacity allows). The three costs hold the commitments,
    overage, the candidate's hours and what freed hours save; the one-off migration cost is not in them. The
    `renewed_*` fields are the incumbent's commitments were every automatic renewal let happen. Given with other work:
    of the committed hours it may use `reusable_hours`, of those that are held were nothing left early nor renewed
    (`held_hours`) it may use `held_reusable_hours`. `renewals` are the terms that come on top of `contracts`
    where staying lets the contracts of `stay_renews` renew; `stay_contracts` is all that is held at staying, given
    where a contract is left early. `further` and, at the stay that the `renewed_*` fields tell, `renewed_further` are
    given where contracts make hours cheaper beyond the committed ones.
    """

    index: int
    starts_on: date
    calendar_hours: int
    factor: float
    demand_units: float
    need_incumbent_hours: float
    need_candidate_hours: float
    committed_incumbent_hours: float
    committed_candidate_hours: float
    commitment_cost: float
    incumbent_overage_rate: float
    candidate_price: float
    partial_share: float
    full_share: float
    stay_cost: float
    partial_cost: float
    full_cost: float
    renewed_committed_hours: float
    renewed_commitment_cost: float
    renewed_overage_rate: float
    stay_renewed_cost: float
    option_hours: float = 0.0
    option_cost: float = 0.0
    reusable_hours: float = 0.0
    renewed_reusable_hours: float = 0.0
    held_hours: float = 0.0
    held_reusable_hours: float = 0.0
    contracts: tuple[ContractMonth, ...] = ()
    renewals: tuple[ContractMonth, ...] = ()
    stay_contracts: tuple[ContractMonth, ...] | None = None
    moved_share: float | None = None
    gone_share: float | None = None
    plan_cost: float | None = None
    parallel_hours: float = 0.0
    parallel_cost: float = 0.0
    further: FurtherMonth | None = None
    renewed_further: FurtherMonth | None = None

    @property
    def staying(self) -> tuple[ContractMonth, ...]:
        """What is held at the stay that the `renewed_*` fields tell."""
        return self.contracts + self.renewals if self.stay_contracts is None else self.stay_contracts


class Plan(Value):
    """A share per month: nothing before `starts_at`, the partial share until `full_at`, the full share after.

    Where moves take months, those are the months in which the moves begin.

    Months are indices into the horizon; `full_at` equal to the horizon's length means never. `starts_at` equal
    to the horizon's length is staying. `npv` is a cost: lower is better. `saving` is against the best stay.
    """

    starts_at: int
    full_at: int
    npv: float
    saving: float


class DeadlineStatus(StrEnum):
    """Whether notice can still be given."""

    DUE = "due"
    MISSED = "missed"
    NONE = "none"


class Deadline(Value):
    """The last day on which notice is in time, and what missing it costs.

    `cost_of_missing` compares the recommended plan with the contract renewed against it as planned; None
    where nothing renews or no plan could be computed. `cost_of_having_missed` is what the recommended plan costs more
    than the best one would, had notice been given in time; None unless it was missed.
    """

    contract_id: str
    ends_on: date
    notice_deadline: date | None
    days_left: int | None
    status: DeadlineStatus
    renewal: str
    renewed_until: date | None = None
    new_obligation: float | None = None
    cost_of_missing: float | None = None
    cost_of_having_missed: float | None = None


class WalkAway(Value):
    """Hourly prices at which the recommended plan saves nothing; above (candidate) or below (incumbent) it flips."""

    candidate_price: Band | None = None
    incumbent_price: Band | None = None


class Economics(Value):
    """The timeline's answer. `reason` names why there is none (`no-demand`, `no-hours`, `no-price` …).

    `break_even_hours_ratio` is the ratio of candidate to incumbent hours per unit at which the recommended plan (or,
    where staying is best, the best plan that moves at all) costs what staying costs; `break_even_theta` is the same on
    the scale of the cost ratio: the k of the verdict. `value_per_theta` is the S beside it: the plan saves about
    S·(k − theta); None where there is no plan, or no ratio breaks even. `switch_npv_by_month[s]` is everything at
    month s.
    `stay_npv` is the cheaper of letting all contracts lapse and letting those of `stay_renews` renew, the set that
    makes staying cheapest.
    `incumbent_contracts` and `candidate_contracts` are the ids that each arm's hours draw on; those of
    `shared_contracts`, which both draw on, are among the incumbent's.
    `stay_renews_again` renew more than once where that makes staying cheapest, until a day. `cut_by` begin, end or
    change within a month of the horizon, where their hours serve their own days alone.
    `contracts_by_month` are those whose hours and cost of a month do not follow from one amount of hours and one rate
    (a ramp, a savings plan, a payment to come, another size, another currency): `months` holds them.
    `saving` is the recommended plan's, with its values at the ends of the ratio's interval (lo ≤ point ≤ hi).
    `npv_by_start[s]` is the cheapest plan that begins in month s; `timing` why the recommended plan has its month.
    `odds` is that plan in draws of the ratio and of demand, None without a posterior of the ratio; `negotiation` what
    other terms would be worth.
    `move_releases` are the contracts that moving leaves early: the months, their plans and the curve over s hold
    it; `stay_releases` those that the cheapest stay leaves, which `stay_renewed_npv` then is. `recoveries` holds
    each way of leaving against keeping. `certain_saving` is what the best plan saves that counts on no buyer and on
    nobody's consent, `certain_plan` that plan; None where the recommended one counts on none. `other_work` may use
    freed hours: were nobody to use them, the best plan would save `saving_without_other_work` (given where the
    recommended plan moves). `option` is the commitment of the candidate that the best move takes up (its hours and
    cost are in the months, `option_hours` and `option_cost` of each), `options` each one against none.
    `true_ups` are the periods of spend commitments: their charges are in every NPV and in no month's cost.
    By `migration_ramp` that share of a move has moved in its first month, its second, …; in the `parallel_months` from
    then on the incumbent runs it too: `parallel_cost` is what that costs in the plan whose months are told, discounted,
    None where work moves at once.
    """

    currency: str
    horizon_months: int
    starts_on: date
    annual_discount_rate: float
    migration_cost: float
    hours_ratio: float | None = None
    reuse_share: float = 0.0
    reuse_value_per_hour: float | None = None
    capacity_hours_per_month: float | None = None
    split_minimum_gain: float = 0.0
    migration_ramp: tuple[float, ...] = (1.0,)
    parallel_months: int = 0
    parallel_cost: float | None = None
    incumbent: ArmFlow | None = None
    candidate: ArmFlow | None = None
    incumbent_contracts: tuple[str, ...] = ()
    candidate_contracts: tuple[str, ...] = ()
    shared_contracts: tuple[str, ...] = ()
    contracts_by_month: tuple[str, ...] = ()
    cut_by: tuple[str, ...] = ()
    months: tuple[Month, ...] = ()
    stay_npv: float | None = None
    stay_lapse_npv: float | None = None
    stay_renewed_npv: float | None = None
    stay_renews: tuple[str, ...] = ()
    stay_renews_again: tuple[tuple[str, date], ...] = ()
    switch_npv_by_month: tuple[float, ...] = ()
    best_switch_month: int | None = None
    best_full: Plan | None = None
    best: Plan | None = None
    saving: Band | None = None
    break_even_hours_ratio: float | None = None
    break_even_theta: float = 1.0
    value_per_theta: float | None = None
    walk_away: WalkAway = WalkAway()
    odds: Odds | None = None
    negotiation: Negotiation | None = None
    npv_by_start: tuple[float, ...] = ()
    timing: Timing | None = None
    deadlines: tuple[Deadline, ...] = ()
    move_releases: tuple[Release, ...] = ()
    stay_releases: tuple[Release, ...] = ()
    recoveries: tuple[RecoveryWeighed, ...] = ()
    option: OptionTaken | None = None
    options: tuple[OptionWeighed, ...] = ()
    certain_saving: float | None = None
    certain_plan: Plan | None = None
    other_work: tuple[OtherWork, ...] = ()
    other_work_not_covered: tuple[str, ...] = ()
    saving_without_other_work: float | None = None
    true_ups: tuple[TrueUp, ...] = ()
    reason: str | None = None

    @property
    def moves_at_once(self) -> bool:
        """Whether a move is complete, and the incumbent left, in the month in which it begins."""
        return len(self.migration_ramp) == 1 and not self.parallel_months
