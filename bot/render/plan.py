"""The reply to `/plan` and `steelyard plan`: what the runs can see, what they cost, and a run sheet to fill in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.render import figures
from bot.render.comment.problems import alerts
from bot.render.comment.voice import Voice
from bot.render.locales import in_language
from bot.render.notices import Markup, code, say
from bot.render.run_sheet import run_sheet_csv
from bot.render.safe_text import literal, words
from scoring.model.decision import Decision
from scoring.model.problem import Problem, Severity
from scoring.plan import Aim, GuardrailNeed, RunPlan

SHOWN_BLOCKS = 100
SHOWN_GUARDRAILS = 12
LONGEST = 2_000
"""Of a command that is to be given as it stands."""
SETTINGS = ("workload", "phase", "planned_runs_per_arm")
"""What is asked for as a setting and not as an argument of the plan."""
NOT_TOLD = frozenset({"nothing-posted", "refused-no-arms"})


@dataclass(frozen=True)
class Place:
    """Where a plan is told: in a thread, or on the command line, which may have written the sheet to a file.

    `compare` is the whole command that judges the filled-in sheet as the plan says. `unwritten` is a file that was
    asked for and not written, since no runs are left to be made.
    """

    compare: str
    in_thread: bool = True
    written: str | None = None
    unwritten: str | None = None

    def ask(self, name: str, value: str) -> Markup:
        """How an argument or a setting is given here."""
        if self.in_thread:
            return code(f"/plan {name}={value}")
        return code(f"--set {name}={value}" if name in SETTINGS else f"--{name.replace('_', '-')} {value}")


@in_language(lambda plan, decision, *_, **__: decision.settings.language)
def render_plan(plan: RunPlan, decision: Decision, place: Place, gathered: Sequence[Problem] = ()) -> str:
    """Markdown, far below GitHub's limit: a plan after `decision`, the pilot so far, and what was `gathered` amiss."""
    say_of = _Say(plan, decision.settings.language, place)
    parts = [
        f"### {say_of('plan.title', runs=say_of.counted(plan.runs, 'run'), **say_of.names)}",
        say_of.settled(decision),
        say_of.sees(),
        say_of.of_several(decision),
        say_of.spread(),
        say_of.aims(),
        say_of.guardrails(),
        say_of.decides(),
        say_of.looks(),
        say_of.cost(),
        say_of.stake(),
        say_of.worth(),
        say_of.allocation(),
    ]
    if plan.sheet:
        before = "plan.before-more" if plan.done else "plan.before"
        parts += [say_of.order(), say_of(before), _sheet(plan, say_of)]
    elif place.unwritten is not None:
        parts.append(say_of("plan.sheet-unwritten", file=place.unwritten))
    parts.append(alerts(_told(decision, gathered), Voice.of(decision, in_thread=place.in_thread)))
    return "\n\n".join(part for part in parts if part) + "\n"


