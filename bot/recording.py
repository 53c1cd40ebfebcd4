"""An answer with files goes to the ledger; its reply then links to them, or says why they could not be kept."""

from bot.dossier import Answer
from bot.github.ledger import Entry, Ledger, placed_entry, quarter_of
from bot.render.comment.links import with_links, without_links
from bot.render.notices import say
from bot.scene import Scene


def record(scene: Scene, answer: Answer, number: int) -> str:
    """The answer's text for the thread. `number` counts the comment's recorded answers from 1.

    Raises a GitHubError; Later where a repetition may mend it.
    """
    if not answer.files:
        return answer.body
    place = scene.place if number == 1 else f"{scene.place}#{number}"
    branch = scene.configuration.config.ledger_branch
    pages = scene.settings.pages_url
    ledger = Ledger(scene.connection, scene.job.repository, branch, pages)
    quarter = quarter_of(scene.today.year, scene.today.month)
    entry = _filled(placed_entry(ledger.folder(quarter, scene.job.issue, place), place), scene, answer)
    recorded = ledger.record(entry, answer.files)
    if recorded.problem is not None:
        notice = say(scene.language, "memo-not-stored", reason=recorded.problem.found or "", branch=branch)
        return f"{without_links(answer.body)}\n\n{notice}\n"
    base = next(iter(recorded.urls.values())).rsplit("/", 1)[0]
    return with_links(answer.body, base)


def _filled(entry: Entry, scene: Scene, answer: Answer) -> Entry:
    facts = answer.facts
    values = {
        "comment_url": scene.post.url or None,
        "asked_by": scene.post.author,
        "decided_on": scene.today.isoformat(),
        "verdict": facts.get("word") or "NONE",
        **{name: facts.get(name) for name in ("workload", "incumbent", "candidate", "memo_sha256")},
    }
    return entry.model_copy(update=values)
