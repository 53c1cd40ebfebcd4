"""The playground: what is posted is compared, shown and forgotten; who may ask, how much and how often."""

import io
import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from bot.settings import ProcessSettings
from bot.web.app import create_app
from bot.web.desk import AT_A_TIME, Desk
from bot.web.kept import Kept, Pace
from tests.bot.web.receiving import Fake
from tests.shared import ROOT

TABLE = (ROOT / "samples/first-look/pilot.csv").read_bytes()


@dataclass
class Visitor:
    """A browser of its own."""

    client: FlaskClient
    desk: Desk

    def look(self, **headers: str) -> TestResponse:
        return self.client.get("/playground", headers=headers)

    def token(self) -> str:
        return re.findall(r'name="csrf" value="([^"]+)"', self.look().text)[0]

    def post(self, *files: tuple[str, bytes], **fields: Any) -> TestResponse:
        posted = [(io.BytesIO(data), name) for name, data in files]
        return self.client.post("/playground", data={"csrf": self.token(), "files": posted, **fields})


def visitor(state: Path, **given: object) -> Visitor:
    app = create_app(ProcessSettings.read({}, state_dir=state, **given), Fake())
    return Visitor(app.test_client(), app.extensions["steelyard-desk"])


@pytest.fixture(scope="module")
def open_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    found = visitor(tmp_path_factory.mktemp("state"), playground="public")
    yield found
    found.desk.sandbox.close()


@pytest.fixture(autouse=True)
def _unhurried(request: pytest.FixtureRequest) -> None:
    if "open_page" in request.fixturenames:
        page: Visitor = request.getfixturevalue("open_page")
        page.desk.own_pace = Pace(1_000, 60.0)


def links(page: TestResponse) -> dict[str, str]:
    return {
        address.rsplit("/", 1)[1]: address for address in re.findall(r'href="(/playground/files/[^"]+)"', page.text)
    }