class _Say:
    """Sentences of one plan with its own names and figures."""

    def __init__(self, plan: RunPlan, language: str, place: Place) -> None:
        self.plan, self.language, self.place = plan, language, place
        self.names = {"incumbent": plan.incumbent, "candidate": plan.candidate}
        self.power = _share(plan.power)

    def __call__(self, sentence: str, **fields: object) -> str:
        return say(self.language, sentence, **fields)

    def money(self, amount: float) -> Markup:
        return Markup(figures.money(amount, self.plan.currency, 3))

    def counted(self, number: int, what: str) -> Markup:
        """1 run, 2 runs."""
        code = f"plan.one-{what}" if number == 1 else f"plan.several-{what}s"
        return Markup(self(code, n=number))

    @property
    def limit(self) -> Markup:
        """The planned runs an arm."""
        return self.counted(self.plan.limit, "run")

    def settled(self, decision: Decision) -> str:
        """Whether the runs so far are enough for what is decided now."""
        word = decision.verdict.word
        if not self.plan.settled or not word:
            return ""
        return self("plan.settled", word=Markup(Voice.of(decision).word(word)), ask=self.place.ask("detect", "2%"))

    def of_several(self, decision: Decision) -> str:
        """Which of several comparisons is planned: the first, unless one was asked for."""
        if not decision.others and decision.rivals:
            count, ask = 1 + len(decision.rivals), self.place.ask("candidate", "NAME")
            return self("plan.of-several-candidates", count=count, candidate=decision.candidate, ask=ask)
        if not decision.others:
            return ""
        count = 1 + len(decision.others)
        if decision.workload is None:
            return self("plan.of-several-phases", count=count, ask=self.place.ask("phase", "NAME"))
        ask = self.place.ask("workload", "NAME")
        return self("plan.of-several", count=count, workload=decision.workload, ask=ask)

    def sees(self) -> str:
        """What the planned number can tell, and whether it reaches what was asked."""
        plan = self.plan
        told = [self._not_reached()]
        if plan.smallest_saving is None and plan.too_few_blocks:
            told.append(self("plan.too-few-blocks"))
        elif plan.smallest_saving is None:
            told.append(self("plan.sees-nothing", runs=self.counted(plan.runs, "run"), power=self.power))
        else:
            runs, saving = self.counted(plan.runs, "run"), _share(plan.smallest_saving)
            told.append(self("plan.sees", runs=runs, power=self.power, saving=saving))
        if plan.half_width is not None:
            level = Markup(figures.level(plan.confidence))
            told.append(self("plan.interval", confidence=level, half=_share(plan.half_width)))
        return " ".join(sentence for sentence in told if sentence)

    def _not_reached(self) -> str:
        plan = self.plan
        if plan.reached:
            return ""
        if plan.decided_by == "half-width" and plan.asked_half_width is not None:
            return self("plan.not-reached-width", half=_share(plan.asked_half_width), limit=self.limit)
        if plan.decided_by == "cost":
            return self("plan.not-reached", detect=_share(plan.detect or 0), limit=self.limit)
        metric = Markup(words(plan.decided_by))
        return self("plan.not-reached-guardrail", metric=metric, limit=self.limit)

    def spread(self) -> str:
        """Where the spread comes from."""
        spread = self.plan.spread
        if spread.source == "pilot" and spread.pairs is not None:
            return self("plan.spread-pairs", spread=_share(spread.pairs), done=self.plan.done)
        shares = {"spread_incumbent": _share(spread.incumbent), "spread_candidate": _share(spread.candidate)}
        if spread.source == "pilot":
            return self("plan.spread-pilot", done=self.plan.done, **shares, **self.names)
        if spread.source == "given":
            return self("plan.spread-given", spread=shares["spread_incumbent"])
        again = "plan.again-in-thread" if self.place.in_thread else "plan.again"
        assumed = self("plan.spread-assumed", spread=shares["spread_incumbent"])
        return f"{assumed} {self(again, ask=self.place.ask('cv', '3%'))}"

    def aims(self) -> str:
        """A table of savings and the runs that tell them from none."""
        rows = [self("plan.head"), self("plan.rule")]
        rows += [f"| {' | '.join(self._aim(aim))} |" for aim in self.plan.aims]
        legend = self("plan.likely-only" if self.plan.spread.nu is None else "plan.likely-safe")
        return "\n".join(rows) + f"\n\n{legend}"

    def _aim(self, aim: Aim) -> tuple[str, str, str, str]:
        detect = _share(aim.detect)
        aimed = self("plan.aimed", detect=detect) if aim.detect == self.plan.detect else detect
        safe = "–" if self.plan.spread.nu is None else self._runs(aim.safe)
        return (aimed, self._runs(aim.likely), safe, self._cost_of(aim.likely))

    def _cost_of(self, runs: int | None) -> str:
        if runs is not None and runs <= self.plan.done:
            return self("plan.nothing-more")
        cost = None if runs is None else self.plan.cost_of(runs - self.plan.done)
        return "–" if cost is None else self.money(cost)

    def _runs(self, runs: int | None) -> str:
        return self("plan.more-than", limit=self.plan.limit) if runs is None else f"{runs}"

    def guardrails(self) -> str:
        """What quality and latency take, each within its own margin or limit."""
        lines = [f"- {self._guardrail(need)}" for need in self.plan.guardrails[:SHOWN_GUARDRAILS]]
        if not lines:
            return self("plan.no-guardrails")
        return "\n".join([self("plan.guardrails", power=self.power), "", *lines])

    def _guardrail(self, need: GuardrailNeed) -> str:
        fields: dict[str, object] = {"metric": Markup(words(need.metric)), "within": Markup(self._within(need))}
        if need.holds:
            return self("plan.guardrail-holds", **fields)
        if need.spread is not None:
            spread = Markup(_on_scale(need, need.spread))
            runs, safe = Markup(self._runs(need.likely)), Markup(self._runs(need.safe))
            return self("plan.guardrail-measured", spread=spread, runs=runs, safe=safe, **fields)
        if need.tolerated is None:
            return self("plan.guardrail-unmeasured", **fields)
        tolerated = Markup(_on_scale(need, need.tolerated))
        return self("plan.guardrail-tolerates", runs=self.counted(self.plan.runs, "run"), spread=tolerated, **fields)

    def _within(self, need: GuardrailNeed) -> str:
        if need.limit_s is not None:
            return figures.duration(need.limit_s)
        if need.kind == "latency":
            return self("plan.above-incumbent", margin=_share(need.margin))
        return _on_scale(need, need.margin)

    def decides(self) -> str:
        """Which of cost, quality and latency took most runs."""
        decided = self.plan.decided_by
        if decided == "settle" and not self.plan.settled:
            return self("plan.settles")
        if decided in ("asked", "half-width", "settle") or not self.plan.guardrails or self.plan.settled:
            return ""
        if decided == "cost":
            return self("plan.decided-cost")
        return self("plan.decided-guardrail", metric=Markup(words(decided)))

    def looks(self) -> str:
        """That looking in between is allowed for, and the most runs to declare."""
        plan = self.plan
        told = [self("plan.looks", limit=self.limit, level=_share(plan.spent))]
        if plan.runs_if_every is not None and plan.runs_if_every > plan.runs:
            told.append(self("plan.if-every", runs=plan.runs_if_every))
        if plan.declare is not None:
            ask = self.place.ask("planned_runs_per_arm", str(plan.declare))
            told.append(self("plan.declare", declare=self.counted(plan.declare, "run"), ask=ask))
        if plan.runs_if_declared is not None and plan.runs_if_declared < plan.runs:
            told.append(self("plan.if-declared", runs=plan.runs_if_declared))
        if plan.runs > plan.limit:
            ask = self.place.ask("planned_runs_per_arm", str(plan.runs))
            told.append(self("plan.beyond-limit", runs=self.counted(plan.runs, "run"), limit=plan.limit, ask=ask))
        return " ".join(told)

    def cost(self) -> str:
        """What the runs that are still to be made cost."""
        plan = self.plan
        told = self("plan.done", done=plan.done, more=plan.more) if plan.done else ""
        total = plan.cost_of(plan.more)
        if not plan.more:
            return told
        if total is None or plan.cost_incumbent is None or plan.cost_candidate is None:
            return f"{told} {self('plan.cost-unknown', ask=self.place.ask('cost_per_run', '400'))}".strip()
        each = {"a": self.money(plan.cost_incumbent), "b": self.money(plan.cost_candidate)}
        return f"{told} {self('plan.cost', total=self.money(total), **each, **self.names)}".strip()

    def stake(self) -> str:
        """The pilot's cost against what it can save."""
        stake, plan = self.plan.stake, self.plan
        if stake is None or not plan.more:
            return ""
        told = [
            self("plan.stake", spend=self.money(stake.spend), months=self.counted(stake.months, "month"), **self.names)
        ]
        if stake.seen is not None:
            told.append(self("plan.stake-seen", seen=self.money(stake.seen)))
        if stake.pays_from is not None:
            told.append(self("plan.stake-pays", share=_share(stake.pays_from)))
        return " ".join(told)

    def worth(self) -> str:
        """When more runs stop paying."""
        worth, plan = self.plan.worth, self.plan
        if worth is None or not plan.more:
            return ""
        if not worth.runs:
            return self("plan.worth-none", value=self.money(worth.value), cost=self.money(worth.cost))
        waiting = self("plan.worth-waiting", delay=self.money(worth.delay)) if worth.delay else ""
        amounts = {"value": self.money(worth.value), "cost": self.money(worth.cost), "waiting": Markup(waiting)}
        told = self("plan.worth", runs=worth.runs, **amounts)
        return f"{told} {self('plan.worth-proof')}" if plan.more > worth.runs else told

    def allocation(self) -> str:
        """A hint where one arm's runs cost much more."""
        hint = self.plan.allocation
        if hint is None or not self.plan.more:
            return ""
        ratio, saved = Markup(figures.significant(hint.ratio, 2)), _share(hint.saved)
        return self("plan.allocation", cheap=hint.cheap, dear=hint.dear, ratio=ratio, saved=saved)

    def order(self) -> str:
        """Blocks and the order in them."""
        plan = self.plan
        seed = code(str(plan.seed))
        if plan.per_block == 1:
            return self("plan.order", seed=seed)
        blocks, runs = self.counted(plan.blocks, "block"), self.counted(plan.per_block, "run")
        return self("plan.order-several", seed=seed, count=runs, blocks=blocks)


