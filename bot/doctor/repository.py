"""What one repository must have: access, a configuration that can be read, a ledger branch that can be written."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from bot.configuration import read_configuration
from bot.doctor.finding import Finding, Patient, fail, ok, unchecked, warn
from bot.github.errors import NotFound, Refused
from bot.github.gitdata import Branch
from bot.github.spool import Spool
from bot.github.thread import repository_facts, repository_path
from bot.render.comment.problems import fix, sentence
from bot.repo_config import CONFIG_PATH, WORKFLOW_PATH, RepoConfig
from scoring.model.problem import Problem, Severity

HINDERING = {"creation", "update", "required_signatures", "pull_request", "required_status_checks"}
"""Rules under which a push of the ledger may be refused. It never forces and never deletes."""


def access(patient: Patient) -> Iterator[Finding]:
    """Whether the bot sees the repository, and may write to its issues and contents."""
    name = patient.repository
    try:
        told = patient.there.get(repository_path(str(name)))
    except NotFound:
        yield fail("repository-unseen" if patient.settings.app_id is None else "repository-not-installed", name=name)
        return
    if told.get("archived"):
        yield fail("repository-archived", name=name)
    if told.get("has_issues") is False:
        yield fail("repository-without-issues", name=name)
    if patient.settings.app_id is None and (told.get("permissions") or {}).get("push") is False:
        yield fail("repository-read-only", name=name)
    yield ok(
        "repository",
        name=name,
        branch=told.get("default_branch"),
        private="private" if told.get("private") else "public",
    )
    if patient.settings.app_id and _holds(patient, WORKFLOW_PATH):
        yield warn("repository-twice", path=WORKFLOW_PATH)


def _holds(patient: Patient, path: str) -> bool:
    try:
        patient.there.get(f"{repository_path(str(patient.repository))}/contents/{quote(path)}")
    except (NotFound, Refused):
        return False
    return True


def configuration(patient: Patient) -> Iterator[Finding]:
    """The repository's files as a command would read them, every mistake with its line and what to do."""
    with tempfile.TemporaryDirectory(prefix="steelyard-doctor-") as folder:
        facts = repository_facts(patient.there, str(patient.repository))
        read = read_configuration(patient.there, facts, Spool(Path(folder)))
    for problem in read.problems:
        if problem.severity in (Severity.ERROR, Severity.QUESTION, Severity.WARNING):
            where = f"{problem.file or CONFIG_PATH}{f', line {problem.row}' if problem.row else ''}"
            level = warn if problem.severity is Severity.WARNING else fail
            yield level("configuration-broken", where=where, said=sentence(problem, "en"), mend=fix(problem, "en"))
    if read.settings is None and not read.problems:
        yield ok("configuration-absent", path=CONFIG_PATH)
    elif not _hindered(read.problems):
        yield ok("configuration", path=CONFIG_PATH, given=_given(read.config))
    yield from _ledger(patient, read.config.ledger_branch)


def _hindered(problems: tuple[Problem, ...]) -> bool:
    return any(p.severity in (Severity.ERROR, Severity.QUESTION) for p in problems)


def _given(config: RepoConfig) -> str:
    return ", ".join(sorted(config.model_fields_set)) or "defaults"


def _ledger(patient: Patient, branch: str) -> Iterator[Finding]:
    """The branch that memos go to. It is not written to: that would leave a trace."""
    root = repository_path(str(patient.repository))
    rules = _rules(patient, f"{root}/rules/branches/{quote(branch, safe='')}")
    if Branch(patient.there, str(patient.repository), branch).head() is None:
        if rules and "creation" in rules:
            yield warn("ledger-hindered", branch=branch, rules=", ".join(sorted(rules)))
        else:
            yield ok("ledger-absent", branch=branch)
        return
    protected = patient.there.get(f"{root}/branches/{quote(branch, safe='')}").get("protected") is True
    if rules:
        yield warn("ledger-hindered", branch=branch, rules=", ".join(sorted(rules)))
    elif protected and rules is None:
        yield warn("ledger-protected", branch=branch)
    elif rules is None:
        yield unchecked("ledger-rules-unknown", branch=branch)
    else:
        yield ok("ledger", branch=branch)


def _rules(patient: Patient, path: str) -> set[str] | None:
    """Rules of the branch under which a push may be refused; None where they cannot be asked."""
    try:
        found = list(patient.there.pages(path))
    except (NotFound, Refused):
        return None
    return {str(rule.get("type")) for rule in found} & HINDERING
