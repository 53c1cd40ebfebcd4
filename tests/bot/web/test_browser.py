"""The pages in a real browser: the ways through them, the keyboard, the policy, and what axe-core says of each.

Needs Chromium or Chrome, `playwright` (extra `browser`) and an npm registry for axe-core; without them it skips.
`STEELYARD_SCREENSHOTS=FOLDER` keeps a picture of every page, light and dark, wide and narrow.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.emulator import Emulator
from bot.node import NodeMissing, PackagesMissing, node_modules
from bot.settings import ProcessSettings
from bot.web.app import create_app
from tests.bot.web.lab import ON, decision_files, furnish
from tests.bot.web.readers import Pages, reading, running
from tests.bot.web.receiving import Fake
from tests.shared import ROOT

playwright = pytest.importorskip("playwright.sync_api")

EXECUTABLES = ("chromium", "chromium-browser", "google-chrome")
DESKTOP, PHONE = (1280, 900), (390, 844)
QUARTER = "/r/lab/pilots?quarter=2027Q1&decided=all"
DECISION = "/r/lab/pilots/decisions/2027Q1/20/1"
SAMPLE = ROOT / "samples/first-look/pilot.csv"
STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@dataclass
class Tab:
    """A page of a context of its own, and everything that it complained of or asked elsewhere for."""

    page: Any
    own: tuple[str, ...]
    complaints: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda said: self._said(said.type, said.text))
        self.page.on("pageerror", lambda failure: self._said("error", str(failure)))
        self.page.on("request", lambda asked: self._asked(asked.url))

    def _said(self, kind: str, text: str) -> None:
        self.complaints += [text] if kind in ("error", "warning") else []

    def _asked(self, url: str) -> None:
        self.elsewhere += [] if url.startswith((*self.own, "data:", "blob:")) else [url]

    def clean(self) -> None:
        """Nothing was complained of, and nobody else was asked for anything."""
        assert (self.complaints, self.elsewhere) == ([], [])


@dataclass
class Chromium:
    """A started browser and what it looks at; `setup` is the setup page of a process that has no App yet."""

    browser: Any
    pages: Pages
    setup: str

    @contextmanager
    def tab(self, login: str = "olga", size: tuple[int, int] = DESKTOP, scheme: str = "light") -> Iterator[Tab]:
        """A fresh context; `login` is who agrees at GitHub."""
        self.pages.logins.agrees = login
        self.pages.logins.ended.clear()
        self.pages.clock.now += 1_000
        view = {"width": size[0], "height": size[1]}
        context = self.browser.new_context(viewport=view, color_scheme=scheme, locale="en-GB", accept_downloads=True)
        context.set_default_timeout(15_000)
        try:
            own = (self.pages.url, self.pages.github.url, self.setup.partition("/setup")[0])
            yield Tab(context.new_page(), own)
        finally:
            context.close()


@pytest.fixture(scope="module")
def chromium(emulate: Emulator, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    executable = next((found for name in EXECUTABLES if (found := shutil.which(name))), None)
    if executable is None:
        pytest.skip("no Chromium")
    furnish(emulate, "lab/pilots")
    with reading(emulate.url, tmp_path_factory.mktemp("state")) as pages, playwright.sync_playwright() as driver:
        pages.desk.today = lambda: ON
        pages.logins.repositories = {"olga": ["lab/pilots", "lab/open"]}
        bare = ProcessSettings.read({}, state_dir=tmp_path_factory.mktemp("bare"), public_url="https://bot.example.org")
        app = create_app(bare, Fake())
        started = driver.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        with running(app) as unset:
            try:
                yield Chromium(started, pages, f"{unset}/setup?entry={app.extensions['steelyard-setup'].token}")
            finally:
                started.close()


def test_from_the_first_page_to_a_memo(chromium: Chromium, tmp_path: Path) -> None:
    with chromium.tab() as tab:
        page = tab.page
        page.goto(chromium.pages.url)
        page.get_by_role("main").get_by_role("link", name="Log in with GitHub").click()
        page.get_by_role("link", name="lab/pilots").click()
        assert page.get_by_role("heading", level=1).inner_text().startswith("Quarter ")
        page.goto(f"{chromium.pages.url}/r/lab/pilots?quarter=2027Q1")
        page.get_by_label("Decided in").select_option("all")
        page.get_by_label("Verdict").select_option("EXTEND")
        page.get_by_role("button", name="Show").click()
        assert "verdict=EXTEND" in page.url and "quarter=2027Q1" in page.url
        page.get_by_role("link", name="#20.1").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="memo.xlsx").first.click()
        download.value.save_as(tmp_path / "memo.xlsx")
        assert download.value.suggested_filename == "20-1-memo.xlsx"
        assert (tmp_path / "memo.xlsx").read_bytes() == decision_files()["memo.xlsx"]
        page.get_by_role("button", name="Log out").click()
        assert page.get_by_role("main").get_by_role("link", name="Log in with GitHub").is_visible()
        tab.clean()


def test_a_reader_without_permission_sees_nothing(chromium: Chromium) -> None:
    with chromium.tab("rita") as tab:
        answer = tab.page.goto(f"{chromium.pages.url}{DECISION}")
        assert answer.status == 404 and tab.page.url.endswith(DECISION), "after the login"
        shown = tab.page.content()
        assert "There is nothing here" in shown and "first-look" not in shown and "memo" not in shown
        assert all("404" in complaint for complaint in tab.complaints) and tab.elsewhere == []


def test_the_playground_with_a_file_that_fails_and_one_that_works(chromium: Chromium) -> None:
    with chromium.tab() as tab:
        page = tab.page
        page.goto(f"{chromium.pages.url}/playground")
        page.get_by_label("Or paste a table").fill("accelerator,tokens_per_second\nh100,abc\n")
        page.get_by_role("button", name="Compare", exact=True).click()
        assert "Correct the cell" in page.get_by_role("article").inner_text()
        page.get_by_label("Or paste a table").fill("")
        page.get_by_label("Files of the pilot").set_input_files(str(SAMPLE))
        page.get_by_role("button", name="Compare", exact=True).click()
        assert page.get_by_role("heading", name="How each column was read").is_visible()
        with page.expect_download() as download:
            page.get_by_role("link", name="memo.xlsx").first.click()
        assert Path(download.value.path()).read_bytes()[:2] == b"PK"
        tab.clean()


def test_a_dropped_file_is_taken(chromium: Chromium) -> None:
    with chromium.tab() as tab:
        page = tab.page
        page.goto(f"{chromium.pages.url}/playground")
        dropped = page.evaluate_handle(
            "text => { const d = new DataTransfer(); d.items.add(new File([text], 'pilot.csv')); return d }",
            SAMPLE.read_text(),
        )
        page.dispatch_event("form[data-drop]", "drop", {"dataTransfer": dropped})
        assert page.evaluate("document.querySelector('#files').files[0].name") == "pilot.csv"
        tab.clean()


def test_a_printed_quarter_has_its_figures_and_no_controls(chromium: Chromium) -> None:
    with chromium.tab(size=PHONE) as tab:
        page = tab.page
        page.goto(f"{chromium.pages.url}{QUARTER}")
        page.emulate_media(media="print")
        assert not page.get_by_role("button").first.is_visible() and not page.locator("header").is_visible()
        assert page.get_by_role("heading", level=1).is_visible() and page.locator("svg.chart").is_visible()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        _keep(page, "quarter-print")


def test_everything_is_reached_by_keyboard(chromium: Chromium) -> None:
    with chromium.tab() as tab:
        page = tab.page
        page.goto(f"{chromium.pages.url}{QUARTER}")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        reached = set[str]()
        for _ in range(60):
            page.keyboard.press("Tab")
            reached.add(page.evaluate(FOCUSED))
            assert page.evaluate(OUTLINED), "what has the focus shows it"
        assert {"DIV scroll", "SELECT decided", "SELECT verdict", "BUTTON Show", "A #20.1"} <= reached
        assert "A Playground" not in page.evaluate(FOCUSED)


LOOKS = [("light", DESKTOP), ("dark", PHONE)]
if "STEELYARD_SCREENSHOTS" in os.environ:
    LOOKS += [("light", PHONE), ("dark", DESKTOP)]
FOCUSED = """(() => { const e = document.activeElement;
  return `${e.tagName} ${e.className || e.id || e.textContent.trim()}` })()"""
OUTLINED = (
    "getComputedStyle(document.activeElement).outlineStyle !== 'none' || document.activeElement === document.body"
)


@pytest.mark.parametrize(("scheme", "size"), LOOKS)
def test_axe_finds_nothing_on_any_page(scheme: str, size: tuple[int, int], chromium: Chromium, axe: str) -> None:
    with chromium.tab(size=size, scheme=scheme) as tab:
        page, root = tab.page, chromium.pages.url
        found = {}
        for name, look in (VIEWS | {"setup": lambda page, _: page.goto(chromium.setup)}).items():
            look(page, root)
            page.evaluate(axe)
            told = page.evaluate("tags => axe.run({runOnly: tags}).then(r => r.violations)", STANDARD)
            found[name] = [(v["id"], [n["html"][:120] for n in v["nodes"][:3]]) for v in told]
            wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
            assert not wide, f"{name} scrolls sideways"
            _keep(page, f"{name}-{scheme}-{size[0]}")
        assert {name: violations for name, violations in found.items() if violations} == {}
        assert all("40" in complaint for complaint in tab.complaints) and tab.elsewhere == []


@pytest.fixture(scope="module")
def axe() -> str:
    """The program that examines a page, MPL-2.0, from npm."""
    try:
        modules = node_modules(Path(__file__).parent / "axe")
    except (NodeMissing, PackagesMissing) as reason:
        pytest.skip(str(reason))
    return (modules / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def _answered(page: Any, root: str) -> None:
    page.goto(f"{root}/playground")
    page.get_by_role("button", name="Compare the sample").click()


def _complained(page: Any, root: str) -> None:
    page.goto(f"{root}/playground")
    page.get_by_role("button", name="Compare", exact=True).click()


VIEWS = {
    "welcome": lambda page, root: page.goto(root),
    "repositories": lambda page, root: page.goto(f"{root}/login"),
    "quarter": lambda page, root: page.goto(f"{root}{QUARTER}"),
    "decision": lambda page, root: page.goto(f"{root}{DECISION}"),
    "playground": lambda page, root: page.goto(f"{root}/playground"),
    "answer": _answered,
    "complaint": _complained,
    "nothing": lambda page, root: page.goto(f"{root}/r/lab/none"),
}
"""Every kind of page, in an order in which the second one logs in."""


def _keep(page: Any, name: str) -> None:
    if folder := os.environ.get("STEELYARD_SCREENSHOTS"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)
