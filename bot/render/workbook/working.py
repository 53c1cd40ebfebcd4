"""The values beside the Cash flow sheet's formulas: the same sums over the record's months, not another engine."""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from bot.render.workbook import further, other_work, walk_away
from bot.render.workbook.cells import Value
from bot.render.workbook.columns import PROVEN, SUMMED
from bot.render.workbook.followed import is_linear_in_ratio, may_renew
from scoring.model.decision import Decision
from scoring.model.economics import Economics, Month

TIE = 1e-9
TINY = 1e-300
NEVER = -1e300
Columns = dict[str, list[float]]
Planned = Callable[[str, str], float]
"""The sum of two columns over the months of the plan shown."""


def shown_price(economics: Economics) -> float:
    """The candidate's price at which the record shows the months where it has none: the highest that pays."""
    band = economics.walk_away.candidate_price
    return band.point if band is not None else 0.0


class Working:
    """Columns with one value a month and, where sums need it, one for the end; and the plan's figures by name."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision
        self.economics = decision.economics
        self.months = len(self.economics.months)
        self.ratio = self.economics.hours_ratio or 0.0
        self.ratios = self._ends(decision)
        self.price_a = (self.economics.incumbent and self.economics.incumbent.price_per_hour) or 0.0
        known = self.economics.candidate.price_per_hour if self.economics.candidate else None
        self.price_b = known if known is not None else shown_price(self.economics)
        self._columns: Columns = {}
        self._month_columns()
        self._sum_columns()
        self._plan_columns()
        self.plans = _plans(self)

    def _ends(self, decision: Decision) -> dict[str, float]:
        """The hours ratio at each end of theta: of its interval, of what is proven. An open end is the point."""
        theta, looks = decision.cost.theta if decision.cost else None, decision.looks
        point = theta.point if theta else None
        known = {"lo": theta.lo, "hi": theta.hi} if theta else {}
        self.known = frozenset(name for name, end in known.items() if end is not None)
        known |= {"lower": looks.theta_lower, "upper": looks.theta_upper} if looks else {}
        ends = {name: known.get(name) for name in ("lo", "hi", "lower", "upper")}
        return {name: self.ratio * end / point if end and point else self.ratio for name, end in ends.items()}

    def column(self, name: str) -> Sequence[float]:
        """Values of a column, the end's last where it has one."""
        return self._columns[name]

    def _shares(self, month: Month, ratio: float) -> tuple[float, float]:
        capacity, need = self.economics.capacity_hours_per_month, month.need_incumbent_hours
        full = 1.0 if capacity is None else min(1.0, capacity / max(need * ratio, TINY))
        kept = month.further.kept_hours if month.further else month.committed_incumbent_hours
        above = max(0.0, 1 - kept / max(need, TINY))
        return min(full, above), full

    def _hours_b(self, month: Month, share: float, ratio: float) -> float:
        return max(0.0, month.need_incumbent_hours * ratio * share - month.committed_candidate_hours)

    def _cost(self, month: Month, share: float, ratio: float) -> float:
        need, held = month.need_incumbent_hours, month.committed_incumbent_hours
        freed = min(held, need) - min(held, need * (1 - share))
        left, moved = max(0.0, need * (1 - share) - held), need * ratio * share - month.committed_candidate_hours
        return (
            month.commitment_cost
            + left * month.incumbent_overage_rate
            + max(0.0, moved) * month.candidate_price
            + _cheaper(month, left, max(0.0, moved))
            - freed * self.economics.reuse_share * (self.economics.reuse_value_per_hour or 0.0)
            + other_work.value(self.economics, month, share)
        )

    def _month_columns(self) -> None:
        months, columns = self.economics.months, self._columns
        columns |= {
            "factor": [m.factor for m in months],
            "need-a": [m.need_incumbent_hours for m in months],
            "need-b": [m.need_candidate_hours for m in months],
            "committed-a": [m.committed_incumbent_hours for m in months],
            "committed-b": [m.committed_candidate_hours for m in months],
            "commitment": [m.commitment_cost for m in months],
            "overage-rate": [m.incumbent_overage_rate for m in months],
            "rate-b": [m.candidate_price for m in months],
            "partial-share": [m.partial_share for m in months],
            "full-share": [m.full_share for m in months],
            "stay": [m.stay_cost for m in months],
            "partial": [m.partial_cost for m in months],
            "full": [m.full_cost for m in months],
            "stay-renewed": [m.stay_renewed_cost for m in months],
        }
        for end, ratio in self.ratios.items():
            columns[f"partial-{end}"] = [self._cost(m, self._shares(m, ratio)[0], ratio) for m in months]
            columns[f"full-{end}"] = [self._cost(m, self._shares(m, ratio)[1], ratio) for m in months]
            for level, which in (("partial", 0), ("full", 1)) if end in ("lo", "hi") else ():
                columns[f"over-b-{level}-{end}"] = [
                    self._hours_b(m, self._shares(m, ratio)[which], ratio) for m in months
                ]
        for name, share in (("partial", "partial_share"), ("full", "full_share")):
            columns[f"over-b-{name}"] = [
                max(0.0, m.need_candidate_hours * getattr(m, share) - m.committed_candidate_hours) for m in months
            ]
        for name, shares in (
            ("stay", [0.0] * self.months),
            ("partial", columns["partial-share"]),
            ("full", columns["full-share"]),
        ):
            columns[f"over-a-{name}"] = [self._paid_hours(m, x) for m, x in zip(months, shares, strict=True)]
        columns["over-a-renewed"] = [
            max(0.0, m.need_incumbent_hours - m.renewed_committed_hours) * (m.renewed_overage_rate >= self.price_a)
            for m in months
        ]

    def _paid_hours(self, month: Month, share: float) -> float:
        """Hours that pay the on-demand price, less freed ones that save it where no other value is set."""
        need, held = month.need_incumbent_hours, month.committed_incumbent_hours
        above = max(0.0, need * (1 - share) - held) * (month.incumbent_overage_rate >= self.price_a)
        if self.decision.settings.reuse_value_per_hour is not None:
            return above
        return above - self.economics.reuse_share * (min(held, need) - min(held, need * (1 - share)))

    def _sum_columns(self) -> None:
        for name, of in SUMMED.items():
            terms = [f * v for f, v in zip(self._columns["factor"], self._columns[of], strict=True)]
            self._columns[name] = list(accumulate(terms, initial=0.0))

    def _plan_columns(self) -> None:
        columns, h = self._columns, self.months
        columns["moving"] = [f * self.economics.migration_cost for f in columns["factor"]]
        for end in ("", "-lower", "-upper"):
            partial, full = columns[f"sum-partial{end}"], columns[f"sum-full{end}"]
            gain = [p - f for p, f in zip(partial, full, strict=True)]
            columns[f"switch-gain{end}"] = gain
            columns[f"cheapest-switch{end}"] = list(accumulate(reversed(gain), min))[::-1]
        partial, full = columns["sum-hours-partial"], columns["sum-hours-full"]
        columns["hours-gain"] = [p - f for p, f in zip(partial, full, strict=True)]
        start = [columns["sum-stay"][i] + columns["moving"][i] for i in range(h)]
        columns["full-npv"] = [start[i] + columns["sum-full"][h] - columns["sum-full"][i] for i in range(h)]
        for end, name in (("", "plan-npv"), ("-lower", "plan-lower"), ("-upper", "plan-upper")):
            partial, full = columns[f"sum-partial{end}"], columns[f"sum-full{end}"]
            cheapest = columns[f"cheapest-switch{end}"]
            columns[name] = [start[i] - partial[i] + cheapest[i] + full[h] for i in range(h)]
        columns["plan-npv"].append(columns["sum-stay"][h])

    def rises(self, stay: float) -> None:
        """By start, what the candidate's price may rise by before no plan that starts then pays."""
        columns, h = self._columns, self.months
        fixed = [columns["sum-stay"][i] + columns["moving"][i] - columns["sum-partial"][i] for i in range(h)]
        columns["pays-below"] = [
            max(
                (stay - fixed[i] - columns["sum-full"][h] - columns["switch-gain"][u]) / hours
                if (hours := columns["hours-gain"][u] + columns["sum-hours-full"][h] - columns["sum-hours-partial"][i])
                > TIE
                else NEVER
                for u in range(i, h + 1)
            )
            for i in range(h)
        ]

    def flags(self, name: str, values: list[int]) -> None:
        """Remember a column of flags once the plan is known."""
        self._columns[name] = [float(v) for v in values]


