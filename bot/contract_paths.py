"""Books, settings and folders of both, as they are named to `steelyard contracts`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bot.folder import CONFIG_NAMES, find
from bot.render.locales import ENGLISH, languages
from scoring.reading.posted import PostedFile
from scoring.setup import Evidence, read_setup


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


def with_settings(evidence: Sequence[Evidence]) -> Iterator[Evidence]:
    """Settings of a path of their own hold for every book beside which there are none."""
    alone = next((e.settings for e in evidence if e.settings is not None and e.contracts is None), None)
    return (replace(of_path, settings=of_path.settings or alone) for of_path in evidence)


def language_of(evidence: Sequence[Evidence], wanted: str | None) -> str:
    """The one that is wanted, else that of the first settings. Raises ValueError for one that is not known."""
    if wanted is not None and wanted not in languages():
        raise ValueError(f"--language {wanted}: {' or '.join(languages())}")
    if wanted is not None:
        return wanted
    first = next((e.settings for e in evidence if e.settings is not None), None)
    return ENGLISH if first is None else read_setup(Evidence((), settings=first)).settings.language


def _posted(path: Path | None, folder: str = "") -> PostedFile | None:
    if path is None:
        return None
    return PostedFile.from_path(path, name=f"{folder}/{path.name}" if folder else path.name)
