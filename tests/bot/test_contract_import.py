"""`steelyard contracts import`: a book from files; a book that a person keeps is completed and never overwritten."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.cli import main
from tests.shared import ROOT

DATA = ROOT / "tests" / "data" / "sources"
RESERVED = str(DATA / "describe-reserved-instances.us-east-1.json")
FIRST = "11111111-aaaa-4bbb-8ccc-000000000001"
BOOK = f"""# what we have
contracts:
  - id: training-p4d           # ours
    kind: reserved_standard
    starts_on: 2026-07-01
    ends_on: 2027-06-30
    rate: 11.00                # after our discount
    notice: 90 days
    owner: ana@example.com
    source: {FIRST}
"""


def test_a_book_from_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contracts", "import", RESERVED]) == 0
    told = capsys.readouterr()
    assert f"- id: {FIRST}" in told.out
    assert "rate: 12.5\n" in told.out
    assert "&id" not in told.out
    assert "retired" in told.err


def test_what_a_person_wrote_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "contracts.yml"
    book.write_text(BOOK, encoding="utf-8")
    assert main(["contracts", "import", RESERVED, "--out", str(book)]) == 0
    text = book.read_text(encoding="utf-8")
    for line in BOOK.splitlines():
        assert line in text.splitlines()
    assert "      instances: 2\n" in text  # completed
    assert text.count("- id:") == 2
    assert "training-p4d: 11" in capsys.readouterr().err
    main(["contracts", "import", RESERVED, "--out", str(book)])
    assert book.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("kept", ["", "contracts: []\n", "# nothing yet\n", "contracts:\n"])
def test_an_empty_book(kept: str, tmp_path: Path) -> None:
    book = tmp_path / "contracts.yml"
    book.write_text(kept, encoding="utf-8")
    assert main(["contracts", "import", RESERVED, "--out", str(book)]) == 0
    assert book.read_text(encoding="utf-8").count("\n  - id:") == 2


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [("notes.txt", "hello", "neither"), ("a.us-east-1.json", '{"ReservedInstances": [', "JSON"),
     ("a.json", '{"ReservedInstances": ["x"]}', "documents")],
)  # fmt: skip
def test_a_file_that_cannot_be_read_writes_nothing(
    name: str, text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    book = tmp_path / "contracts.yml"
    assert main(["contracts", "import", str(tmp_path / name), "--out", str(book)]) == 2
    assert told in capsys.readouterr().err
    assert not book.exists()


@pytest.mark.parametrize(
    "kept", ["contracts: &a []\n", "contracts:\n  a: {}\n", "contracts: [\n", "{" * 200, "hello", "contracts: 5"]
)
def test_a_book_that_cannot_be_kept_is_left_alone(kept: str, tmp_path: Path) -> None:
    book = tmp_path / "contracts.yml"
    book.write_text(kept, encoding="utf-8")
    assert main(["contracts", "import", RESERVED, "--out", str(book)]) == 2
    assert book.read_text(encoding="utf-8") == kept


def test_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contracts", "import", "nowhere.json"]) == 2
    assert "nowhere.json" in capsys.readouterr().err


def test_a_book_is_yaml(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contracts", "import", RESERVED, "--out", str(tmp_path / "contracts.csv")]) == 2
    assert "no YAML" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_book_of_other_letters_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book, text = tmp_path / "contracts.yml", "# año\ncontracts: []\n".encode("cp1252")
    book.write_bytes(text)
    assert main(["contracts", "import", RESERVED, "--out", str(book)]) == 2
    assert "UTF-8" in capsys.readouterr().err
    assert book.read_bytes() == text


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_an_export_beside_a_book_tells_its_use(
    pack: Callable[[bytes], bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "ChargePeriodStart,ChargeCategory,EffectiveCost,CommitmentDiscountId,CommitmentDiscountStatus\n"
    rows = [f"2026-10-01T00:00:00Z,Usage,{cost},{name},{status}" for name in (FIRST, "other") for cost, status in (
        (75, "Used"), (25, "Unused"))]  # fmt: skip
    export = tmp_path / ("focus.csv" if pack is bytes else "focus.csv.gz")
    export.write_bytes(pack((head + "\n".join(rows) + "\n").encode()))
    (tmp_path / "contracts.yml").write_text(BOOK, encoding="utf-8")
    out = str(tmp_path / "contracts.yml")
    assert main(["contracts", "import", str(export), "--out", out]) == 2
    told = capsys.readouterr().err
    assert f"{FIRST}: 2026-10 75.0% used" in told
    assert told.count("shows the commitment") == 1
    assert (tmp_path / "contracts.yml").read_text(encoding="utf-8") == BOOK


def test_a_packed_file_that_unpacks_to_too_much_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bomb = tmp_path / "focus.csv.gz"
    bomb.write_bytes(gzip.compress(b"0" * 20_000_000))
    assert main(["contracts", "import", str(bomb)]) == 2
    assert "packed too tightly" in capsys.readouterr().err
