"""Arguments as people write them: settings, paths, and what is neither."""

import pytest

from bot.commands.arguments import Arguments, arguments_of
from bot.commands.plan import KEYS
from tests.bot.commands.dossiers import command

FOLLOWED = [
    ("", (), ()),
    ("margin.wer=0.2", (), ("margin.wer=0.2",)),
    ('margin.wer="0.2"', (), ("margin.wer=0.2",)),
    ('workload="llama 70b"  phase=train', (), ("workload=llama 70b", "phase=train")),
    ("workload=“llama 70b”", (), ("workload=llama 70b",)),
    ('"margin.wer=0.2"', (), ("margin.wer=0.2",)),
    ("price.trn2.48xlarge=31.5", (), ("price.trn2.48xlarge=31.5",)),
    ("map.duration_s=elapsed/1000", (), ("map.duration_s=elapsed/1000",)),
    ("pilot.csv", ("pilot.csv",), ()),
    ("prices.csv", ("prices.csv",), ()),
    ("results/ runs/asr.csv@v1.2 horizon=18m", ("results/", "runs/asr.csv@v1.2"), ("horizon=18m",)),
    ("results@main", ("results@main",), ()),
    ('"my folder/pilot 1.csv"', ("my folder/pilot 1.csv",), ()),
    ("it's/fine.csv", ("it's/fine.csv",), ()),
    ("https://github.com/o/r/blob/main/a.csv?raw=true", ("https://github.com/o/r/blob/main/a.csv",), ()),
]


@pytest.mark.parametrize(("text", "paths", "pairs"), FOLLOWED)
def test_followed(text: str, paths: tuple[str, ...], pairs: tuple[str, ...]) -> None:
    assert arguments_of(command(f"/compare {text}")) == Arguments(paths, pairs)


REFUSED = [
    ("argument-is-flag", "--set", None, "--set margin.wer=0.2"),
    ("argument-is-flag", "-v", None, "-v"),
    ("argument-is-flag", "--margin.wer=0.2", None, "--margin.wer=0.2"),
    ("argument-without-value", "horizon", "horizon=…", "horizon 18m"),
    ("argument-without-value", "margn", "margin=…", "margn"),
    ("argument-without-value", "margin.wer", "margin=…", "margin.wer 0.2"),
    ("argument-unknown", "please", "KEY=VALUE", "please"),
    ("argument-unknown", "0.2", "KEY=VALUE", "0.2"),
    ("argument-unknown", "@all", "KEY=VALUE", "@all"),
    ("argument-quote-open", 'workload="llama 70b', None, 'workload="llama 70b'),
]


@pytest.mark.parametrize(("code", "found", "expected", "text"), REFUSED)
def test_refused(code: str, found: str, expected: str | None, text: str) -> None:
    problem = arguments_of(command(f"/compare {text}")).problems[0]
    assert (problem.code, problem.found) == (code, found)
    assert expected is None or problem.expected == expected


def test_own_keys_are_told_from_settings() -> None:
    given = arguments_of(command("/plan runs=5 cost-per-run=400 demand=2000 Detect=5%"), KEYS)
    assert given.own == (("runs", "5"), ("cost_per_run", "400"), ("detect", "5%"))
    assert given.pairs == ("demand=2000",)
    (problem,) = arguments_of(command("/plan detct=5%"), KEYS).problems
    assert (problem.code, problem.found, problem.expected) == ("setting-unknown", "detct", "detect")
