"""What `emulate` lacks of GitHub, in front of it: everything else is passed on.

Reactions, the App's webhook deliveries, the permission of whoever is no collaborator, the limit of a comment's length;
and of GitHub's other doors GraphQL's minimizeComment and attachments. Answers that are made here carry `x-double`.
"""

import hmac
import json
import re
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from tests.e2e.description import several_segments
from tests.e2e.web import Request, Response, ask

LIMIT = 65_536
HERE = {"x-double": "1"}
HOOKS = "/_hooks"
DOCUMENTATION = "https://docs.github.com/rest"
_PERMISSIONS = {"admin": "admin", "maintain": "write", "push": "write", "triage": "read", "pull": "read"}
_CONTENTS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")
_VIEWER = "query { viewer { login } }"
_GRAPHQL = re.compile(
    r"mutation\(\$id: ID!\) \{ (minimizeComment|unminimizeComment)"
    r"\(input: \{subjectId: \$id(, classifier: OUTDATED)?\}\) \{ "
    r"(minimizedComment|unminimizedComment) \{ isMinimized \} \} \}"
)


@dataclass(frozen=True)
class Attachment:
    """A posted file. `readers`: `token` (who sends one), `anyone`, `nobody`; `away` redirects to another host."""

    data: bytes
    readers: str = "token"
    away: str | None = None


