"""What a porting map needs of GitHub: the repository's source at a reference, spooled within bounds."""

from bot.commands.portability import asked_of
from bot.dossier import Dossier, Source
from bot.github.source import RepositorySource, Tree
from bot.scene import Scene
from bot.source_tree import Bounds
from scoring.model.problem import Problem

MOST_FILES = 800
"""Each file is a request, of 5,000 an hour for an App and 1,000 for the token of a workflow."""
MOST_BYTES = 64 * 1024 * 1024
SECONDS = 180.0


def with_source(scene: Scene, bare: Dossier, bounds: Bounds | None = None) -> Dossier:
    """The dossier with the source that its command names, or with the problem that keeps it back.

    All commands of a comment share `MOST_FILES`. Raises GitHubError, OSError.
    """
    bare = bare.model_copy(update={"settings": scene.configuration.settings})
    asked = asked_of(bare.command)
    if asked.problems:
        return bare
    ref = asked.ref or scene.thread.facts.default_branch
    key = (asked.path, ref)
    if key not in scene.fetched:
        spent = sum(len(one.files) + len(one.unread) for one in scene.fetched.values())
        bounds = bounds or Bounds(max(MOST_FILES - spent, 0), MOST_BYTES, seconds=SECONDS)
        reader = RepositorySource(scene.connection, scene.thread.facts.full_name)
        tree = reader.tree(asked.path, ref, asked.shown, bounds)
        if isinstance(tree, Problem):
            return bare.model_copy(update={"problems": (tree,)})
        scene.fetched[key] = _spooled(scene, reader, tree, bounds)
    return bare.model_copy(update={"source": scene.fetched[key]})


def _spooled(scene: Scene, reader: RepositorySource, tree: Tree, bounds: Bounds) -> Source:
    data = scene.spool.path()
    files, unread = list[tuple[str, int]](), list[tuple[str, str]]()
    with data.open("wb") as out:
        for file in reader.files(tree, bounds):
            if file.data is None:
                unread.append((file.path, file.reason))
            else:
                out.write(file.data)
                files.append((file.path, len(file.data)))
    scene.spool.took(sum(size for _, size in files))
    left = len(files) + len(unread) < len(tree.entries)
    stopped = bounds.stopped() if left else "tree" if tree.truncated else None
    return Source(commit=tree.commit, data=data, files=tuple(files), unread=tuple(unread), stopped_by=stopped)
