"""Where posted bytes lie while a command is answered, and how many of them there may be."""

from pathlib import Path

from scoring.reading.limits import MAX_FILE_BYTES

MAX_FILES = 60
MAX_TOTAL_BYTES = 700 * 2**20


class Spool:
    """Numbered files in a folder of the job's own: no posted name ever becomes a path."""

    def __init__(
        self,
        folder: Path,
        max_files: int = MAX_FILES,
        max_file_bytes: int = MAX_FILE_BYTES,
        max_total_bytes: int = MAX_TOTAL_BYTES,
    ) -> None:
        self._folder, self.max_files, self.max_file_bytes = folder, max_files, max_file_bytes
        self.files_left, self._bytes_left = max_files, max_total_bytes
        self._number, self._max_total_bytes = 0, max_total_bytes

    def path(self) -> Path:
        """A path that was not given before."""
        self._number += 1
        return self._folder / f"{self._number:04d}"

    @property
    def limit(self) -> int:
        """Bytes that the next file may have."""
        return min(self.max_file_bytes, self._bytes_left)

    @property
    def bounds(self) -> str:
        """How much may be stored at all, as people read it."""
        return f"{self.max_files} files of together {self._max_total_bytes / 2**20:,.0f} MB"

    def took(self, size: int) -> None:
        """A file of so many bytes was stored."""
        self.files_left -= 1
        self._bytes_left -= size

    def apart(self, max_files: int) -> "Spool":
        """Another one below this one, with a count and a limit of its own. Raises OSError."""
        folder = self.path()
        folder.mkdir()
        return Spool(folder, max_files, self.max_file_bytes, self._max_total_bytes)

    def write(self, data: bytes) -> Path:
        """Bytes at hand, stored. Raises OSError."""
        path = self.path()
        path.write_bytes(data)
        self.took(len(data))
        return path