def _cheaper(month: Month, left: float, moved: float) -> float:
    told = month.further
    if told is None:
        return 0.0
    of_a = further.value(told.above_incumbent, left, month.incumbent_overage_rate)
    return of_a + further.value(told.above_candidate, moved, month.candidate_price)


def _plans(w: Working) -> dict[str, Value]:
    """The plan's figures in the order of the sheet's rows."""
    e, h = w.economics, w.months
    lapse, renewed = w.column("sum-stay")[h], w.column("sum-renewed")[h]
    stay = min(lapse, renewed) if may_renew(w.decision) else lapse
    w.rises(stay)
    tie = TIE * abs(stay)
    full_npv = w.column("full-npv")
    full_best = min(full_npv)
    full_start = next(i for i, npv in enumerate(full_npv) if npv <= full_best + tie)
    plan_npv = w.column("plan-npv")
    cheapest = min(plan_npv)
    w.flags("start-flag", [int(v <= cheapest + tie) for v in plan_npv])
    split_start = int(w.column("start-flag").index(1))
    after = w.column("cheapest-switch")[split_start]
    gain = w.column("switch-gain")
    w.flags("full-flag", [int(i >= split_start and gain[i] <= after + tie) for i in range(h + 1)])
    split_full = int(w.column("full-flag").index(1))
    simple = full_best if full_best < stay - tie else stay
    wins = int(cheapest < simple - max(e.split_minimum_gain, TIE) * abs(stay))
    start, full = (split_start, split_full) if wins else (full_start, full_start) if simple < stay else (h, h)
    npv = cheapest if wins else simple
    moves = start < h
    shown: dict[str, Value] = {
        **{f"ratio_{end}": ratio for end, ratio in w.ratios.items()},
        "stay_npv": stay,
        "npv_tie": tie,
        "full_best_npv": full_best,
        "full_start": full_start,
        "cheapest_npv": cheapest,
        "split_start": split_start,
        "cheapest_after": after,
        "split_full": split_full,
        "simple_npv": simple,
        "split_wins": wins,
        "plan_start": start,
        "plan_full": full,
        "plan_npv": npv,
        "plan_saving": stay - npv,
        "capped_after": sum(i >= full and v < 1 - TIE for i, v in enumerate(w.column("full-share"))),
        "shown_start": start if moves else full_start,
        "shown_full": full if moves else full_start,
        "shown_npv": npv if moves else full_best,
    }
    return shown | _prices(w, shown)


