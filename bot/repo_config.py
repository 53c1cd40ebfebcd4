"""The section `github` of a repository's `.github/steelyard.yml`: who may ask what, where its books and ledger are."""

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, ValidationInfo, field_validator

from bot import approvers as sign_off
from bot.approvers import Signers, SignOffRoles, has_role, signers_schema
from bot.commands.registry import REGISTRY
from bot.render.locales import ENGLISH, languages
from bot.repositories_listed import EXPECTED as EXPECTED_REPOSITORIES
from bot.repositories_listed import EXPECTED_READERS, Repositories, is_same, unfit
from scoring.model.problem import Problem, Severity
from scoring.model.signing import Signer, Signing
from scoring.problems import error
from scoring.reading.asked_for import asked_for
from scoring.reading.charset import decode
from scoring.reading.limits import MAX_YAML_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.yaml_document import Document, load_yaml
from scoring.settings_file import read_settings

SECTION = "github"
CONFIG_PATH = ".github/steelyard.yml"
WORKFLOW_PATH = ".github/workflows/steelyard.yml"
MAX_PROBLEMS = 50
SHOWN = 100
Role = Literal["read", "triage", "write", "maintain", "admin"]
_YES, _NO = ("true", "yes", "on"), ("false", "no", "off")
_LOGIN = re.compile(r"@?[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:\[bot\])?\Z")
_BAD_REF = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|\.lock(/|\Z)|\A[/.-]|[/.]\Z|\A@\Z")
EXPECTED = {
    "ledger_branch": "a branch name such as steelyard",
    "contracts": "a path of the repository such as .github/steelyard/contracts.yml",
    "prices": "a path of the repository such as .github/steelyard/prices.csv",
    "workloads": "a path of the repository such as .github/steelyard/workloads.yml",
    "outcomes": "a path of the repository such as .github/steelyard/outcomes.csv",
    "approvers": sign_off.EXPECTED,
    "sign_off": sign_off.EXPECTED_ROLES,
    "self_approval": "true or false",
    "trusted_bots": "GitHub logins such as renovate[bot]",
    "labels": "true or false",
    "pull_requests": "true or false",
    "minimise": "true or false",
    "repositories": EXPECTED_REPOSITORIES,
    "reviewed_in": EXPECTED_READERS,
}


def _truth(value: object) -> object:
    """YAML scalars arrive as texts."""
    text = str(value).casefold()
    return True if text in _YES else False if text in _NO else value


