"""Several comparisons in one reply: one table of all, tested together, in the order to look at them."""

from bot.render import figures
from bot.render.comment.problems import sentence
from bot.render.comment.results import ratio_text
from bot.render.comment.voice import Voice
from bot.render.safe_text import literal, words
from scoring.model.decision import Claim, Decision, Multiplicity, Reason
from scoring.model.problem import Problem, Severity

SHOWN = 40
"""Comparisons that are told; the rest are counted."""
TINY = 0.001
PLACES = frozenset({"found", "expected", "column"})


def overview(decision: Decision, voice: Voice) -> str:
    """All workloads, phases and candidates of the posting; nothing for a posting of one comparison."""
    family = decision.multiplicity
    if family is None or len(family.claims) < 2:
        return ""
    saves = any(claim.saving is not None for claim in family.claims)
    columns = ["rank", "which", "answer", "ratio", "alone", "among", *(["saving"] if saves else []), "reads"]
    heads = [voice(f"together.{name}", count=family.size) for name in columns]
    lines = [voice("together.title", count=len(family.claims)), "", _row(heads), _row(["---"] * len(heads))]
    ordered = sorted(family.claims, key=lambda claim: claim.rank)
    lines += [_row(_cells(claim, family, saves, voice)) for claim in ordered[:SHOWN]]
    more = len(ordered) - SHOWN
    return "\n".join([*lines, "", *([voice("together.more", count=more)] if more > 0 else []), _note(family, voice)])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(claim: Claim, family: Multiplicity, saves: bool, voice: Voice) -> list[str]:
    word = voice("together.none") if claim.word is None else voice.word(claim.word)
    saving = [] if not saves else ["–" if claim.saving is None else voice.money(claim.saving, 3)]
    return [
        str(claim.rank),
        which(claim),
        f"**{word}**" if claim.is_chosen else word,
        ratio_text(claim.theta) if claim.theta is not None else "–",
        p_text(claim.p),
        p_text(claim.p_adjusted),
        *saving,
        _reads(claim, family, voice),
    ]


def which(claim: Claim) -> str:
    """`asr`, serve: `trn2`."""
    named = [literal(claim.workload) if claim.workload else "", claim.phase.value if claim.phase else ""]
    of = ", ".join(name for name in named if name)
    return f"{of}: {literal(claim.candidate)}" if of else literal(claim.candidate)


def p_text(p: float | None) -> str:
    """Two digits, or a bound for what is very small."""
    if p is None:
        return "–"
    if p > 1 - 5 * TINY:
        return "1"
    return f"≤ {TINY}" if p < TINY else figures.significant(p, 2)


def _reads(claim: Claim, family: Multiplicity, voice: Voice) -> str:
    if claim.is_proven and claim.is_chosen:
        return voice("together.stands" if family.size > 1 else "together.stands-alone", count=family.size)
    told = reason_text(claim.reasons[0], voice) if claim.reasons else "–"
    hopeful = not claim.is_proven and claim.p_triage is not None and claim.p_triage <= family.alpha
    return voice("together.look-here", reason=told) if hopeful else told


def reason_text(reason: Reason, voice: Voice) -> str:
    """Why, whether it is a rule of the verdict or a problem that keeps it back."""
    if reason.code in voice.reasons:
        shown = {name: _shown(name, value) for name, value in reason.arguments.items()}
        return voice.reasons(reason.code, **shown)
    places = {name: str(value) for name, value in reason.arguments.items() if name in PLACES}
    rest = {name: value for name, value in reason.arguments.items() if name not in PLACES}
    problem = Problem(code=reason.code, severity=Severity.QUESTION, arguments=rest)
    return sentence(problem.model_copy(update=places), voice.language).rstrip(".")


def _shown(name: str, value: str | int | float) -> str | int | float:
    if not isinstance(value, str):
        return value
    return literal(value) if name == "candidate" else words(value)


def _note(family: Multiplicity, voice: Voice) -> str:
    proven = sum(claim.is_proven and not claim.is_chosen for claim in family.claims)
    parts = [voice("together.note", alpha=figures.percent(family.alpha), count=family.size)] if family.size > 1 else []
    parts += [voice("together.best-is-a-point")] if proven else []
    return " ".join(parts)