def _share(share: float) -> Markup:
    return Markup(figures.percent(share))


def _on_scale(need: GuardrailNeed, size: float) -> str:
    """0.2, 1 % where the margin is relative, 0.5 points of a metric in per cent."""
    if need.margin_is_relative or need.kind == "latency":
        return figures.percent(size)
    return figures.points(size) if need.in_percent else figures.significant(size)


def _told(decision: Decision, gathered: Sequence[Problem]) -> list[Problem]:
    """What of the pilot so far could not be counted; that nothing was posted yet is no problem of a plan."""
    weighing = (Severity.ERROR, Severity.QUESTION)
    return [p for p in decision.problems if (p.severity in weighing or p in gathered) and p.code not in NOT_TOLD]


def _sheet(plan: RunPlan, say_of: _Say) -> str:
    place = say_of.place
    if place.written is not None:
        return f"{say_of('plan.sheet-written', file=place.written)}\n\n{_fenced('sh', place.compare)}"
    shown = plan.sheet[: 2 * SHOWN_BLOCKS]
    cut = say_of("plan.sheet-cut", shown=SHOWN_BLOCKS) if len(plan.sheet) > len(shown) else ""
    sentence = "plan.sheet" if place.in_thread else "plan.sheet-here"
    told = f"{say_of(sentence)} {cut}".strip() + f"\n\n{_fenced('csv', run_sheet_csv(plan, shown).rstrip())}\n\n"
    if place.in_thread:
        return told + say_of("plan.then-in-thread", command=Markup(literal(place.compare, LONGEST)))
    return told + f"{say_of('plan.then')}\n\n{_fenced('sh', place.compare)}"


def _fenced(language: str, text: str) -> str:
    """A block of code that nothing within it ends."""
    fence = "`" * max(3, 1 + max((len(ticks) for ticks in re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"
