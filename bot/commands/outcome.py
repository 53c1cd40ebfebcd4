"""`/outcome`: what a decision's work really cost and was worth, kept with the decision it belongs to."""

from typing import TYPE_CHECKING, Any

from bot.commands.interface import Scope, SlashCommand
from bot.dossier import Answer, Dossier, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.model.problem import Problem
    from scoring.review.given import DecisionFact

USAGE = "/outcome period=2027-01 [cost=…] [base=…] [monthly=…] [quality=…] [quality.METRIC=…] [workload=…]"
COLUMNS = {
    "period": "period",
    "cost": "cost_per_unit",
    "base": "incumbent_cost_per_unit",
    "monthly": "monthly_cost",
    "workload": "workload",
}
QUALITY = "quality"


def answer(dossier: Dossier) -> Answer:
    """What was kept, or why nothing was. Raises OSError for a spooled file that is gone."""
    from bot.commands.evidence import sound_record
    from bot.commands.mistakes import malformed
    from bot.render.notices import say
    from bot.render.review.decided import render_outcome
    from scoring.review.facts import facts_of
    from scoring.review.outcomes_file import mistakes, outcome_of

    past, comment, language = dossier.past, dossier.sign_off, dossier.language
    assert comment is not None  # noqa: S101 - the scope of this command gives it
    decision = sound_record(past.kept)
    if past.problem is not None or past.last is None or decision is None:
        return Answer(body=f"### {say(language, 'outcome.no-decision')}\n", outcome=Outcome.REFUSED)
    if comment.altered:
        told = say(language, "outcome.altered", files=", ".join(comment.altered))
        return Answer(body=f"### {told}\n", outcome=Outcome.REFUSED)
    facts = tuple(facts_of(decision, dossier.issue, int(past.last.folder.rpartition("/")[2])))
    given, problems = _given(dossier, facts)
    problems += list(mistakes({"issue": str(dossier.issue), **given}, None, None))
    if problems:
        return malformed(problems, USAGE, language)
    written: dict[str, Any] = {"by": comment.login, "place": comment.place, "at": comment.at, "seq": facts[0].seq}
    outcome = outcome_of({"issue": str(dossier.issue), **given}, **written)
    body = render_outcome(outcome, facts, dossier.today, language)
    return Answer(body=body, outcome=Outcome.SAID, happened=outcome)


def _given(dossier: Dossier, facts: "tuple[DecisionFact, ...]") -> "tuple[dict[str, str], list[Problem]]":
    """The arguments as the columns of a file of outcomes; a quality without a metric is the decision's only one."""
    from bot.commands.arguments import words_of
    from scoring.model.problem import Problem
    from scoring.problems import error

    words = words_of(dossier.command)
    if isinstance(words, Problem):
        return {}, [words]
    given, problems = _pairs(words)
    named = [f for f in facts if given.get("workload") in (None, f.workload)]
    if len(named) != 1:
        known = ", ".join(sorted(f.workload for f in facts if f.workload))[:200]
        problems.append(
            error("outcome-invalid", column="workload", found=given.get("workload", "nothing"), expected=known)
        )
    elif QUALITY in given:
        metrics = [q.metric for q in named[0].quality]
        if len(metrics) != 1:
            expected = ", ".join(f"{QUALITY}.{m}" for m in metrics) or "nothing"
            problems.append(error("outcome-invalid", column=QUALITY, found=QUALITY, expected=expected[:200]))
        else:
            given[f"{QUALITY}.{metrics[0]}"] = given.pop(QUALITY)
    if named and not problems and set(given) <= {"period", "workload"}:
        problems.append(error("outcome-invalid", column="cost", found="nothing", expected="cost=…"))
    return given, problems


def _is_metric(name: str) -> bool:
    return name.startswith(f"{QUALITY}.") and name != f"{QUALITY}."


def _pairs(words: "Sequence[str]") -> "tuple[dict[str, str], list[Problem]]":
    from scoring.problems import error

    given, problems = dict[str, str](), []
    for word in words:
        key, separator, value = word.partition("=")
        name = key.casefold()
        column = COLUMNS.get(name, name)
        if not separator or not value:
            problems.append(error("argument-without-value", found=word[:100], expected=f"{key[:40]}=…"))
        elif name not in COLUMNS and name != QUALITY and not _is_metric(name):
            expected = ", ".join((*COLUMNS, QUALITY))
            problems.append(error("setting-unknown", column=name[:100], found=key[:100], expected=expected))
        elif column in given:
            told = {"found": f"{given[column]}, {value}"[:100], "expected": "one value"}
            problems.append(error("outcome-invalid", column=name[:100], **told))
        else:
            given[column] = value
    return given, problems


COMMAND = SlashCommand(
    name="outcome",
    usage=USAGE,
    examples=("/outcome period=2027-01 cost=0.61 quality.wer=7.4", "/outcome period=2027Q1 monthly=18300"),
    scope=Scope.DECISION,
    records=True,
    answer=answer,
)
