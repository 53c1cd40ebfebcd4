"""A plan as moves away from today's: what each saves, those that save nothing taken back."""

from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from scoring.quarter.answer import Move, MoveKind
from scoring.quarter.network import Flows
from scoring.quarter.options import STAY, Choice
from scoring.quarter.program import Decided, Program, Scale, as_planned
from scoring.quarter.supplies import Lever

WORTH = 1e-9
"""Of what the plan costs: a move that saves no more than that is none."""
ROUNDS = 3


@dataclass(frozen=True)
class Step:
    """One move: a workload's choice, or levers pulled otherwise than today, which go together."""

    choice: Choice | None
    levers: tuple[int, ...] = ()

    def undone(self, plan: Decided, today: Decided) -> Decided:
        """The plan without this move."""
        if self.choice is not None:
            back = tuple(Choice(c.workload, STAY, 0) if c == self.choice else c for c in plan.choices)
            return replace(plan, choices=back)
        levers = tuple(today.levers[i] if i in self.levers else n for i, n in enumerate(plan.levers))
        return replace(plan, levers=levers)


def cost_of(program: Program, plan: Decided, scale: Scale = as_planned) -> Flows:
    """The cheapest flows of a plan, its hours scaled; `cost` and `by_month` hold one-off costs as well."""
    flows = program.network.run(program.hours(plan.choices, scale), np.array(plan.levers, dtype=float))
    moving = np.zeros(program.scene.given.months)
    for choice in plan.choices:
        moving[choice.month] += program.moving(choice)
    return replace(flows, cost=flows.cost + float(moving @ program.scene.factor), by_month=flows.by_month + moving)


def steps_of(program: Program, plan: Decided) -> tuple[Step, ...]:
    """The moves of a plan: workloads in their order, then contracts and offers. A contract's levers are one move."""
    today = program.today
    moved = [Step(choice) for choice in plan.choices if choice.option != STAY]
    pulled: dict[tuple[str, int], list[int]] = {}
    for i, lever in enumerate(program.network.levers):
        if plan.levers[i] != today.levers[i]:
            each = lever.month if lever.kind is MoveKind.BUY else -1
            pulled.setdefault((lever.group, each), []).append(i)
    return (*moved, *(Step(None, tuple(levers)) for levers in pulled.values()))


def may_be_undone(program: Program, plan: Decided) -> bool:
    """Whether a plan fits the caps; where today's option cannot hold the work, staying on it is no plan."""
    if any(choice not in program.allowed for choice in plan.choices):
        return False
    if not program.caps:
        return True
    hours = program.drawn(plan.choices)
    return bool(np.all(hours <= np.array(list(program.caps.values())) * (1 + WORTH)))


def worthwhile(program: Program, plan: Decided) -> tuple[Decided, Flows, tuple[tuple[Step, float], ...]]:
    """The plan without moves that save nothing, its flows, and what each other move saves.

    A move that the caps do not let be undone stays, whatever it costs: its saving may be below zero.
    """
    today, flows = program.today, cost_of(program, plan)
    for _ in range(ROUNDS):
        taken_back = False
        kept: list[tuple[Step, float]] = []
        for step in steps_of(program, plan):
            without = step.undone(plan, today)
            alone = cost_of(program, without)
            saving = alone.cost - flows.cost
            if saving <= WORTH * abs(flows.cost) and may_be_undone(program, without):
                plan, flows, taken_back = without, alone, True
            else:
                kept.append((step, saving))
        if not taken_back:
            break
    return plan, flows, tuple(kept)


def move_of(program: Program, plan: Decided, step: Step, saving: float) -> Move:
    """A move as it is told."""
    if step.choice is None:
        return _of_levers(program, plan, step, saving)
    work = program.scene.workloads[step.choice.workload]
    option = work.options[step.choice.option]
    first = program.scene.months[step.choice.month][0]
    return Move(
        kind=MoveKind.MOVE,
        subject=work.id,
        from_option=work.today,
        to_option=option.id,
        month=step.choice.month,
        on=first,
        deadline=max(first, program.scene.given.today),
        saving=saving,
        unproven=not option.proven,
    )


def _of_levers(program: Program, plan: Decided, step: Step, saving: float) -> Move:
    levers = [(program.network.levers[i], plan.levers[i]) for i in step.levers]
    lever, count = next((pair for pair in levers if pair[0].kind is not MoveKind.RENEW), levers[0])
    cancelled = lever.kind is MoveKind.RENEW and not count
    return Move(
        kind=MoveKind.CANCEL if cancelled else lever.kind,
        subject=lever.subject,
        instances=count * lever.size if lever.kind is MoveKind.BUY else None,
        month=min(lever.month, program.scene.given.months - 1),
        on=lever.day,
        deadline=_deadline(levers),
        saving=saving,
        subject_to=lever.subject_to,
        until=lever.until,
        beyond=-lever.beyond if cancelled else lever.beyond,
    )


def _deadline(levers: list[tuple[Lever, int]]) -> date:
    return min(lever.deadline for lever, _ in levers)


def by_deadline(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """In the order in which they have to be decided."""
    return tuple(sorted(moves, key=lambda m: (m.deadline, m.kind, m.subject, m.month)))
