"""A map that is read back is the one that was written; what is none, or is not sound, is refused by name."""

import json
from typing import Any

import pytest

from scoring.model.portability import PortabilitySetting
from scoring.portability.assess import assess
from scoring.portability.report import read_report, report_of
from scoring.portability.scan import SourceFile, scan
from scoring.reading.posted import PostedFile

SOURCE = b'import flash_attn\nx = y.cuda()\nd = torch.device("cuda")\n'
FOUND = assess(scan([SourceFile("a.py", SOURCE), SourceFile("k.cu", b"")], lambda: None), PortabilitySetting())
MAP: dict[str, Any] = json.loads(report_of(FOUND))


def told(data: bytes) -> list[str]:
    found, problems = read_report(PostedFile.from_bytes("map.json", data))
    assert (found is None) is bool(problems)
    return [problem.code for problem in problems]


def changed(**over: Any) -> bytes:
    return json.dumps({**MAP, **over}).encode()


def with_finding(**over: Any) -> bytes:
    return changed(findings=[{**MAP["findings"][0], **over}, *MAP["findings"][1:]])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_it_comes_back(encoding: str) -> None:
    assert read_report(PostedFile.from_bytes("map.json", report_of(FOUND).encode(encoding))) == (FOUND, [])


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("portability-unreadable", b""),
        ("portability-unreadable", b"[1]"),
        ("portability-unreadable", b"[" * 100_000),
        ("portability-unreadable", changed(schema="steelyard/portability/2")),
        ("portability-unreadable", changed(more=1)),
        ("portability-unreadable", changed(hours={"low": float("nan"), "high": 3})),
        ("portability-unreadable", changed(hours={"low": -1, "high": 3})),
        ("portability-unreadable", changed(hours={"low": 1, "high": 1e9})),
        ("portability-unreadable", changed(hours={"low": 3, "high": 1})),
        ("portability-unreadable", with_finding(line=-3)),
        ("portability-unreadable", with_finding(column=10**400)),
        ("portability-unreadable", changed()[:-1] + b',"hours":{"low":1,"high":2}}'),
        ("portability-other-version", with_finding(entry="never-heard")),
        ("portability-other-version", with_finding(entry="library-nobody")),
        ("portability-sum", changed(hours={"low": 0, "high": 0})),
    ],
)
def test_what_is_no_sound_map_is_refused(code: str, data: bytes) -> None:
    assert told(data) == [code]


def test_halves_of_letters_do_not_reach_an_output() -> None:
    found, _ = read_report(PostedFile.from_bytes("map.json", with_finding(file="a\udc80.py", found="\ud800")))
    assert found is not None and found.findings[0].file.encode()
