"""The repository's own word: settings and books at the default branch, absent, present, named and missing, broken."""

from pathlib import Path

import pytest

from bot.configuration import Configuration, read_configuration
from bot.github.spool import Spool
from bot.github.thread import repository_facts
from tests.bot.github.repositories import commit
from tests.bot.github.world import World

SETTINGS, BOOK, PRICES = (".github/steelyard.yml", ".github/steelyard/contracts.yml", ".github/steelyard/prices.csv")


def read(world: World, folder: Path) -> Configuration:
    connection = world.bot()
    return read_configuration(connection, repository_facts(connection, world.repository), Spool(folder))


def test_nothing_is_needed(world: World, tmp_path: Path) -> None:
    found = read(world, tmp_path)
    assert (found.settings, found.contracts, found.prices, found.problems) == (None, None, None, ())
    assert found.config.ledger_branch == "steelyard"


def test_all_is_read_at_the_default_branch(world: World, tmp_path: Path) -> None:
    commit(world, {SETTINGS: b"horizon: 18m\ngithub: {labels: true}\n", BOOK: b"contracts: []\n", PRICES: b"a,b\n"})
    commit(world, {SETTINGS: b"horizon: 3m\ngithub: {roles: {compare: read}}\n"}, "mine")
    found = read(world, tmp_path)
    assert found.settings is not None and found.contracts is not None and found.prices is not None
    assert [f.name for f in (found.settings, found.contracts, found.prices)] == [SETTINGS, BOOK, PRICES]
    assert found.settings.path.read_text().startswith("horizon: 18m")
    assert found.config.labels and found.config.roles == {} and found.problems == ()


def test_books_may_be_named(world: World, tmp_path: Path) -> None:
    named = b"github: {contracts: finance/book.yml, prices: finance/list.csv}\n"
    commit(world, {SETTINGS: named, "finance/book.yml": b"contracts: []\n", "finance/list.csv": b"a,b\n"})
    found = read(world, tmp_path)
    assert found.contracts is not None and found.contracts.name == "finance/book.yml" and found.problems == ()


@pytest.mark.parametrize(
    ("code", "file", "settings"),
    [
        ("book-missing", "finance/book.yml", "github: {contracts: finance/book.yml}"),
        ("book-missing", BOOK, f"github: {{contracts: {BOOK}}}"),
        ("book-missing", "list.csv", "github: {prices: list.csv}"),
        ("path-not-a-file", "src", "github: {contracts: src}"),
        ("path-not-a-file", "outside.yml", "github: {contracts: outside.yml}"),
        ("setting-invalid", SETTINGS, "github: {contracts: ../../etc/passwd}"),
        ("setting-invalid", SETTINGS, "github: {ledger_branch: main}"),
        ("setting-unknown", SETTINGS, "github: {contract: book.yml}"),
        ("yaml-syntax", SETTINGS, "github: [contracts"),
    ],
)
def test_what_is_wrong_is_an_error_and_never_silently_none(
    world: World, tmp_path: Path, code: str, file: str, settings: str
) -> None:
    files = {SETTINGS: settings.encode(), "src/a.csv": b"x\n"}
    commit(world, files, links={"outside.yml": "../../etc/passwd"})
    found = read(world, tmp_path)
    assert (code, file) in [(p.code, p.file) for p in found.problems]
    assert {p.severity.value for p in found.problems} == {"error"}
    assert found.contracts is None


@pytest.mark.parametrize(
    ("settings", "language"),
    [(b"language: es\n", "es"), (b"language: es\nhorizon: x\n", "es"), (b"language: fr\n", "en"), (b"- es\n", "en")],
)
def test_the_language_is_known_also_where_other_settings_are_wrong(
    world: World, tmp_path: Path, settings: bytes, language: str
) -> None:
    commit(world, {SETTINGS: settings})
    assert read(world, tmp_path).language == language


def test_a_settings_file_that_is_a_link_to_nowhere_is_told(world: World, tmp_path: Path) -> None:
    commit(world, {}, links={SETTINGS: "/etc/passwd"})
    found = read(world, tmp_path)
    assert found.settings is None and [p.code for p in found.problems] == ["path-not-a-file"]
