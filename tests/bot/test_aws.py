"""AWS asked through real boto3 over real HTTP on loopback: every page, only reading, failures told without detail.

Moto implements none of these operations, so the stand-in answers in the services' own protocols.
"""

import json
from collections.abc import Iterator

import pytest

from bot.aws import describe
from scoring.contracts.sources import read_outputs
from scoring.reading.posted import PostedFile
from tests.bot.aws_api import Api, serving
from tests.shared import ROOT

pytest.importorskip("boto3", reason="boto3 is in the extra `aws`")
SECRET = "made-up-for-this-test"  # noqa: S105


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    records = {}
    for path in (ROOT / "tests" / "data" / "sources").glob("describe-*.json"):
        records.update(json.loads(path.read_text(encoding="utf-8")))
    with serving(Api(records)) as api:
        monkeypatch.setenv("AWS_ENDPOINT_URL", api.url)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
        monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
        monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
        yield api


def test_what_aws_says_is_what_its_files_say(api: Api) -> None:
    files, problems = describe(["us-east-1"], types=["p4d.24xlarge"])
    assert problems == []
    reading = read_outputs(files)
    from_files = read_outputs(
        [_file(name) for name in sorted(p.name for p in (ROOT / "tests" / "data" / "sources").glob("*.json"))]
    )
    live = {d.entry["id"]: d.entry for d in reading.drafts}
    told = {d.entry["id"]: d.entry for d in from_files.drafts}
    assert live.keys() == told.keys()
    for name, entry in told.items():
        assert {k: v for k, v in live[name].items() if k != "imported"} == {
            k: v for k, v in entry.items() if k != "imported"
        }


def _file(name: str) -> PostedFile:
    return PostedFile.from_path(ROOT / "tests" / "data" / "sources" / name)


def test_it_only_reads_and_reads_every_page(api: Api) -> None:
    describe(["us-east-1"], types=["p4d.24xlarge"])
    operations = [operation for operation, _ in api.asked]
    assert all(operation.startswith("Describe") for operation in operations)
    assert operations.count("DescribeCapacityReservations") == 3  # three records, one a page
    assert operations.count("DescribeSavingsPlans") == 3
    rates = [arguments for operation, arguments in api.asked if operation == "DescribeSavingsPlanRates"]
    assert {"name": "instanceType", "values": ["p4d.24xlarge"]} in rates[0]["filters"]


def test_without_types_no_rates_are_asked(api: Api) -> None:
    describe(["eu-west-1"])
    operations = [operation for operation, _ in api.asked]
    assert "DescribeSavingsPlanRates" not in operations
    assert operations.count("DescribeReservedInstances") == 1


def test_a_refusal_is_told_and_the_rest_is_read(api: Api) -> None:
    api.refused = {"DescribeCapacityBlocks"}
    files, problems = describe(["us-east-1"])
    assert [(p.code, p.found) for p in problems] == [
        ("aws-call-failed", "describe_capacity_blocks.us-east-1: UnauthorizedOperation")
    ]
    assert len(files) == 3
    told = " ".join(p.model_dump_json() for p in problems) + "".join(f.read(10**6).decode() for f in files)
    assert SECRET not in told
    assert "secret detail" not in told


def test_no_region_and_no_profile(api: Api) -> None:
    assert [p.code for p in describe([])[1]] == ["aws-without-regions"]
    assert [p.code for p in describe(["us-east-1"], profile="nobody")[1]] == ["aws-call-failed", "aws-nothing-read"]
    assert api.asked == []
