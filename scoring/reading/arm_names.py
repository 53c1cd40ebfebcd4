"""Which arm a file is of that names none: its folder, the one above where that is a run's, else the file itself."""

from collections.abc import Iterable

from scoring.reading.posted import PostedFile

ARCHIVES = (".zip", ".tgz", ".tar.gz")


class ArmNames:
    """Arms by the folders of all files of a posting.

    A folder whose name stands below several others (`gpu/run1`, `trn2/run1`) is a run, and the one above is the arm.
    """

    def __init__(self, names: Iterable[str]) -> None:
        above: dict[str, set[str]] = {}
        for name in names:
            folders = _folders(name)
            for i, folder in enumerate(folders[1:], start=1):
                above.setdefault(folder, set()).add("/".join(folders[:i]))
        self._of_runs = {folder for folder, parents in above.items() if len(parents) > 1}

    def of(self, posted: PostedFile) -> str:
        """The arm of one file."""
        folders = _folders(posted.name)
        while len(folders) > 1 and folders[-1] in self._of_runs:
            folders.pop()
        if folders:
            return folders[-1]
        plain = [part for part in posted.name.split("#")[0].split("/") if part]
        return plain[-1].rsplit(".", 1)[0] if plain else "arm"


def _folders(name: str) -> list[str]:
    """The folders of a posted name; an archive is none."""
    parts = [part for part in name.split("#")[0].split("/") if part][:-1]
    return [] if parts and parts[-1].lower().endswith(ARCHIVES) else parts
