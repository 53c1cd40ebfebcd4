"""`steelyard init`: the files that a repository starts from, as one pull request or in a working copy."""

import argparse
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.github.client import Connection
from bot.github.connect import app_connection, connection_for
from bot.github.errors import GitHubError, NotFound, Refused
from bot.github.proposal import Proposal, Words, propose
from bot.render.messages import Messages, catalogue
from bot.repo_config import CONFIG_PATH, WORKFLOW_PATH, RepoConfig
from bot.settings import ProcessSettings, complaints
from bot.templates import template_path

DONE, FAILED, MISUSED = 0, 1, 2
PLACEHOLDER = "OWNER/NAME@0000000000000000000000000000000000000000"
REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+\Z", re.ASCII)
SOURCE = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+@[0-9a-f]{40}\Z", re.ASCII)


@dataclass(frozen=True)
class Start:
    """A file that a repository starts from: where it goes, which template it is, and its name in the catalogue."""

    path: str
    template: str
    name: str


STARTS = (
    Start(CONFIG_PATH, "config/steelyard.yml", "settings"),
    Start(RepoConfig().contracts, "config/contracts.yml", "contracts"),
    Start(RepoConfig().prices, "config/prices.csv", "prices"),
    Start(".github/ISSUE_TEMPLATE/steelyard-pilot.yml", "issue_forms/pilot.yml", "form"),
    Start(WORKFLOW_PATH, "workflows/steelyard.yml", "workflow"),
)
NAMES = {start.path: start.name for start in STARTS}


def run(args: argparse.Namespace) -> int:
    """Exit status 0 when the files are there or proposed, 1 when GitHub or the disk refused, 2 for wrong arguments."""
    source = args.action
    if source and not SOURCE.match(source):
        return _say("--action takes OWNER/NAME@COMMIT with the 40 letters of the commit: a tag can be moved", MISUSED)
    files = starting_files(source)
    if args.local is not None:
        return _locally(Path(args.local), files) or _unfinished(source)
    repository = args.repo or os.environ.get("GITHUB_REPOSITORY", "")
    if not REPOSITORY.match(repository):
        return _say("name the repository: --repo OWNER/NAME, or --local DIR for a working copy", MISUSED)
    try:
        settings = ProcessSettings.read()
    except ValueError as failure:
        return _say("; ".join(complaints(failure)), MISUSED)
    try:
        proposal = propose(connection_to(repository, settings), repository, files, words(source))
    except GitHubError as failure:
        return _say(_explained(failure, repository, source), FAILED)
    _tell(proposal)
    return DONE


def starting_files(source: str | None) -> dict[str, str]:
    """Path and text of every file. `source` is where the Action's code is; None leaves the workflow out."""
    texts = {s.path: template_path(s.template).read_text(encoding="utf-8") for s in STARTS}
    if source is None:
        del texts[WORKFLOW_PATH]
    elif source:
        texts[WORKFLOW_PATH] = texts[WORKFLOW_PATH].replace(PLACEHOLDER, source)
    return texts


def words(source: str | None) -> Words:
    """What the pull request says, with the steps that are left to a person."""
    said = catalogue("en", "init")

    def body(proposed: Sequence[str], kept: Sequence[str]) -> str:
        files = "\n".join(f"- `{path}`: {said(f'what.{NAMES[path]}')}" for path in proposed)
        if kept:
            files += said("kept", files=", ".join(f"`{path}`" for path in kept))
        return said("body", files=files, steps="\n".join(_steps(said, proposed, source)))

    return Words(said("commit"), said("title"), body)


def _steps(said: Messages, proposed: Sequence[str], source: str | None) -> list[str]:
    steps = [said(f"step-{NAMES[path]}") for path in proposed if f"step-{NAMES[path]}" in said]
    if WORKFLOW_PATH in proposed:
        steps.append(said("step-action", ledger=RepoConfig().ledger_branch) if source else said("step-action-source"))
    return steps


def connection_to(repository: str, settings: ProcessSettings) -> Connection:
    """As the App's installation on that repository, else with the token. Raises GitHubError."""
    installation = app_connection(settings).get(f"/repos/{repository}/installation")["id"] if settings.app_id else None
    return connection_for(settings, installation)


def _locally(folder: Path, files: Mapping[str, str]) -> int:
    if not folder.is_dir():
        return _say(f"there is no folder {folder}", MISUSED)
    for path, text in files.items():
        target = folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("x", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
        except FileExistsError:
            print(f"kept  {path} (it is there already)")
        except OSError as failure:
            return _say(f"{failure.strerror or failure}: {target}", FAILED)
        else:
            print(f"new   {path}")
    return DONE


def _unfinished(source: str | None) -> int:
    """A workflow without a commit cannot start; the pull request says so, and so does the screen."""
    if source == "":
        print(catalogue("en", "init")("step-action-source").removeprefix("- [ ] "))
    return DONE


def _tell(proposal: Proposal) -> None:
    for path in proposal.proposed:
        print(f"{'new   ' if path in proposal.added else 'there '}{path}")
    for path in proposal.kept:
        print(f"kept  {path} (it is on {proposal.default_branch} already)")
    if proposal.url is None:
        print(f"Nothing to propose: {proposal.default_branch} has every file.")
    elif proposal.opened:
        print(f"Pull request: {proposal.url}")
    else:
        print(f"The branch is pushed; this identity may not open pull requests. Open it here: {proposal.url}")


def _explained(failure: GitHubError, repository: str, source: str | None) -> str:
    if source is not None and isinstance(failure, (Refused, NotFound)):
        return (
            f"{failure}: a workflow file may be written only with the permission `workflows`: use a personal token "
            "that has it (STEELYARD_TOKEN), or --local DIR and push it yourself"
        )
    if isinstance(failure, NotFound):
        return f"{failure}: {repository} is not there, or the App or token may not see it"
    return str(failure)


def _say(text: str, status: int) -> int:
    print(f"steelyard: {text}", file=sys.stderr)
    return status
