"""What whoever runs the bench does to this GitHub: open issues, write comments as people, and read the whole state."""

import base64
import hmac
from collections import Counter
from typing import Any

from bot.bench.github.call import Call, Given, Request
from bot.bench.github.issues import comment_json, issue_json, repository_json
from bot.bench.github.refusal import Refusal, not_found
from bot.bench.github.world import World

HEADER = "x-bench-secret"


def answer(world: World, secret: str, request: Request) -> Given:
    """An answer to `/bench/…`. Raises Refusal."""
    if not hmac.compare_digest(request.headers.get(HEADER, ""), secret):
        raise Refusal(401, "not the bench")
    wanted = {
        "POST /bench/issues": _issue,
        "POST /bench/comments": _comment,
        "GET /bench/state": _state,
        "GET /bench/blob": _blob,
    }
    act = wanted.get(f"{request.verb} {request.path}")
    if act is None:
        raise not_found()
    return Given(json=act(world, request))


def _issue(world: World, request: Request) -> dict[str, Any]:
    issue = world.open_issue(request.body["login"], request.body["title"], request.body["body"])
    return {"number": issue.number}


def _comment(world: World, request: Request) -> dict[str, Any]:
    """The webhook's payload."""
    body = request.body
    made = world.write_comment(world.person(body["login"]), int(body["issue"]), body["body"])
    call = Call(world, made.who, {}, {}, None, "", request.root)
    return {
        "action": "created",
        "issue": issue_json(call, world.issue(made.issue)),
        "comment": comment_json(call, made),
        "repository": repository_json(call),
        "sender": {"login": made.who.login, "id": 1, "type": "User"},
        "installation": {"id": world.setting.installation},
    }


def _state(world: World, request: Request) -> dict[str, Any]:
    objects = world.objects
    branch = f"refs/heads/{request.query.get('branch', 'steelyard')}"
    head = objects.refs.get(branch)
    comments = [
        {
            "id": c.id,
            "issue": c.issue,
            "login": c.who.login,
            "body": c.body,
            "created": c.created,
            "reactions": [content for _, content in sorted(c.reactions)],
        }
        for c in world.comments.values()
    ]
    return {
        "comments": comments,
        "commits": [{"sha": sha, "changed": objects.changed(sha)} for sha in objects.history(head)] if head else [],
        "files": objects.files(objects.commits[head].tree) if head else {},
        "effects": [[e.at, e.what, e.where] for e in world.effects],
        "requests": dict(Counter(world.requests)),
    }


def _blob(world: World, request: Request) -> dict[str, Any]:
    return {"content": base64.b64encode(world.objects.blobs[request.query["sha"]]).decode()}
