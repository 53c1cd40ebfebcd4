"""The reply is safe to post: literal names, bounded length, sound Markdown."""

import re

import pytest
from markdown_it import MarkdownIt

from bot.render.comment import LIMIT, render_comment
from bot.render.safe_text import clean, literal, words
from scoring.model.decision import Decision
from tests.samples import NAMES, decision
from tests.scoring.helpers import decide

HOSTILE = (
    "@octocat", "@org/team", "#1", "GH-1", "<img src=x onerror=alert(1)>", "</details>", "[a](https://e.example)",
    "![a](https://e.example/x.png)", "a|b", "`code`", "``", "$x$", "**bold**", "http://e.example", "www.e.example",
    "=HYPERLINK(1)", "a\u202eb", "<!-- x -->", "&lt;b&gt;", "\\", "~~~", "octocat@e.example", ":smile:", "x" * 5000,
    "org/repo#12", "0123456789abcdef0123456789abcdef01234567",
)  # fmt: skip
OUR_TAGS = re.compile(r"</?(details|summary|code)>")


def test_hostile_names_are_shown_and_do_nothing() -> None:
    for text in HOSTILE:
        comment = render_comment(_with_name(text))
        _assert_inert(comment, text)


def test_hostile_names_of_several_candidates_do_nothing() -> None:
    head = "arm,run,workload,duration_s,price_usd_per_hour,region\n"
    for text in HOSTILE:
        quoted = ['"' + (text + end).replace('"', '""') + '"' for end in ("", "2")]
        rows = "".join(
            f"{arm},{i},{quoted[0]},{seconds + i},55,{quoted[1]}\n"
            for arm, seconds in (("gpu", 3600), (quoted[0], 3000), (quoted[1], 2900))
            for i in range(3)
        )
        posted = decide(("p.csv", head + rows), settings="baseline: gpu\napproved_regions: [eu-west-1]\n")
        assert len(posted.multiplicity.claims if posted.multiplicity else ()) == 2 or len(text) > 100
        _assert_inert(render_comment(posted), text)


def _with_name(text: str) -> Decision:
    quoted = '"' + text.replace('"', '""') + '"'
    head = "arm,run,workload,duration_s,price_usd_per_hour,quality_metric,quality_value,region,unit,work_units,note\n"
    rows = "".join(
        f"{arm},{i},{quoted},{seconds + i},{price},{quoted},{7 + i / 10},{quoted},{quoted},1,{quoted}\n"
        for arm, price, seconds in ((quoted, 55, 3600), ("gpu", 70, 3609))
        for i in range(3)
    )
    named = f"p-{text[:40]}.csv"
    return decide((named, head + rows), settings="approved_regions: [eu-west-1]\n")


def _assert_inert(comment: str, name: str) -> None:
    assert len(comment) <= LIMIT
    outside = re.sub(r"<code>.*?</code>|(`+)[^`].*?\1", "", comment)
    assert "@" not in outside, name
    assert not re.search(r"https?://|www\.|\]\(|!\[|GH-\d|#\d", outside), name
    assert OUR_TAGS.sub("", outside).count("<") == 0, name
    assert not any(unsafe in comment for unsafe in ("\u202e", "\x00")), name
    for token in MarkdownIt("gfm-like", {"linkify": False}).parse(comment):
        kinds = {child.type for child in token.children or []}
        assert not kinds & {"link_open", "image"}, name


@pytest.mark.parametrize("name", NAMES)
def test_every_table_has_rows_as_wide_as_its_head(name: str) -> None:
    comment = render_comment(decision(name))
    tables = re.findall(r"(?:^\|.*\n)+", comment, re.MULTILINE)
    assert tables
    for table in tables:
        assert len({row.count("|") for row in table.splitlines()}) == 1, table


@pytest.mark.parametrize("name", NAMES)
def test_the_verdict_comes_first_and_folds_are_closed(name: str) -> None:
    wanted = decision(name)
    comment = render_comment(wanted)
    assert comment.startswith(f"### {wanted.verdict.word}: ")
    assert comment.count("<details>") == comment.count("</details>") > 1


def test_a_reply_beyond_the_limit_ends_at_a_line_with_a_word_about_it() -> None:
    rows = "".join(f"w{w},{a},{i},{3600 + i},55\n" for w in range(60) for a in ("gpu", "trn2") for i in range(3))
    comment = render_comment(decide(("pilot.csv", "workload,arm,run,duration_s,price_usd_per_hour\n" + rows)))
    assert LIMIT - 2_000 < len(comment) <= LIMIT
    assert "GitHub's limit" in comment.splitlines()[-1]
    assert comment.count("<details>") == comment.count("</details>")


def test_confidence_is_said_as_given() -> None:
    comment = render_comment(decision("llama2-70b-lora", "confidence=0.999"))
    assert "99.9 %" in comment
    assert "95 %" not in comment


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("p5.48xlarge", "`p5.48xlarge`"),
        ("Ejecución", "`Ejecución`"),
        ("a|b", "<code>a&#124;b</code>"),
        ("@octocat", "<code>&#64;octocat</code>"),
        ("https://e.example", "<code>https&#58;&#47;&#47;e&#46;example</code>"),
        ("", "` `"),
        ("a\nb", "`a b`"),
    ],
)
def test_literal(text: str, shown: str) -> None:
    assert literal(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"), [("eval_loss", "eval loss"), ("WER", "WER"), ("pass@1", "<code>pass&#64;1</code>")]
)
def test_words(text: str, shown: str) -> None:
    assert words(text) == shown


def test_clean_cuts_visibly_and_drops_what_cannot_be_seen() -> None:
    assert clean("x" * 300, 10) == "xxxxxxxxx…"
    assert clean("a\u202eb\x00c") == "a\ufffdb\ufffdc"


WAIT = "kind: reserved_standard"
ALLOWED = """kind: take_or_pay
    exchange: {allowed: true, families: [trn2]}
    transfer: {allowed: true, teams: [search], consent: true}"""


def test_an_exchange_and_a_transfer_are_told_with_what_they_need() -> None:
    told = render_comment(decision("contracts/wait-for-the-end", replaced={"contracts.yml": (WAIT, ALLOWED)}))
    assert "`p5-commitment` exchanged, `p5-commitment` transferred; moving may pay earlier than shown." in told
    assert "of equal or greater value than what remains of it ($130,000) in `trn2`" in told
    assert "somebody of `search` with a use for its hours" in told and "and the provider's consent" in told
