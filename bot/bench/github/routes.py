"""Which handler answers which request."""

import re
from urllib.parse import unquote

from bot.bench.github import apps, contents, issues
from bot.bench.github.call import Handler
from bot.bench.github.refusal import not_found
from bot.bench.github.world import Setting

_REPOSITORY = "/repos/{owner}/{repository}"
_TABLE: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/app/installations/{installation}/access_tokens", apps.new_token),
    ("GET", "/app", apps.app),
    ("GET", "/app/installations", apps.installations),
    ("GET", "/app/hook/deliveries", apps.deliveries),
    ("GET", "/installation/repositories", apps.installation_repositories),
    ("GET", "/user", apps.user),
    ("POST", "/graphql", apps.graphql),
    ("GET", f"{_REPOSITORY}", issues.repository),
    ("GET", f"{_REPOSITORY}/collaborators/{{login}}/permission", issues.permission),
    ("GET", f"{_REPOSITORY}/issues", issues.all_issues),
    ("GET", f"{_REPOSITORY}/issues/comments", issues.all_comments),
    ("GET", f"{_REPOSITORY}/issues/comments/{{comment}}", issues.comment),
    ("PATCH", f"{_REPOSITORY}/issues/comments/{{comment}}", issues.change_comment),
    ("DELETE", f"{_REPOSITORY}/issues/comments/{{comment}}", issues.delete_comment),
    ("POST", f"{_REPOSITORY}/issues/comments/{{comment}}/reactions", issues.react),
    ("GET", f"{_REPOSITORY}/issues/{{issue}}", issues.issue),
    ("GET", f"{_REPOSITORY}/issues/{{issue}}/comments", issues.comments),
    ("POST", f"{_REPOSITORY}/issues/{{issue}}/comments", issues.create_comment),
    ("POST", f"{_REPOSITORY}/issues/{{issue}}/reactions", issues.react),
    ("GET", f"{_REPOSITORY}/issues/{{issue}}/labels", issues.issue_labels),
    ("POST", f"{_REPOSITORY}/issues/{{issue}}/labels", issues.add_labels),
    ("DELETE", f"{_REPOSITORY}/issues/{{issue}}/labels/{{name}}", issues.remove_label),
    ("POST", f"{_REPOSITORY}/labels", issues.create_label),
    ("GET", f"{_REPOSITORY}/contents", contents.contents),
    ("GET", f"{_REPOSITORY}/contents/{{path:any}}", contents.contents),
    ("GET", f"{_REPOSITORY}/git/ref/{{ref:any}}", contents.reference),
    ("GET", f"{_REPOSITORY}/git/matching-refs/{{ref:any}}", contents.matching_references),
    ("POST", f"{_REPOSITORY}/git/refs", contents.create_reference),
    ("PATCH", f"{_REPOSITORY}/git/refs/{{ref:any}}", contents.move_reference),
    ("GET", f"{_REPOSITORY}/git/commits/{{sha}}", contents.commit),
    ("POST", f"{_REPOSITORY}/git/commits", contents.create_commit),
    ("POST", f"{_REPOSITORY}/git/trees", contents.create_tree),
    ("POST", f"{_REPOSITORY}/git/blobs", contents.create_blob),
    ("GET", f"{_REPOSITORY}/git/blobs/{{sha}}", contents.blob),
)
_NUMBERS = ("installation", "issue", "comment")


def _pattern(template: str) -> re.Pattern[str]:
    def group(found: re.Match[str]) -> str:
        name, _, kind = found[1].partition(":")
        inner = "[0-9]{1,18}" if name in _NUMBERS else ".*" if kind else "[^/]+"
        return f"(?P<{name}>{inner})"

    return re.compile(re.sub(r"\{([^}]+)\}", group, template) + r"\Z")


_ROUTES = tuple((verb, template, _pattern(template), handler) for verb, template, handler in _TABLE)


def routed(verb: str, path: str, setting: Setting) -> tuple[str, Handler, dict[str, str]]:
    """The template of a request, its handler and the parts of its path. Raises Refusal (404)."""
    for wanted, template, pattern, handler in _ROUTES:
        found = pattern.match(path) if wanted == verb else None
        if found is None:
            continue
        parts = {name: unquote(value) for name, value in found.groupdict().items()}
        if "repository" in parts and f"{parts['owner']}/{parts['repository']}".lower() != setting.full_name.lower():
            raise not_found()
        return f"{verb} {template}", handler, parts
    raise not_found()
