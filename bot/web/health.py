"""What machines ask: is the process alive, can it take jobs, what did it count."""

import hmac

from flask import Blueprint, Response, current_app, jsonify, request

from bot import logs, metrics
from bot.intake.inbox import Unavailable
from bot.intake.wiring import READY_SECONDS, Wiring

blueprint = Blueprint("health", __name__)
log = logs.logger(__name__)
LOOPBACK = ("127.", "::1", "::ffff:127.")
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")


@blueprint.get("/healthz")
def alive() -> Response:
    """The process answers; nothing else is looked at."""
    return jsonify(alive=True)


@blueprint.get("/readyz")
def ready() -> tuple[Response, int]:
    """Whether a delivery could be stored. Missing credentials are told but make it no less ready: /setup needs it."""
    wiring = Wiring.of(current_app)
    reasons = [] if _database(wiring) else ["database"]
    notes = [] if wiring.webhook_secrets() else ["setup"]
    return jsonify(ready=not reasons, reasons=reasons, notes=notes), 503 if reasons else 200


def _database(wiring: Wiring) -> bool:
    try:
        return wiring.bounded.call(wiring.inbox.ready, READY_SECONDS)
    except Unavailable as failure:
        log.error("the job database does not answer", extra={"cause": str(failure)})
        return False


@blueprint.get("/metrics")
def counted() -> Response:
    """Prometheus metrics: for the bearer of the configured token, and without one for this machine alone."""
    wiring = Wiring.of(current_app)
    token = wiring.settings.metrics_token
    if token and not _bears(token.get_secret_value()):
        return Response(status=401, headers={"WWW-Authenticate": "Bearer"})
    if not token and not is_local():
        return Response(status=403)
    try:
        depths = wiring.bounded.call(wiring.inbox.depths, READY_SECONDS)
    except Unavailable:
        depths = {}
    return Response(metrics.exposition(depths), content_type=metrics.CONTENT_TYPE)


def _bears(token: str) -> bool:
    given = request.headers.get("Authorization", "").encode("utf-8", "replace")
    return hmac.compare_digest(given, f"Bearer {token}".encode())


def is_local() -> bool:
    """A peer of this machine that forwards for nobody."""
    return (request.remote_addr or "").startswith(LOOPBACK) and not any(h in request.headers for h in FORWARDED)
