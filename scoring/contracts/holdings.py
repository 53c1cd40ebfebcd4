"""Which contracts are kept, renewed or left: for staying and for moving, each the cheapest."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring.contracts.months import Grid
from scoring.contracts.options import takes_of, unweighed, why_not
from scoring.contracts.plans import Found, Matrix, best_plans, npv_matrix
from scoring.contracts.recoveries import BETTER, ROUNDS, Chosen, all_at, cheapest, within_caps
from scoring.contracts.scenario import Frame
from scoring.contracts.walk_away import Question
from scoring.model.settings import CommitmentOption
from scoring.model.switching import OptionTaken, OptionWeighed, RecoveryWeighed, Release

Ways = Mapping[str, Sequence[Release]]


@dataclass(frozen=True)
class Holdings:
    """The stay to compare with, its renewals and contracts left early, and those left by the best plan that moves.

    That stay is the cheapest with a renewal; where anything is left early, the cheapest of all. `stays` is what
    staying costs by the contracts that are let renew, none of them left early.
    """

    frame: Frame
    stays: dict[frozenset[str], float]
    renewed: frozenset[str]
    stay_left: tuple[Release, ...]
    left: tuple[Release, ...]
    option: OptionTaken | None = None

    @cached_property
    def stay(self) -> Grid:
        """The months of the cheapest stay."""
        return self.frame.staying.grid(self.renewed, self.stay_left)

    @cached_property
    def question(self) -> Question:
        """The months with the contracts left that the best move leaves, and every stay to measure it against."""
        frame = self.frame
        otherwise = bool(self.left or self.option or frame.renews_again)
        stays = tuple(frame.staying.grid(way) for way in frame.ways_to_renew if way or otherwise)
        if self.stay_left:
            stays = (*stays, self.stay)
        return Question(frame.grid(left=self.left, option=self.option), stays, float(frame.settings.migration_cost))

    @cached_property
    def npv(self) -> Matrix:
        """NPV of every plan (s, u)."""
        return npv_matrix(self.question.grid, self.question.migration_cost)

    @cached_property
    def plans(self) -> Found:
        """The best plan, the best full move, and the cheapest stay."""
        return best_plans(self.npv, self.question.stay_npv, self.frame.settings.split_minimum_gain)


def holdings_of(frame: Frame, certain: bool = False) -> Holdings:
    """The cheapest of all ways to hold the contracts; with `certain` none that somebody else has to agree to."""
    stays = {way: frame.staying.grid(way).stay_npv for way in frame.ways_to_renew}
    letting = [way for way in stays if way] or [frozenset[str]()]
    renewed = min(letting, key=lambda way: stays[way])
    ways = _ways(frame, certain)
    takes = [take for o in frame.settings.commitment_options for take in takes_of(o, frame.grid(), frame.months)]
    if not ways and not takes:
        return Holdings(frame, stays, renewed, (), ())
    cheapest_way, stay_left = _cheapest_stay(frame, ways, stays)
    left, option = _cheapest_move(frame, ways, takes)
    if left or stay_left or option:
        renewed = cheapest_way
    return Holdings(frame, stays, renewed, _listed(stay_left), _listed(left), option)


def _ways(frame: Frame, certain: bool) -> Ways:
    open_ways = {
        name: tuple(r for r in found.releases if r.certain or not certain) for name, found in frame.leavings.items()
    }
    return {name: releases for name, releases in open_ways.items() if releases}


def _listed(chosen: Chosen) -> tuple[Release, ...]:
    return tuple(sorted(chosen.values(), key=lambda r: (r.month, r.contract_id)))


def _cheapest_stay(frame: Frame, ways: Ways, stays: Mapping[frozenset[str], float]) -> tuple[frozenset[str], Chosen]:
    """Among the stays with the best renewals and with none, each with what is then worth leaving."""
    renewed = min(stays, key=lambda way: stays[way])
    lowest, best = stays[renewed], (renewed, Chosen())
    for way in dict.fromkeys((renewed, frozenset[str]())):

        def cost(chosen: Chosen, way: frozenset[str] = way) -> float:
            return frame.staying.grid(way, _listed(chosen)).stay_npv

        mine = {name: releases for name, releases in ways.items() if name not in way}
        chosen, found = cheapest({}, mine, _allowed(frame), cost)
        if found < lowest - abs(lowest) * BETTER:
            lowest, best = found, (way, chosen)
    return best


def _allowed(frame: Frame) -> Callable[[Chosen], bool]:
    return lambda chosen: within_caps(chosen, frame.contracts)


def moving_npv(frame: Frame, left: Sequence[Release], option: OptionTaken | None) -> float:
    """What the best plan that moves costs when these contracts are left and this option is taken."""
    return float(npv_matrix(frame.grid(left=left, option=option), float(frame.settings.migration_cost))[:-1].min())


def _cheapest_move(frame: Frame, ways: Ways, takes: Sequence[OptionTaken]) -> tuple[Chosen, OptionTaken | None]:
    """One after the other until neither gains: what to leave, and which option to take."""
    allowed = _allowed(frame)
    left, option, lowest = Chosen(), None, moving_npv(frame, (), None)
    for _ in range(ROUNDS):

        def cost(chosen: Chosen, option: OptionTaken | None = option) -> float:
            return moving_npv(frame, _listed(chosen), option)

        together = [all_at(month, ways) for month in range(len(frame.months))]
        starts = [left, min((c for c in together if allowed(c)), key=cost, default=Chosen())]
        left, found = min((cheapest(start, ways, allowed, cost) for start in starts), key=lambda one: one[1])
        held = _listed(left)
        option = min((None, *takes), key=lambda take: moving_npv(frame, held, take))
        found = moving_npv(frame, held, option)
        if found >= lowest - abs(lowest) * BETTER:
            break
        lowest = found
    return left, option


def recoveries_weighed(holdings: Holdings) -> tuple[RecoveryWeighed, ...]:
    """Each way to leave each contract against keeping it, everything else as the best move holds it."""
    frame = holdings.frame
    return tuple(row for name in frame.leavings for row in _rows(holdings, name))


def _rows(holdings: Holdings, name: str) -> Iterator[RecoveryWeighed]:
    frame, found = holdings.frame, holdings.frame.leavings[name]
    rest = tuple(r for r in holdings.left if r.contract_id != name)
    kept = moving_npv(frame, rest, holdings.option)
    for way in dict.fromkeys(r.way for r in found.releases):
        others = {r.contract_id: r for r in rest}
        open_ways = [r for r in found.releases if r.way == way and _allowed(frame)({**others, name: r})]
        if not open_ways:
            yield RecoveryWeighed(contract_id=name, way=way, reason="refund-cap")
            continue
        costs = {r: moving_npv(frame, (*rest, r), holdings.option) for r in open_ways}
        best = min(costs, key=lambda r: costs[r])
        yield RecoveryWeighed(
            contract_id=name,
            way=way,
            on=best.on,
            cash=best.cash,
            subject_to=best.subject_to,
            gain=kept - costs[best],
            chosen=best in holdings.left,
        )
    yield from found.barred


def options_weighed(holdings: Holdings) -> tuple[OptionWeighed, ...]:
    """Each option where it costs least against taking none, everything else as the best move holds it."""
    frame = holdings.frame
    without = moving_npv(frame, holdings.left, None)
    return tuple(_option_row(holdings, option, without) for option in frame.settings.commitment_options)


def _option_row(holdings: Holdings, option: CommitmentOption, without: float) -> OptionWeighed:
    frame = holdings.frame
    costs = {t: moving_npv(frame, holdings.left, t) for t in takes_of(option, frame.grid(), frame.months)}
    if not costs:
        return why_not(option, frame.months) or unweighed(option)
    best = min(costs, key=lambda take: costs[take])
    weighed = {"instances": best.instances, "on": best.on, "gain": without - costs[best], "reason": None}
    return unweighed(option).model_copy(update={**weighed, "chosen": best == holdings.option})
