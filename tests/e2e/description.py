"""GitHub's API description, cut to what the bot may use, so that the validating proxy starts in seconds."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

USED = re.compile(
    r"/(meta|user|rate_limit|app|app/hook/.*|app/installations(/\{installation_id\}(/access_tokens)?)?"
    r"|installation/repositories|repos/\{owner\}/\{repo\}(/(collaborators|contents|git|installation|issues|labels)(/.*)?)?"
    r"|repos/\{owner\}/\{repo\}/(pulls|branches)(/\{(pull_number|branch)\})?)"
)
Node = dict[str, Any]


def cut(description: Path) -> Node:
    """The described paths that match `USED`, with everything that they refer to; examples are left out."""
    whole: Node = json.loads(description.read_text(encoding="utf-8"))
    paths = {path: _plain(item) for path, item in whole["paths"].items() if USED.fullmatch(path)}
    components: dict[str, Node] = {}
    waiting = list(_references(paths))
    while waiting:
        kind, name = waiting.pop()
        if name not in components.setdefault(kind, {}):
            components[kind][name] = _plain(whole["components"][kind][name])
            waiting += _references(components[kind][name])
    kept: Node = {key: whole[key] for key in ("openapi", "info", "servers")}
    return kept | {"paths": paths, "components": components}


def _plain(node: Any) -> Any:
    """Without the examples of parameters and bodies, which refer to megabytes of others."""
    if isinstance(node, dict):
        described = "schema" in node
        return {k: _plain(v) for k, v in node.items() if not (described and k in ("example", "examples"))}
    return [_plain(value) for value in node] if isinstance(node, list) else node


def _references(node: Any) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict):
        if isinstance(target := node.get("$ref"), str):
            _, _, kind, name = target.split("/")
            yield kind, name
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


_SEVERAL = re.compile(r"(/repos/[^/]+/[^/]+/(?:contents|git/ref|git/refs|git/matching-refs|branches))/(.*)")
_TOP = "~top"


def one_segment(path: str) -> str:
    """A path as the proxy can match it: GitHub's `x-multi-segment` parameters are one segment there.

    The folder at the top, `…/contents/`, is described as an empty parameter, which no proxy matches.
    """
    found = _SEVERAL.fullmatch(path)
    return f"{found[1]}/{found[2].replace('/', '%2F') or _TOP}" if found else path


def several_segments(path: str) -> str:
    """The path as GitHub is asked, from one of `one_segment`."""
    found = _SEVERAL.fullmatch(path)
    return f"{found[1]}/{'' if found[2] == _TOP else found[2].replace('%2F', '/')}" if found else path
