"""A job from comment to reply: read, permit, gather, answer, record, reply. All of it may be repeated."""

import difflib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bot import litter
from bot.commands.interface import Scope
from bot.commands.mistakes import broken_configuration, unknown
from bot.commands.portability import folder_of
from bot.commands.registry import REGISTRY, find
from bot.configuration import read_configuration
from bot.dossier import Answer, Dossier, Outcome, Past
from bot.earlier import earlier_looks
from bot.gather import gather
from bot.github.connect import connection_for, identity_for
from bot.github.marker import RESULTS, parse, place_of
from bot.github.permissions import Role, may, role_of
from bot.github.reply import Thread as ReplyThread
from bot.github.reply import put_reply
from bot.github.signs import react, set_label
from bot.github.spool import Spool
from bot.github.supersede import supersede
from bot.github.thread import Moved, home_of, read_post, read_thread
from bot.grammar import Command, commands_in
from bot.job import Job
from bot.past import at_hand, past_of
from bot.past_quarter import reviewed_in, with_ledger
from bot.recording import record
from bot.render.notices import say
from bot.repo_config import broken
from bot.sandbox import Limits, answer_bounded
from bot.scene import Scene
from bot.settings import ProcessSettings
from bot.source_fetch import with_source
from bot.strangers import refusal, was_told

LIKE = 0.75
"""How alike a word must be to one of our commands to be taken for a mistake: other bots have commands too."""
OWN_NAME = "steelyard"
MOST_COMMANDS = 5


@dataclass(frozen=True)
class Handled:
    """What became of a job: how it ended, what was said and where. Nothing was said where `body` is empty."""

    outcome: str
    body: str = ""
    url: str | None = None


NOTHING = Handled("nothing")


def handle(job: Job, today: date, settings: ProcessSettings) -> Handled:
    """Answer the commands of a comment as it stands now. The same state gives the same reply and files, once.

    Raises a GitHubError where GitHub gives no answer; Later where a repetition may mend it.
    """
    connection = connection_for(settings, job.installation_id)
    post = read_post(connection, job.repository, job.issue, job.comment_id)
    if post is None or post.is_bot or parse(post.body):
        return NOTHING
    commands = ours(commands_in(post.body))
    if not commands:
        return NOTHING
    try:
        thread = read_thread(connection, job.repository, job.issue)
    except Moved:
        return NOTHING
    job = _renamed(job, thread.facts.full_name)
    with tempfile.TemporaryDirectory(prefix=litter.PREFIX) as folder:
        spool = Spool(Path(folder))
        configuration = read_configuration(connection, thread.facts, spool)
        if thread.is_pull_request and not configuration.config.pull_requests:
            return NOTHING
        scene = Scene(job, settings, connection, thread, post, configuration, today, spool, configuration.language)
        return _handled(scene, commands)


def park(job: Job, reason: str, settings: ProcessSettings) -> None:
    """Say that a job was set aside, in the one reply of its command. Raises a GitHubError."""
    connection = connection_for(settings, job.installation_id)
    post = read_post(connection, job.repository, job.issue, job.comment_id)
    if post is None or not ours(commands_in(post.body)):
        return
    try:
        job = _renamed(job, home_of(connection, job.repository, job.issue))
    except Moved:
        return
    identity = identity_for(settings, job.installation_id, connection)
    thread = ReplyThread(connection, job.repository, job.issue, identity)
    body = say("en", reason, reference=job.delivery or job.key)
    put_reply(thread, place_of(job.issue, job.comment_id), Outcome.FAILED, body, since=post.created_at)
    react(connection, job.repository, job.issue, job.comment_id, "confused")


def _renamed(job: Job, repository: str) -> Job:
    """The job under its repository's name of today: GitHub leads readers on from the old name, but no writers."""
    return job.model_copy(update={"repository": repository})


def ours(commands: Sequence[Command]) -> tuple[Command, ...]:
    """The commands that are meant for this bot, mistakes included where they are close to one of its own."""
    known = any(find(c.name) for c in commands)
    return tuple(c for c in commands if known or c.name == OWN_NAME or _like_ours(c.name))


def _like_ours(name: str) -> bool:
    return bool(difflib.get_close_matches(name[:40], REGISTRY, n=1, cutoff=LIKE))


def _handled(scene: Scene, commands: Sequence[Command]) -> Handled:
    role = role_of(scene.connection, scene.job.repository, scene.post.author)
    if not any(_may(scene, role, command) for command in commands):
        return _refused(scene, _needed(scene, commands[0]))
    _sign(scene, "eyes")
    given, commands = len(commands), commands[:MOST_COMMANDS]
    answers = [_answer(scene, command, role) for command in commands]
    if read_post(scene.connection, scene.job.repository, scene.job.issue, scene.job.comment_id) is None:
        return NOTHING
    body = _joined(scene, commands, _recorded(scene, answers))
    if given > MOST_COMMANDS:
        body += f"\n\n---\n\n{say(scene.language, 'too-many-commands', count=given, most=MOST_COMMANDS)}\n"
    return _said(scene, body, _main(answers))


