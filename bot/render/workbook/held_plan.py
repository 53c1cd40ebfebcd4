"""What the plan that is shown costs were one assumption another, month by month: formulas and their values.

The plan is held: its months stay, and so does what it moves first and what then; shares follow demand and capacity.
Months whose costs are the record's values (`contracts_by_month`) stay as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from bot.render.workbook import further, other_work
from bot.render.workbook.cash_flow import stay_renewed
from bot.render.workbook.cells import Book, Sheet
from bot.render.workbook.columns import COLUMNS, FIRST
from bot.render.workbook.contracts import ceiling, overage
from bot.render.workbook.followed import listed, promises
from bot.render.workbook.plan_rows import hourly_price, price_cell
from bot.render.workbook.working import TINY, Working


@dataclass(frozen=True)
class Otherwise:
    """Assumptions that differ from today's: each the cell that a formula takes, and its value.

    `work` multiplies the hours of every month; `price_a` is also what a freed hour saves where `reuse_follows`.
    """

    work: tuple[str, float] | None = None
    price_a: tuple[str, float] | None = None
    price_b: tuple[str, float] | None = None
    ratio: tuple[str, float] | None = None
    capacity: tuple[str, float] | None = None
    reuse_share: tuple[str, float] | None = None

    @property
    def moves_shares(self) -> bool:
        """Whether a month's share on the candidate may be another."""
        return self.work is not None or self.capacity is not None or self.ratio is not None

    @property
    def moves_stay(self) -> bool:
        """Whether staying costs something else too."""
        return self.work is not None or self.price_a is not None


