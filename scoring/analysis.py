"""The engine's only door for a pilot: read, check, compare, constrain, decide."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from scoring.arms import ArmData, Arms
from scoring.blocks import in_blocks
from scoring.checks import Scene, check_comparable
from scoring.checks.serving import lost_requests
from scoring.comparison import (
    arm_result,
    compare,
    cost_comparison,
    cost_of,
    cost_with_initialisation,
    time_comparison,
    time_with_initialisation,
    without_first_runs,
)
from scoring.contracts.current_term import current_term
from scoring.contracts.due_dates import due_dates, with_dates
from scoring.costing import cost_arm, price_notes, prices_not_used
from scoring.decide import ENOUGH_RUNS, Case, decide
from scoring.diagnostics import diagnose
from scoring.economics import capacity_at_move, economics_of, no_economics, offers_at_move
from scoring.elsewhere import elsewhere
from scoring.flips import flips_of, runs_to_settle
from scoring.guardrail_runs import runs_for_guardrails
from scoring.guardrails import compare_latency, compare_quality
from scoring.item_scores import said_of_items
from scoring.looks import Plan, comparison_key, looks_at, looks_problems, with_bounds
from scoring.margins_asked import margins_asked
from scoring.metric_names import by_posted_names
from scoring.model.decision import Comparison, Decision, Reason, Verdict
from scoring.model.estimates import Direction, RatioEstimate
from scoring.model.looks import Looks
from scoring.model.pilot import Pilot
from scoring.model.problem import Problem, Severity
from scoring.model.settings import Settings
from scoring.portability.moving import blocked_by
from scoring.problems import question
from scoring.reading.pilot_reader import read_pilot
from scoring.records import record_of_processing
from scoring.regret import regret_of
from scoring.seeds import said_of_seeds
from scoring.selection import (
    Group,
    all_groups,
    choose_arms,
    counts_whole_runs,
    groups_of,
    no_group,
    not_shared,
    unit_of_group,
)
from scoring.setup import Evidence, Setup, read_setup
from scoring.several import Compared, decide_together
from scoring.unjudged import unjudged

__all__ = ["Evidence", "analyse", "analyse_read", "read_evidence", "with_settings_of"]

POLICY = frozenset({"region-not-approved", "capacity-expired", "capacity-ends-before-move", "portability-blocked"})
"""Errors that forbid the move but leave the comparison as it is."""

TIME_UNITS = frozenset({"duration-unit-unknown", "throughput-unit-unknown"})
LATENCY_UNITS = frozenset({"latency-unit-unknown"})
"""Questions whose figures may be wrong by a factor: they serve the checks and are not told."""
PRICE_ASKED = ("price-missing", "price-ambiguous", "quote-expired", "currency-rate-missing")
"""Questions that already say why an arm has no price."""


@dataclass(frozen=True)
class Known:
    """What every comparison of a posting shares."""

    setup: Setup
    pilot: Pilot
    problems: tuple[Problem, ...]
    today: date
    several: bool
    groups: tuple[Group, ...] = ()
    """All of the posting, whichever of them the settings ask for."""

    @property
    def unreadable(self) -> tuple[Problem, ...]:
        """What keeps any answer back: a broken settings, contract or price file, a posted file that was not read."""
        read = [p for p in self.problems if p not in self.setup.problems and p.row is None]
        weighing = (*self.setup.problems, *read)
        return tuple(p for p in weighing if p.severity is Severity.ERROR)


def analyse(evidence: Evidence, today: date) -> Decision:
    """The decision for a posting; `settings.decision_date` wins over `today`.

    A posting of several workloads or phases gives the first one's decision with the `others` in it; all that is
    compared is tested together.
    """
    return analyse_read(read_evidence(evidence), today)


@dataclass(frozen=True)
class ReadEvidence:
    """Evidence as values: how to judge, what was measured, and the problems met in reading it."""

    setup: Setup
    pilot: Pilot
    problems: tuple[Problem, ...]


def read_evidence(evidence: Evidence) -> ReadEvidence:
    """Read everything that was posted. Raises OSError for a file that cannot be opened."""
    setup = read_setup(evidence)
    pilot, problems = read_pilot(evidence.postings, setup.settings)
    return ReadEvidence(setup, pilot, (*evidence.problems, *problems, *prices_not_used(setup, pilot)))


def with_settings_of(evidence: Evidence, read: ReadEvidence) -> ReadEvidence:
    """The posting that was read, judged as `evidence` says; files are read again only where a setting tells how to."""
    setup = read_setup(evidence)
    if _reading_of(setup.settings) != _reading_of(read.setup.settings):
        return read_evidence(evidence)
    unused = prices_not_used(read.setup, read.pilot)
    kept = [p for p in read.problems if p not in unused]
    return ReadEvidence(setup, read.pilot, (*kept, *prices_not_used(setup, read.pilot)))


def _reading_of(settings: Settings) -> tuple[dict[str, str], dict[str, Direction | None]]:
    """All that readers look up in the settings."""
    return settings.map, {name: margin.direction for name, margin in settings.margins.items() if margin.direction}


def analyse_read(read: ReadEvidence, today: date) -> Decision:
    """The decision for evidence that was read."""
    pilot, day = read.pilot, read.setup.settings.decision_date or today
    named = replace(read.setup, settings=by_posted_names(read.setup.settings, pilot))
    setup, renewed = _as_of(named, day)
    groups = groups_of(pilot, setup.settings)
    problems = _unique((*setup.problems, *read.problems, *renewed))
    dates = None if setup.is_broken else due_dates(setup.contracts, setup.settings, day, setup.in_command)
    known = Known(setup, pilot, problems, day, len(groups) > 1, all_groups(pilot, setup.settings))
    asked = not_shared(pilot, groups) if groups else no_group(pilot, setup.settings)
    if asked or not groups:
        return with_dates(_undecided(known, *asked), dates)
    decided = decide_together([_compare_group(known, group) for group in groups])
    first, *others = [with_dates(decision, dates) for decision in decided]
    return first.model_copy(update={"others": tuple(others)})


def _as_of(setup: Setup, day: date) -> tuple[Setup, list[Problem]]:
    """Contracts in the term that runs on the day."""
    current = [current_term(contract, day) for contract in setup.contracts]
    problems = [p for _, found in current for p in found]
    return replace(setup, contracts=tuple(contract for contract, _ in current)), problems


def _compare_group(known: Known, group: Group) -> list[Compared]:
    """Each candidate of a workload and phase against the one incumbent."""
    choice = choose_arms(group, known.setup.settings)
    if choice.incumbent is None or not choice.candidates:
        return [Compared(_without_two_arms(known, group, choice.problems))]
    return [_compare_pair(known, group, (choice.incumbent, name), choice.problems) for name in choice.candidates]


def _compare_pair(known: Known, group: Group, names: tuple[str, str], said: Sequence[Problem]) -> Compared:
    (incumbent, of_incumbent), (candidate, of_candidate) = (_arm(known, group, name) for name in names)
    arms = Arms(incumbent, candidate, unit_of_group(group), known.setup.settings.currency)
    arms, of_blocks = in_blocks(arms)
    of_others = elsewhere(group, known.groups, known.pilot)
    scene = Scene(arms, known.setup.settings, known.setup.prices, known.today, of_others)
    found = [
        *said,
        *of_incumbent,
        *of_candidate,
        *check_comparable(scene),
        *of_blocks,
        *said_of_items(arms),
        *said_of_seeds(arms),
    ]
    return _decide_arms(known, group, arms, found)


def _decide_arms(known: Known, group: Group, arms: Arms, found: list[Problem]) -> Compared:
    settings = known.setup.settings
    found += blocked_by(known.setup.portability, settings, arms.candidate.machines)
    cost = cost_comparison(arms, settings.confidence)
    time = time_comparison(arms, settings.confidence, cost)
    if any(p.severity is Severity.ERROR and p.code not in POLICY for p in found):
        cost, time = _refused(cost), _refused(time)
    looks = _looks(known, group, arms)
    level = looks.level if looks else None
    quality = compare_quality(arms, known.pilot.directions, settings, level)
    latency = compare_latency(arms, settings, level)
    economics, more = economics_of(arms, cost, time, known.setup, known.today, known.several)
    found += capacity_at_move(economics, arms.candidate.name, settings)
    found += [*_missing(arms, cost, time, found), *margins_asked(quality, arms.incumbent.name), *more]
    found += [*looks_problems(looks), *unjudged(quality, latency, arms.candidate.name)]
    runs, theta = (arms.incumbent.n, arms.candidate.n), cost.theta if cost else None
    regret = regret_of(arms, cost, economics, settings)
    asked = [p for p in known.problems if p.severity is Severity.QUESTION]
    looks = with_bounds(looks, theta) if looks else None
    needed = runs_for_guardrails(quality, latency, arms.candidate.name, settings, looks)
    weighing, planned = (*asked, *found), settings.planned_runs_per_arm
    case = Case(theta, runs, quality, latency, economics, weighing, known.unreadable, looks, regret, planned, needed)
    verdict = decide(case)
    notes = price_notes(arms, known.setup.prices, settings)
    notes += offers_at_move(verdict, arms.candidate, settings, known.today)
    if TIME_UNITS & {p.code for p in asked}:
        cost = time = regret = None
        economics = no_economics(settings, known.today, "question")
    if LATENCY_UNITS & {p.code for p in asked}:
        latency = ()
    decision = Decision(
        decided_on=known.today,
        workload=group.workload,
        phase=group.phase,
        incumbent=arms.incumbent.name,
        candidate=arms.candidate.name,
        verdict=verdict,
        cost=cost,
        time=time,
        with_first_run_left_out=_without_first(arms, cost, settings.confidence),
        with_initialisation=_with_initialisation(arms, cost, settings.confidence),
        quality=quality,
        latency=latency,
        diagnostics=diagnose(arms, theta, economics.break_even_theta, settings.confidence),
        economics=economics,
        regret=regret,
        looks=looks,
        next_runs=runs_to_settle(arms, cost, economics.break_even_theta, verdict, settings, looks, regret, needed),
        flips=flips_of(verdict, economics, quality),
        problems=_unique((*known.problems, *found, *notes)),
        pilot=known.pilot,
        runs=tuple(c for arm in arms.both for c in arm.runs),
        contracts=known.setup.contracts,
        records=record_of_processing(arms, known.setup, known.today) if verdict.word else None,
        portability=known.setup.porting,
        settings=settings,
        settings_given=known.setup.given,
    )
    return Compared(decision, case, arms, lambda alpha: _looks_bounded(known, group, arms, theta, alpha))


def _looks_bounded(known: Known, group: Group, arms: Arms, theta: RatioEstimate | None, alpha: float) -> Looks | None:
    """The looks and their bounds, were that the alpha of all of them."""
    looks = _looks(known, group, arms, alpha)
    return with_bounds(looks, theta) if looks else None


def _looks(known: Known, group: Group, arms: Arms, alpha: float | None = None) -> Looks | None:
    """None with too few runs for any proof."""
    runs = arms.incumbent.n, arms.candidate.n
    if min(runs) < ENOUGH_RUNS:
        return None
    phase = group.phase.value if group.phase else None
    key = comparison_key(group.workload, phase, [arm.name for arm in arms.both])
    plan = Plan.of(known.setup.settings, known.setup.given)
    plan = plan if alpha is None else replace(plan, alpha=alpha)
    return looks_at(key, runs, known.setup.looks, plan)


def _arm(known: Known, group: Group, name: str) -> tuple[ArmData, list[Problem]]:
    runs = [r for r in group.runs if r.arm == name]
    summary = next((s for s in group.summaries if s.arm == name), None)
    arm, problems = cost_arm(name, runs, summary, known.setup, known.today, counts_whole_runs(group))
    items = [i for i in known.pilot.items if i.arm == name and i.workload in (None, group.workload)]
    return replace(arm, items=tuple(items)), problems


def _without_two_arms(known: Known, group: Group, problems: Iterable[Problem]) -> Decision:
    """What can be said of arms that stand alone: how much of their work was lost."""
    arms = [_arm(known, group, name)[0] for name in group.arm_names]
    limit = known.setup.settings.error_rate_limit
    lost = [p for arm in arms for p in lost_requests(arm, limit)]
    theta = RatioEstimate(point=None, confidence=known.setup.settings.confidence, method="none", reason="no-arms")
    alone = Comparison(
        unit=unit_of_group(group),
        currency=known.setup.settings.currency,
        theta=theta,
        arms={arm.name: arm_result(arm) for arm in arms},
    )
    costed = tuple(c for arm in arms for c in arm.runs)
    undecided = _undecided(known, *problems, *lost)
    return undecided.model_copy(
        update={"workload": group.workload, "phase": group.phase, "cost": alone, "runs": costed}
    )


def _undecided(known: Known, *more: Problem) -> Decision:
    """No two arms to compare: what was read is kept, and the problems say why."""
    problems = _unique((*known.problems, *more))
    asked = [p.code for p in problems if p.severity in (Severity.ERROR, Severity.QUESTION)]
    reasons = tuple(Reason(code=code) for code in dict.fromkeys(asked)) or (Reason(code="refused-no-arms"),)
    return Decision(
        decided_on=known.today,
        verdict=Verdict(word=None, reasons=reasons),
        economics=no_economics(known.setup.settings, known.today, "no-arms"),
        problems=problems,
        pilot=known.pilot,
        settings=known.setup.settings,
        settings_given=known.setup.given,
        contracts=known.setup.contracts,
        portability=known.setup.porting,
    )


def _refused(comparison: Comparison | None) -> Comparison | None:
    """The arms' own figures stay; what must not be compared gives no ratio."""
    if comparison is None:
        return None
    was = comparison.theta
    theta = RatioEstimate(point=None, confidence=was.confidence, method=was.method, reason="refused")
    return comparison.model_copy(update={"theta": theta, "sensitivity": {}})


