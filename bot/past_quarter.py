"""What a review needs of GitHub: the ledger's files at one head, and the books beside the contracts."""

from hashlib import sha256

from bot.dossier import Dossier, Spooled
from bot.file_cache import FileCache
from bot.github.errors import GitHubError, Later
from bot.github.index import BrokenIndex, Entry
from bot.github.outcomes import path_of as outcomes_path
from bot.github.repository_files import RepositoryFiles
from bot.github.sign_offs import path_of as sign_offs_path
from bot.grammar import Command
from bot.scene import Scene
from scoring.model.problem import Problem
from scoring.problems import error, warning
from scoring.review.quarter import Quarter, quarter_named

INDEX, RECORD, REVIEW = "index.json", "decision.json", "review.json"
MOST_RECORDS = 300
"""Each record is a request of its own the first time; the decisions of the last days are read first."""
MOST_BYTES = 8 * 1024 * 1024
MOST_BEFORE = 8
_RECORDS = FileCache()
"""Records by the hash that the index has of them: one that is as it was written is asked for once."""


def reviewed_in(command: Command) -> str | None:
    """The ledger's folder of the review that a command asks for."""
    quarter = quarter_named(command.arguments[0] if command.arguments else "")
    return f"reviews/{quarter.name}" if isinstance(quarter, Quarter) else None


def with_ledger(scene: Scene, bare: Dossier) -> Dossier:
    """The dossier with the ledger's files and the repository's books. Raises Later."""
    problems = list[Problem]()
    try:
        ledger = _ledger(scene, bare, problems)
    except Later:
        raise
    except (BrokenIndex, GitHubError) as failure:
        ledger = []
        problems.append(error("review-ledger-broken", file=INDEX, found=str(failure)[:200]))
    config, configuration = scene.configuration.config, scene.configuration
    books: dict[str, object] = {
        "settings": configuration.settings,
        "contracts": configuration.contracts,
        "workloads": _book(scene, config.workloads, problems),
        "outcomes": _book(scene, config.outcomes, problems),
    }
    return bare.model_copy(update={**books, "ledger": tuple(ledger), "problems": tuple(problems)})


def _ledger(scene: Scene, bare: Dossier, problems: list[Problem]) -> list[Spooled]:
    index = scene.ledger.index()
    entries = sorted(index.entries, key=lambda e: (e.decided_on or "", e.issue, e.seq))
    if len(entries) > MOST_RECORDS:
        problems.append(warning("review-decisions-left-out", found=f"{len(entries):,}", expected=f"{MOST_RECORDS:,}"))
    kept = entries[-MOST_RECORDS:]
    issues = sorted({entry.issue for entry in kept})
    paths = [path for issue in issues for path in (sign_offs_path(issue), outcomes_path(issue))]
    records = [_record(scene, entry) for entry in kept if RECORD in entry.files]
    files = [_spooled(scene, INDEX), *records, *(_spooled(scene, path) for path in paths)]
    return [one for one in (*files, _before(scene, bare)) if one is not None]


def _record(scene: Scene, entry: Entry) -> Spooled | None:
    path, digest = f"{entry.folder}/{RECORD}", entry.sha256.get(RECORD)
    if digest is None:
        return _spooled(scene, path)
    key = (scene.job.repository, path, digest)
    if found := _RECORDS.find(key):
        return _put(scene, path, found[0])
    data = scene.ledger.kept(path)
    if data is not None and sha256(data).hexdigest() == digest:
        _RECORDS.keep(key, data)
    return _put(scene, path, data)


def _before(scene: Scene, bare: Dossier) -> Spooled | None:
    """The last review of an earlier quarter."""
    asked = quarter_named(bare.command.arguments[0] if bare.command.arguments else "")
    if not isinstance(asked, Quarter):
        return None
    paths = (f"reviews/{asked.after(-back).name}/{REVIEW}" for back in range(1, MOST_BEFORE + 1))
    return next((one for path in paths if (one := _spooled(scene, path)) is not None), None)


def _spooled(scene: Scene, path: str) -> Spooled | None:
    return _put(scene, path, scene.ledger.kept(path))


def _put(scene: Scene, path: str, data: bytes | None) -> Spooled | None:
    if data is None or len(data) > MOST_BYTES:
        return None
    return Spooled(name=path, path=scene.spool.write(data))


def _book(scene: Scene, path: str, problems: list[Problem]) -> Spooled | None:
    """A file of the default branch; it may be absent."""
    found = RepositoryFiles(scene.connection, scene.job.repository, scene.spool).read_path(path, None, nearest=False)
    problems += [p for p in found.problems if p.code != "path-missing"]
    return Spooled(name=path, path=found.files[0].path, url=found.files[0].url) if len(found.files) == 1 else None
