"""What keeps the plan from saving more: promises used up, capacity that is full, options that are barred.

Everything is valued at the prices of the plan's own flows. Costs are convex in the hours, so that what a choice would
save is at most what those prices say.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.quarter.answer import Barred, Binding, BindingCode
from scoring.quarter.network import Flows
from scoring.quarter.options import STAY, Choice
from scoring.quarter.program import Decided, Program

Floats = NDArray[np.float64]
WORTH = 1e-6
"""Of the whole cost: less is not told."""


def bindings(program: Program, plan: Decided, flows: Flows) -> tuple[Binding, ...]:
    """Contracts first, then capacity, then what is wrong with today's plan."""
    return (
        *_exhausted(program, plan, flows),
        *_full(program, plan, flows),
        *_unconfirmed_later(program, plan, flows),
        *_today(program),
    )


def barred_with_worth(program: Program, plan: Decided, flows: Flows) -> tuple[Barred, ...]:
    """Barred options with what each could save at most; those of today's option bar nothing."""
    least = WORTH * abs(flows.cost)
    worth = _Worth(program, plan, flows)
    number = {work.id: w for w, work in enumerate(program.scene.workloads)}
    found = []
    for one in program.scene.barred:
        w = number[one.workload]
        o = next(i for i, option in enumerate(program.scene.workloads[w].options) if option.id == one.option)
        saved, _ = worth.best(w, o, range(program.scene.given.months)) if o != STAY else (0.0, 0)
        found.append(one.model_copy(update={"worth": saved if saved > least else None}))
    return tuple(found)


class _Worth:
    """What a workload would save at most by another option, at the plan's prices."""

    def __init__(self, program: Program, plan: Decided, flows: Flows) -> None:
        self.program, self.price = program, flows.price
        self.now = [self._cost(choice) for choice in plan.choices]

    def best(self, w: int, o: int, months: Sequence[int]) -> tuple[float, int]:
        """The most that it saves by moving in one of the months, and the month from which it does."""
        costs = [self._cost(Choice(w, o, s)) for s in months]
        best = int(np.argmin(costs))
        return self.now[w] - costs[best], months[best]

    def _cost(self, choice: Choice) -> float:
        program = self.program
        cost = program.moving(choice) * program.scene.factor[choice.month]
        for o, span in program.spans(choice):
            need = program.scene.need(choice.workload, o)[span]
            cost += float(need @ self.price[program.network.pools.of[choice.workload, o], span])
        return float(cost)


def _exhausted(program: Program, plan: Decided, flows: Flows) -> Iterator[Binding]:
    net = program.network
    for k, supply in enumerate(net.supplies):
        for t in range(net.months):
            worth = float(flows.worth[k, t] / net.factor[t])
            if (k, t) in net.promise_row and flows.used[k, t] > 0 and worth > WORTH:
                yield Binding(code=BindingCode.CONTRACT_EXHAUSTED, subject=supply.agreement.id, month=t, worth=worth)


def _full(program: Program, plan: Decided, flows: Flows) -> Iterator[Binding]:
    """Workloads that would gain by an option for whose hours its pool has no room, and where it lacks first."""
    room = dict(zip(program.caps, np.array(list(program.caps.values())) - program.drawn(plan.choices), strict=True))
    least, worth, scene = WORTH * abs(flows.cost), _Worth(program, plan, flows), program.scene
    for w, work in enumerate(scene.workloads):
        for o, option in enumerate(work.options):
            months = [s for s in range(scene.given.months) if Choice(w, o, s) in program.allowed]
            if option.pool is None or not months:
                continue
            saved, first = worth.best(w, o, months)
            mine = _own(program, plan.choices[w], option.pool)
            lacking = {
                t: short
                for t in range(first, scene.given.months)
                if (option.pool, t) in room
                and (short := float(scene.need(w, o)[t] - room[option.pool, t] - mine[t])) > 0
            }
            if saved > least and lacking:
                yield Binding(
                    code=BindingCode.POOL_FULL,
                    subject=option.pool,
                    month=min(lacking),
                    workload=work.id,
                    option=option.id,
                    worth=saved,
                    hours=sum(lacking.values()),
                )


def _unconfirmed_later(program: Program, plan: Decided, flows: Flows) -> Iterator[Binding]:
    """Workloads that would gain most by moving after the last month for which their pool is confirmed."""
    least, worth, scene = WORTH * abs(flows.cost), _Worth(program, plan, flows), program.scene
    for w, work in enumerate(scene.workloads):
        for o, option in enumerate(work.options):
            last = scene.last_begin(w, o)
            now = [s for s in range(scene.given.months) if Choice(w, o, s) in program.allowed]
            if o == STAY or option.pool is None or not now or last + 1 >= scene.given.months:
                continue
            saved, month = worth.best(w, o, range(last + 1, scene.given.months))
            if saved > max(least, worth.best(w, o, now)[0]):
                code = BindingCode.CONFIRMATION_ENDS
                told = {"month": month, "workload": work.id, "option": option.id, "worth": saved}
                yield Binding.model_validate({"code": code, "subject": option.pool, **told})


def _own(program: Program, choice: Choice, pool: str) -> Floats:
    """What a workload draws of a pool already."""
    own = np.zeros(program.scene.given.months)
    for o, span in program.spans(choice):
        if program.scene.workloads[choice.workload].options[o].pool == pool:
            own[span] += program.scene.need(choice.workload, o)[span]
    return own


def _today(program: Program) -> Iterator[Binding]:
    scene = program.scene
    for (name, t), over in zip(program.caps, program.drawn(scene.stays()), strict=True):
        if over > program.caps[name, t]:
            yield Binding(code=BindingCode.POOL_OVER_TODAY, subject=name, month=t)
    for w, work in enumerate(scene.workloads):
        option = work.options[STAY]
        over_cap = np.flatnonzero(scene.need(w, STAY) > (np.inf if option.hours_cap is None else option.hours_cap))
        if len(over_cap):
            code = BindingCode.OPTION_OVER_TODAY
            yield Binding(code=code, subject=work.id, month=int(over_cap[0]), option=option.id)
        if scene.region_reason(option) is not None:
            yield Binding(code=BindingCode.REGION_TODAY, subject=work.id, option=option.id)