@dataclass
class Double:
    """The parts of GitHub's state that are kept here. `hook_target` is the App's webhook URL; None: it is down."""

    emulate: str
    slug: str
    api_url: str
    secret: str = field(default="", repr=False)
    hook_target: str | None = None
    reactions: list[dict[str, Any]] = field(default_factory=list)
    deliveries: list[dict[str, Any]] = field(default_factory=list)
    minimized: set[str] = field(default_factory=set)
    attachments: dict[str, Attachment] = field(default_factory=dict)
    in_flight: int = 0
    """Events that wait or are under way to the bot."""
    storage_saw_tokens: list[str] = field(default_factory=list)
    _bodies: dict[str, str] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _open: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._open.set()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Events wait until the block ends, as they do when GitHub is slow."""
        self._open.clear()
        try:
            yield
        finally:
            self._open.set()

    def api(self, request: Request) -> Response:
        """The REST API, as it stands behind the validating proxy."""
        request = replace(request, path=several_segments(request.path))
        for method, pattern, route in _ROUTES:
            found = re.fullmatch(pattern, request.path)
            if found and method == request.method:
                answer = route(self, request, *found.groups())
                if answer is not None:
                    return answer
        return ask(self.emulate, request)

    def graphql(self, request: Request) -> Response:
        """Only what is asked of it, in exactly that form; everything else is an error, as GitHub answers them."""
        asked = request.json()
        if asked.get("query") == _VIEWER:
            return Response.of(200, {"data": {"viewer": {"login": self.who(request)["login"]}}}, **HERE)
        found = _GRAPHQL.fullmatch(str(asked.get("query")))
        subject = (asked.get("variables") or {}).get("id")
        if not found or not isinstance(subject, str):
            return Response.of(200, {"errors": [{"type": "INVALID", "message": "not understood"}]}, **HERE)
        with self._lock:
            (self.minimized.add if found[1] == "minimizeComment" else self.minimized.discard)(subject)
        return Response.of(200, {"data": {found[1]: {found[3]: {"isMinimized": subject in self.minimized}}}}, **HERE)

    def pages(self, request: Request) -> Response:
        """Attachments: for whoever may read them a redirect to storage, which wants no token."""
        stored = request.path.removeprefix("/storage")
        attachment = self.attachments.get(stored)
        if attachment is None:
            return Response(404, b"Not Found", {"content-type": "text/plain"})
        if stored != request.path:
            self.storage_saw_tokens += [request.authorization] if request.authorization else []
            return Response(200, attachment.data, {"content-type": "application/octet-stream"})
        allowed = attachment.readers == "anyone" or (attachment.readers == "token" and request.authorization)
        if not allowed:
            return Response(404, b"Not Found", {"content-type": "text/plain"})
        return Response(302, b"", {"location": attachment.away or f"/storage{stored}"})

    def who(self, request: Request) -> dict[str, Any]:
        """The user behind a credential; the App's bot for an installation's."""
        answer = self.api(Request("GET", "/user", "", _identity(request)))
        named = answer.json() if answer.status == 200 else {}
        return _simple_user(self.emulate, str(named.get("login") or f"{self.slug}[bot]"), int(named.get("id") or 0))


Route = Callable[..., Response | None]
"""Called with the double, the request and what the pattern found; None: it is passed on."""


def _react(double: Double, request: Request, repository: str, kind: str, number: str) -> Response | None:
    subject = f"/repos/{repository}/{kind}{number}"
    there = ask(double.emulate, Request("GET", subject, "", _identity(request)))
    if there.status != 200:
        return there
    content, user = request.json().get("content"), double.who(request)
    if content not in _CONTENTS:
        return Response.of(422, {"message": "Validation Failed", "documentation_url": DOCUMENTATION}, **HERE)
    with double._lock:
        for known in double.reactions:
            if (known["subject"], known["content"], known["user"]["login"]) == (subject, content, user["login"]):
                return Response.of(200, _shown(known), **HERE)
        made = {
            "id": len(double.reactions) + 1,
            "node_id": f"REA_{len(double.reactions) + 1}",
            "user": user,
            "content": content,
            "created_at": _now(),
            "subject": subject,
        }
        double.reactions.append(made)
    return Response.of(201, _shown(made), **HERE)


def _list_reactions(double: Double, request: Request, repository: str, kind: str, number: str) -> Response | None:
    subject = f"/repos/{repository}/{kind}{number}"
    return Response.of(200, [_shown(r) for r in double.reactions if r["subject"] == subject], **HERE)


def _permission(double: Double, request: Request, repository: str, login: str) -> Response | None:
    answer = ask(double.emulate, request)
    identity = _identity(request)
    if answer.status == 200:
        known = answer.json()
        role, user = str(known["role_name"]), known["user"]
        permission = _PERMISSIONS.get(str(known["permission"]), "none")
    elif answer.status == 404:
        person = ask(double.emulate, Request("GET", f"/users/{login}", "", identity))
        if person.status != 200:
            return person
        facts = ask(double.emulate, Request("GET", f"/repos/{repository}", "", identity)).json()
        permission = role = "none" if facts["private"] else "read"
        user = person.json()
    else:
        return answer
    user = {**_simple_user(double.emulate, str(user["login"]), int(user["id"])), "role_name": role}
    return Response.of(200, {"permission": permission, "role_name": role, "user": user}, **HERE)


def _user(double: Double, request: Request) -> Response | None:
    """An installation has no user behind it."""
    if not request.authorization.removeprefix("Bearer ").removeprefix("token ").startswith("ghs_"):
        return None
    told = {"message": "Resource not accessible by integration", "documentation_url": DOCUMENTATION, "status": "403"}
    return Response.of(403, told, **HERE)


def _too_long(double: Double, request: Request, *_: str) -> Response | None:
    if len(str((request.json() or {}).get("body") or "")) <= LIMIT:
        return None
    error = {"resource": "IssueComment", "field": "body", "code": "custom", "message": f"body is too long ({LIMIT})"}
    told = {"message": "Validation Failed", "errors": [error], "documentation_url": DOCUMENTATION}
    return Response.of(422, told, **HERE)


def _announce(double: Double, request: Request) -> Response | None:
    """An event from emulate, delivered as GitHub does: with an id of its own, with what an edit changed, and kept."""
    payload = _with_changes(double, request.json())
    body = json.dumps(payload).encode()
    headers = {
        "content-type": "application/json",
        "user-agent": "GitHub-Hookshot/0000000",
        "x-github-event": request.headers["x-github-event"],
        "x-github-delivery": str(uuid.uuid4()),
        "x-github-hook-installation-target-type": "integration",
        "x-hub-signature-256": "sha256=" + hmac.new(double.secret.encode(), body, "sha256").hexdigest(),
    }
    with double._lock:
        double.in_flight += 1
    try:
        double._open.wait()
        _deliver(double, Request("POST", "", "", headers, body), payload, redelivery=False)
    finally:
        with double._lock:
            double.in_flight -= 1
    return Response(204)


def _with_changes(double: Double, payload: dict[str, Any]) -> dict[str, Any]:
    """What emulate leaves out of an edit: the text before it."""
    written = payload.get("comment") or payload.get("issue") or {}
    with double._lock:
        before = double._bodies.get(str(written.get("url")))
        double._bodies[str(written.get("url"))] = str(written.get("body") or "")
    if payload.get("action") != "edited" or before is None:
        return payload
    return {**payload, "changes": {"body": {"from": before}}}


def _deliver(double: Double, delivery: Request, payload: dict[str, Any], *, redelivery: bool) -> None:
    target = double.hook_target
    answer = ask(target, delivery) if target else Response(502)
    with double._lock:
        double.deliveries.append({
            "id": len(double.deliveries) + 1,
            "guid": delivery.headers["x-github-delivery"],
            "delivered_at": _now(),
            "redelivery": redelivery,
            "duration": 0.05,
            "status": "OK" if answer.status < 300 else "failed to connect",
            "status_code": answer.status,
            "event": delivery.headers["x-github-event"],
            "action": payload.get("action"),
            "installation_id": (payload.get("installation") or {}).get("id"),
            "repository_id": (payload.get("repository") or {}).get("id"),
            "throttled_at": None,
            "kept": (delivery, payload, answer.body.decode("utf-8", "replace")),
        })  # fmt: skip


def _deliveries(double: Double, request: Request) -> Response | None:
    asked, refusal = request.parameters, _refused_as_app(double, request)
    if refusal:
        return refusal
    listed = [_delivery_item(d) for d in reversed(double.deliveries)]
    if (wanted := asked.get("status")) in ("success", "failure"):
        listed = [d for d in listed if (d["status_code"] < 400) == (wanted == "success")]
    if cursor := asked.get("cursor"):
        listed = [d for d in listed if d["id"] < int(cursor.removeprefix("before-"))]
    size = int(asked.get("per_page") or 30)
    page, more = listed[:size], listed[size:]
    following = f"{double.api_url}/app/hook/deliveries?per_page={size}&cursor=before-{page[-1]['id']}" if more else ""
    return Response.of(200, page, **HERE, **({"link": f'<{following}>; rel="next"'} if following else {}))


def _delivery(double: Double, request: Request, number: str) -> Response | None:
    found = next((d for d in double.deliveries if d["id"] == int(number)), None)
    if (refusal := _refused_as_app(double, request)) or found is None:
        return refusal or Response.of(404, {"message": "Not Found"}, **HERE)
    sent, payload, said = found["kept"]
    return Response.of(
        200,
        {
            **_delivery_item(found),
            "url": double.hook_target or "",
            "request": {"headers": dict(sent.headers), "payload": payload},
            "response": {"headers": {}, "payload": said},
        },
        **HERE,
    )


def _redeliver(double: Double, request: Request, number: str) -> Response | None:
    found = next((d for d in double.deliveries if d["id"] == int(number)), None)
    if (refusal := _refused_as_app(double, request)) or found is None:
        return refusal or Response.of(404, {"message": "Not Found"}, **HERE)
    sent, payload, _ = found["kept"]
    threading.Thread(target=_deliver, args=(double, sent, payload), kwargs={"redelivery": True}, daemon=True).start()
    return Response.of(202, {}, **HERE)


def _hook_config(double: Double, request: Request) -> Response | None:
    if refusal := _refused_as_app(double, request):
        return refusal
    config = {"url": double.hook_target or "https://example.com/webhook", "content_type": "json"}
    return Response.of(200, {**config, "secret": "********", "insecure_ssl": "0"}, **HERE)


def _refused_as_app(double: Double, request: Request) -> Response | None:
    answer = ask(double.emulate, Request("GET", "/app", "", _identity(request)))
    return None if answer.status == 200 else answer


def _identity(request: Request) -> dict[str, str]:
    return {"authorization": request.authorization} if request.authorization else {}


def _shown(reaction: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in reaction.items() if key != "subject"}


def _delivery_item(delivery: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in delivery.items() if key != "kept"}


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")  # noqa: TID251 (GitHub's own clock)


def _simple_user(base: str, login: str, number: int) -> dict[str, Any]:
    api, name = f"{base}/users/{login.replace('[bot]', '%5Bbot%5D')}", login.replace("[", "%5B").replace("]", "%5D")
    below = ("followers", "subscriptions", "orgs", "repos", "received_events")
    urls = {f"{'organizations' if part == 'orgs' else part}_url": f"{api}/{part}" for part in below}
    templates = {
        "following": "{/other_user}",
        "gists": "{/gist_id}",
        "starred": "{/owner}{/repo}",
        "events": "{/privacy}",
    }
    return {
        "login": login,
        "id": number,
        "node_id": f"U_{number}",
        "avatar_url": f"{base}/avatars/u/{name}",
        "gravatar_id": "",
        "url": api,
        "html_url": f"{base}/{name}",
        **urls,
        **{f"{part}_url": f"{api}/{part}{rest}" for part, rest in templates.items()},
        "type": "Bot" if login.endswith("[bot]") else "User",
        "site_admin": False,
    }


_REPOSITORY = r"/repos/([^/]+/[^/]+)"
_SUBJECT = rf"{_REPOSITORY}/(issues/comments/|issues/)(\d+)/reactions"
_ROUTES: tuple[tuple[str, str, Route], ...] = (
    ("POST", _SUBJECT, _react),
    ("GET", _SUBJECT, _list_reactions),
    ("GET", rf"{_REPOSITORY}/collaborators/([^/]+)/permission", _permission),
    ("POST", rf"{_REPOSITORY}/issues/\d+/comments", _too_long),
    ("PATCH", rf"{_REPOSITORY}/issues/comments/\d+", _too_long),
    ("GET", r"/user", _user),
    ("POST", HOOKS, _announce),
    ("GET", r"/app/hook/deliveries", _deliveries),
    ("GET", r"/app/hook/deliveries/(\d+)", _delivery),
    ("POST", r"/app/hook/deliveries/(\d+)/attempts", _redeliver),
    ("GET", r"/app/hook/config", _hook_config),
)
