"""Every defence that docs/security.md names is proved by a test that exists."""

import re
from pathlib import Path

import pytest

from tests.shared import ROOT

TEXT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_the_test_exists(path: str, name: str) -> None:
    assert re.search(rf"^def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_every_defence_names_one() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("|")][2:]
    assert len(rows) > 15
    assert [row for row in rows if "`tests/" not in row.split("|")[4]] == []


def test_every_hostile_suite_is_named() -> None:
    suites = {p.relative_to(ROOT).as_posix() for p in Path(ROOT / "tests").rglob("test_hostile.py")}
    assert suites <= {path for path, _ in NAMED}
