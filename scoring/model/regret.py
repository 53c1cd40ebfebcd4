"""What being wrong is expected to cost, and what further runs are worth against what they cost."""

from scoring.model.base import Value


class SavingChance(Value):
    """P(moving saves at least `amount`), which is `share` of what a unit of theta is worth (of the whole spend)."""

    share: float
    amount: float
    probability: float


class RunOption(Value):
    """`runs` more of each arm (blocks, where the pilot is paired): their expected value and what they cost.

    `value` is the expected value of sample information (EVSI); `net` is value − run_cost − delay_cost. All in the
    regret's currency.
    """

    runs: int
    value: float
    run_cost: float
    delay_cost: float
    net: float


class Regret(Value):
    """Moving is worth S·(k − theta): S is `value_per_theta`, k `break_even_theta`, both from the contracts' timeline.

    Amounts are None without a demand, and `options` are empty without the cost of a run or where the planned number
    of runs is made. The posterior is of the production ratio: it is wider than the pilot's by `drift_sd`, a
    standard deviation of the logarithm. `best` is the option with the greatest net value, be it positive or not.
    `hours_per_run` is how long one more run of each arm takes, one after the other.
    """

    currency: str
    break_even_theta: float
    value_per_theta: float | None = None
    migration_cost: float = 0.0
    prior_sd: float
    drift_sd: float = 0.0
    posterior_mean: float
    credible_level: float = 0.9
    credible_lo: float
    credible_hi: float
    p_saves: float
    p_saves_at_least: tuple[SavingChance, ...] = ()
    regret_switch: float | None = None
    regret_stay: float | None = None
    evpi: float | None = None
    cost_per_run: float | None = None
    hours_per_run: float | None = None
    delay_cost_per_run: float | None = None
    options: tuple[RunOption, ...] = ()
    best: RunOption | None = None

    @property
    def has_money(self) -> bool:
        """Whether an expected loss can be told."""
        return self.evpi is not None

    @property
    def is_weighed(self) -> bool:
        """Whether further runs can be held against their cost."""
        return self.has_money and self.cost_per_run is not None

    @property
    def pays(self) -> bool:
        """Whether some number of further runs is worth more than it costs."""
        return self.best is not None and self.best.net > 0
