"""Git's objects and references of one repository, with git's own names, and branches that only move forward."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bot.bench.github.refusal import not_found, unprocessable

FOLDER, FILE = "040000", "100644"


@dataclass(frozen=True)
class Commit:
    """A commit by its tree and parents; `at` is seconds since 1970."""

    tree: str
    parents: tuple[str, ...]
    message: str
    at: int


@dataclass
class Objects:
    """Blobs, trees (name → mode and object) and commits by SHA-1, and references by full name."""

    blobs: dict[str, bytes] = field(default_factory=dict)
    trees: dict[str, dict[str, tuple[str, str]]] = field(default_factory=dict)
    commits: dict[str, Commit] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)

    def blob(self, data: bytes) -> str:
        """Store bytes; their name."""
        name = _name("blob", data)
        self.blobs[name] = data
        return name

    def tree(self, base: str | None, changes: Mapping[str, str | None]) -> str:
        """A tree from another (None: empty) with paths set to blobs, or removed. Raises Refusal for a missing one."""
        if base is not None and base not in self.trees:
            raise unprocessable("base_tree is not a valid tree oid")
        here: dict[str, tuple[str, str]] = dict(self.trees[base]) if base else {}
        below: dict[str, dict[str, str | None]] = {}
        for path, blob in changes.items():
            first, _, rest = path.partition("/")
            if rest:
                below.setdefault(first, {})[rest] = blob
            elif blob is None:
                if here.pop(first, None) is None:
                    raise unprocessable("GitRPC::BadObjectState")
            else:
                here[first] = (FILE, blob)
        for name, inner in below.items():
            mode, old = here.get(name, (FOLDER, ""))
            made = self.tree(old if old and mode == FOLDER else None, inner)
            here[name] = (FOLDER, made)
            if not self.trees[made]:
                del here[name]
        return self._stored_tree(here)

    def _stored_tree(self, entries: Mapping[str, tuple[str, str]]) -> str:
        ordered = sorted(entries.items(), key=lambda e: e[0] + ("/" if e[1][0] == FOLDER else ""))
        raw = b"".join(f"{mode.lstrip('0')} {name}\0".encode() + bytes.fromhex(sha) for name, (mode, sha) in ordered)
        name = _name("tree", raw)
        self.trees[name] = dict(ordered)
        return name

    def commit(self, commit: Commit) -> str:
        """Store a commit; its name. Raises Refusal where its tree or a parent is not there."""
        if commit.tree not in self.trees:
            raise unprocessable("Tree SHA does not exist")
        if any(parent not in self.commits for parent in commit.parents):
            raise unprocessable("Parent SHA does not exist or is not a commit object")
        who = f"steelyard <steelyard@users.noreply.example> {commit.at} +0000"
        lines = [f"tree {commit.tree}", *(f"parent {p}" for p in commit.parents), f"author {who}", f"committer {who}"]
        name = _name("commit", ("\n".join(lines) + f"\n\n{commit.message}").encode())
        self.commits[name] = commit
        return name

    def create_ref(self, ref: str, commit: str) -> None:
        """Raises Refusal for a reference that exists."""
        if not ref.startswith(("refs/heads/", "refs/tags/")):
            raise unprocessable("Reference name must start with 'refs/'")
        if commit not in self.commits:
            raise unprocessable("Object does not exist")
        if ref in self.refs:
            raise unprocessable("Reference already exists")
        self.refs[ref] = commit

    def move_ref(self, ref: str, commit: str) -> None:
        """Raises Refusal where the move is no fast forward; a forced one is not supported on purpose."""
        if ref not in self.refs:
            raise unprocessable("Reference does not exist")
        if commit not in self.commits:
            raise unprocessable("Object does not exist")
        if self.refs[ref] not in set(self.history(commit)):
            raise unprocessable("Update is not a fast forward")
        self.refs[ref] = commit

    def history(self, commit: str) -> Iterator[str]:
        """A commit and its ancestors, each once, the newest first along first parents."""
        waiting, seen = [commit], set()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            yield name
            waiting.extend(reversed(self.commits[name].parents))

    def at(self, tree: str, path: str) -> tuple[str, str]:
        """Mode and object of a path; the tree itself for an empty one. Raises Refusal (404)."""
        found = (FOLDER, tree)
        for part in path.split("/") if path else ():
            inner = self.trees.get(found[1], {}) if found[0] == FOLDER else {}
            if part not in inner:
                raise not_found()
            found = inner[part]
        return found

    def files(self, tree: str, above: str = "") -> dict[str, str]:
        """All files below a tree: blobs by path."""
        found: dict[str, str] = {}
        for name, (mode, sha) in self.trees[tree].items():
            if mode == FOLDER:
                found.update(self.files(sha, f"{above}{name}/"))
            else:
                found[above + name] = sha
        return found

    def changed(self, commit: str) -> list[str]:
        """Paths that a commit wrote or removed, against its first parent."""
        made = self.commits[commit]
        before = self.files(self.commits[made.parents[0]].tree) if made.parents else {}
        after = self.files(made.tree)
        return sorted(path for path in {*before, *after} if before.get(path) != after.get(path))


def _name(kind: str, data: bytes) -> str:
    return hashlib.sha1(f"{kind} {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()
