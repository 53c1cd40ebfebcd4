"""Issues, comments, reactions and labels, as GitHub's REST API answers for them."""

import zlib
from datetime import datetime
from typing import Any

from bot.bench.github.call import Call, Given
from bot.bench.github.refusal import Refusal, not_found, unprocessable
from bot.bench.github.world import Comment, Issue, Who, when

REACTIONS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")
ROLES = {"read": "read", "triage": "read", "write": "write", "maintain": "write", "admin": "admin"}


def user(who: Who) -> dict[str, Any]:
    """A sender as JSON."""
    return {"login": who.login, "id": zlib.crc32(who.login.encode()), "type": who.kind, "site_admin": False}


def repository_json(call: Call) -> dict[str, Any]:
    """The one repository."""
    setting = call.world.setting
    return {
        "id": 4711,
        "name": setting.repository,
        "full_name": setting.full_name,
        "private": True,
        "owner": {"login": setting.owner, "id": 1, "type": "Organization"},
        "html_url": f"{call.root}/{setting.full_name}",
        "url": f"{call.root}/repos/{setting.full_name}",
        "default_branch": "main",
        "has_issues": True,
        "archived": False,
        "permissions": {"admin": False, "push": True, "pull": True},
    }


def issue_json(call: Call, issue: Issue) -> dict[str, Any]:
    """An issue."""
    place = f"{call.world.setting.full_name}/issues/{issue.number}"
    return {
        "id": 2_000_000 + issue.number,
        "node_id": f"I_{issue.number}",
        "number": issue.number,
        "title": issue.title,
        "body": issue.body,
        "state": "open",
        "user": user(issue.who),
        "labels": [_label(call, name) for name in issue.labels],
        "comments": sum(c.issue == issue.number for c in call.world.comments.values()),
        "created_at": when(issue.created),
        "updated_at": when(issue.updated),
        "author_association": "MEMBER",
        "html_url": f"{call.root}/{place}",
        "url": f"{call.root}/repos/{place}",
    }


def comment_json(call: Call, comment: Comment) -> dict[str, Any]:
    """A comment."""
    setting = call.world.setting
    app = {"id": setting.app_id, "slug": setting.app_slug, "name": setting.app_slug} if comment.who.app else None
    return {
        "id": comment.id,
        "node_id": f"IC_{comment.id}",
        "body": comment.body,
        "user": user(comment.who),
        "created_at": when(comment.created),
        "updated_at": when(comment.updated),
        "author_association": "NONE" if app else "MEMBER",
        "performed_via_github_app": app,
        "html_url": f"{call.root}/{setting.full_name}/issues/{comment.issue}#issuecomment-{comment.id}",
        "url": f"{call.root}/repos/{setting.full_name}/issues/comments/{comment.id}",
        "issue_url": f"{call.root}/repos/{setting.full_name}/issues/{comment.issue}",
    }


def repository(call: Call) -> Given:
    """GET /repos/…"""
    return Given(json=repository_json(call))


def permission(call: Call) -> Given:
    """GET …/collaborators/{login}/permission."""
    role = call.world.setting.people.get(call.parts["login"])
    if role is None:
        raise not_found()
    who = user(call.world.person(call.parts["login"]))
    return Given(json={"permission": ROLES.get(role, "none"), "role_name": role, "user": who})


def issue(call: Call) -> Given:
    """GET …/issues/{n}."""
    return Given(json=issue_json(call, call.world.issue(call.number("issue"))))


def comments(call: Call) -> Given:
    """GET …/issues/{n}/comments."""
    number = call.world.issue(call.number("issue")).number
    return Given(json=_listed(call, [c for c in call.world.comments.values() if c.issue == number]))


def all_comments(call: Call) -> Given:
    """GET …/issues/comments."""
    order = sorted(
        call.world.comments.values(), key=lambda c: c.updated if call.query.get("sort") == "updated" else c.id
    )
    return Given(json=_listed(call, order[::-1] if call.query.get("direction") == "desc" else order))


