"""/claim and `steelyard claim`: the same words, in both languages; a question names the readings."""

import json
from pathlib import Path

import pytest

from bot.cli import main
from bot.commands.claim import split
from bot.dossier import Outcome
from bot.grammar import Command
from tests.bot.commands.dossiers import PILOT, answered, command, dossier, of_sample
from tests.bot.inert import HOSTILE, assert_inert
from tests.samples import FOLDER

SAMPLE = str(FOLDER / "llama2-70b-lora")


@pytest.mark.parametrize(
    ("text", "statement", "rest"),
    [
        ('/claim "70 % more audio per dollar"', "70 % more audio per dollar", ()),
        ("/claim “1.7x tokens/$” pilots/a.csv margin.wer=0.2", "1.7x tokens/$", ("pilots/a.csv", "margin.wer=0.2")),
        ("/claim baseline=gpu «un 40 % más barato»", "un 40 % más barato", ("baseline=gpu",)),
        ('/claim "40 % cheaper" workload="llama 70b"', "40 % cheaper", ('workload="llama', '70b"')),
        ("/claim cuts cost by 40 % horizon=6m", "cuts cost by 40 %", ("horizon=6m",)),
        ("/claim", "", ()),
    ],
)
def test_the_statement_and_the_rest(text: str, statement: str, rest: tuple[str, ...]) -> None:
    assert split(command(text)) == (statement, Command("claim", rest, 1))


def test_an_answer_in_the_thread() -> None:
    answer = answered(of_sample('/claim "30 % cheaper than h100"', "llama2-70b-lora"))
    assert answer.outcome is Outcome.SAID
    assert (answer.files, len(answer.looks)) == ({}, 1)
    assert "**Supported**" in answer.body
    assert "costs on `gaudi2` at most × 0.700 of what it costs on `h100`" in answer.body
    assert "Measured: × 0.613. It lies between × 0.571 and × 0.658" in answer.body


def test_a_setting_of_the_command_counts() -> None:
    assert "**Contradicted**" in answered(of_sample('/claim "30 % cheaper" price.gaudi2=40', "llama2-70b-lora")).body


def test_an_unclear_statement_is_asked_with_what_to_write(tmp_path: Path) -> None:
    answer = answered(dossier('/claim "40 % faster"', tmp_path, {"pilot.csv": PILOT}))
    assert (answer.outcome, answer.looks) == (Outcome.REFUSED, ())
    assert "× 0.714 of the time: write `0.714x the time`" in answer.body
    for written in ("0.714x the time", "0.6x the time"):
        again = answered(dossier(f'/claim "{written}"', tmp_path, {"pilot.csv": PILOT}))
        assert again.outcome is Outcome.SAID


@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: ascii(t[:20]))
def test_a_statement_does_nothing(text: str, tmp_path: Path) -> None:
    line = " ".join(text.replace('"', "").split())
    asking = dossier("/claim x", tmp_path, {"pilot.csv": PILOT})
    for words in (f'"{line}"', f'"{line} 40 % cheaper"', line):
        answer = answered(asking.model_copy(update={"command": Command("claim", tuple(words.split()), 1)}))
        assert_inert(answer.body, text)


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claim", "half the cost", SAMPLE]) == 0
    assert "**Contradicted**" in capsys.readouterr().out
    assert main(["claim", "hasta un 60 % más barato", SAMPLE, "--language", "es"]) == 0
    told = capsys.readouterr().out
    assert "**Respaldada**" in told
    assert "«Hasta» es un límite superior" in told
    assert main(["claim", "70 % faster", SAMPLE, "--language", "es"]) == 2
    assert "escribir `0.588x el tiempo`" in capsys.readouterr().out
    assert main(["claim", "half the cost", "no-such-folder"]) == 2
    assert "no-such-folder" in capsys.readouterr().err
    assert main(["claim", "half the cost", SAMPLE, "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["judged"]
    assert (one["word"], one["statement"]["high"]) == ("contradicted", 0.5)
