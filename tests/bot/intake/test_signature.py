"""A delivery is GitHub's only where one of the secrets signed these very bytes."""

import hashlib
import hmac

import pytest

from bot.intake.signature import signed_by

BODY = b'{"zen": "Design for failure."}'
# GitHub's own example: docs.github.com, "Validating webhook deliveries".
EXAMPLE = ("It's a Secret to Everybody", b"Hello, World!")
EXAMPLE_SIGNATURE = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"


def signature(secret: str, body: bytes, algorithm: str = "sha256") -> str:
    return f"{algorithm}={hmac.new(secret.encode(), body, algorithm).hexdigest()}"


def test_githubs_own_example() -> None:
    assert signed_by((EXAMPLE[0],), EXAMPLE[1], EXAMPLE_SIGNATURE) == 1


GOOD = signature("new", BODY)


@pytest.mark.parametrize(
    ("wanted", "secrets", "header"),
    [
        (1, ("new",), GOOD),
        (1, ("new", "old"), GOOD),
        (2, ("new", "old"), signature("old", BODY)),
        (1, ("new", "new"), GOOD),
        (None, ("new", "old"), signature("other", BODY)),
        (None, ("new",), signature("new", BODY + b" ")),
        (None, ("new",), None),
        (None, ("new",), ""),
        (None, ("new",), "sha256="),
        (None, ("new",), GOOD.removeprefix("sha256=")),
        (None, ("new",), GOOD.upper()),
        (None, ("new",), GOOD[:-1]),
        (None, ("new",), GOOD + "0"),
        (None, ("new",), GOOD + "\n"),
        (None, ("new",), f" {GOOD}"),
        (None, ("new",), f"{GOOD}, {GOOD}"),
        (None, ("new",), GOOD[:-1] + "é"),
        (None, ("new",), signature("new", BODY, "sha1")),
        (None, ("new",), "sha1=" + hashlib.sha256(BODY).hexdigest()),
        (None, ("new",), "sha256=" + "0" * 64),
        (None, (), GOOD),
        (None, (), "sha256=" + "0" * 64),
    ],
)
def test_which_secret_signed(wanted: int | None, secrets: tuple[str, ...], header: str | None) -> None:
    assert signed_by(secrets, BODY, header) == wanted
