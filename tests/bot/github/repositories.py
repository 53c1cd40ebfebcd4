"""Files, links and submodules committed to a test's repository, as a person with git would."""

import base64
from collections.abc import Mapping

from tests.bot.github.world import World

COMMIT_OF_NOTHING = "1" * 40


def commit(
    world: World,
    files: Mapping[str, bytes],
    branch: str = "main",
    links: Mapping[str, str] | None = None,
    submodules: tuple[str, ...] = (),
) -> None:
    """One commit on a branch, which is made where it is not there yet."""
    github, place = world.straight("olga"), f"/repos/{world.repository}/git"
    main = github.get(f"{place}/ref/heads/main")["object"]["sha"]
    entries = []
    for path, data in {**files, **{path: target.encode() for path, target in (links or {}).items()}}.items():
        blob = github.post(f"{place}/blobs", {"content": base64.b64encode(data).decode(), "encoding": "base64"})
        mode = "120000" if links and path in links else "100644"
        entries.append({"path": path, "mode": mode, "type": "blob", "sha": blob["sha"]})
    entries += [{"path": path, "mode": "160000", "type": "commit", "sha": COMMIT_OF_NOTHING} for path in submodules]
    base = github.get(f"{place}/commits/{main}")["tree"]["sha"]
    tree = github.post(f"{place}/trees", {"base_tree": base, "tree": entries})["sha"]
    made = github.post(f"{place}/commits", {"message": "files", "tree": tree, "parents": [main]})["sha"]
    if branch == "main":
        github.patch(f"{place}/refs/heads/main", {"sha": made})
    else:
        github.post(f"{place}/refs", {"ref": f"refs/heads/{branch}", "sha": made})
