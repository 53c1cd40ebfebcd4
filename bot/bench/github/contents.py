"""Files by path and git's own data, as GitHub's REST API answers for them."""

import base64
import binascii
from typing import Any

from bot.bench.github.call import Call, Given
from bot.bench.github.objects import FILE, FOLDER, Commit
from bot.bench.github.refusal import Refusal, not_found, unprocessable
from bot.bench.github.world import when

INLINE_BYTES = 2**20
"""Larger files come without their content."""
RAW = "raw"


def contents(call: Call) -> Given:
    """GET …/contents/{path}: a file, or the files of a folder."""
    objects, path = call.world.objects, call.parts.get("path", "").strip("/")
    if "/" not in path:
        call.world.requests[f"file {path}"] += 1
    if path in call.world.setting.large:
        return _large(call, path)
    mode, sha = objects.at(objects.commits[_commit(call)].tree, path)
    if mode == FOLDER:
        entries = objects.trees[sha].items()
        return Given(json=[_entry(call, f"{path}/{n}".lstrip("/"), m, s) for n, (m, s) in entries])
    data = objects.blobs[sha]
    if RAW in call.accept:
        return Given(raw=data)
    inline = len(data) <= INLINE_BYTES
    content = base64.encodebytes(data).decode() if inline else ""
    encoding = "base64" if inline else "none"
    return Given(json={**_entry(call, path, mode, sha), "encoding": encoding, "content": content})


def reference(call: Call) -> Given:
    """GET …/git/ref/{ref}."""
    name = f"refs/{call.parts['ref']}"
    if name not in call.world.objects.refs:
        raise not_found()
    return Given(json=_reference(call, name))


def matching_references(call: Call) -> Given:
    """GET …/git/matching-refs/{ref}."""
    begin = f"refs/{call.parts['ref']}"
    return Given(json=[_reference(call, name) for name in sorted(call.world.objects.refs) if name.startswith(begin)])


def create_reference(call: Call) -> Given:
    """POST …/git/refs."""
    name = call.text("ref")
    call.world.objects.create_ref(name, call.text("sha"))
    call.world.did("ref", 0)
    return Given(201, _reference(call, name))


def move_reference(call: Call) -> Given:
    """PATCH …/git/refs/{ref}."""
    name = f"refs/{call.parts['ref']}"
    call.world.objects.move_ref(name, call.text("sha"))
    call.world.did("ref", 0)
    return Given(json=_reference(call, name))


def commit(call: Call) -> Given:
    """GET …/git/commits/{sha}."""
    sha = call.parts["sha"]
    if sha not in call.world.objects.commits:
        raise not_found()
    return Given(json=_commit_json(call, sha))


def create_commit(call: Call) -> Given:
    """POST …/git/commits."""
    parents = call.body.get("parents", []) if isinstance(call.body, dict) else None
    if not isinstance(parents, list):
        raise unprocessable("parents is no array")
    made = Commit(call.text("tree"), tuple(map(str, parents)), call.text("message"), int(call.world.clock()))
    return Given(201, _commit_json(call, call.world.objects.commit(made)))


def create_blob(call: Call) -> Given:
    """POST …/git/blobs."""
    text, encoding = str(call.body.get("content", "")), call.body.get("encoding", "utf-8")
    try:
        data = base64.b64decode(text, validate=True) if encoding == "base64" else text.encode()
    except binascii.Error:
        raise unprocessable("content is not valid Base64") from None
    sha = call.world.objects.blob(data)
    return Given(201, {"sha": sha, "url": f"{_git(call)}/blobs/{sha}"})


def blob(call: Call) -> Given:
    """GET …/git/blobs/{sha}."""
    data = call.world.objects.blobs.get(call.parts["sha"])
    if data is None:
        raise not_found()
    content = base64.encodebytes(data).decode()
    return Given(json={"sha": call.parts["sha"], "size": len(data), "encoding": "base64", "content": content})


def create_tree(call: Call) -> Given:
    """POST …/git/trees."""
    items = call.body.get("tree") if isinstance(call.body, dict) else None
    if not isinstance(items, list) or not items:
        raise unprocessable("Invalid tree info")
    objects = call.world.objects
    sha = objects.tree(call.body.get("base_tree"), {str(i.get("path")): _blob_of(call, i) for i in items})
    entries = [
        {"path": name, "mode": mode, "type": "tree" if mode == FOLDER else "blob", "sha": inner}
        for name, (mode, inner) in objects.trees[sha].items()
    ]
    return Given(201, {"sha": sha, "url": f"{_git(call)}/trees/{sha}", "tree": entries, "truncated": False})


def _blob_of(call: Call, item: dict[str, Any]) -> str | None:
    path = str(item.get("path") or "")
    if item.get("mode") != FILE or not path or path.startswith("/") or {"", ".", "..", ".git"} & set(path.split("/")):
        raise unprocessable("tree.path contains a malformed path component")
    if "content" in item and "sha" not in item:
        return call.world.objects.blob(str(item["content"]).encode())
    sha = item.get("sha")
    if sha is not None and sha not in call.world.objects.blobs:
        raise unprocessable(f"tree.sha {sha} is not a valid blob")
    return sha


def _commit(call: Call) -> str:
    """The commit that `ref` names: a branch, a tag or a commit; the default branch without one."""
    objects, ref = call.world.objects, call.query.get("ref") or "main"
    for name in (f"refs/heads/{ref}", f"refs/tags/{ref}", ref):
        if name in objects.refs:
            return objects.refs[name]
    if ref not in objects.commits:
        raise Refusal(404, f"No commit found for the ref {ref}")
    return ref


def _large(call: Call, path: str) -> Given:
    file = call.world.setting.large[path]
    if RAW in call.accept:
        return Given(file=file)
    entry = {**_entry(call, path, FILE, "0" * 40), "size": file.stat().st_size}
    return Given(json={**entry, "encoding": "none", "content": ""})


def _entry(call: Call, path: str, mode: str, sha: str) -> dict[str, Any]:
    kind = "dir" if mode == FOLDER else "file"
    size = len(call.world.objects.blobs.get(sha, b""))
    page = f"{call.root}/{call.world.setting.full_name}/blob/{call.query.get('ref') or 'main'}/{path}"
    name = path.rpartition("/")[2]
    return {"name": name, "path": path, "sha": sha, "size": size, "type": kind, "html_url": page}


def _reference(call: Call, name: str) -> dict[str, Any]:
    sha = call.world.objects.refs[name]
    at = {"type": "commit", "sha": sha, "url": f"{_git(call)}/commits/{sha}"}
    return {"ref": name, "node_id": f"R_{name}", "url": f"{_git(call)}/{name}", "object": at}


def _commit_json(call: Call, sha: str) -> dict[str, Any]:
    made = call.world.objects.commits[sha]
    who = {"name": call.world.setting.app_slug, "email": "bot@users.noreply.example", "date": when(made.at)}
    return {
        "sha": sha,
        "url": f"{_git(call)}/commits/{sha}",
        "message": made.message,
        "author": who,
        "committer": who,
        "tree": {"sha": made.tree, "url": f"{_git(call)}/trees/{made.tree}"},
        "parents": [{"sha": parent, "url": f"{_git(call)}/commits/{parent}"} for parent in made.parents],
    }


def _git(call: Call) -> str:
    return f"{call.root}/repos/{call.world.setting.full_name}/git"