def _prices(w: Working, shown: dict[str, Value]) -> dict[str, Value]:
    s, u, h = int(shown["shown_start"]), int(shown["shown_full"]), w.months  # type: ignore[arg-type]
    stay, npv = float(shown["stay_npv"]), float(shown["shown_npv"])  # type: ignore[arg-type]

    def planned(partial: str, full: str) -> float:
        p, f = w.column(partial), w.column(full)
        return p[u] - p[s] + f[h] - f[u]

    hours = planned("sum-hours-partial", "sum-hours-full")
    over_a = w.column("sum-over-a-stay")[s] + planned("sum-over-a-partial", "sum-over-a-full")
    fixed = w.column("sum-stay")[s] + w.column("moving")[s]
    at = {x: fixed + planned(f"sum-partial-{x}", f"sum-full-{x}") for x in w.ratios}
    k: Value = ""
    if is_linear_in_ratio(w.decision) and hours > 0 and w.price_a > 0:
        k = max(0.0, w.ratio * (stay - npv + w.price_b * hours) / (hours * w.price_a))
    return {
        "shown_hours": hours,
        "shown_over_a": over_a,
        "break_even": k,
        **{f"best_at_{x}": min(w.column(f"plan-{x}")) for x in PROVEN},
        **{f"shown_at_{x}": npv_at for x, npv_at in at.items()},
        **_walk_away(w, stay, npv, over_a, int(shown["plan_start"]) < h, at, planned),  # type: ignore[arg-type]
        "saving_lo": stay - at["hi"],
        "saving_hi": stay - at["lo"],
    }


def _ends(
    w: Working, moves: bool, stay: float, at: Mapping[str, float], more: float | None, planned: Planned
) -> dict[str, float]:
    """The candidate's walk-away price at the ends of the ratio's interval, as far as there is a closed form."""
    if more is None or w.price_b + more <= 0:
        return {}
    if not moves:
        straight = is_linear_in_ratio(w.decision)
        return {x: (w.price_b + more) * w.ratio / w.ratios[x] for x in ("lo", "hi") if straight and x in w.known}
    hours = {x: planned(f"sum-hours-partial-{x}", f"sum-hours-full-{x}") for x in ("lo", "hi") if x in w.known}
    found = {x: w.price_b + (stay - at[x]) / h for x, h in hours.items() if h > 0}
    return {x: price for x, price in found.items() if price > 0}


def _walk_away(
    w: Working, stay: float, npv: float, over_a: float, moves: bool, at: Mapping[str, float], planned: Planned
) -> dict[str, Value]:
    hours = planned("sum-hours-partial", "sum-hours-full")
    h, more = w.months, None
    if walk_away.is_open(w.decision):
        most = (stay - npv) / hours if moves and hours > 0 else NEVER if moves else max(w.column("pays-below"))
        more = None if most <= NEVER / 10 else most
    ends = _ends(w, moves, stay, at, more, planned)
    stays = tuple(
        (name, w.column(f"sum-{of}")[h] - npv, w.column(f"sum-over-a-{paid}")[h] - over_a)
        for name, of, paid in (("lapse", "stay", "stay"), ("renewed", "renewed", "renewed"))
    )
    return walk_away.values(w.decision, stays, w.price_a, w.price_b, more, ends)
