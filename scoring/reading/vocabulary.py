"""Words that a cell may say about a run, in English and Spanish: its phase, how it is paid, how it ended."""

import re

from scoring.model.pilot import Phase, Pricing, RunStatus
from scoring.reading.headers import normalised

PHASES = {
    "train": Phase.TRAIN, "training": Phase.TRAIN, "entrenamiento": Phase.TRAIN, "pretrain": Phase.TRAIN,
    "pretraining": Phase.TRAIN, "finetune": Phase.FINETUNE, "fine_tune": Phase.FINETUNE,
    "finetuning": Phase.FINETUNE, "fine_tuning": Phase.FINETUNE, "sft": Phase.FINETUNE, "ajuste": Phase.FINETUNE,
    "ajuste_fino": Phase.FINETUNE, "serve": Phase.SERVE, "serving": Phase.SERVE, "inference": Phase.SERVE,
    "inferencia": Phase.SERVE, "online": Phase.SERVE, "batch": Phase.BATCH, "lote": Phase.BATCH,
    "offline": Phase.BATCH, "batch_inference": Phase.BATCH,
}  # fmt: skip
PRICINGS = (
    (Pricing.SPOT, {"spot", "preemptible", "interruptible", "preemptable"}),
    (Pricing.QUOTE, {"quote", "quoted", "oferta", "cotizacion", "presupuesto"}),
    (Pricing.RESERVED, {"reserved", "reservado", "reservada", "reservation", "reserva", "ri", "savings", "committed",
                        "cud", "commitment", "block", "blocks"}),
    (Pricing.ON_DEMAND, {"ondemand", "demand", "demanda", "payg", "list", "lista", "od"}),
)  # fmt: skip
DONE = {
    "", "ok", "okay", "success", "succeeded", "successful", "completed", "complete", "done", "finished", "passed",
    "pass", "true", "1", "yes", "si", "valid", "completado", "completada", "terminado", "terminada", "finalizado",
    "finalizada", "exito", "exitoso", "exitosa", "correcto", "y",
}  # fmt: skip
FAILED = {
    "failed", "fail", "failure", "error", "errored", "aborted", "abort", "crashed", "crash", "invalid", "oom",
    "timeout",
    "preempted", "killed", "diverged", "cancelled", "canceled", "interrupted", "evicted", "ko", "no", "false", "0",
    "nan", "stopped", "incomplete", "terminated", "expired", "lost", "dnf", "n", "fallido", "fallida", "fallo",
    "abortado", "abortada", "cancelado", "cancelada", "interrumpido", "interrumpida", "incompleto", "incompleta",
}  # fmt: skip
_NO_ERROR = re.compile(r"\b(no|0|sin|without)_(errors?|failures?|errores|fallos?)\b")


def _words(text: str) -> set[str]:
    return set(re.split(r"[^a-z0-9]+", normalised(text)))


def phase_of(text: str) -> Phase | None:
    """The phase that a cell names; None for a word that is none."""
    return PHASES.get(re.sub(r"[^a-z0-9]+", "_", normalised(text)).strip("_"))


def pricing_of(text: str) -> Pricing | None:
    """How an hour is paid; None for words that do not say so."""
    words = _words(text)
    return next((pricing for pricing, known in PRICINGS if words & known), None)


def status_of(text: str) -> RunStatus | None:
    """Whether the run did its work: any word of failure is one; None for words that say neither."""
    words = _words(_NO_ERROR.sub("ok", normalised(text))) - {""} or {""}
    if words & FAILED:
        return RunStatus.FAILED
    return RunStatus.OK if words & DONE else None
