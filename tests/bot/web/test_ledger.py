"""Quarter and decision pages: for whom GitHub lets read the repository, of what its branches hold, asked for once."""

import html
import io
import re
from collections.abc import Iterator

import openpyxl
import pytest
import requests

from bot.emulator import Emulator
from bot.file_cache import FileCache
from tests.bot.web.lab import DECIDED, ON, decision_files, furnish, put
from tests.bot.web.readers import Browser, Pages, reading
from tests.e2e.faults import Fault
from tests.e2e.people import Person

LAB = "/r/lab/pilots"
DECISION = f"{LAB}/decisions/2027Q1/20/1"
MEMO = f"{LAB}/files/2027Q1/20/1/memo.xlsx"


@pytest.fixture(scope="module")
def served(emulate: Emulator, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    furnish(emulate, "lab/pilots")
    with reading(emulate.url, tmp_path_factory.mktemp("state")) as pages:
        pages.desk.today = lambda: ON
        yield pages


@pytest.fixture
def pages(served: Pages) -> Pages:
    served.github.calm()
    served.logins.ended.clear()
    served.clock.now += 1_000
    return served


@pytest.fixture
def olga(pages: Pages) -> Browser:
    return pages.browser("olga")


def shut_out(emulate: Emulator, login: str) -> None:
    """Take the permission on the repository back."""
    address = f"{emulate.url}/repos/lab/pilots/collaborators/{login}"
    requests.delete(address, headers={"Authorization": "Bearer token-of-olga"}, timeout=10)


def text_of(page: requests.Response) -> str:
    """What stands on a page, without tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.text)))


@pytest.mark.parametrize("path", [LAB, DECISION, MEMO, f"{LAB}/reviews/2027Q1/review.md", "/r/lab/nothing", "/r/-/-"])
def test_who_may_not_read_the_repository_sees_that_nothing_is_there(path: str, pages: Pages) -> None:
    anonymous = pages.browser().get(path, follow=False)
    assert anonymous.status_code == 302 and anonymous.headers["Location"].startswith("/login?next=%2F")
    page = pages.browser("rita").get(path)
    assert page.status_code == 404
    assert "There is nothing here" in page.text and "speech-finetune" not in page.text


def test_permission_is_asked_again_and_what_was_taken_back_ends(emulate: Emulator, pages: Pages) -> None:
    owner, walt = Person(emulate.url, "olga", "lab/pilots"), pages.browser("walt")
    assert walt.get(LAB).status_code == 404
    owner.lets("walt", "pull")
    pages.clock.now += 61
    assert walt.get(LAB).status_code == 200
    shut_out(emulate, "walt")
    assert walt.get(LAB).status_code == 200, "within the minute"
    pages.clock.now += 61
    assert {walt.get(path).status_code for path in (LAB, DECISION, MEMO)} == {404}


def test_the_first_page_lists_what_the_reader_may_read(pages: Pages) -> None:
    pages.logins.repositories = {"olga": ["lab/pilots", "lab/Open"], "rita": []}
    assert re.findall(r'<a href="/r/([^"]+)"', pages.browser("olga").get("/").text) == ["lab/Open", "lab/pilots"]
    assert "no repository that you may read" in pages.browser("rita").get("/").text


def test_a_quarter_shows_contracts_their_use_days_and_decisions(olga: Browser) -> None:
    page = olga.get(f"{LAB}?quarter=2027Q1")
    shown = text_of(page)
    assert "Quarter 2027Q1" in shown and "as of 11 January 2027" in shown
    assert page.text.count("<svg") == 1 and 'role="img"' in page.text
    for words in ("h200-minimum", "gaudi-minimum", "Used", "Notice by", "Days left"):
        assert words in shown
    assert re.findall(r"#(\d+\.\d+)</a>", page.text) == ["20.1"], "decided in the quarter"
    assert 'href="/r/lab/pilots?quarter=2026Q4"' in page.text and 'href="/r/lab/pilots?quarter=2027Q2"' in page.text


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("quarter=2027Q1&decided=all&workload=ranking-train", ["2.2", "2.1"]),
        ("quarter=2027Q1&decided=2026Q2&verdict=SWITCH", ["3.1", "1.1"]),
        ("quarter=2027Q1&decided=all&region=us-east-2&verdict=EXTEND", ["20.1"]),
        ("quarter=2027Q1&decided=all&workload=nobody's", []),
        ("quarter=nonsense&decided=all&workload=moderation&page=999999", ["9.1"]),
        ("decided=all&workload=moderation&page=-1", ["9.1"]),
    ],
)
def test_filters_stand_in_the_address(query: str, wanted: list[str], olga: Browser) -> None:
    page = olga.get(f"{LAB}?{query}")
    found = re.findall(r"#(\d+\.\d+)</a>", page.text)
    assert page.status_code == 200 and found == wanted


def test_the_page_speaks_spanish(olga: Browser) -> None:
    shown = text_of(olga.get(f"{LAB}?quarter=2027Q1", **{"Accept-Language": "es"}))
    assert "Trimestre 2027Q1" in shown and "Preaviso hasta" in shown and "Decisiones" in shown


def test_the_review_that_was_written_is_shown_as_text_with_its_files(olga: Browser) -> None:
    page = olga.get(f"{LAB}?quarter=2027Q1")
    assert "The review of this quarter" in page.text and "<script>x" not in page.text
    assert '<a href="/r/lab/pilots/reviews/2027Q1/review.xlsx">workbook</a>' in page.text
    assert olga.get(f"{LAB}/reviews/2027Q1/review.md").headers["Content-Disposition"].startswith("attachment")
    assert olga.get(f"{LAB}/reviews/2027Q1/review.xlsx").content == b"PK"
    assert "review.ics" not in page.text, "it was not written"
    assert olga.get(f"{LAB}/reviews/2027Q1/review.ics").status_code == 404
    assert olga.get(f"{LAB}/reviews/2027Q1/index.json").status_code == 404
    assert "The review of this quarter" not in olga.get(f"{LAB}?quarter=2026Q4").text


def test_a_decision_shows_its_reply_and_gives_its_memo_as_it_was_written(olga: Browser) -> None:
    page = olga.get(DECISION)
    assert page.status_code == 200 and '<article class="reply"><h3>' in page.text and "<svg" in page.text
    assert f'href="{MEMO}"' in page.text
    memo = olga.get(MEMO)
    assert memo.content == decision_files()["memo.xlsx"]
    assert memo.headers["Content-Disposition"] == 'attachment; filename="20-1-memo.xlsx"'
    assert openpyxl.load_workbook(io.BytesIO(memo.content)).sheetnames


def test_signatures_and_other_decisions_of_the_issue_are_shown(olga: Browser) -> None:
    shown = text_of(olga.get(f"{LAB}/decisions/2026Q4/2/2"))
    assert "platform-lead" in shown and "approved" in shown and "#2.1" in shown


@pytest.mark.parametrize(
    "path",
    [
        f"{LAB}/decisions/2027Q1/20/2",
        f"{LAB}/decisions/2027Q2/20/1",
        f"{LAB}/decisions/..%2F/20/1",
        f"{LAB}/files/2027Q1/20/1/other.xlsx",
        f"{LAB}/files/2027Q1/20/1/..%2F..%2Findex.json",
        f"{LAB}/files/2027Q1/99999999999999999999/1/memo.xlsx",
    ],
)
def test_what_the_ledger_does_not_name_is_not_there(path: str, olga: Browser) -> None:
    assert olga.get(path).status_code == 404


def test_parts_are_shared_by_readers_and_hold_nothing_of_one(emulate: Emulator, pages: Pages) -> None:
    Person(emulate.url, "olga", "lab/pilots").lets("walt", "pull")
    olga, walt, rita = pages.browser("olga"), pages.browser("walt"), pages.browser("rita")
    for path in (f"{LAB}?quarter=2027Q1", DECISION):
        by_olga, by_walt = olga.get(path).text, walt.get(path).text
        own = [re.findall(r'name="csrf" value="([^"]+)"', text) for text in (by_olga, by_walt)]
        assert own[0] != own[1] and len(own[0]) == len(own[1]) == 1
        shown = [text.replace(own, "") for text, (own,) in ((by_olga, own[0]), (by_walt, own[1]))]
        assert shown[0].replace("<span>olga</span>", "") == shown[1].replace("<span>walt</span>", "")
        assert rita.get(path).status_code == 404, "known parts are for whom GitHub lets read the repository"
    shut_out(emulate, "walt")
    held = "".join(pages.made._held.values())
    assert "csrf" not in held and "token-of" not in held


def test_github_is_asked_once_for_a_change(emulate: Emulator, pages: Pages, olga: Browser) -> None:
    olga.get(LAB), olga.get(DECISION), olga.get(MEMO)
    pages.logins.asked.clear()
    for _ in range(3):
        olga.get(LAB), olga.get(DECISION), olga.get(MEMO)
    assert sum(pages.logins.asked.values()) == 0, "within seconds it is not asked at all"
    pages.clock.now += 11
    pages.browser("olga").get(DECISION)
    assert pages.logins.asked["304"] == 2, "one conditional request a branch"
    assert not [asked for asked in pages.logins.asked if "/contents/" in asked or "/git/blobs/" in asked]
    put(emulate, "lab/pilots", "steelyard", {"note.txt": str(pages.clock.now).encode()})
    pages.clock.now += 11
    pages.logins.asked.clear()
    olga.get(LAB), olga.get(DECISION), olga.get(MEMO)
    read = [asked for asked in pages.logins.asked.elements() if "/contents/" in asked]
    assert read.count("GET /repos/lab/pilots/contents/index.json") == 1 and len(read) == len(set(read))
    assert not [asked for asked in read if DECIDED in asked], "files are known by their hash, whatever the commit"


def test_a_changed_ledger_and_changed_books_are_seen(emulate: Emulator, pages: Pages, olga: Browser) -> None:
    owner = Person(emulate.url, "olga", "lab/open")
    pages.logins.agrees = "olga"
    assert "There are no contracts" in olga.get("/r/lab/open?quarter=2027Q1").text
    assert "No decision is like that" in olga.get("/r/lab/open?quarter=2027Q1").text
    furnish(emulate, "lab/open")
    pages.clock.now += 11
    page = olga.get("/r/lab/open?quarter=2027Q1")
    assert "h200-minimum" in page.text and "#20.1" in page.text
    owner.commits(".github/steelyard/contracts.yml", b"contracts: {")
    pages.clock.now += 11
    page = olga.get("/r/lab/open?quarter=2027Q1")
    assert page.status_code == 200 and "contracts.yml" in page.text and "<svg" not in page.text
    assert "#20.1" in page.text, "decisions are shown all the same"


def test_a_file_that_was_changed_after_it_was_written_is_told(emulate: Emulator, pages: Pages, olga: Browser) -> None:
    path = f"{DECIDED}/comment.md"
    put(emulate, "lab/pilots", "steelyard", {path: b"### **SWITCH** at once\n"})
    try:
        pages.clock.now += 11
        pages.shelf._files = FileCache()
        page = olga.get(DECISION)
        assert "This is not what was written" in page.text and "comment.md" in page.text
    finally:
        put(emulate, "lab/pilots", "steelyard", {path: decision_files()["comment.md"]})
        pages.clock.now += 11


def test_what_is_too_large_is_told_and_nothing_is_said_without_it(
    pages: Pages, olga: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.web.shelf.MOST_FILE_BYTES", 1_000)
    monkeypatch.setattr("bot.web.shelf.MOST_BOOK_BYTES", 1_000)
    for kept in (pages.shelf._held, pages.made._held):
        kept.clear()
    pages.shelf._files = FileCache()
    try:
        shown = olga.get(f"{LAB}?quarter=2027Q1").text
        assert "Too large to be read here: .github/steelyard/contracts.yml" in shown and "<svg" not in shown
        assert "There are no contracts" not in shown and "#20.1" in shown
        assert "Too large to be read here: decision.json, comment.md" in olga.get(DECISION).text
        memo = olga.get(MEMO)
        assert memo.status_code == 413 and "too large for a page" in memo.text
    finally:
        pages.shelf._held.clear(), pages.made._held.clear()


def test_a_broken_index_is_told(emulate: Emulator, pages: Pages, olga: Browser) -> None:
    furnish(emulate, "lab/broken")
    put(emulate, "lab/broken", "steelyard", {"index.json": b"{"})
    page = olga.get("/r/lab/broken?quarter=2027Q1")
    assert page.status_code == 200 and "index cannot be read" in page.text


def test_with_github_away_what_is_known_is_shown_and_what_is_not_is_told(pages: Pages, olga: Browser) -> None:
    olga.get(LAB)
    pages.github.plan(Fault.UNAVAILABLE, "GET", "/git/ref/", times=50)
    pages.clock.now += 11
    assert olga.get(LAB).status_code == 200
    pages.github.plan(Fault.UNAVAILABLE, "GET", "/repos/lab", times=50)
    pages.clock.now += 61
    page = olga.get(LAB)
    assert page.status_code == 502 and "GitHub did not answer" in page.text


def test_hostile_text_of_a_ledger_stays_text(emulate: Emulator, pages: Pages, olga: Browser) -> None:
    hostile = '"><img src=x onerror=alert(1)>{{7*7}}'
    files = {"index.json": HOSTILE.replace(b"HOSTILE", hostile.replace('"', '\\"').encode())}
    Person(emulate.url, "olga", "lab/pilots")
    requests.post(
        f"{emulate.url}/orgs/lab/repos",
        json={"name": "hostile", "private": True, "auto_init": True},
        headers={"Authorization": "Bearer token-of-olga"},
        timeout=10,
    )
    put(emulate, "lab/hostile", "steelyard", files)
    for path in ("/r/lab/hostile?decided=all", "/r/lab/hostile/decisions/2027Q1/1/1"):
        page = olga.get(path)
        assert page.status_code == 200 and "<img" not in page.text and "{{7*7}}" in page.text
        assert "javascript:" not in page.text


HOSTILE = (
    b'{"schema": "steelyard/ledger-index", "version": 1, "entries": [{"issue": 1, "seq": 1, "quarter": "2027Q1", '
    b'"place": "c1", "verdict": "HOSTILE", "workload": "HOSTILE", "region": "HOSTILE", "asked_by": "HOSTILE", '
    b'"comment_url": "javascript:alert(1)", "decided_on": "HOSTILE", "files": ["HOSTILE", "../../x"]}]}'
)


def test_a_home_leads_to_the_pages_of_the_repositories_that_it_lists(emulate: Emulator, pages: Pages) -> None:
    """What its readers know from its settings; each page opens by its own permission, and GitHub is asked no more."""
    olga = pages.browser("olga")
    settings = b"github: {repositories: [lab/open, lab/train, other/x]}"
    put(emulate, "lab/pilots", "main", {".github/steelyard.yml": settings})
    pages.clock.now += 61
    page = olga.get(LAB)
    assert re.findall(r'<li><a href="(/r/[^"/]+/[^"/]+)\?', page.text) == ["/r/lab/open", "/r/lab/train"]
    assert not [path for path in pages.github.routes() if "/lab/open" in path or "train" in path or "other" in path]
    assert "Other repositories of the review" in page.text
