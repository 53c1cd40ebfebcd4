"""The plan of a quarter: from the input to today's plan, the optimal one and its moves, or to a contradiction."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.quarter.answer import Assignment, ContractUse, Contradiction, Course, QuarterPlan
from scoring.quarter.binding import barred_with_worth, bindings
from scoring.quarter.contradiction import contradiction_of
from scoring.quarter.moves import by_deadline, cost_of, move_of, worthwhile
from scoring.quarter.network import Flows
from scoring.quarter.options import Scene
from scoring.quarter.program import Decided, Program
from scoring.quarter.robust import Scenarios, robustness_of
from scoring.quarter.search import search
from scoring.quarter.values import QuarterInput
from scoring.quarter.weighed import weighed

Floats = NDArray[np.float64]
NUDGE_HOURS = 1e-3


def plan_of(given: QuarterInput, scenarios: Scenarios | None = None) -> QuarterPlan | Contradiction:
    """The optimal plan within the input's gap. Raises RuntimeError only if the solver itself fails.

    The same input gives the same plan, in whatever order its parts are given, as long as the time suffices.
    """
    scene = Scene(given)
    program = Program.of(scene)
    found = search(program)
    if found is None:
        return contradiction_of(program)
    plan, flows, steps = worthwhile(program, found.decided)
    before = cost_of(program, program.today)
    robustness = None
    pays: Sequence[float | None] = [None] * len(steps)
    if scenarios is not None:
        robustness, pays = robustness_of(program, plan, [step for step, _ in steps], scenarios)
    moves = [
        move_of(program, plan, step, saving).model_copy(update={"pays_in": share})
        for (step, saving), share in zip(steps, pays, strict=True)
    ]
    bound = min(found.bound, flows.cost)
    priced = replace(flows, price=_prices(program, plan))
    return QuarterPlan(
        currency=given.currency,
        months=tuple(first for first, _ in scene.months),
        today=_course(program, program.today, before),
        optimal=_course(program, plan, flows),
        saving=before.cost - flows.cost,
        moves=by_deadline(tuple(moves)),
        bound=bound,
        gap=(flows.cost - bound) / flows.cost if flows.cost else 0.0,
        in_time=found.in_time,
        binding=bindings(program, plan, priced),
        offers=tuple(weighed(program, plan)),
        barred=barred_with_worth(program, plan, priced),
        questions=program.network.pools.questions,
        robustness=robustness,
    )


def _prices(program: Program, plan: Decided) -> Floats:
    """What one more hour of each pool costs, also of one that nothing needs, whose price would be any up to that."""
    hours = program.hours(plan.choices) + NUDGE_HOURS
    return program.network.run(hours, np.array(plan.levers, dtype=float)).price


def _course(program: Program, plan: Decided, flows: Flows) -> Course:
    works = program.scene.workloads
    return Course(
        cost=flows.cost,
        cost_by_month=tuple(float(cost) for cost in flows.by_month),
        assignments=tuple(
            Assignment(workload=works[c.workload].id, option=works[c.workload].options[c.option].id, month=c.month)
            for c in plan.choices
        ),
        uses=tuple(_uses(program, plan, flows)),
    )


def _uses(program: Program, plan: Decided, flows: Flows) -> Sequence[ContractUse]:
    """Terms of one contract added; what promises nothing is left out."""
    net = program.network
    promised, used = dict[str, np.ndarray](), dict[str, np.ndarray]()
    pulled = dict(zip(net.levers, plan.levers, strict=True))
    for k, supply in enumerate(net.supplies):
        amount = supply.always.amount + sum(profile.amount * pulled[lever] for lever, profile in supply.levers)
        name = supply.agreement.id
        promised[name] = promised.get(name, np.zeros(net.months)) + amount
        used[name] = used.get(name, np.zeros(net.months)) + flows.used[k]
    return [
        ContractUse(contract=name, promised=tuple(map(float, promised[name])), used=tuple(map(float, used[name])))
        for name in promised
        if promised[name].any()
    ]
