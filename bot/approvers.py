"""`approvers` of a repository's settings: logins, each perhaps with a name and a role, and the roles that must sign."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator

from scoring.model.signing import Signer

EXPECTED = "GitHub logins such as octocat, or {login: octocat, name: Ana Example, role: finance}; no teams"
EXPECTED_ROLES = "roles that an approver has, such as finance"
MOST_CHARACTERS = 60
MOST_SIGNERS = 50


def _signers(value: object) -> object:
    """One login alone is a list of one, several may stand in one text. Raises ValueError."""
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, (list, tuple)) or len(value) > MOST_SIGNERS:
        raise ValueError(EXPECTED)
    return tuple(_signer(one) for one in value)


def _signer(value: object) -> Signer:
    if isinstance(value, Signer):
        return value
    values: dict[str, Any] = dict(value) if isinstance(value, Mapping) else {"login": value}
    if not values.keys() <= {"login", "name", "role"} or not all(_is_line(v) for v in values.values()):
        raise ValueError(EXPECTED)
    if not isinstance(values.get("login"), str):
        raise ValueError(EXPECTED)
    texts = {key: " ".join(text.split()) for key, text in values.items() if text is not None}
    return Signer.model_validate({**texts, "login": texts["login"].removeprefix("@")})


def _is_line(value: object) -> bool:
    return value is None or (isinstance(value, str) and value.isprintable() and 0 < len(value) <= MOST_CHARACTERS)


def _roles(value: object) -> object:
    listed = [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value
    if not isinstance(listed, (list, tuple)) or not all(role is not None and _is_line(role) for role in listed):
        raise ValueError(EXPECTED_ROLES)
    return tuple(dict.fromkeys(" ".join(role.split()) for role in listed))


Signers = Annotated[tuple[Signer, ...], BeforeValidator(_signers)]
SignOffRoles = Annotated[tuple[str, ...], BeforeValidator(_roles)]


def has_role(signers: tuple[Signer, ...], role: str) -> bool:
    """Whether anybody may sign in that role, in whatever case of letters."""
    return any((signer.role or "").casefold() == role.casefold() for signer in signers)


def signers_schema() -> dict[str, Any]:
    """JSON schema of `approvers` with its convenient forms."""
    text = {"type": "string", "minLength": 1, "maxLength": MOST_CHARACTERS}
    person = {
        "type": "object",
        "properties": {"login": text, "name": text, "role": text},
        "required": ["login"],
        "additionalProperties": False,
    }
    entry = {"anyOf": [{"type": "string"}, person]}
    return {"anyOf": [{"type": "array", "items": entry, "maxItems": MOST_SIGNERS}, {"type": "string"}, person]}