def all_issues(call: Call) -> Given:
    """GET …/issues."""
    since = _since(call)
    found = [i for i in call.world.issues.values() if i.updated >= since]
    return Given(json=[issue_json(call, i) for i in call.page(found)])


def comment(call: Call) -> Given:
    """GET …/issues/comments/{id}."""
    return Given(json=comment_json(call, call.world.comment(call.number("comment"))))


def create_comment(call: Call) -> Given:
    """POST …/issues/{n}/comments."""
    body = call.text("body")
    made = call.world.write_comment(call.who, call.number("issue"), body)
    return Given(201, comment_json(call, made))


def change_comment(call: Call) -> Given:
    """PATCH …/issues/comments/{id}."""
    changed = call.world.comment(call.number("comment"))
    if changed.who != call.who:
        raise Refusal(403, "Resource not accessible by integration")
    changed.body, changed.updated = call.text("body"), call.world.clock()
    call.world.did("comment changed", changed.id)
    return Given(json=comment_json(call, changed))


def delete_comment(call: Call) -> Given:
    """DELETE …/issues/comments/{id}."""
    gone = call.world.comment(call.number("comment"))
    if gone.who != call.who:
        raise Refusal(403, "Resource not accessible by integration")
    del call.world.comments[gone.id]
    call.world.did("comment deleted", gone.id)
    return Given(204)


def react(call: Call) -> Given:
    """POST …/reactions: one of a kind for each sender."""
    content = call.text("content")
    if content not in REACTIONS:
        raise unprocessable("Validation Failed")
    number = call.number("comment" if "comment" in call.parts else "issue")
    place = call.world.comment(number) if "comment" in call.parts else call.world.issue(number)
    known = (call.who.login, content) in place.reactions
    place.reactions.add((call.who.login, content))
    call.world.did(f"reaction {content}", number)
    made = {"id": number, "content": content, "user": user(call.who), "created_at": when(call.world.clock())}
    return Given(200 if known else 201, made)


def issue_labels(call: Call) -> Given:
    """GET …/issues/{n}/labels."""
    return Given(json=[_label(call, name) for name in call.page(call.world.issue(call.number("issue")).labels)])


def add_labels(call: Call) -> Given:
    """POST …/issues/{n}/labels."""
    names = call.body.get("labels") if isinstance(call.body, dict) else None
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        raise unprocessable("Validation Failed")
    found = call.world.issue(call.number("issue"))
    for name in names:
        call.world.labels.setdefault(name, "ededed")
        if name not in found.labels:
            found.labels.append(name)
    return Given(json=[_label(call, name) for name in found.labels])


def remove_label(call: Call) -> Given:
    """DELETE …/issues/{n}/labels/{name}."""
    found = call.world.issue(call.number("issue"))
    if call.parts["name"] not in found.labels:
        raise Refusal(404, "Label does not exist")
    found.labels.remove(call.parts["name"])
    return Given(json=[_label(call, name) for name in found.labels])


def create_label(call: Call) -> Given:
    """POST …/labels."""
    name = call.text("name", 50)
    if name in call.world.labels:
        raise Refusal(422, "Validation Failed")
    call.world.labels[name] = call.body.get("color", "ededed")
    return Given(201, _label(call, name))


def _label(call: Call, name: str) -> dict[str, Any]:
    return {
        "id": zlib.crc32(name.encode()),
        "name": name,
        "color": call.world.labels.get(name, "ededed"),
        "default": False,
    }


def _listed(call: Call, found: list[Comment]) -> list[dict[str, Any]]:
    since = _since(call)
    return [comment_json(call, c) for c in call.page([c for c in found if int(c.updated) >= since])]


def _since(call: Call) -> float:
    text = call.query.get("since")
    try:
        return datetime.fromisoformat(text).timestamp() if text else 0.0
    except ValueError:
        raise unprocessable("Validation Failed") from None
