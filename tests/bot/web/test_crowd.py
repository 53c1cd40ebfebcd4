"""However many pages wait, deliveries are taken."""

from pathlib import Path

from bot.settings import ProcessSettings
from bot.web.app import create_app
from bot.web.crowd import FOR_DELIVERIES
from bot.web.server import THREADS
from tests.bot.web.receiving import Fake

HTML = {"Accept": "text/html"}


def test_with_all_places_taken_pages_say_so_and_everything_else_goes_on(tmp_path: Path) -> None:
    app = create_app(ProcessSettings.read({}, state_dir=tmp_path), Fake())
    client, turns = app.test_client(), app.extensions["steelyard-crowd"].turns
    places = 0
    while turns.acquire(blocking=False):
        places += 1
    assert places == THREADS - FOR_DELIVERIES
    page = client.get("/", headers=HTML)
    assert (page.status_code, page.headers["Retry-After"]) == (503, "10") and "All places are taken" in page.text
    assert client.get("/healthz").status_code == 200 and client.post("/webhook").status_code == 503
    assert client.get("/static/steelyard.css").status_code == 200
    turns.release()
    for path in ("/", "/nowhere", "/r/lab/pilots", "/playground/files/x/y"):  # each gives its place back
        assert client.get(path, headers=HTML).status_code in (200, 404)
    assert turns.acquire(blocking=False) and not turns.acquire(blocking=False)
