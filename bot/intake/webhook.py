"""The one address that GitHub posts to: verify, sort, store durably, answer."""

import json
import logging
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from flask import Blueprint, Response, current_app, jsonify, request

from bot import logs, metrics
from bot.intake.events import EVENTS, Ignored, job_of
from bot.intake.signature import HEADER, signed_by
from bot.intake.wiring import ACCEPT_SECONDS, Wiring
from bot.job import Job

blueprint = Blueprint("webhook", __name__)
FORM = "application/x-www-form-urlencoded"
log = logs.logger(__name__)


@blueprint.post("/webhook")
def receive() -> tuple[Response, int]:
    """202 for what is stored or not for us; 401, 400, 413 for what GitHub did not send; 503 to be sent again."""
    event = request.headers.get("X-GitHub-Event", "")
    name = event if event in EVENTS else metrics.OTHER
    with logs.bound(delivery=request.headers.get("X-GitHub-Delivery", "")[:64]):
        status, result, said = _answered(event)
        metrics.delivered(name, result)
        level = logging.WARNING if status >= 400 else logging.INFO
        log.log(level, "webhook", extra={"kind": name, "result": result, "status": status, **said})
    return jsonify(result=result, **said), status


def _answered(event: str) -> tuple[int, str, dict[str, str]]:
    wiring = Wiring.of(current_app)
    secrets = wiring.webhook_secrets()
    if not secrets:
        return 503, "no secret", {"reason": "no webhook secret is configured"}
    body = request.get_data(cache=False)
    position = signed_by(secrets, body, request.headers.get(HEADER))
    if position is None:
        metrics.signature_failed()
        return 401, "signature", {}
    metrics.signed_with(position)
    payload = payload_of(body, request.mimetype)
    if payload is None:
        return 400, "payload", {}
    found = job_of(event, payload, request.headers.get("X-GitHub-Delivery", ""))
    if isinstance(found, Ignored):
        return 202, "ignored", {"reason": found.reason}
    return _stored(wiring, found)


def _stored(wiring: Wiring, job: Job) -> tuple[int, str, dict[str, str]]:
    with logs.bound(job=job.key, repository=job.repository):
        try:
            is_new = wiring.inbox.accept(job, ACCEPT_SECONDS)
        except Exception as failure:
            log.error("the job database does not answer", extra={"cause": type(failure).__name__})
            return 503, "database", {}
    return 202, "accepted" if is_new else "known", {"job": job.key}


def payload_of(body: bytes, mimetype: str) -> Mapping[str, Any] | None:
    """The payload in either of GitHub's two content types; None for anything that is no JSON object.

    Of a key that stands twice the last counts; nesting beyond the interpreter's depth is no payload.
    """
    try:
        text: str | bytes = body
        if mimetype == FORM:
            fields = parse_qs(body.decode("ascii"), max_num_fields=10, errors="strict")
            text = fields.get("payload", [""])[0]
        payload = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return payload if isinstance(payload, dict) else None
