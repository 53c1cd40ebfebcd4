"""Published files that stay beside the repository: tests that read them skip where they are absent."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("STEELYARD_SHARED", ROOT.parent / "shared"))
needs_shared = pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="the published files are not here")
