"""An answer with files goes to the ledger; its reply then links to them, or says why they could not be kept."""

from hashlib import sha256

from bot.dossier import Answer
from bot.earlier import asked_at, looks_before
from bot.github.ledger import Entry, Update, placed_entry, quarter_of
from bot.github.looks import hidden, made, merged
from bot.render.comment.links import CALENDAR, with_links, without_links
from bot.render.notices import Markup, say
from bot.scene import Scene
from scoring.model.signing import Signature
from scoring.review.given import Outcome as Happened

FACTS = ("workload", "incumbent", "candidate", "region", "document", "memo_sha256")
"""Of an answer, for the index."""
MAPS = "portability/"


def record(scene: Scene, answer: Answer, number: int) -> str:
    """The answer's text for the thread, its looks hidden in its last lines.

    `number` counts the comment's recorded decisions from 1. Raises a GitHubError; Later where a repetition may mend it.
    """
    if answer.signature is not None:
        return _signed(scene, answer, answer.signature)
    if answer.happened is not None:
        return _told(scene, answer, answer.happened)
    if answer.folder is not None:
        return _reviewed(scene, answer, answer.folder)
    body = _kept(scene, answer, number) if answer.files else answer.body
    return body + hidden(made(answer.looks, asked_at(scene)))


def _signed(scene: Scene, answer: Answer, signature: Signature) -> str:
    """A signature that could not be kept is none, and the reply says so instead. Raises Later."""
    entry, files = scene.at_hand[-1]
    recorded = scene.ledger.sign(signature, entry, files)
    branch = scene.configuration.config.ledger_branch
    if recorded.problem is not None:
        notice = say(scene.language, "sign.not-stored", reason=recorded.problem.found or "", branch=branch)
        return f"### {say(scene.language, 'sign.not-signed', login=signature.login)}\n\n{notice}\n"
    ((path, url),) = recorded.urls.items()
    return f"{answer.body}\n{say(scene.language, 'sign.kept', link=Markup(f'[`{path}`]({url})'))}\n"


def _told(scene: Scene, answer: Answer, outcome: Happened) -> str:
    """An outcome that could not be kept is said not to be. Raises Later."""
    recorded = scene.ledger.tell(outcome)
    branch = scene.configuration.config.ledger_branch
    if recorded.problem is not None:
        return f"{say(scene.language, 'outcome.not-stored', reason=recorded.problem.found or '', branch=branch)}\n"
    ((path, url),) = recorded.urls.items()
    return f"{answer.body}\n{say(scene.language, 'outcome.kept', link=Markup(f'[`{path}`]({url})'))}\n"


def _reviewed(scene: Scene, answer: Answer, folder: str) -> str:
    """A review or a porting map with links to its files. Raises Later."""
    name, is_map = folder.rpartition("/")[2], folder.startswith(MAPS)
    title = "Porting map" if is_map else "Review"
    recorded = scene.ledger.keep(folder, answer.files, f"{title} of {name} for #{scene.job.issue}")
    branch = scene.configuration.config.ledger_branch
    if recorded.problem is not None:
        reason = recorded.problem.found or ""
        return f"{answer.body}\n{say(scene.language, 'review-not-stored', reason=reason, branch=branch)}\n"
    links = ", ".join(f"[`{path.rpartition('/')[2]}`]({url})" for path, url in recorded.urls.items())
    kept = "portability.kept" if is_map else "review-kept"
    return f"{answer.body}\n{say(scene.language, kept, link=Markup(links))}\n"


def _kept(scene: Scene, answer: Answer, number: int) -> str:
    place = scene.place if number == 1 else f"{scene.place}#{number}"
    branch, ledger = scene.configuration.config.ledger_branch, scene.ledger
    quarter = quarter_of(scene.today.year, scene.today.month)
    entry = _filled(placed_entry(ledger.folder(quarter, scene.job.issue, place), place), scene, answer)
    recorded = ledger.record(entry, answer.files, _shared(scene, answer))
    if recorded.problem is not None:
        notice = say(scene.language, "memo-not-stored", reason=recorded.problem.found or "", branch=branch)
        return f"{without_links(answer.body)}\n\n{notice}\n"
    base = next(iter(recorded.urls.values())).rsplit("/", 1)[0]
    body = with_links(answer.body, base)
    left = [say(scene.language, "shared-left-alone", file=path, branch=branch) for path in recorded.left_alone]
    return "\n".join([body, *(f"{notice}\n" for notice in left)])


def _shared(scene: Scene, answer: Answer) -> dict[str, Update]:
    """The calendar, which all decisions of the repository write to."""
    if answer.dates is None or answer.decided_on is None:
        return {}
    from bot.render.calendar import Said, calendar_with

    job = scene.job
    said = Said(answer.dates, answer.decided_on, scene.language, job.repository, job.issue)
    return {CALENDAR: lambda there: calendar_with(there, said)}


def _filled(entry: Entry, scene: Scene, answer: Answer) -> Entry:
    facts = answer.facts
    values = {
        "comment_url": scene.post.url or None,
        "asked_by": scene.post.author,
        "asked_at": asked_at(scene),
        "earlier": looks_before(scene),
        "decided_on": scene.today.isoformat(),
        "verdict": facts.get("word") or "NONE",
        **{name: facts.get(name) for name in FACTS},
        "sha256": {name: sha256(data).hexdigest() for name, data in sorted(answer.files.items())},
    }
    known = scene.ledger.known(entry.place)
    looks = merged(known.looks if known else (), made(answer.looks, asked_at(scene)))
    return entry.model_copy(update={**values, "looks": looks})
