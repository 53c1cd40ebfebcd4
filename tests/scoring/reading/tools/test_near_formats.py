"""Each file has one reader, its own: whatever other tools write in a like form is left to theirs."""

import pytest

from scoring.reading.limits import HEAD_BYTES
from scoring.reading.registry import READERS
from tests.scoring.reading.read import codes, read
from tests.scoring.reading.tools.samples import SAMPLES

FOREIGN = {
    "a tidy table": "arm,run,duration_s,cost_usd\ngpu,1,10,2\n",
    "a list of runs": '[{"arm": "gpu", "duration_s": 10}, {"arm": "trn2", "duration_s": 12}]',
    "results of another tool": '{"results": [{"arm": "gpu", "duration_s": 10}], "versions": {}}',
    "scores of single items": '{"doc_id": 1, "acc": 1.0, "filter": "none"}\n{"doc_id": 2, "acc": 0.0}\n',
    "words that quote keys": "the keys are `elapsed_time`, `num_requests` and `tokens_per_second`",
    "nothing": "",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_one_reader_claims_it(name: str) -> None:
    tool, _, content = SAMPLES[name]
    head = content().encode()[:HEAD_BYTES]
    assert [reader.name for reader in READERS if reader.claims(head)] == [tool]


@pytest.mark.parametrize("name", FOREIGN)
def test_no_reader_claims_it(name: str) -> None:
    assert [reader.name for reader in READERS if reader.claims(FOREIGN[name].encode())] == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("name", SAMPLES)
def test_it_is_known_in_the_letters_of_another_shell(name: str, encoding: str) -> None:
    _, file, content = SAMPLES[name]
    plain, told = read((f"gpu/{file}", content())), read((f"gpu/{file}", content().encode(encoding)))
    assert (told[0].runs, codes(told[1])) == (plain[0].runs, codes(plain[1]))
