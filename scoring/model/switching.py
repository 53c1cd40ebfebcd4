"""What a plan rests on besides its months: contracts that it leaves early, and other work that takes freed hours."""

from datetime import date

from scoring.model.base import Value


class Release(Value):
    """A contract that is left at the start of a month, `month` being its index in the horizon.

    `cash` is what leaving brings that day in the decision's currency, undiscounted, negative where it is paid; from
    then on the contract promises and costs nothing more. `subject_to` are codes of what must be true as well
    (`buyer`, `consent`, `notice`); with a buyer or consent among them it is not certain.
    """

    contract_id: str
    way: str
    month: int
    on: date
    cash: float
    subject_to: tuple[str, ...] = ()

    @property
    def certain(self) -> bool:
        """Whether nobody else has to agree."""
        return not {"buyer", "consent"} & set(self.subject_to)


class RecoveryWeighed(Value):
    """One way to leave a contract: `gain` is what the best plan with it saves over the best one that keeps it.

    None where it was not weighed: `reason` says why (`not-held-long-enough`, `refund-cap`,
    `refund-cap-unknown`, `rule`, `notice-passed`,
    `beyond-horizon` with the horizon in months that would weigh it, `renewed`, `needs-takers` of an exchange or a
    transfer, which brings what somebody makes of it: `subject_to` names what it needs, `to` the families, accounts,
    teams or regions that the contract allows, and `remains` what still falls due of it and was paid ahead, in the
    decision's currency).
    """

    contract_id: str
    way: str
    to: tuple[str, ...] = ()
    remains: float | None = None
    on: date | None = None
    cash: float | None = None
    subject_to: tuple[str, ...] = ()
    gain: float | None = None
    chosen: bool = False
    reason: str | None = None
    horizon_months: int | None = None


class OtherWork(Value):
    """Other work that may use freed committed hours, counted in hours of the incumbent's instance type."""

    name: str
    hours_per_month: float
    price_per_hour: float


class HoursAtRate(Value):
    """Instance-hours of a month above those that are paid in any case, and what each costs where it is used."""

    hours: float
    rate: float


class PlanMonth(Value):
    """What a savings plan pays in a month, and what an hour of each arm takes of it; None of an arm not covered."""

    contract_id: str
    amount: float
    incumbent_rate: float | None
    candidate_rate: float | None


class FurtherMonth(Value):
    """What contracts make cheaper in a month beyond the committed hours, each in the order in which it is used.

    `kept_hours` are those of the incumbent that a plan leaves it which moves a part first. `plans` are told apart
    where one covers both arms, and are then in no arm's committed hours.
    """

    kept_hours: float
    above_incumbent: tuple[HoursAtRate, ...] = ()
    above_candidate: tuple[HoursAtRate, ...] = ()
    plans: tuple[PlanMonth, ...] = ()


class TrueUp(Value):
    """One period of a spend commitment, within the horizon: `committed` is the part of it by days that falls there.

    `spent` counts towards it and `charged` is what its end then charges, undiscounted, in the month of index `month`:
    at the cheapest stay and in the recommended plan (None where none could be told). `other_spend_per_month` is counted
    in both. `before`: it began before the horizon, and what was spent until then is taken to be in proportion; `after`:
    it ends later, and the part until then is charged in the last month.
    """

    contract_id: str
    first: date
    last: date
    month: int
    committed: float
    other_spend_per_month: float
    stay_spent: float
    stay_charged: float
    plan_spent: float | None = None
    plan_charged: float | None = None
    before: bool = False
    after: bool = False


class OptionTaken(Value):
    """A commitment of the candidate from the start of a month: `rate` an instance-hour, used or not.

    `upfront_per_instance` is paid in its first month. Amounts are in the decision's currency.
    """

    option: str
    kind: str
    term_months: int
    rate: float
    upfront_per_instance: float = 0.0
    instances: int
    month: int
    on: date


class OptionWeighed(Value):
    """An option where it costs least: `gain` is what the best plan with it saves over the best one without any.

    None where it was not weighed: `reason` says why (`expired`, `beyond-horizon` with the horizon in months that would
    weigh it).
    """

    option: str
    kind: str
    term_months: int
    rate: float
    instances: int | None = None
    on: date | None = None
    gain: float | None = None
    chosen: bool = False
    reason: str | None = None
    horizon_months: int | None = None
