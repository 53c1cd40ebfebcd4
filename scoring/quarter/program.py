"""The whole program: which option each workload takes from which month, which levers are pulled, and the flows.

A column for each workload, option and month of the switch, one of each workload's; its hours are in the balances of the
pools and in the caps of the capacity that it draws on. Pools, promises and flows are the network's.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, hstack, vstack

from scoring.quarter.flows import network_of
from scoring.quarter.held import held
from scoring.quarter.matrix import Sheet
from scoring.quarter.network import Network
from scoring.quarter.offers import offered
from scoring.quarter.options import STAY, Choice, Scene
from scoring.quarter.pools import pools_of
from scoring.quarter.solver import Rows

Floats = NDArray[np.float64]
Scale = Callable[[int, int], Floats | float]
"""Factors on the hours of a workload on an option, month by month."""


def as_planned(workload: int, option: int) -> float:
    """The hours as they are given."""
    return 1.0


@dataclass(frozen=True)
class Decided:
    """One plan: a choice for each workload in their order, and how far each lever is pulled."""

    choices: tuple[Choice, ...]
    levers: tuple[int, ...]


@dataclass(frozen=True)
class Program:
    """The scene with its network. Columns are the choices, then the levers, then the flows."""

    scene: Scene
    network: Network

    @classmethod
    def of(cls, scene: Scene) -> "Program":
        """Everything but the search."""
        supplies = (*held(scene), *offered(scene))
        pools = pools_of(scene, supplies)
        most = np.zeros((len(pools.pools), scene.given.months))
        for w, work in enumerate(scene.workloads):
            for p in {pools.of[w, o] for o in range(len(work.options))}:
                mine = [scene.need(w, o) for o in range(len(work.options)) if pools.of[w, o] == p]
                most[p] += np.max(mine, axis=0)
        return cls(scene, network_of(scene, supplies, pools, most))

    @property
    def choices(self) -> tuple[Choice, ...]:
        """All choices, workload after workload."""
        return self.scene.choices

    @cached_property
    def choice_cost(self) -> Floats:
        """The one-off cost of each choice, discounted."""
        return np.array([self.moving(c) * self.scene.factor[c.month] for c in self.choices])

    def moving(self, choice: Choice) -> float:
        """The one-off cost of a choice in its month, undiscounted."""
        return (
            0.0
            if choice.option == STAY
            else self.scene.workloads[choice.workload].options[choice.option].migration_cost
        )

    def hours(self, choices: Sequence[Choice], scale: Scale = as_planned) -> Floats:
        """Hours of each pool in each month, [pools, months]; `scale` gives factors on those of a usage."""
        total = np.zeros((len(self.network.pools.pools), self.scene.given.months))
        for choice in choices:
            for o, span in self.spans(choice):
                need = self.scene.need(choice.workload, o) * scale(choice.workload, o)
                total[self.network.pools.of[choice.workload, o], span] += need[span]
        return total

    def spans(self, choice: Choice) -> tuple[tuple[int, slice], ...]:
        """The options that a choice runs on, with their months."""
        after = (choice.option, slice(choice.month, self.scene.given.months))
        return ((STAY, slice(0, choice.month)), after) if choice.month else (after,)

    @cached_property
    def caps(self) -> dict[tuple[str, int], float]:
        """Hours that can be had, by capacity pool and month; only where the work could need more."""
        most: dict[tuple[str, int], float] = defaultdict(float)
        for w, work in enumerate(self.scene.workloads):
            for name in {o.pool for o in work.options if o.pool is not None}:
                need = np.max([self.scene.need(w, i) for i, o in enumerate(work.options) if o.pool == name], axis=0)
                for t, hours in enumerate(need):
                    most[name, t] += float(hours)
        given = sorted(self.scene.given.pools, key=lambda p: p.id)
        capped = {(p.id, t): hours for p in given for t, hours in enumerate(p.hours_per_month or ())}
        return {place: hours for place, hours in capped.items() if most[place] > hours}

    @cached_property
    def allowed(self) -> frozenset[Choice]:
        """All choices, to look one up."""
        return frozenset(self.choices)

    def drawn(self, choices: Sequence[Choice], scale: Scale = as_planned) -> Floats:
        """Hours that a plan draws of each of `caps`, scaled as in `hours`."""
        hours = dict.fromkeys(self.caps, 0.0)
        for choice in choices:
            for o, span in self.spans(choice):
                name = self.scene.workloads[choice.workload].options[o].pool
                if name is not None:
                    need = self.scene.need(choice.workload, o) * scale(choice.workload, o)
                    for t in range(span.start, span.stop):
                        if (name, t) in hours:
                            hours[name, t] += float(need[t])
        return np.array(list(hours.values()))

    @cached_property
    def balances(self) -> "csc_array[np.float64]":
        """Hours that each choice needs of the pools, [pools × months, choices]."""
        sheet = Sheet()
        months = self.scene.given.months
        for j, choice in enumerate(self.choices):
            for o, span in self.spans(choice):
                first = self.network.pools.of[choice.workload, o] * months
                need = self.scene.need(choice.workload, o)
                for t in range(span.start, span.stop):
                    sheet.put(first + t, j, need[t])
        return sheet.built((self.network.shape[0], len(self.choices)))

    @cached_property
    def cap_rows(self) -> "csc_array[np.float64]":
        """Hours that each choice needs of the capacity pools, [caps, choices]."""
        sheet, rows = Sheet(), {place: i for i, place in enumerate(self.caps)}
        for j, choice in enumerate(self.choices):
            for o, span in self.spans(choice):
                name = self.scene.workloads[choice.workload].options[o].pool
                need = self.scene.need(choice.workload, o)
                for t in range(span.start, span.stop):
                    if name is not None and (name, t) in rows:
                        sheet.put(rows[name, t], j, need[t])
        return sheet.built((len(rows), len(self.choices)))

    @cached_property
    def assignment(self) -> "csc_array[np.float64]":
        """One choice for each workload, [workloads, choices]."""
        sheet = Sheet()
        for j, choice in enumerate(self.choices):
            sheet.put(choice.workload, j, 1.0)
        return sheet.built((len(self.scene.workloads), len(self.choices)))

    @cached_property
    def groups(self) -> tuple["csc_array[np.float64]", Floats]:
        """Levers of which only so many may be pulled in all, and how many."""
        names: dict[str, int] = {}
        sheet, most = Sheet(), []
        for i, lever in enumerate(self.network.levers):
            if lever.group not in names:
                names[lever.group] = len(names)
                most.append(float(lever.group_most))
            sheet.put(names[lever.group], i, 1.0)
        return sheet.built((len(names), len(self.network.levers))), np.array(most)

    @cached_property
    def rows(self) -> Rows:
        """Equal ones are assignments and balances."""
        net, choices, levers = self.network, len(self.choices), len(self.network.levers)
        flows = len(net.columns.cost)

        def empty(rows: int, columns: int) -> "csc_array[np.float64]":
            return csc_array((rows, columns))

        works = len(self.scene.workloads)
        equal = vstack(
            [
                hstack([self.assignment, empty(works, levers + flows)]),
                hstack([-self.balances, net.levers_equal, net.a_equal]),
            ],
            format="csc",
        )
        grouped, most = self.groups
        upper = vstack(
            [
                hstack([empty(net.shape[1], choices), net.levers_upper, net.a_upper]),
                hstack([self.cap_rows, empty(len(self.caps), levers + flows)]),
                hstack([empty(len(most), choices), grouped, empty(len(most), flows)]),
            ],
            format="csc",
        )
        sides = np.concatenate([np.array(net.b_upper), np.array(list(self.caps.values())), most])
        return Rows(equal, np.concatenate([np.ones(works), net.b_equal]), upper, sides)

    @cached_property
    def cost(self) -> Floats:
        """Of all columns, discounted."""
        return np.concatenate([self.choice_cost, self.network.lever_cost @ self.scene.factor, self.network.cost])

    @cached_property
    def fixed(self) -> float:
        """What is paid whatever is decided, discounted."""
        return float(self.network.constant @ self.scene.factor)

    @property
    def today(self) -> Decided:
        """Every workload where it runs, and of the contracts what happens if nobody acts."""
        return Decided(self.scene.stays(), tuple(lever.today for lever in self.network.levers))

    @cached_property
    def most(self) -> Floats:
        """How large each column may be."""
        levers = [float(lever.most) for lever in self.network.levers]
        return np.concatenate([np.ones(len(self.choices)), levers, np.full(len(self.network.columns.cost), np.inf)])
