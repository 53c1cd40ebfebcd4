"""The reply to `/plan`: what the runs can see, what they cost, and a run sheet to fill in and post back."""

import csv
import io
import re
from collections.abc import Sequence

from bot.render import figures
from bot.render.comment.problems import alerts
from bot.render.comment.voice import Voice
from bot.render.notices import Markup, code, say
from bot.render.safe_text import clean
from scoring.model.decision import Decision
from scoring.model.problem import Problem, Severity
from scoring.plan import Aim, PlannedRun, RunPlan

SHOWN_BLOCKS = 100
NAMED_CURRENCIES = ("USD", "EUR", "GBP")
"""Of a price column; another currency stands in the settings."""
FORMULA = ("=", "+", "-", "@")
CELL = 60
NOT_TOLD = frozenset({"nothing-posted", "refused-no-arms"})


def render_plan(plan: RunPlan, decision: Decision, gathered: Sequence[Problem] = ()) -> str:
    """Markdown, far below GitHub's limit: a plan after `decision`, the pilot so far, and what was `gathered` amiss."""
    say_of = _Say(plan, decision.settings.language)
    parts = [f"### {say_of('plan.title', runs=plan.runs, **say_of.names)}", say_of.settled(decision), say_of.sees()]
    parts += [say_of.of_several(decision), say_of.spread(), say_of.aims(), say_of.cost()]
    if plan.sheet:
        parts += [
            say_of("plan.order", seed=code(str(plan.seed))),
            say_of("plan.before"),
            _sheet(plan, decision, say_of),
        ]
    parts.append(alerts(_told(decision, gathered), Voice.of(decision)))
    return "\n\n".join(part for part in parts if part) + "\n"


class _Say:
    """Sentences of one plan with its own names and figures."""

    def __init__(self, plan: RunPlan, language: str) -> None:
        self.plan, self.language = plan, language
        self.names = {"incumbent": plan.incumbent, "candidate": plan.candidate}

    def __call__(self, sentence: str, **fields: object) -> str:
        return say(self.language, sentence, **fields)

    def money(self, amount: float) -> Markup:
        return Markup(figures.money(amount, self.plan.currency, 3))

    def settled(self, decision: Decision) -> str:
        """Whether the runs so far are enough for what is decided now."""
        word = decision.verdict.word
        return self("plan.settled", word=Markup(word.value)) if self.plan.settled and word else ""

    def of_several(self, decision: Decision) -> str:
        """Which of several comparisons is planned: the first, unless one was asked for."""
        if not decision.others:
            return ""
        if decision.workload is None:
            return self("plan.of-several-phases", count=1 + len(decision.others))
        return self("plan.of-several", count=1 + len(decision.others), workload=decision.workload)

    def sees(self) -> str:
        """What the planned number can tell, and whether it reaches what was asked."""
        plan = self.plan
        shares = {
            "power": _share(plan.power),
            "confidence": Markup(f"{plan.confidence * 100:.10g} %"),
            "half": _share(plan.half_width),
        }
        if plan.smallest_saving is None:
            told = self("plan.sees-nothing", runs=plan.runs, **shares)
        else:
            told = self("plan.sees", runs=plan.runs, saving=_share(plan.smallest_saving), **shares)
        if plan.reached or plan.detect is None:
            return told
        return f"{self('plan.not-reached', detect=_share(plan.detect), limit=plan.limit)} {told}"

    def spread(self) -> str:
        """Where the spread comes from."""
        spread = self.plan.spread
        if spread.source == "pilot" and spread.pairs is not None:
            return self("plan.spread-pairs", spread=_share(spread.pairs), done=self.plan.done)
        shares = {"spread_incumbent": _share(spread.incumbent), "spread_candidate": _share(spread.candidate)}
        if spread.source == "pilot":
            return self("plan.spread-pilot", done=self.plan.done, **shares, **self.names)
        return self(f"plan.spread-{spread.source}", spread=shares["spread_incumbent"])

    def aims(self) -> str:
        """A table of savings and the runs that tell them from none."""
        rows = [self("plan.head"), self("plan.rule")]
        rows += [f"| {' | '.join(self._aim(aim))} |" for aim in self.plan.aims]
        return "\n".join(rows)

    def _aim(self, aim: Aim) -> tuple[str, str, str, str]:
        mark = "**" if aim.detect == self.plan.detect else ""
        safe = "–" if self.plan.spread.nu is None else self._runs(aim.safe)
        return (f"{mark}{_share(aim.detect)}{mark}", self._runs(aim.likely), safe, self._cost_of(aim.likely))

    def _cost_of(self, runs: int | None) -> str:
        if runs is not None and runs <= self.plan.done:
            return self("plan.nothing-more")
        cost = None if runs is None else self.plan.cost_of(runs - self.plan.done)
        return "–" if cost is None else self.money(cost)

    def _runs(self, runs: int | None) -> str:
        return self("plan.more-than", limit=self.plan.limit) if runs is None else f"{runs}"

    def cost(self) -> str:
        """What the runs that are still to be made cost."""
        plan = self.plan
        told = self("plan.done", done=plan.done, more=plan.more) if plan.done else ""
        total = plan.cost_of(plan.more)
        if not plan.more:
            return told
        if total is None or plan.cost_incumbent is None or plan.cost_candidate is None:
            return f"{told} {self('plan.cost-unknown')}".strip()
        each = {"a": self.money(plan.cost_incumbent), "b": self.money(plan.cost_candidate)}
        return f"{told} {self('plan.cost', total=self.money(total), **each, **self.names)}".strip()


def _share(share: float) -> Markup:
    return Markup(figures.percent(share))


def _told(decision: Decision, gathered: Sequence[Problem]) -> list[Problem]:
    """What of the pilot so far could not be counted; that nothing was posted yet is no problem of a plan."""
    weighing = (Severity.ERROR, Severity.QUESTION)
    return [p for p in decision.problems if (p.severity in weighing or p in gathered) and p.code not in NOT_TOLD]


def _sheet(plan: RunPlan, decision: Decision, say_of: _Say) -> str:
    shown = plan.sheet[: 2 * SHOWN_BLOCKS]
    text = _csv(shown, _columns(decision))
    fence = "`" * max(3, 1 + max((len(ticks) for ticks in re.findall("`+", text)), default=0))
    cut = say_of("plan.sheet-cut", shown=SHOWN_BLOCKS) if len(plan.sheet) > len(shown) else ""
    return f"{say_of('plan.sheet')} {cut}".strip() + f"\n\n{fence}csv\n{text}{fence}"


def _columns(decision: Decision) -> list[str]:
    """The tidy form's columns with the metrics that the pilot or the settings name."""
    metrics = dict.fromkeys([*(q.metric for q in decision.quality), *decision.settings.margins])
    currency = decision.settings.currency
    price = f"price_{currency.lower()}_per_hour" if currency in NAMED_CURRENCIES else "price_per_hour"
    return ["started_at", "duration_s", price, *(metrics or ("quality_metric", "quality_value")), "status"]


def _csv(runs: Sequence[PlannedRun], columns: Sequence[str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["arm", "run", "block", *(_cell(column) for column in columns)])
    writer.writerows([_cell(run.arm), run.run, run.block, *([""] * len(columns))] for run in runs)
    return out.getvalue()


def _cell(text: str) -> str:
    """One line, and no formula for whoever opens the sheet as a workbook."""
    shown = clean(text, CELL)
    return f"'{shown}" if shown.startswith(FORMULA) else shown
