"""`steelyard contracts check` tells every mistake with its line, and says by its status whether a book is sound."""

from pathlib import Path

import pytest

from bot.cli import main

GOOD = "- {id: c, kind: take_or_pay, starts_on: 2027-01-01, ends_on: 2027-12-31, instances: 1, rate: 5}\n"


@pytest.mark.parametrize(
    ("status", "said", "text"),
    [
        (0, "Contracts read: 1. Nothing has to be mended.", GOOD),
        (1, "2027-02-30", GOOD.replace("2027-12-31", "2027-02-30")),
        (1, "c", GOOD + GOOD),
        (1, "minimum", GOOD.replace("rate: 5", "rate: 5, minimum_utilisation: 50")),
    ],
)
def test_a_book_is_checked(
    status: int, said: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = tmp_path / "contracts.yml"
    book.write_text(text, encoding="utf-8")
    assert main(["contracts", "check", str(book)]) == status
    assert said in capsys.readouterr().out


def test_mistakes_are_told_in_the_language_that_is_asked_for_or_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book, settings = tmp_path / "contracts.yml", tmp_path / "steelyard.yml"
    book.write_text("contracts: []\n", encoding="utf-8")
    settings.write_text("language: es\n", encoding="utf-8")
    for args in ([str(book), "--language", "es"], [str(tmp_path)], [str(settings), str(book)]):
        assert main(["contracts", "check", *args]) == 0
        assert capsys.readouterr().out.startswith("Contratos leídos: 0.")
    assert main(["contracts", "check", str(tmp_path), "--language", "en"]) == 0
    assert "Contratos" not in capsys.readouterr().out
    assert main(["contracts", "check", str(book), "--language", "tlh"]) == 1
    assert "--language tlh: en or es" in capsys.readouterr().err
