"""Whatever stands in a command, a name, a file or the configuration: replies show it and it does nothing."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from bot.commands.evidence import evidence_of
from bot.commands.mistakes import broken_configuration, unknown
from bot.grammar import Command
from bot.render.comment import render_comment
from bot.render.comment.links import Links
from bot.render.messages import catalogue
from bot.render.notices import render_problems, say
from bot.repo_config import read_repo_config
from scoring.analysis import analyse
from scoring.reading.posted import PostedFile
from tests.bot.commands.dossiers import answered, dossier
from tests.bot.inert import HOSTILE, assert_inert, skeleton
from tests.samples import TODAY

SETTINGS = "margins: {wer: 1}\nmap: {}\n"


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def pilot(name: str) -> str:
    head = "arm,run,workload,duration_s,price_usd_per_hour,quality_metric,quality_value\n"
    return head + "".join(
        f"{arm},{i},{quoted(name)},{seconds + i},{price},{quoted(name)},{7 + i / 10}\n"
        for arm, price, seconds in ((quoted(name), 55, 3600), ("gpu", 70, 3609))
        for i in range(3)
    )


def one_line(text: str) -> str:
    """As it can stand in a command."""
    return " ".join(text.split())


@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: ascii(t[:20]))
def test_posted_names_do_nothing_in_any_reply(text: str, tmp_path: Path) -> None:
    posted = {f"p-{text[:40]}.csv": pilot(text)}
    for asked in ("/whatif price.gpu=10", "/plan", "/plan detect=1%"):
        assert_inert(answered(dossier(asked, tmp_path, posted, by=text)).body, f"{asked} {text}")
    compared = analyse(evidence_of(dossier("/compare", tmp_path, posted, by=text), ()), today=TODAY)
    assert_inert(render_comment(compared, Links.of(1)), text)


FORMS = (
    "compare {}", "compare {}=1", 'compare "{}', "compare margin.{}=x", "plan runs={}", "help {}",
    'plan candidate="{}"',
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: ascii(t[:20]))
def test_arguments_do_nothing(text: str, tmp_path: Path) -> None:
    asking = dossier("/help", tmp_path, {"pilot.csv": "arm,run\n"}, SETTINGS)
    for form in FORMS:
        name, *arguments = form.format(one_line(text)).split()
        answer = answered(asking.model_copy(update={"command": Command(name, tuple(arguments), 1)}))
        assert_inert(answer.body, f"{form} {text}")


KEYS = (
    '"{}": 1\n', 'github: {{"{}": 1}}\n', 'github: {{roles: {{"{}": read}}}}\n', 'github: {{labels: "{}"}}\n',
    'horizon: "{}"\n', 'github: {{approvers: ["{} x"]}}\n', "a: [{}\n",
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: ascii(t[:20]))
def test_the_configuration_does_nothing(text: str) -> None:
    for form in KEYS:
        body = form.format(json.dumps(text)[1:-1]).encode()
        _, problems = read_repo_config(PostedFile.from_bytes(f"{text[:50]}.yml", body))
        assert_inert(broken_configuration(problems, "en").body, f"{form} {text}")


def test_an_unknown_command_of_any_name_does_nothing() -> None:
    wanted = skeleton(unknown(Command("deploy", (), 1), "en").body)
    for text in HOSTILE:
        body = unknown(Command(text, (text,), 1), "en").body
        assert_inert(body, text)
        assert skeleton(body) == wanted, text


SENTENCES = sorted(catalogue("en", "bot").codes)


@pytest.mark.parametrize("code", SENTENCES)
def test_every_sentence_takes_any_text(code: str) -> None:
    fields = catalogue("en", "bot").fields(code)
    plain = say("en", code, **dict.fromkeys(fields, "plain"))
    assert "{" not in plain
    told = [say("en", code, **dict.fromkeys(fields, text)) for text in HOSTILE]
    assert_inert("\n\n".join(told), code)
    assert skeleton("\n\n".join(told)) == skeleton("\n\n".join([plain] * len(told)))


@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: ascii(t[:20]))
def test_the_run_sheet_is_one_block_of_whole_rows_and_no_formula(text: str, tmp_path: Path) -> None:
    asking = dossier("/plan runs=8", tmp_path, {"pilot.csv": pilot(text)})
    body = answered(asking).body
    (fence,) = re.findall(r"^(`{3,})csv\n(.*?)^\1$", body, re.MULTILINE | re.DOTALL)
    rows = list(csv.reader(io.StringIO(fence[1])))
    assert len(rows) == 1 + 2 * 5
    assert len({len(row) for row in rows}) == 1
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]


def test_problems_alone_keep_their_shape() -> None:
    def told(name: str) -> str:
        yaml = f'github: {{"{name}": 1}}\n'
        return render_problems(read_repo_config(PostedFile.from_bytes("steelyard.yml", yaml.encode()))[1], "en")

    assert skeleton(told("# heading | @all")) == skeleton(told("plain"))