def _missing(arms: Arms, cost: Comparison | None, time: Comparison | None, found: Sequence[Problem]) -> list[Problem]:
    """Which fact is missing for a cost of each arm."""
    if cost is None and time is None:
        return [question("cost-missing", found="neither time nor cost", expected="duration, throughput or cost")]
    asked = {p.arguments.get("arm") for p in found if p.code in PRICE_ASKED}
    problems = []
    for arm in arms.both:
        result = cost.arms[arm.name] if cost else None
        unasked = arm.name not in asked and not any(p.code == "cost-disagrees" for p in found)
        if unasked and (result is None or result.cost_per_unit is None) and _has_time(time, arm):
            found_type = arm.one("instance_type") or arm.one("accelerator") or arm.name
            problems.append(question("price-missing", arm=arm.name, found=found_type, expected="a price per hour"))
    return problems


def _has_time(time: Comparison | None, arm: ArmData) -> bool:
    return time is not None and time.arms[arm.name].duration_per_unit_s is not None


def _without_first(arms: Arms, cost: Comparison | None, confidence: float) -> RatioEstimate | None:
    shorter = without_first_runs(arms)
    if shorter is None or cost is None or cost.theta.point is None:
        return None
    return compare(shorter, cost_of, confidence)


def _with_initialisation(arms: Arms, cost: Comparison | None, confidence: float) -> RatioEstimate | None:
    if not all(any(c.run.initialisation_s for c in arm.runs) for arm in arms.both):
        return None
    priced = cost is not None and cost.theta.point is not None
    return compare(arms, cost_with_initialisation if priced else time_with_initialisation, confidence)


def _unique(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple({p.model_dump_json(): p for p in problems}.values())