def _listed(value: object) -> object:
    """One login alone is a list of one."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


Truth = Annotated[bool, BeforeValidator(_truth)]
Logins = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class RepoConfig(BaseModel):
    """What the bot does in one repository. Paths are the repository's own, at its default branch."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    contracts: str = ".github/steelyard/contracts.yml"
    prices: str = ".github/steelyard/prices.csv"
    workloads: str = ".github/steelyard/workloads.yml"
    outcomes: str = ".github/steelyard/outcomes.csv"
    ledger_branch: str = "steelyard"
    roles: dict[str, Role] = {}
    """By command, without its slash; what is not named has the default of `role_for`."""
    approvers: Signers = ()
    sign_off: SignOffRoles = ()
    """The roles that must approve a memo, each by somebody who has it; none: one approval is enough."""
    self_approval: Truth = False
    """Whether who asked for a decision may approve it."""
    trusted_bots: Logins = ()
    labels: Truth = False
    pull_requests: Truth = False
    minimise: Truth = True
    repositories: Repositories = ()
    """Others of the same owner that a review of this one reads, each of which has to agree by its `reviewed_in`."""
    reviewed_in: Repositories = ()
    """Repositories whose reviews may read this one's ledger and books."""

    @field_validator("contracts", "prices", "workloads", "outcomes")
    @classmethod
    def _path(cls, value: str) -> str:
        parts = value.split("/")
        if {"", ".", ".."} & set(parts) or "\\" in value or not value.isprintable():
            raise ValueError(EXPECTED["contracts"])
        return value

    @field_validator("ledger_branch")
    @classmethod
    def _branch(cls, value: str) -> str:
        if not value or len(value) > 200 or _BAD_REF.search(value):
            raise ValueError(EXPECTED["ledger_branch"])
        return value

    @field_validator("trusted_bots")
    @classmethod
    def _logins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(_LOGIN.match(login) for login in value):
            raise ValueError(EXPECTED["trusted_bots"])
        return tuple(login.removeprefix("@") for login in value)

    @field_validator("approvers")
    @classmethod
    def _people(cls, value: tuple[Signer, ...]) -> tuple[Signer, ...]:
        if not all(_LOGIN.match(signer.login) and not signer.login.endswith("]") for signer in value):
            raise ValueError(EXPECTED["approvers"])
        return value

    @field_validator("sign_off")
    @classmethod
    def _held(cls, value: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        if "approvers" in info.data and not all(has_role(info.data["approvers"], role) for role in value):
            raise ValueError(EXPECTED["sign_off"])
        return value

    @property
    def signing(self) -> Signing:
        """Who may sign and which roles have to."""
        return Signing(signers=self.approvers, roles=self.sign_off)

    def may_be_reviewed_in(self, home: str) -> bool:
        """Whether this repository agrees to be read for the reviews of that one."""
        return any(is_same(name, home) for name in self.reviewed_in)

    def role_for(self, command: str, private: bool) -> Role:
        """The least role that may give a command: by default read in a private repository, triage in a public one."""
        return self.roles.get(command, "read" if private else "triage")


def read_repo_config(posted: PostedFile | None, home: str | None = None) -> tuple[RepoConfig, list[Problem]]:
    """The section `github` with its defaults, and every problem of the whole file, the engine's part included.

    `home` is the repository that the file is of, where it is known. With any problem in the section the defaults
    stand. Raises OSError for a file that cannot be opened.
    """
    if posted is None:
        return RepoConfig(), []
    _, problems = read_settings(posted)
    text, _, _ = decode(posted.read(MAX_YAML_BYTES + 1))
    document, unread = load_yaml(text, posted.name)
    if unread or not isinstance(document.value, dict):
        return RepoConfig(), problems
    config, found = _section(document, posted.name, home)
    return config, sorted([*problems, *found], key=lambda p: p.row or 0)


def language_of(posted: PostedFile | None) -> str:
    """The language that the file asks for, also where something else in it cannot be read; English without one.

    Raises OSError for a file that cannot be opened.
    """
    if posted is None:
        return ENGLISH
    text, _, _ = decode(posted.read(MAX_YAML_BYTES + 1))
    value = load_yaml(text, posted.name)[0].value
    asked = value.get("language") if isinstance(value, dict) else None
    return asked if asked in languages() else ENGLISH


def broken(problems: Sequence[Problem]) -> bool:
    """Whether any of them keeps everything back until the file is mended."""
    return any(p.severity in (Severity.ERROR, Severity.QUESTION) for p in problems)


def _section(document: Document, file: str, home: str | None) -> tuple[RepoConfig, list[Problem]]:
    assert isinstance(document.value, dict)  # noqa: S101 - the caller passes no other
    raw = document.value.get(SECTION)
    if raw is None:
        return RepoConfig(), []
    place = {"file": file, "row": document.line((SECTION,)), "column": SECTION}
    if not isinstance(raw, dict):
        return RepoConfig(), [error("setting-invalid", **place, found=str(raw)[:SHOWN], expected="key: value lines")]
    tree = {key: value for key, value in raw.items() if value not in (None, "")}
    problems = _unknown_commands(tree, document, file)
    try:
        config = RepoConfig.model_validate(tree)
        for number, name in unfit(config.repositories, home):
            told = {"found": name, "expected": EXPECTED_REPOSITORIES}
            problems.append(error("setting-invalid", **_place(("repositories", number), document, file), **told))
    except ValidationError as failure:
        problems += [_problem(dict(item), document, file) for item in failure.errors()[:MAX_PROBLEMS]]
    return (RepoConfig(), problems) if problems else (config, [])


def _unknown_commands(tree: dict[str, Any], document: Document, file: str) -> list[Problem]:
    roles = tree.get("roles")
    names = [name for name in roles if name not in REGISTRY] if isinstance(roles, dict) else []
    return [_unknown(("roles", name), REGISTRY, document, file) for name in names[:MAX_PROBLEMS]]


def _problem(item: dict[str, Any], document: Document, file: str) -> Problem:
    path = tuple(item["loc"])
    if item["type"] == "extra_forbidden":
        return _unknown(path, RepoConfig.model_fields, document, file)
    expected = EXPECTED.get(str(path[0])) or asked_for(item)
    found = item["input"]
    found = ", ".join(str(key) for key in found) if isinstance(found, dict) else str(found)
    return error("setting-invalid", **_place(path, document, file), found=found[:SHOWN], expected=expected[:200])


def _unknown(path: tuple[Any, ...], known: Iterable[str], document: Document, file: str) -> Problem:
    near = difflib.get_close_matches(str(path[-1])[:60].casefold(), list(known), n=1)
    expected = near[0] if near else ", ".join(sorted(known))
    place = _place(path, document, file)
    return error("setting-unknown", **place, found=place["column"], expected=expected)


def _place(path: tuple[Any, ...], document: Document, file: str) -> dict[str, Any]:
    return {
        "file": file,
        "row": document.line((SECTION, *path)),
        "column": ".".join(str(part) for part in (SECTION, *path))[:SHOWN],
    }


def section_schema() -> dict[str, Any]:
    """JSON schema of the section, its convenient forms included."""
    schema = RepoConfig.model_json_schema(mode="validation")
    logins = {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}
    lists = ("sign_off", "trusted_bots", "repositories", "reviewed_in")
    schema["properties"] |= {"approvers": signers_schema(), **dict.fromkeys(lists, logins)}
    schema.pop("$defs", None)
    roles = {"enum": list(Role.__args__)}  # type: ignore[attr-defined]
    schema["properties"]["roles"] = {
        "type": "object",
        "properties": {name: roles for name in REGISTRY},
        "additionalProperties": False,
    }
    nothing = {"type": "null"}
    schema["properties"] = {name: {"anyOf": [form, nothing]} for name, form in schema["properties"].items()}
    return {"anyOf": [schema, nothing]}
