"""The bench's GitHub and npm's `emulate` take the same conversation in the same way."""

from collections.abc import Callable
from typing import Any

import github

from bot.emulator import Emulator, token_of
from bot.github.client import Connection
from bot.github.errors import GitHubError
from tests.bot.bench.conftest import Start

Said = list[object]
ISSUE = {"number", "title", "body", "user", "created_at", "updated_at", "html_url"}
COMMENT = {"id", "node_id", "body", "user", "created_at", "updated_at", "html_url", "issue_url"}
REPOSITORY = {"full_name", "private", "default_branch", "html_url"}
ENTRY = {"name", "path", "sha", "size", "type", "html_url"}


def conversation(connection: Connection, place: str, issue: int) -> Said:
    """What is said to a person's requests, as far as the bot looks at it: names and values that are no accident."""
    said: Said = []

    def tried(act: Callable[[], Any], *keys: str) -> Any:
        try:
            answer = act()
        except GitHubError as refused:
            said.append((type(refused).__name__, refused.status))
            return None
        shown = answer[0] if isinstance(answer, list) else answer
        said.append(sorted(set(keys) & set(shown)) if isinstance(shown, dict) else shown)
        return answer

    tried(lambda: connection.get(place), *REPOSITORY)
    tried(lambda: connection.get(f"{place}/issues/{issue}"), *ISSUE)
    tried(lambda: connection.get(f"{place}/issues/4040"))
    made = tried(lambda: connection.post(f"{place}/issues/{issue}/comments", {"body": "one"}), *COMMENT)
    tried(lambda: connection.get(f"{place}/issues/{issue}/comments"), *COMMENT)
    comment = f"{place}/issues/comments/{made['id']}"
    said.append(tried(lambda: connection.patch(comment, {"body": "two"}), *COMMENT)["body"])
    said.append([c["body"] for c in connection.pages(f"{place}/issues/{issue}/comments")])
    connection.delete(comment)
    tried(lambda: connection.get(comment))
    head = tried(lambda: connection.get(f"{place}/git/ref/heads/main"), "ref", "object")["object"]["sha"]
    tree = tried(lambda: connection.get(f"{place}/git/commits/{head}"), "sha", "tree", "parents", "message")
    blob = tried(lambda: connection.post(f"{place}/git/blobs", {"content": "UEsAAQ==", "encoding": "base64"}), "sha")
    said.append(blob["sha"])
    item = {"path": "a/memo.xlsx", "mode": "100644", "type": "blob", "sha": blob["sha"]}
    grown = {"base_tree": tree["tree"]["sha"], "tree": [item]}
    made_tree = tried(lambda: connection.post(f"{place}/git/trees", grown), "sha", "tree")["sha"]
    body = {"message": "m", "tree": made_tree, "parents": [head]}
    commit = tried(lambda: connection.post(f"{place}/git/commits", body), "sha", "tree", "parents")["sha"]
    rival = connection.post(f"{place}/git/commits", {**body, "message": "rival"})["sha"]
    move = f"{place}/git/refs/heads/main"
    tried(lambda: connection.patch(move, {"sha": commit, "force": False}), "ref", "object")
    tried(lambda: connection.patch(move, {"sha": rival, "force": False}))
    tried(lambda: connection.post(f"{place}/git/refs", {"ref": "refs/heads/main", "sha": commit}))
    file = tried(lambda: connection.get(f"{place}/contents/a/memo.xlsx", ref="main"), *ENTRY, "content", "encoding")
    said.append((file["sha"], file["encoding"], file["content"].strip(), file["size"]))
    tried(lambda: connection.get(f"{place}/contents/a", ref="main"), *ENTRY)
    tried(lambda: connection.get(f"{place}/contents/b.csv", ref="main"))
    return said


def test_both_take_the_same_conversation_in_the_same_way(emulate: Emulator, start: Start) -> None:
    bench = start()
    issue = bench.world.open_issue("olga", "Pilot", "text").number
    ours = conversation(bench.holder("token-of-olga"), "/repos/lab/pilots", issue)
    olga = Connection(github.Auth.Token(token_of("olga")), emulate.url, pace=False)
    olga.post("/orgs/lab/repos", {"name": "bench", "private": True, "auto_init": True})
    number = olga.post("/repos/lab/bench/issues", {"title": "Pilot", "body": "text"})["number"]
    theirs = conversation(olga, "/repos/lab/bench", number)
    assert ours == theirs
