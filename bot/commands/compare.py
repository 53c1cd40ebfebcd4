"""`/compare`: the decision, with memo and record for the ledger."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.commands.interface import Scope, SlashCommand
from bot.dossier import Answer, Dossier, Outcome
from scoring.settings_forms import name_of

if TYPE_CHECKING:
    from scoring.model.decision import Decision
    from scoring.model.history import History

USAGE = "/compare [path@ref …] [KEY=VALUE …]"


def answer(dossier: Dossier) -> Answer:
    """Comment, record and memos for what the thread holds. Raises OSError for a spooled file that is gone."""
    from bot.commands.evidence import checked, evidence_of
    from scoring.analysis import analyse

    given, refusal = checked(dossier, USAGE)
    if refusal is not None:
        return refusal
    decision = analyse(evidence_of(dossier, given.pairs), today=dossier.today)
    answered = decided(in_thread(decision, dossier))
    return answered.model_copy(update={"dates": None}) if _supposes(given.pairs) else answered


def in_thread(decision: "Decision", dossier: Dossier) -> "Decision":
    """The decision with its thread, what was decided there before, and who may sign. Raises OSError."""
    thread = f"{dossier.repository}#{dossier.issue}"
    told = {"thread": thread, "signing": dossier.signing, "history": _history(decision, dossier)}
    return decision.model_copy(update=told)


def _history(decision: "Decision", dossier: Dossier) -> "History | None":
    """As the answer that is kept already has it; else from the last decision before the command."""
    from bot.commands.evidence import sound_record
    from scoring.history import history_of

    past = dossier.past
    kept = sound_record(past.kept)
    if kept is not None:
        return kept.history
    previous = sound_record(past.record)
    return history_of(previous, decision, past.signatures) if previous is not None else None


def _supposes(pairs: Sequence[str]) -> bool:
    """Whether the command supposes another day, by which nothing is to be put into the calendar."""
    return any(name_of(pair.partition("=")[0].partition(".")[0]) == "decision_date" for pair in pairs)


def decided(decision: "Decision") -> Answer:
    """A decision with its thread as an answer: reply with relative links, files, facts of the ledger's index."""
    from hashlib import sha256

    from bot.render.files import COMMENT, MEMO, files_of
    from bot.render.record import stamped
    from scoring.looks import looks_made

    decision = stamped(decision)
    files = files_of(decision)
    return Answer(
        body=files[COMMENT].decode(),
        outcome=outcome_of(decision),
        files=files,
        facts=_facts(decision, sha256(files[MEMO]).hexdigest()),
        looks=looks_made(decision),
        problems=decision.problems,
        dates=decision.dates,
        decided_on=decision.decided_on,
    )


def outcome_of(decision: "Decision") -> Outcome:
    """By the verdict's word."""
    word = decision.verdict.word
    return Outcome.NO_VERDICT if word is None else Outcome(word.value.lower())


def _facts(decision: "Decision", memo_sha256: str) -> dict[str, str | None]:
    economics, word = decision.economics, decision.verdict.word
    saving = economics.saving.point if economics.saving else economics.best.saving if economics.best else None
    return {
        "word": word.value if word else None,
        "workload": decision.workload,
        "phase": decision.phase.value if decision.phase else None,
        "incumbent": decision.incumbent,
        "candidate": decision.candidate,
        "region": economics.candidate.region if economics.candidate else None,
        "saving": None if saving is None else f"{saving:.2f}",
        "currency": economics.currency,
        "document": decision.document,
        "memo_sha256": memo_sha256,
    }


COMMAND = SlashCommand(
    name="compare",
    usage=USAGE,
    examples=(
        "/compare",
        "/compare pilots/asr.csv@main margin.wer=0.2",
        '/compare baseline=gpu candidate=trn2 horizon=18m workload="llama 70b"',
    ),
    scope=Scope.THREAD,
    records=True,
    answer=answer,
)
