"""Books, settings and folders of both, as they are named to `steelyard contracts`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bot.folder import CONFIG_NAMES, find
from scoring.reading.posted import PostedFile
from scoring.setup import Evidence


def evidence_at(paths: Sequence[str]) -> Iterator[Evidence]:
    """One for each path; a file is a contract book, or settings where it is called so. Raises OSError.

    Books of one name are told apart by their paths.
    """
    names = Counter(Path(name).name for name in paths)
    for name in paths:
        path = Path(name)
        if path.is_dir():
            found = find([path])
            shown = name.rstrip("/") if len(paths) > 1 else ""
            yield Evidence((), settings=_posted(found.config, shown), contracts=_posted(found.contracts, shown))
        elif path.name.lower() in CONFIG_NAMES:
            yield Evidence((), settings=_posted(path))
        else:
            yield Evidence((), contracts=_posted(path, str(path.parent) if names[path.name] > 1 else ""))


def _posted(path: Path | None, folder: str = "") -> PostedFile | None:
    if path is None:
        return None
    return PostedFile.from_path(path, name=f"{folder}/{path.name}" if folder else path.name)