@dataclass
class HeldPlan:
    """The months of the shown plan, over the cells of Cash flow."""

    book: Book
    working: Working
    ceilings: dict[tuple[str, int, int], float] = field(default_factory=dict)

    @classmethod
    def of(cls, book: Book) -> "HeldPlan":
        """From the sheets that were built before."""
        return cls(book, Working(book.decision))

    def __post_init__(self) -> None:
        self.flow = Sheet(self.book, self.book.workbook[self.book.words("sheet.cash-flow")])
        self.months = self.working.months
        self.start = int(self.book.number("shown_start"))
        self.full = int(self.book.number("shown_full"))
        self.moving = f"INDEX({self.span('moving')},shown_start+1)"
        self.moving_value = self.working.column("moving")[self.start]

    def cell(self, name: str, i: int) -> str:
        """A month's cell of Cash flow."""
        return self.flow.address(COLUMNS.index(name) + 1, FIRST + i)

    def span(self, name: str) -> str:
        """A column of Cash flow over the months."""
        first = FIRST
        return self.flow.span(COLUMNS.index(name) + 1, first, first + self.months - 1)

    @property
    def has_capacity(self) -> bool:
        """Whether a share may be less than all."""
        return "capacity" in self.book.names

    def share(self, i: int, other: Otherwise) -> str:
        """The share of a month's work that is on the candidate."""
        if not other.moves_shares:
            full, partial = self.cell("full-share", i), self.cell("partial-share", i)
        else:
            full = self._full(i, other)
            told, price = self.working.economics.months[i].further, price_cell(self.book, "b")
            kept = further.kept(told, self.cell("committed-a", i), self.cell("rate-b", i), price)
            above = f"MAX(0,1-{kept}/MAX({self._need(i, other)},1E-300))"
            partial = f"MIN({full},{above})"
        index = self.cell("index", i)
        return f"IF({index}>=shown_full,{full},IF({index}>=shown_start,{partial},0))"

    def _full(self, i: int, other: Otherwise) -> str:
        if not self.has_capacity:
            return "1"
        capacity = other.capacity[0] if other.capacity else "capacity"
        return f"MIN(1,{capacity}/MAX({self._need(i, other)}*{self._ratio(other)},1E-300))"

    def share_value(self, i: int, other: Otherwise) -> float:
        """Its value."""
        month, need = self.working.economics.months[i], self._need_value(i, other)
        ratio = other.ratio[1] if other.ratio else self.working.ratio
        capacity = other.capacity[1] if other.capacity else self.working.economics.capacity_hours_per_month
        full = 1.0 if capacity is None else min(1.0, capacity / max(need * ratio, TINY))
        kept = month.further.kept_hours if month.further else month.committed_incumbent_hours
        above = max(0.0, 1 - kept / max(need, TINY))
        return full if i >= self.full else min(full, above) if i >= self.start else 0.0

    def _need(self, i: int, other: Otherwise) -> str:
        need = self.cell("need-a", i)
        return f"({need}*{other.work[0]})" if other.work else need

    def _need_value(self, i: int, other: Otherwise) -> float:
        return self.working.economics.months[i].need_incumbent_hours * (other.work[1] if other.work else 1.0)

    def _ratio(self, other: Otherwise) -> str:
        return other.ratio[0] if other.ratio else "hours_ratio"

    def hours(self, i: int, other: Otherwise, share: str) -> str:
        """Hours of the candidate above its commitments."""
        return f"MAX(0,{self._need(i, other)}*{self._ratio(other)}*{share}-{self.cell('committed-b', i)})"

    def hours_value(self, i: int, other: Otherwise) -> float:
        """Their value."""
        month = self.working.economics.months[i]
        ratio = other.ratio[1] if other.ratio else self.working.ratio
        need = self._need_value(i, other)
        return max(0.0, need * ratio * self.share_value(i, other) - month.committed_candidate_hours)

    def rest(self, i: int, other: Otherwise, share: str) -> str:
        """A month's cost without the candidate's hours; `share` 0 is staying."""
        need, held = self._need(i, other), self.cell("committed-a", i)
        rate = self.cell("overage-rate", i)
        if other.price_a:
            rate = overage(self.book, i, other.price_a[0], self.working.economics.incumbent_contracts)
        free = f"({held}-{need}*(1-{share}))"
        left, told = f"MAX(0,{need}*(1-{share})-{held})", self.working.economics.months[i].further
        cost = f"{self.cell('commitment', i)}+{left}*{rate}"
        cost += further.formula(told.above_incumbent, left, rate) if told else ""
        if share != "0":
            freed = f"(MIN({held},{need})-MIN({held},{need}*(1-{share})))"
            cost += f"-{freed}*{self._reuse(other)}"
        return cost + other_work.formula(self.working.economics, i, free, need, held)

    def _reuse(self, other: Otherwise) -> str:
        share = other.reuse_share[0] if other.reuse_share else "N(reuse_share)"
        worth = other.price_a[0] if other.price_a and self.reuse_follows else "N(reuse_price)"
        return f"{share}*{worth}"

    @property
    def reuse_follows(self) -> bool:
        """Whether a freed hour saves the incumbent's price, whatever that is."""
        return self.book.decision.settings.reuse_value_per_hour is None

    def rest_value(self, i: int, other: Otherwise, share: float) -> float:
        """Its value."""
        economics, month = self.working.economics, self.working.economics.months[i]
        need, held = self._need_value(i, other), month.committed_incumbent_hours
        rate = month.incumbent_overage_rate
        if other.price_a:
            rate = min(other.price_a[1], self.ceiling("a", i, 0))
        freed = min(held, need) - min(held, need * (1 - share))
        reuse_share = other.reuse_share[1] if other.reuse_share else economics.reuse_share
        worth = other.price_a[1] if other.price_a and self.reuse_follows else economics.reuse_value_per_hour or 0.0
        scaled = month if other.work is None else month.model_copy(update={"need_incumbent_hours": need})
        left = max(0.0, need * (1 - share) - held)
        return (
            month.commitment_cost
            + left * rate
            + (further.value(month.further.above_incumbent, left, rate) if month.further else 0.0)
            - freed * reuse_share * worth
            + other_work.value(economics, scaled, share)
        )

    def plan(self, i: int, other: Otherwise, share: str) -> str:
        """A month's whole cost, without the cost of moving."""
        rate = self.cell("rate-b", i)
        if other.price_b:
            rate = overage(self.book, i, other.price_b[0], self.working.economics.candidate_contracts)
        hours, told = self.hours(i, other, share), self.working.economics.months[i].further
        cheaper = further.formula(told.above_candidate, hours, rate) if told else ""
        return f"{self.rest(i, other, share)}+{hours}*{rate}{cheaper}"

    def plan_value(self, i: int, other: Otherwise) -> float:
        """Its value."""
        month = self.working.economics.months[i]
        rate = month.candidate_price
        if other.price_b:
            rate = min(other.price_b[1], self.ceiling("b", i, 0))
        rest = self.rest_value(i, other, self.share_value(i, other))
        hours = self.hours_value(i, other)
        cheaper = further.value(month.further.above_candidate, hours, rate) if month.further else 0.0
        return rest + hours * rate + cheaper

    def renewed(self, i: int, other: Otherwise) -> str:
        """A month's cost of staying with the contracts renewed that the record lets renew."""
        price = other.price_a[0] if other.price_a else hourly_price(self.book, "a")
        return stay_renewed(self.book, i, self._need(i, other), price, self.cell("committed-a", i))

    def renewed_value(self, i: int, other: Otherwise) -> float:
        """Its value."""
        economics, month = self.working.economics, self.working.economics.months[i]
        need, held = self._need_value(i, other), month.renewed_committed_hours
        rate = min(other.price_a[1], self.ceiling("a", i, 1)) if other.price_a else month.renewed_overage_rate
        over, told = max(0.0, need - held), month.renewed_further
        cost = month.renewed_commitment_cost + over * rate
        cost += further.value(told.above_incumbent, over, rate) if told else 0.0
        return cost + other_work.value_renewed(economics, month, need)

    def ceiling(self, role: str, i: int, part: int) -> float:
        """The lowest price that an arm's contracts name for an hour above them."""
        found = self.ceilings.get((role, i, part))
        if found is None:
            economics = self.working.economics
            contracts = economics.incumbent_contracts if role == "a" else economics.candidate_contracts
            found = self.ceilings[role, i, part] = ceiling(self.book, i, contracts, part)
        return found

    @property
    def has_tiers(self) -> bool:
        """Whether hours of the candidate beyond a minimum are cheaper, so that no price is that of all of them."""
        return any(m.further.above_candidate for m in self.working.economics.months if m.further)

    @property
    def bends(self) -> bool:
        """Whether a contract's price takes over from a dearer price of the candidate."""
        contracts = self.working.economics.candidate_contracts
        named = [c for c in listed(self.book.decision) if c.id in contracts]
        return any(not promises(c) or self.ceiling("b", i, 0) < inf for c in named for i in range(self.months))


def ceiling_formula(held: HeldPlan, i: int) -> str:
    """The candidate's ceiling of a month, beyond any price where there is none."""
    return overage(held.book, i, "1E+300", held.working.economics.candidate_contracts)


def discounted(held: HeldPlan, values: Sequence[float]) -> float:
    """Σ factor × value."""
    return sum(m.factor * value for m, value in zip(held.working.economics.months, values, strict=True))