def _needed(scene: Scene, command: Command) -> str:
    return scene.configuration.config.role_for(command.name, scene.thread.facts.private)


def _may(scene: Scene, role: Role, command: Command) -> bool:
    """A listed approver may sign in a public repository too, where others need a greater role to command anything."""
    known, config = find(command.name), scene.configuration.config
    if known is not None and known.scope is Scope.DECISION and command.name not in config.roles:
        if config.signing.named(scene.post.author) and may(role, "read"):
            return True
    return may(role, _needed(scene, command))


def _refused(scene: Scene, needed: str) -> Handled:
    if was_told(scene):
        return NOTHING
    body = refusal(scene, needed)
    reply = put_reply(scene.replies, scene.place, Outcome.REFUSED, body, since=scene.post.created_at)
    return Handled(Outcome.REFUSED, body, reply.url)


def _answer(scene: Scene, command: Command, role: Role) -> Answer:
    known = find(command.name)
    if known is None:
        return unknown(command, scene.language)
    if not _may(scene, role, command):
        needed = _needed(scene, command)
        told = {"command": f"/{command.name}", "needed": needed, "login": scene.post.author, "has": role.name.lower()}
        return Answer(body=say(scene.language, "not-permitted", **told), outcome=Outcome.REFUSED)
    job, language = scene.job, scene.language
    bare = Dossier(command=command, repository=job.repository, issue=job.issue, today=scene.today, language=language)
    if known.scope is Scope.NOTHING:
        return known.answer(bare)
    if broken(scene.configuration.problems):
        return broken_configuration(scene.configuration.problems, scene.language)
    signing = scene.configuration.config.signing
    if known.scope is Scope.DECISION:
        past, sign_off = at_hand(scene, command)
        return known.answer(bare.model_copy(update={"past": past, "signing": signing, "sign_off": sign_off}))
    limits = Limits(scene.settings.job_seconds, scene.settings.job_memory_mb)
    if known.scope is Scope.LEDGER:
        dossier = with_ledger(scene, bare.model_copy(update={"signing": signing}))
        return _believed(answer_bounded(dossier, limits), reviewed_in(command))
    if known.scope is Scope.SOURCE:
        dossier = with_source(scene, bare)
        return _believed(answer_bounded(dossier, limits), folder_of(dossier))
    dossier = gather(
        command,
        scene.post,
        scene.thread,
        scene.configuration,
        scene.sources,
        scene.today,
        until=scene.job.updated_at,
        known=scene.dossiers,
    )
    looks = earlier_looks(scene)
    past = past_of(scene) if known.records else Past()
    more: dict[str, object] = {"looks": looks, "past": past, "signing": signing if signing.signers else None}
    return _believed(answer_bounded(dossier.model_copy(update=more), limits), None)


def _believed(answer: Answer, folder: str | None) -> Answer:
    """The process that answers reads what strangers posted: nothing that it says is a signature or an outcome, nor
    where files go that belong to no decision, since signatures lie on the same branch.
    """
    kept = folder if answer.files and answer.outcome is Outcome.SAID else None
    return answer.model_copy(update={"signature": None, "happened": None, "folder": kept})


def _recorded(scene: Scene, answers: Sequence[Answer]) -> list[str]:
    bodies, number = list[str](), 0
    for answer in answers:
        number += bool(answer.files and answer.folder is None)
        bodies.append(record(scene, answer, number))
    return bodies


def _joined(scene: Scene, commands: Sequence[Command], bodies: Sequence[str]) -> str:
    if len(bodies) == 1:
        return bodies[0]
    count = len(bodies)
    titles = (
        say(scene.language, "several", number=number, count=count, command=f"/{command.name}")
        for number, command in enumerate(commands, start=1)
    )
    return "\n\n---\n\n".join(f"{title}\n\n{body}" for title, body in zip(titles, bodies, strict=True))


def _main(answers: Sequence[Answer]) -> Outcome:
    """How the comment ends: its last result, else its last answer."""
    results = [a.outcome for a in answers if a.outcome in RESULTS]
    return (results or [a.outcome for a in answers])[-1]


def _said(scene: Scene, body: str, outcome: Outcome) -> Handled:
    replies, config = scene.replies, scene.configuration.config
    reply = put_reply(replies, scene.place, outcome, body, since=scene.post.created_at)
    _sign(scene, "confused" if outcome in (Outcome.REFUSED, Outcome.FAILED) else "rocket")
    if outcome in RESULTS or reply.was_result:
        newest = supersede(replies, fold=config.minimise)
        if config.labels and newest is not None:
            set_label(scene.connection, scene.job.repository, scene.job.issue, Outcome(newest.marked.outcome))
    return Handled(outcome, body, reply.url)


def _sign(scene: Scene, content: str) -> None:
    react(scene.connection, scene.job.repository, scene.job.issue, scene.job.comment_id, content)
