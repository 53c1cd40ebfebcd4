"""Downloads over real TLS sockets: credentials in their order, redirects, addresses, lengths, time."""

import gzip
import threading
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from bot.github.addresses import Hosts
from bot.github.download import Downloader, NotRead, TooLarge
from bot.github.exchange import Network
from tests.bot.github.servers import PUBLIC, STORAGE, Request, Seen, World, world

URL = "https://github.com/user-attachments/files/1/a.csv"
PATH = "/user-attachments/files/1/a.csv"
OBJECTS = "https://objects.githubusercontent.com"
CSV = b"arm,run,cost\ngpu,1,5\n"
LIMIT = 1 << 20
FIRST, LAST = "token-of-the-installation", "token-for-attachments"


@pytest.fixture
def github() -> Iterator[World]:
    with world() as running:
        yield running


def downloader(github: World, *tokens: str, seconds: float = 20.0) -> Downloader:
    providers = [lambda token=token: token for token in tokens]
    return Downloader(Hosts(), providers, github.network(), file_seconds=seconds)


def why(github: World, into: Path, *tokens: str, url: str = URL, seconds: float = 20.0) -> str:
    """The reason for which nothing was read; no file and no secret is left."""
    with pytest.raises(NotRead) as failure:
        downloader(github, *tokens, seconds=seconds).fetch(url, into / "f", LIMIT)
    assert not (into / "f").exists()
    assert FIRST not in str(failure.value) and LAST not in str(failure.value)
    return str(failure.value)


def credentials(github: World) -> list[str | None]:
    return [(seen.authorization or "").removeprefix("token ") or None for seen in github.web.seen]


def test_a_file_comes_over_a_redirect_and_the_token_stays_behind(github: World, tmp_path: Path) -> None:
    github.redirects(PATH, f"{OBJECTS}/bucket/1?X-Amz-Signature=abc")
    github.gives("/bucket/1", CSV)
    assert downloader(github, FIRST).fetch(URL, tmp_path / "f", LIMIT) == len(CSV)
    assert (tmp_path / "f").read_bytes() == CSV
    assert github.web.seen == [
        Seen("github.com", PATH, f"token {FIRST}"),
        Seen("objects.githubusercontent.com", "/bucket/1?X-Amz-Signature=abc", None),
    ]
    assert github.dialled == [PUBLIC, STORAGE]


def test_a_token_that_was_dropped_does_not_come_back(github: World, tmp_path: Path) -> None:
    github.redirects(PATH, f"{OBJECTS}/there")
    github.redirects("/there", "https://github.com/back")
    github.gives("/back", CSV)
    downloader(github, FIRST).fetch(URL, tmp_path / "f", LIMIT)
    assert credentials(github) == [FIRST, None, None]


def test_credentials_are_tried_in_their_order(github: World, tmp_path: Path) -> None:
    @github.on(PATH)
    def only_for_the_last(request: Request) -> None:
        allowed = request.headers.get("Authorization") == f"token {LAST}"
        request.answer(200, CSV) if allowed else request.answer(404)

    assert downloader(github, FIRST, LAST).fetch(URL, tmp_path / "f", LIMIT) == len(CSV)
    assert credentials(github) == [FIRST, None, LAST]


def test_no_token_is_made_in_vain(github: World, tmp_path: Path) -> None:
    github.gives(PATH, CSV)
    made: list[str] = []

    def second() -> str:
        made.append(LAST)
        return LAST

    Downloader(Hosts(), [lambda: FIRST, second], github.network()).fetch(URL, tmp_path / "f", LIMIT)
    assert made == [] and credentials(github) == [FIRST]


def test_without_tokens_there_is_one_try(github: World, tmp_path: Path) -> None:
    assert why(github, tmp_path) == "the answer is 404"
    assert credentials(github) == [None]


def test_a_login_is_no_file(github: World, tmp_path: Path) -> None:
    github.redirects(PATH, "https://github.com/login?return_to=x")
    assert why(github, tmp_path, FIRST, LAST) == "GitHub asks for a login"
    assert credentials(github) == [FIRST, None, LAST]


@pytest.mark.parametrize(
    "headers", [{"Content_Type": "text/html; charset=utf-8"}, {"Content_Type": "application/octet-stream"}, {}]
)
def test_a_page_is_no_file(github: World, tmp_path: Path, headers: dict[str, str]) -> None:
    github.gives(PATH, b"\n<!DOCTYPE html><html>Sign in</html>", **headers)
    assert why(github, tmp_path, FIRST) == "a page came instead of the file"


