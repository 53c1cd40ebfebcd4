"""Which links of a comment may lead to evidence: by host, repository, path and ending, never out of code or quotes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.github.attachments import MAX_LINKS, MAX_NAME, Kind, links_in, safe_name

HOME = "https://github.com"
REPO = "acme/pilots"
FILES = f"{HOME}/user-attachments/files/123"
BLOB = f"{HOME}/{REPO}/blob/main"
ASSET = f"{HOME}/user-attachments/assets/0b9c1d2e-1111-2222-3333-444455556666"


def found(body: str, pages: str = HOME) -> list[tuple[str, str]]:
    return [(link.kind.value, link.name) for link in links_in(body, pages, REPO)]


@pytest.mark.parametrize(
    ("wanted", "body"),
    [
        ([("attachment", "a.csv")], f"[a.csv]({FILES}/a.csv)"),
        ([("attachment", "a.csv")], f"{FILES}/a.csv"),
        ([("attachment", "a.csv")], f"<{FILES}/a.csv>"),
        ([("attachment", "a.csv")], f"see [it][1]\n\n[1]: {FILES}/a.csv"),
        ([("attachment", "a.csv")], f"Here ({FILES}/a.csv), and so on."),
        ([("attachment", "a.csv")], f"**{FILES}/a.csv**"),
        ([("attachment", "a.csv")], f"Is it {FILES}/a.csv?"),
        ([("attachment", "a (1).csv")], f"[x]({FILES}/a%20%281%29.csv)"),
        ([("attachment", "a_b_c.csv")], f"{FILES}/a_b_c.csv"),
        ([("attachment", "a.csv")], f"| file |\n|---|\n| {FILES}/a.csv |\n"),
        ([("attachment", "a.csv")], f"- one\n- [a.csv]({FILES}/a.csv)\n"),
        ([("attachment", "a.csv")], f"![a.csv]({FILES}/a.csv)"),
        ([("attachment", "a.csv")], f"[![picture]({ASSET})]({FILES}/a.csv)"),
        ([("attachment", "results.tar.gz")], f"{FILES}/results.tar.gz"),
        ([("attachment", "A.CSV")], f"{FILES}/A.CSV"),
        ([("attachment", "a.xls"), ("attachment", "b.parquet")], f"{FILES}/a.xls and {FILES}/b.parquet"),
        ([("repository", "a.ods")], f"{BLOB}/a.ods beside {BLOB}/model.parquet"),
        ([("elsewhere", "a.xlsm")], "https://example.com/a.xlsm"),
        ([("attachment", "0b9c1d2e")], ASSET),
        ([], f"![screenshot]({ASSET})"),
        ([("attachment", "old.csv")], f"{HOME}/{REPO}/files/99/old.csv"),
        ([("attachment", "old.csv")], f"{HOME}/ACME/Pilots/files/99/old.csv"),
        ([("repository", "a.csv")], f"{BLOB}/results/a.csv"),
        ([("repository", "a.csv")], f"{BLOB}/results/a.csv?plain=1#L3-L9"),
        ([("repository", "a.csv")], f"{HOME}/{REPO}/raw/main/results/a.csv"),
        ([("repository", "a.csv")], f"https://raw.githubusercontent.com/{REPO}/main/results/a.csv?token=SECRET"),
        ([("repository", "a.csv")], f"https://www.github.com/{REPO}/blob/main/a.csv"),
        ([("folder", "results")], f"{HOME}/{REPO}/tree/main/results"),
        ([("other-repository", "a.csv")], f"{HOME}/acme/secrets/blob/main/a.csv"),
        ([("other-repository", "a.csv")], f"{HOME}/acme/secrets/files/99/a.csv"),
        ([("other-repository", "a.csv")], "https://raw.githubusercontent.com/acme/secrets/main/a.csv"),
        ([("elsewhere", "a.csv")], "https://example.com/a.csv"),
        ([("elsewhere", "a.csv")], f"https://github.com.evil.example/{REPO}/blob/main/a.csv"),
        ([("elsewhere", "a.csv")], f"https://github.com@evil.example/{REPO}/blob/main/a.csv"),
        ([("elsewhere", "a.csv")], f"https://evil.example@github.com/{REPO}/blob/main/a.csv"),
        ([("elsewhere", "a.csv")], f"https://github.com:8443/{REPO}/blob/main/a.csv"),
        ([("elsewhere", "a.csv")], f"http://github.com/{REPO}/blob/main/a.csv"),
        ([("elsewhere", "a.csv")], "http://169.254.169.254/latest/a.csv"),
        ([], "https://example.com/about"),
        ([], f"{HOME}/acme/secrets/blob/main/README.md"),
        ([], f"{FILES}/photo.png and {FILES}/paper.pdf"),
        ([], f"{HOME}/{REPO}/issues/3 {HOME}/{REPO}/pull/4/files {HOME}/{REPO}/blob/main {HOME}/octocat"),
        ([], f"{HOME}/{REPO}/blob/main/train.py and {HOME}/{REPO}/blob/main/Dockerfile"),
        ([], f"{BLOB}/../../../secrets/a.csv"),
        ([], f"{BLOB}/results%2F..%2F..%2Fa.csv"),
        ([], f"`{FILES}/a.csv`"),
        ([], f"```\n{FILES}/a.csv\n```"),
        ([], f"    {FILES}/a.csv"),
        ([], f"> [a.csv]({FILES}/a.csv)"),
        ([], f"- > > {FILES}/a.csv"),
        ([], f"<!-- {FILES}/a.csv -->"),
        ([], f'<a href="{FILES}/a.csv">a</a>'),
        ([], "[a.csv](file:///etc/passwd.csv) [b.csv](ftp://github.com/b.csv) [c.csv](//github.com/c.csv)"),
        (
            [("elsewhere", "a.csv"), ("elsewhere", "b.csv")],
            "[a](https://[::1/a.csv) [b](https://github.com:port/b.csv)",
        ),
        ([], "https://"),
        ([("attachment", "a.csv"), ("repository", "b.csv")], f"{FILES}/a.csv\n{BLOB}/b.csv"),
    ],
)
def test_links(wanted: list[tuple[str, str]], body: str) -> None:
    assert found(body) == wanted


GHES = "https://ghes.example.com"


@pytest.mark.parametrize(
    ("wanted", "body"),
    [
        ([("attachment", "a.csv")], f"{GHES}/user-attachments/files/1/a.csv"),
        ([("attachment", "a.csv")], f"{GHES}/{REPO}/files/1/a.csv"),
        ([("repository", "a.csv")], f"{GHES}/{REPO}/blob/main/a.csv"),
        ([("repository", "a.csv")], f"{GHES}/raw/{REPO}/main/a.csv"),
        ([("repository", "a.csv")], f"https://raw.ghes.example.com/{REPO}/main/a.csv"),
        ([("elsewhere", "a.csv")], f"{HOME}/{REPO}/blob/main/a.csv"),
        ([("elsewhere", "a.csv")], f"https://raw.githubusercontent.com/{REPO}/main/a.csv"),
    ],
)
def test_links_of_an_enterprise_server(wanted: list[tuple[str, str]], body: str) -> None:
    assert found(body, GHES) == wanted


def test_a_link_knows_its_line_and_what_follows_the_repository() -> None:
    body = f"one\ntwo {FILES}/a.csv\n\n- three\n  [b]({BLOB.replace('main', 'feature/x')}/r/b.csv)\n"
    assert [(link.line, link.rest) for link in links_in(body, HOME, REPO)] == [(2, ""), (5, "feature/x/r/b.csv")]


def test_a_secret_in_a_link_is_not_kept() -> None:
    [link] = links_in(f"https://raw.githubusercontent.com/{REPO}/main/a.csv?token=SECRET#frag", HOME, REPO)
    assert "SECRET" not in repr(link)


def test_a_long_paragraph_is_read_line_by_line() -> None:
    body = "\n".join(["word " * 1000, f"see [a]({FILES}/a.csv)", "word " * 1900, f"{FILES}/b.csv"])
    assert [(link.name, link.line) for link in links_in(body, HOME, REPO)] == [("a.csv", 2), ("b.csv", 4)]


@pytest.mark.parametrize("text", ["[", "![", "[a](", "*_`[<", "https://a/)))))", "`a``b"])
def test_text_that_no_person_wrote_takes_no_time(text: str) -> None:
    """Each of them took ten seconds where marks within lines were parsed; the suite would show it."""
    assert links_in(text * (65_536 // len(text)) + f" {FILES}/a.csv", HOME, REPO) == ()


def test_links_without_end_are_cut() -> None:
    assert len(links_in(f"{FILES}/a.csv\n" * (MAX_LINKS + 5), HOME, REPO)) == MAX_LINKS


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("a.csv", "a.csv"),
        ("_etc_passwd.csv", "/etc/passwd.csv"),
        ("_.._.._x.csv", "/../../x.csv"),
        ("a_b.csv", "a\x00\r\nb.csv"),
        ("a_vsc.exe.csv", "a\u202evsc.exe.csv"),
        ("a_b.csv", "a\\b.csv"),
        ("file", ".."),
        ("file", ""),
        ("\ufffd.csv", "\ud800.csv"),
        ("x" * 96 + ".csv", "x" * 5000 + ".csv"),
    ],
)
def test_a_posted_name_is_made_safe(wanted: str, text: str) -> None:
    assert safe_name(text) == wanted


@given(st.text(max_size=300))
def test_no_name_leaves_its_folder(text: str) -> None:
    name = safe_name(text)
    assert 0 < len(name) <= MAX_NAME and "/" not in name and "\\" not in name and name not in (".", "..")
    name.encode()


@given(st.text(alphabet="[]()<>!`> \n#|:/.?@%&=-_aghttpsuicvwm0123\u202e\x00", max_size=200))
def test_no_text_raises(text: str) -> None:
    for link in links_in(f"{text} {HOME}/{text}", HOME, REPO):
        assert link.kind in Kind and link.line >= 1
