"""Processes that open one new file at once all get it, with the log that readers and the writer share."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import sqlalchemy as sa

from bot.jobs.database import connect
from bot.settings import ProcessSettings

AT_ONCE, FILES = 8, 60


def test_many_that_open_a_new_file_at_once_all_get_its_write_ahead_log(tmp_path: Path) -> None:
    """SQLite refuses one of two that turn the log on at the same moment, whatever its busy time-out."""
    for number in range(FILES):
        settings, together = ProcessSettings(state_dir=tmp_path / str(number)), Barrier(AT_ONCE)

        def opened(_: int, settings: ProcessSettings = settings, together: Barrier = together) -> str:
            engine = connect(settings)
            together.wait()
            with engine.begin() as connection:
                mode = str(connection.execute(sa.text("PRAGMA journal_mode")).scalar())
            engine.dispose()
            return mode

        (tmp_path / str(number)).mkdir()
        with ThreadPoolExecutor(AT_ONCE) as threads:
            assert set(threads.map(opened, range(AT_ONCE))) == {"wal"}
