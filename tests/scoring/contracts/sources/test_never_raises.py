"""Whatever stands in a record, reading ends in entries and problems, and the entries can be written and read again."""

import json
from datetime import date
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.contract_merge import merged
from scoring.contracts.book import read_contracts
from scoring.contracts.sources import OUTPUTS, read_outputs
from scoring.contracts.sources.focus import OPTIONAL, read_export, told
from scoring.reading.posted import PostedFile
from scoring.reading.yaml_document import load_yaml
from tests.shared import ROOT

DATA = ROOT / "tests" / "data" / "sources"
DOCUMENTS = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(DATA.glob("*.json"))]
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20),
    st.sampled_from(["=1+1", "2026-02-30T00:00:00Z", "&a", "- b: {", "\x00", "\ud800", "\u2028", "active", "1e400"]),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=5), below, max_size=3),
    max_leaves=5,
)
CHANGES = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(sorted({f for o in OUTPUTS for f in o.fields})), VALUES), max_size=4
)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(DOCUMENTS), CHANGES, st.text(max_size=10))
def test_outputs(document: dict[str, Any], changes: list[tuple[int, str, Any]], tag: str) -> None:
    changed = json.loads(json.dumps(document))
    records = next(v for v in changed.values() if isinstance(v, list))
    for number, name, value in changes:
        records[number % len(records)][name] = value
    records[0]["Tags" if "Tags" in records[0] else "tags"] = [{"Key": "owner", "Value": tag}]
    posted = PostedFile.from_bytes("a.us-east-1.json", json.dumps(changed).encode())
    read_contracts(posted)
    reading = read_outputs([posted])
    assert all(p.file == posted.name for p in reading.problems)
    book = merged("contracts: []\n", reading.drafts, date(2026, 12, 2))
    if reading.drafts:
        written, problems = load_yaml(book.text, "contracts.yml")
        assert problems == []
        assert isinstance(written.value, dict)
        assert [c["id"] for c in written.value["contracts"]] == [d.entry["id"] for d in reading.drafts]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.text(max_size=12), max_size=6), max_size=5), st.data())
def test_exports(rows: list[list[str]], data: st.DataObject) -> None:
    more = data.draw(st.lists(st.sampled_from(OPTIONAL), unique=True, max_size=3))
    head = ",".join(["ChargePeriodStart", "ChargeCategory", "EffectiveCost", "CommitmentDiscountId", *more])
    text = "\n".join([head, *(",".join(cells) for cells in rows)])
    export = read_export(PostedFile.from_bytes("focus.csv", text.encode("utf-8", "replace")))
    assert all(p.file == "focus.csv" for p in told(export))
