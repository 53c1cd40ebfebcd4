"""The draft record of processing as it is read: named as a draft, every article's letter, hostile text as text."""

import re
from functools import cache

import pytest

from bot.render.records import render_records
from tests.bot.inert import ACTS, HOSTILE, parsed, skeleton
from tests.samples import decision
from tests.scoring.helpers import decide

LINKED = re.compile(r"memo\.xlsx|decision\.json|https://(?:github\.com/boto|food\.ec|www\.efta)[^ ]*")
PILOT = "arm,run,workload,region,duration_s,price_usd_per_hour\n" + "".join(
    f"{arm},{i},{{workload}},{{region}},{3600 + i},55\n" for arm in ("gpu", "trn2") for i in range(3)
)


@cache
def drafted(text: str) -> str:
    """A draft with that text wherever a stranger or the settings may put one."""
    quoted = '"' + text.replace('"', '""') + '"'
    escaped = '"' + text[:900].encode("unicode_escape").decode().replace('"', '\\"') + '"'
    escaped = escaped if text.isascii() and "\\" not in text else '"plain"'
    settings = f"records: {{controller: {escaped}, purpose: {escaped}, data: [{escaped}, {escaped}]}}\n"
    posted = PILOT.format(workload=quoted, region=quoted)
    draft = render_records(decide(("p.csv", posted), settings=settings), issue=text)
    assert draft is not None
    return draft


def test_it_is_a_draft_for_the_officer_and_says_what_is_missing() -> None:
    draft = render_records(decision("eu-only"), issue="acme/ml#12")
    assert draft is not None
    assert draft.splitlines()[2].startswith("> **Draft for the data-protection officer**")
    assert [f"({letter})" in draft for letter in "abcdefg"] == [True] * 7
    assert "<code>acme&#47;ml&#35;12</code>" in draft or "`acme/ml" in draft
    assert "- `trn1` in `us-east-2`: US" in draft
    assert "- categories of personal data: `records.data` of the settings" in draft


def test_who_asks_for_none_gets_none() -> None:
    assert render_records(decision("first-look")) is None


@pytest.mark.parametrize("text", [t for t in HOSTILE if t.strip()], ids=lambda t: ascii(t[:20]))
def test_texts_of_strangers_and_settings_stay_text(text: str) -> None:
    draft, plain = drafted(text), drafted("plain")
    assert skeleton(draft) == skeleton(plain)
    for token in parsed(draft):
        in_code = 0
        for child in token.children or []:
            assert child.type != "image"
            if child.type == "link_open":
                assert LINKED.fullmatch(str(child.attrs["href"]))
            if child.type == "html_inline":
                in_code += {"<code>": 1, "</code>": -1}[child.content]
            if child.type == "text" and not in_code and not child.content.startswith("https://"):
                assert ACTS.search(child.content) is None, child.content
