"""A pull request that adds files a repository lacks: on a branch of its own, never forced, never over what is there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from bot.github.client import Connection
from bot.github.errors import GitHubError, NotFound, Refused
from bot.github.gitdata import Branch, Head
from bot.github.thread import repository_path

BRANCH = "steelyard-init"
"""Not below `steelyard/`: git keeps no branch `steelyard/…` beside the ledger's `steelyard`."""


class EmptyRepository(GitHubError):
    """There is no commit yet to propose anything against."""


@dataclass(frozen=True)
class Words:
    """What the pull request says; `body` is told which files are proposed and which were there already."""

    commit: str
    title: str
    body: Callable[[Sequence[str], Sequence[str]], str]


@dataclass(frozen=True)
class Proposal:
    """What came of it. `opened` False: the branch is there, and `url` is the page on which a person opens the request.

    `url` None: the default branch has every file. `added` are the files that this call committed.
    """

    url: str | None
    opened: bool
    proposed: tuple[str, ...]
    added: tuple[str, ...]
    kept: tuple[str, ...]
    default_branch: str


def propose(connection: Connection, repository: str, files: Mapping[str, str], words: Words) -> Proposal:
    """Commit the files that the default branch lacks and open a pull request, or add to the one that is open.

    A file that somebody changed on the open request's branch stays as it is. Raises GitHubError; EmptyRepository.
    """
    place = _Place(connection, repository, repository_path(repository))
    default, head = place.default()
    kept = tuple(path for path in files if place.holds(path, head.commit))
    missing = tuple(path for path in files if path not in kept)
    if not missing:
        return Proposal(None, False, (), (), kept, default)
    pull = place.open_pull(repository.split("/")[0], default)
    added = place.commit({path: files[path] for path in missing}, head, words.commit, continues=pull is not None)
    url, opened = place.asked(pull, default, words, missing, kept, changed=bool(added))
    return Proposal(url, opened, missing, added, kept, default)


@dataclass(frozen=True)
class _Place:
    """One repository's git data and pull requests."""

    connection: Connection
    repository: str
    root: str

    def default(self) -> tuple[str, Head]:
        """The default branch and its head."""
        name = str(self.connection.get(self.root)["default_branch"])
        head = self.head(name)
        if head is None:
            raise EmptyRepository("the repository has no commit yet: add a README first, then run this again")
        return name, head

    def head(self, branch: str) -> Head | None:
        return Branch(self.connection, self.repository, branch).head()

    def holds(self, path: str, commit: str) -> bool:
        try:
            self.connection.get(f"{self.root}/contents/{quote(path)}", ref=commit)
        except NotFound:
            return False
        return True

    def open_pull(self, owner: str, base: str) -> Mapping[str, Any] | None:
        """The open request of the branch; empty where this identity may not look and there may be one."""
        try:
            found = self.connection.get(f"{self.root}/pulls", state="open", head=f"{owner}:{BRANCH}", base=base)
        except Refused:
            return {}
        ours = [pull for pull in found if pull["head"]["ref"] == BRANCH]
        return ours[0] if ours else None

    def commit(self, files: Mapping[str, str], head: Head, message: str, continues: bool) -> tuple[str, ...]:
        """The files that were committed: on the branch as it is, or on the default branch's present state.

        A branch that is left over from an earlier request takes that state in as a second parent: no force is needed.
        """
        tip = self.head(BRANCH)
        base, parents, adding = head, [head.commit], dict(files)
        if tip is not None and continues:
            base, parents = tip, [tip.commit]
            adding = {path: text for path, text in files.items() if not self.holds(path, tip.commit)}
        elif tip is not None and tip != head:
            parents = [tip.commit, head.commit]
        tree = self._tree(base, adding) if adding else base.tree
        if tip is not None and tip.tree == tree and self._follows(tip, parents):
            return ()
        made = self.connection.post(f"{self.root}/git/commits", {"message": message, "tree": tree, "parents": parents})
        self._point(str(made["sha"]), moves=tip is not None)
        return tuple(adding)

    def _tree(self, base: Head, files: Mapping[str, str]) -> str:
        entries = [{"path": p, "mode": "100644", "type": "blob", "content": text} for p, text in files.items()]
        return str(self.connection.post(f"{self.root}/git/trees", {"base_tree": base.tree, "tree": entries})["sha"])

    def _follows(self, tip: Head, parents: Sequence[str]) -> bool:
        """Whether the branch was built on these already: it was pushed, and the request was not opened."""
        there = self.connection.get(f"{self.root}/git/commits/{tip.commit}")
        return set(parents) <= {tip.commit, *(str(parent["sha"]) for parent in there["parents"])}

    def _point(self, commit: str, moves: bool) -> None:
        if moves:
            self.connection.patch(f"{self.root}/git/refs/heads/{BRANCH}", {"sha": commit, "force": False})
        else:
            self.connection.post(f"{self.root}/git/refs", {"ref": f"refs/heads/{BRANCH}", "sha": commit})

    def asked(
        self,
        pull: Mapping[str, Any] | None,
        base: str,
        words: Words,
        proposed: Sequence[str],
        kept: Sequence[str],
        changed: bool,
    ) -> tuple[str, bool]:
        """The open request, brought up to date; or a new one; or the page that opens it where this identity may not."""
        body = words.body(proposed, kept)
        if pull:
            if changed:
                self.connection.patch(f"{self.root}/pulls/{pull['number']}", {"body": body})
            return str(pull["html_url"]), True
        try:
            made = self.connection.post(
                f"{self.root}/pulls", {"title": words.title, "body": body, "head": BRANCH, "base": base}
            )
        except Refused:
            page = str(self.connection.get(self.root)["html_url"])
            return f"{page}/compare/{quote(base)}...{BRANCH}?expand=1", False
        return str(made["html_url"]), True
