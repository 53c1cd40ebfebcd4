"""What the contracts do to the decision: the months, the plans over them, and the prices at which the answer flips."""

from datetime import date
from enum import StrEnum

from scoring.model.base import Value


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
    """One contract in one month: hours and cost; `used_hours` is at STAY (the whole demand on the incumbent)."""

    contract_id: str
    committed_hours: float
    used_hours: float
    wasted_hours: float
    cost: float
    renewed: bool = False


class Month(Value):
    """One month of the horizon. Hours are instance-hours, costs are in the decision's currency, undiscounted.

    `factor` is (1 + r)^(−index/12), cash at the start of the month. `need_*_hours` are for the whole demand.
    `partial_share` and `full_share` are the shares of the demand that the candidate takes at those levels of
    a plan (overflow or capacity first; everything that capacity allows). The three costs hold the commitments,
    overage, the candidate's hours and what freed hours save; the one-off migration cost is not in them. The
    `renewed_*` fields are the incumbent's commitments were every automatic renewal let happen.
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
    contracts: tuple[ContractMonth, ...] = ()


class Plan(Value):
    """A share per month: nothing before `starts_at`, the partial share until `full_at`, the full share after.

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
    where nothing renews or no plan could be computed.
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


class WalkAway(Value):
    """Hourly prices at which the recommended plan saves nothing; above (candidate) or below (incumbent) it flips."""

    candidate_price: Band | None = None
    incumbent_price: Band | None = None


class Economics(Value):
    """The timeline's answer. `reason` names why there is none (`no-demand`, `no-hours`, `no-price` …).

    `break_even_hours_ratio` is the ratio of candidate to incumbent hours per unit at which the recommended plan (or,
    where staying is best, the best plan that moves at all) costs what staying costs; `break_even_theta` is the same on
    the scale of the cost ratio: the k of the verdict. `switch_npv_by_month[s]` is everything at month s.
    `stay_npv` is the cheaper of letting all contracts lapse and letting those of `stay_renews` renew, the set that
    makes staying cheapest.
    `incumbent_contracts` and `candidate_contracts` are the ids that each arm's hours draw on.
    `saving` is the recommended plan's, with its values at the ends of the ratio's interval (lo ≤ point ≤ hi).
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
    incumbent: ArmFlow | None = None
    candidate: ArmFlow | None = None
    incumbent_contracts: tuple[str, ...] = ()
    candidate_contracts: tuple[str, ...] = ()
    months: tuple[Month, ...] = ()
    stay_npv: float | None = None
    stay_lapse_npv: float | None = None
    stay_renewed_npv: float | None = None
    stay_renews: tuple[str, ...] = ()
    switch_npv_by_month: tuple[float, ...] = ()
    best_switch_month: int | None = None
    best_full: Plan | None = None
    best: Plan | None = None
    saving: Band | None = None
    break_even_hours_ratio: float | None = None
    break_even_theta: float = 1.0
    walk_away: WalkAway = WalkAway()
    deadlines: tuple[Deadline, ...] = ()
    reason: str | None = None
