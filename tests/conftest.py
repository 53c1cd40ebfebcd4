"""Profiles of the property tests, and the flag that refreshes golden files."""

import os
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "steelyard", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("steelyard")
GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--refresh-golden` writes what is rendered now; look at the difference before you commit it."""
    parser.addoption("--refresh-golden", action="store_true", help="rewrite the golden files")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the approved one of that name, or write it with `--refresh-golden`."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--refresh-golden"):
            assert not os.environ.get("CI"), "golden files are approved by a person"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"no golden file {name}; run pytest --refresh-golden and look at it"
        assert text == path.read_text(encoding="utf-8"), f"{name} reads differently; see CONTRIBUTING.md"

    return check


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Halves of letters that a test prints on purpose would keep its report from reaching another process."""
    report = yield
    report.sections = [(name, text.encode("utf-8", "replace").decode()) for name, text in report.sections]
    return report