def test_a_file_gives_its_columns_its_reply_and_its_downloads(
    open_page: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    page = open_page.post(("pilot.csv", TABLE), options="margin.loss=1%")
    assert page.status_code == 200
    assert "How each column was read" in page.text and '<article class="reply"><h3>' in page.text
    memo = open_page.client.get(links(page)["memo.xlsx"])
    assert memo.data[:2] == b"PK" and "attachment" in memo.headers["Content-Disposition"]
    record = json.loads(open_page.client.get(links(page)["decision.json"]).data)
    assert record["verdict"]["word"] in page.text
    assert {row["column"] for row in record["columns"]} <= set(
        re.findall(r"<code><bdi>([^<]+)</bdi></code></th>", page.text)
    )
    assert not list(tmp_path.glob("steelyard-job-*")), "nothing is left on the disk"


def test_files_of_one_name_are_told_apart_and_none_is_passed_over(open_page: Visitor) -> None:
    settings = b"baseline: gpu\n"
    page = open_page.post(
        ("pilot.csv", TABLE), ("a/b/pilot.csv", TABLE), ("steelyard.yml", settings), ("steelyard.yml", b"x")
    )
    assert "pilot.csv" in page.text and "pilot#2.csv" in page.text and "steelyard#2.yml" in page.text


def test_a_pasted_table_that_fails_says_where_and_how_to_mend_it(open_page: Visitor) -> None:
    page = open_page.post(pasted="accelerator,tokens_per_second\nh100,abc\n")
    assert "No verdict" in page.text and "line 2, column" in page.text and "Correct the cell" in page.text
    assert "h100,abc" in page.text, "what was pasted is there to be mended"


def test_conventional_names_are_settings_contracts_and_prices(open_page: Visitor) -> None:
    folder = ROOT / "samples/llama2-70b-lora"
    files = [(p.name, p.read_bytes()) for p in sorted(folder.iterdir()) if p.suffix != ".md"]
    by_hand, by_button = open_page.post(*files), open_page.post(sample="1")
    verdict = re.compile(r"<h3>(.+?)</h3>")
    assert verdict.findall(by_hand.text)[0] == verdict.findall(by_button.text)[0]
    assert "gaudi2" in verdict.findall(by_hand.text)[0]


def test_the_page_and_the_reply_speak_the_browsers_language(open_page: Visitor) -> None:
    asked = {"csrf": open_page.token(), "pasted": "accelerator,tokens_per_second\nh100,abc\n"}
    page = open_page.client.post("/playground", data=asked, headers={"Accept-Language": "es"})
    assert "Cómo se leyó cada columna" in page.text and "Sin veredicto" in page.text


def test_hostile_names_and_cells_are_text(open_page: Visitor) -> None:
    hostile = '"><img src=x onerror=alert(1)>'
    table = f"accelerator,{hostile},duration_s\n{hostile},1,2\n".encode()
    page = open_page.post((f"../../{hostile}.csv", table), options=hostile)
    assert page.status_code == 200 and "<img" not in page.text


@pytest.mark.parametrize("csrf", ["", "guessed", "é"])
def test_a_form_of_somebody_else_is_refused(csrf: str, open_page: Visitor) -> None:
    open_page.look()
    assert open_page.client.post("/playground", data={"csrf": csrf, "sample": "1"}).status_code == 403


def test_an_empty_form_says_what_is_missing(open_page: Visitor) -> None:
    page = open_page.post()
    assert page.status_code == 400 and 'role="alert"' in page.text


def test_more_than_the_bound_is_refused_with_the_bound(tmp_path: Path) -> None:
    page = visitor(tmp_path, playground="public", playground_mb=1)
    for given in ({"files": (io.BytesIO(b"x" * 2**20), "a.csv")}, {"pasted": "x" * 2**20}):
        answer = page.client.post("/playground", data={"csrf": page.token(), **given})
        assert answer.status_code == 413 and "more than 1 MB" in answer.text


def test_many_in_a_minute_and_many_at_a_time_are_told_to_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.web.desk.PATIENCE_S", 0.01)
    page = visitor(tmp_path, playground="public")
    for _ in range(AT_A_TIME):
        assert page.desk.turns.acquire(blocking=False)
    answer = page.post(pasted="a,b\n1,2\n")
    assert answer.status_code == 503 and answer.headers["Retry-After"] == "60"
    page.desk.own_pace = Pace(1, 60.0)
    assert page.post(pasted="a,b\n1,2\n").status_code == 503
    assert page.post(pasted="a,b\n1,2\n").status_code == 429
    page.desk.own_pace, page.desk.address_pace = Pace(1_000, 60.0), Pace(0, 60.0)
    assert page.post(pasted="a,b\n1,2\n").status_code == 429, "also for whoever drops the cookie"


def test_downloads_are_for_the_browser_that_asked(open_page: Visitor) -> None:
    address = links(open_page.post(("pilot.csv", TABLE)))["memo.xlsx"]
    other = open_page.client.application.test_client()
    assert other.get(address).status_code == 404
    assert open_page.client.get(address.replace("memo.xlsx", "columns.json")).status_code == 404


LOGIN = {"client_id": "Iv1.x", "client_secret": "s" * 20}


@pytest.mark.parametrize(
    ("given", "headers", "wanted"),
    [
        ({}, {}, 200),
        ({}, {"X-Forwarded-For": "203.0.113.9"}, 404),
        (LOGIN, {}, 302),
        ({"playground": "off"}, {}, 404),
        ({"playground": "off", **LOGIN}, {}, 404),
        ({"playground": "login"}, {}, 404),
        ({"playground": "login", **LOGIN}, {}, 302),
        ({"playground": "public"}, {"X-Forwarded-For": "203.0.113.9"}, 200),
        ({"playground": "public", **LOGIN}, {}, 200),
    ],
)
def test_who_may_try(given: dict[str, str], headers: dict[str, str], wanted: int, tmp_path: Path) -> None:
    assert visitor(tmp_path, **given).look(**headers).status_code == wanted


def test_the_page_loads_our_own_style_and_script_alone(open_page: Visitor) -> None:
    page = open_page.look()
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert not re.search(r"<script(?! src=\"/static/)|\son\w+=|\sstyle=|(?:src|href)=\"(?:https?:)?//", page.text)


def test_what_is_kept_ends_in_time_and_in_size() -> None:
    now = [0.0]
    kept = Kept(clock=lambda: now[0], most_bytes=10)
    first, second = kept.keep("a", {"f": b"12345"}), kept.keep("a", {"f": b"67890"})
    assert kept.file("a", first, "f") == b"12345" and kept.file("b", first, "f") is None
    third = kept.keep("a", {"f": b"!"})
    assert kept.file("a", first, "f") is None and kept.file("a", second, "f") and kept.file("a", third, "f")
    now[0] = 901.0
    assert kept.file("a", third, "f") is None


def test_a_pace_is_each_askers_own() -> None:
    now = [0.0]
    pace = Pace(2, 60.0, clock=lambda: now[0], most_askers=2)
    assert [pace.wait_s("a"), pace.wait_s("a"), pace.wait_s("a"), pace.wait_s("b")] == [0, 0, 60, 0]
    now[0] = 60.0
    assert pace.wait_s("a") == 0
    for asker in "cde":
        pace.wait_s(asker)
    assert len(pace._times) == 2