@pytest.mark.parametrize(
    ("wanted", "location"),
    [
        ("leads to http:, not https:", "http://github.com/a.csv"),
        ("leads to file:, not https:", "file:///etc/passwd"),
        ("leads to example.com, which is not GitHub's", "https://example.com/a.csv"),
        ("leads to 127.0.0.1, which is not GitHub's", "https://127.0.0.1/a.csv"),
        ("leads to http:, not https:", "http://127.0.0.1/a.csv"),
        ("leads to 169.254.169.254, which is not GitHub's", "https://169.254.169.254/latest/meta-data"),
        ("leads to ::1, which is not GitHub's", "https://[::1]/a.csv"),
        ("leads to 2130706433, which is not GitHub's", "https://2130706433/a.csv"),
        ("leads to 0x7f.1, which is not GitHub's", "https://0x7f.1/a.csv"),
        ("leads to localhost, which is not GitHub's", "https://localhost/a.csv"),
        ("leads to an unusual port", "https://github.com:22/a.csv"),
        ("holds a name or password", "https://github.com:443@example.com/a.csv"),
        ("is no plain address", "https://github.com\\@example.com/a.csv"),
        ("leads to example.com, which is not GitHub's", "//example.com/a.csv"),
    ],
)
def test_a_redirect_out_of_github_is_not_followed(github: World, tmp_path: Path, wanted: str, location: str) -> None:
    github.redirects(PATH, location)
    assert why(github, tmp_path, FIRST, LAST) == wanted
    assert github.dialled == [PUBLIC]


def test_redirects_without_end(github: World, tmp_path: Path) -> None:
    github.redirects(PATH, URL)
    assert why(github, tmp_path, FIRST, LAST) == "it is redirected too often"
    assert len(github.web.seen) == 6


def test_a_redirect_without_target(github: World, tmp_path: Path) -> None:
    github.web.routes[PATH] = lambda request: request.answer(302)
    assert why(github, tmp_path) == "the answer is 302 without a target"


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"], ["10.0.0.1"], ["169.254.169.254"], ["::1"], ["::ffff:10.0.0.1"], ["64:ff9b::7f00:1"],
        ["100.64.0.1"], ["0.0.0.1"], ["224.0.0.1"], [PUBLIC, "127.0.0.1"],
    ],
)  # fmt: skip
def test_a_name_inside_is_not_asked(github: World, tmp_path: Path, addresses: Sequence[str]) -> None:
    github.names["objects.githubusercontent.com"] = addresses
    github.redirects(PATH, f"{OBJECTS}/bucket/1")
    assert why(github, tmp_path, FIRST) == "leads into a private network"
    assert github.dialled == [PUBLIC]


def test_even_github_itself_must_be_public(github: World, tmp_path: Path) -> None:
    github.names["github.com"] = ["127.0.0.1"]
    assert why(github, tmp_path, FIRST) == "leads into a private network"
    assert github.dialled == [] and github.web.seen == []


def test_a_name_that_changes_is_connected_to_where_it_was_checked(github: World, tmp_path: Path) -> None:
    github.gives(PATH, CSV)
    answers = iter([[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]])
    network = Network(lambda host, port: next(answers), github.dial, github.network().context)
    Downloader(Hosts(), [lambda: FIRST], network).fetch(URL, tmp_path / "f", LIMIT)
    assert github.dialled == [PUBLIC]
    assert next(answers) == ["127.0.0.1"], "the name was asked for once"


def test_storage_that_the_operator_named_may_be_inside(github: World, tmp_path: Path) -> None:
    github.names["storage.example.com"] = ["10.1.2.3"]
    github.redirects(PATH, "https://storage.example.com/1")
    github.gives("/1", CSV)
    hosts = Hosts(added=("storage.example.com",))
    Downloader(hosts, [lambda: FIRST], github.network()).fetch(URL, tmp_path / "f", LIMIT)
    assert github.dialled == [PUBLIC, "10.1.2.3"] and credentials(github) == [FIRST, None]


def test_a_certificate_of_another_authority_is_not_believed(github: World, tmp_path: Path) -> None:
    github.gives(PATH, CSV)
    network = Network(github.resolve, github.dial)
    with pytest.raises(NotRead, match="the connection fails: SSL"):
        Downloader(Hosts(), [lambda: FIRST], network).fetch(URL, tmp_path / "f", LIMIT)
    assert github.web.seen == []


def test_a_closed_network_may_go_without_tls_to_its_own_server(tmp_path: Path) -> None:
    with world(secure=False) as server:
        base = f"http://127.0.0.1:{server.web.server_port}"
        server.gives(PATH, CSV)
        Downloader(Hosts(base), [lambda: FIRST]).fetch(f"{base}{PATH}", tmp_path / "f", LIMIT)
        assert credentials(server) == [FIRST]


