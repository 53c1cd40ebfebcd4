"""What posted files are called: short, safe, and no two alike, with arms as the engine takes them from names."""

import pytest

from bot.github.names import Called, told_apart


@pytest.mark.parametrize(
    ("wanted", "files"),
    [
        (["a.csv", "b.csv"], [("a.csv", 1), ("b.csv", 1)]),
        (["a.csv"], [("results/2026/a.csv", 1)]),
        (["gpu/run.json", "trn2/run.json"], [("r/gpu/run.json", 1), ("r/trn2/run.json", 1)]),
        (["gpu/run.json", "trn2/run.json", "x.csv"], [("gpu/run.json", 1), ("trn2/run.json", 1), ("x.csv", 1)]),
        (["1/gpu/a.csv", "2/gpu/a.csv"], [("r/1/gpu/a.csv", 1), ("r/2/gpu/a.csv", 1)]),
        (["gpu/a.csv", "gpu/b.csv"], [("results/gpu/a.csv", 2), ("results/gpu/b.csv", 2)]),
        (["a.csv", "a#2.csv", "a#3.csv"], [("a.csv", 1)] * 3),
        (["a.csv", "A#2.CSV"], [("a.csv", 1), ("A.CSV", 1)]),
        (["a.csv.gz", "a#2.csv.gz"], [("a.csv.gz", 1)] * 2),
        (["r.zip", "r-2.zip"], [("r.zip", 1)] * 2),
        (["a.csv", "r/a.csv"], [("a.csv", 1), ("r/a.csv", 1)]),
        (["r/a.csv", "r/a#2.csv"], [("r/a.csv", 1)] * 2),
        (["a.csv", "a#2.csv", "a#2#2.csv"], [("a.csv", 1), ("a#2.csv", 1), ("a#2.csv", 1)]),
        (["a_b.csv"], [("x/a\nb.csv", 1)]),
        (["file"], [("", 1)]),
    ],
)
def test_names(wanted: list[str], files: list[tuple[str, int]]) -> None:
    assert told_apart([Called(path, least) for path, least in files]) == wanted
