"""What is kept of ledgers: the newest files, within bounds, each of its content and no other."""

from bot.file_cache import FileCache, Key


def key(name: str, content: str = "1") -> Key:
    return "lab/pilots", name, content


def test_a_file_is_found_by_the_first_key_that_is_known() -> None:
    cache = FileCache()
    cache.keep(key("a"), b"one")
    cache.keep(key("b"), None)
    assert cache.find(key("a", "2"), key("a")) == (b"one",)
    assert cache.find(key("b")) == (None,), "known to be absent"
    assert cache.find(key("a", "2")) is None, "not known"
    assert cache.find(("lab/others", "a", "1")) is None


def test_the_oldest_files_go_first_and_one_kept_twice_counts_once() -> None:
    cache = FileCache(most_bytes=10, most_files=3)
    for _ in range(5):
        cache.keep(key("a"), b"12345")
    cache.keep(key("b"), b"12345")
    assert cache.find(key("a")) == (b"12345",)
    cache.keep(key("c"), b"1")
    assert cache.find(key("a")) is None and cache.find(key("b")) == (b"12345",)
    for name in "def":
        cache.keep(key(name), None)
    assert [cache.find(key(name)) for name in "bcdef"] == [None, None, (None,), (None,), (None,)]