def test_more_than_declared_is_cut_by_the_limit(github: World, tmp_path: Path) -> None:
    @github.on(PATH)
    def endless(request: Request) -> None:
        request.head(200)
        while True:
            request.wfile.write(b"x" * 65536)

    with pytest.raises(TooLarge):
        downloader(github, FIRST, LAST).fetch(URL, tmp_path / "f", LIMIT)
    assert not (tmp_path / "f").exists() and len(github.web.seen) == 1


def test_chunks_without_end_are_cut_by_the_limit(github: World, tmp_path: Path) -> None:
    @github.on(PATH)
    def endless(request: Request) -> None:
        request.head(200, Transfer_Encoding="chunked")
        while True:
            request.wfile.write(b"8000\r\n" + b"x" * 0x8000 + b"\r\n")

    with pytest.raises(TooLarge):
        downloader(github).fetch(URL, tmp_path / "f", LIMIT)


def test_a_declared_length_above_the_limit_is_not_read(github: World, tmp_path: Path) -> None:
    github.web.routes[PATH] = lambda request: request.head(200, Content_Length=str(LIMIT + 1))
    with pytest.raises(TooLarge):
        downloader(github).fetch(URL, tmp_path / "f", LIMIT)


def test_half_a_file_is_no_file(github: World, tmp_path: Path) -> None:
    @github.on(PATH)
    def half(request: Request) -> None:
        request.head(200, Content_Length="1000")
        request.wfile.write(CSV)

    assert why(github, tmp_path).startswith("the connection fails: ")
    assert len(github.web.seen) == 2, "it is tried once more"


def test_packed_bytes_are_kept_as_they_are(github: World, tmp_path: Path) -> None:
    bomb = gzip.compress(b"0" * (5 << 20))
    github.gives(PATH, bomb, Content_Encoding="gzip", Content_Type="text/csv")
    assert downloader(github).fetch(URL, tmp_path / "f", LIMIT) == len(bomb)
    assert (tmp_path / "f").read_bytes() == bomb


def test_an_outage_of_a_moment_is_bridged(github: World, tmp_path: Path) -> None:
    @github.on(PATH)
    def second_time(request: Request) -> None:
        request.answer(200, CSV) if len(github.web.seen) > 1 else request.answer(503)

    assert downloader(github, FIRST).fetch(URL, tmp_path / "f", LIMIT) == len(CSV)
    assert credentials(github) == [FIRST, FIRST]


def test_a_lasting_outage_is_told(github: World, tmp_path: Path) -> None:
    github.web.routes[PATH] = lambda request: request.answer(502)
    assert why(github, tmp_path) == "the answer is 502"


def test_an_unknown_name_is_told(github: World, tmp_path: Path) -> None:
    del github.names["github.com"]
    assert why(github, tmp_path) == "the connection fails: gaierror"


@pytest.mark.parametrize("part", ["before the head", "in the head", "in the body", "in a chunk's size"])
def test_a_slow_drip_is_cut(github: World, tmp_path: Path, part: str) -> None:
    hung_up = threading.Event()

    @github.on(PATH)
    def drip(request: Request) -> None:
        if part == "in the head":
            request.wfile.write(b"HTTP/1.1 200 OK\r\nX-A: ")
        elif part == "in the body":
            request.head(200)
        elif part == "in a chunk's size":
            request.head(200, Transfer_Encoding="chunked")
        try:
            while not hung_up.wait(0.02):
                if part != "before the head":
                    request.wfile.write(b"0")
        except OSError:
            hung_up.set()

    try:
        assert why(github, tmp_path, FIRST, seconds=0.3) == "it takes too long"
    finally:
        hung_up.set()
    assert len(github.web.seen) == 1, "no other credential is tried"


def test_all_files_together_have_a_time(github: World, tmp_path: Path) -> None:
    github.gives(PATH, CSV)
    late = Downloader(Hosts(), [lambda: FIRST], github.network(), total_seconds=-1)
    with pytest.raises(NotRead, match="it takes too long"):
        late.fetch(URL, tmp_path / "f", LIMIT)
    assert github.dialled == []


def test_a_large_file_is_never_held(github: World, tmp_path: Path) -> None:
    size = 48 << 20

    @github.on(PATH)
    def large(request: Request) -> None:
        request.head(200, Content_Length=str(size))
        for _ in range(size >> 20):
            request.wfile.write(b"x" * (1 << 20))

    tracemalloc.start()
    try:
        assert downloader(github).fetch(URL, tmp_path / "f", size) == size
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
    assert (tmp_path / "f").stat().st_size == size
