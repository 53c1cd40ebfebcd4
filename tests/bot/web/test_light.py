"""The receiving process stays small: it takes deliveries, for real, without the engine in memory."""

import subprocess
import sys
from pathlib import Path

from tests.shared import ROOT

PROGRAM = """
import sys
from pathlib import Path
from bot.intake import deliveries
from bot.jobs.inbox import Inbox
from bot.settings import ProcessSettings
from bot.web.app import create_app
from bot.web.server import server
from tests.bot.intake.payloads import comment_event
from tests.bot.web.receiving import SECRET, exchange, hook, serving, status

settings = ProcessSettings.read({}, state_dir=Path(sys.argv[1]), webhook_secrets=(SECRET,))
inbox = Inbox(settings)
with serving(settings, inbox) as port:
    assert status(exchange(port, hook(comment_event()))) == 202
    assert status(exchange(port, b"GET /readyz HTTP/1.1\\r\\nConnection: close\\r\\n\\r\\n")) == 200
inbox.close()
print(*sorted(sys.modules))
"""


def test_a_delivery_is_taken_without_the_engine(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert {"flask", "waitress", "dbos"} <= loaded
    assert loaded.isdisjoint({"scipy", "numpy", "openpyxl", "scoring.analysis", "bot.render.workbook", "bot.commands"})
