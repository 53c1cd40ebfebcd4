"""Settings of the process: from the environment, from files, for GitHub Enterprise Server; secrets are never told."""

from pathlib import Path

import pytest

from bot.settings import ProcessSettings, complaints

SECRET = "of-the-hook-" * 2


def read(**environment: str) -> ProcessSettings:
    return ProcessSettings.read({f"STEELYARD_{name.upper()}": value for name, value in environment.items()})


def test_secrets_come_from_files(tmp_path: Path) -> None:
    path = tmp_path / "hook"
    path.write_text(f"{SECRET},other\n")
    settings = read(webhook_secrets_file=str(path), app_id="1")
    assert [s.get_secret_value() for s in settings.webhook_secrets] == [SECRET, "other"]


def test_a_key_keeps_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    path.write_text("-----BEGIN KEY-----\nabc\n-----END KEY-----\n")
    key = read(private_key_file=str(path)).private_key
    assert key is not None
    assert key.get_secret_value() == "-----BEGIN KEY-----\nabc\n-----END KEY-----"


def test_a_database_address_may_be_a_secret_file(tmp_path: Path) -> None:
    path = tmp_path / "url"
    path.write_text("postgresql://bot:pw@db/steelyard\n")
    assert read(database_url_file=str(path)).jobs_url == "postgresql://bot:pw@db/steelyard"


def test_a_file_that_is_not_there_is_told_by_its_variable(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="STEELYARD_TOKEN_FILE names a file that cannot be read: FileNotFoundError"):
        read(token_file=str(tmp_path / "none"))


def test_one_of_two_is_kept_by_a_person() -> None:
    with pytest.raises(ValueError, match="STEELYARD_TOKEN and STEELYARD_TOKEN_FILE are both set") as told:
        read(**{"token": SECRET, "token_file": "somewhere"})
    assert SECRET not in str(told.value)


@pytest.mark.parametrize("given", [{"port": SECRET}, {"workers": "0"}, {"log_format": SECRET}])
def test_a_complaint_names_the_setting_and_not_its_value(given: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="validation error") as told:
        read(**given)
    (line,) = complaints(told.value)
    assert line.startswith(f"setting {next(iter(given))}: ")
    assert SECRET not in line


@pytest.mark.parametrize(
    ("pages", "given"),
    [
        ("https://github.com", {}),
        ("https://ghe.example.com", {"base_url": "https://ghe.example.com/api/v3"}),
        ("https://ghe.example.com:8443", {"base_url": "https://ghe.example.com:8443/api/v3/"}),
        ("https://acme.ghe.com", {"base_url": "https://api.acme.ghe.com"}),
        ("https://git.example.com", {"base_url": "https://api.example.com", "web_url": "https://git.example.com/"}),
    ],
)
def test_pages_stand_where_the_api_does(pages: str, given: dict[str, str]) -> None:
    assert read(**given).pages_url == pages
