"""A repository with a ledger: the sample quarter, and one decision with its memo and its comment."""

import hashlib
from datetime import date
from functools import cache

import github

from bot.commands.compare import decided
from bot.emulator import Emulator, token_of
from bot.github.client import Connection
from bot.github.gitdata import Branch
from bot.github.index import Entry, Index
from scoring.analysis import Evidence, analyse
from scoring.reading.posted import PostedFile
from tests.shared import ROOT

ON = date(2027, 1, 11)
QUARTER = ROOT / "samples/quarter"
BOOKS = {
    ".github/steelyard.yml": QUARTER / "steelyard.yml",
    ".github/steelyard/contracts.yml": QUARTER / "contracts.yml",
    ".github/steelyard/workloads.yml": QUARTER / "workloads.yml",
}
DECIDED = "decisions/2027Q1/issue-20/1"
REVIEW = b"### Quarter 2027Q1\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[workbook](review.xlsx) <script>x</script>\n"


@cache
def decision_files() -> dict[str, bytes]:
    """The files of a decision on the first sample, as `/compare` writes them."""
    folder = ROOT / "samples/first-look"
    posted = PostedFile.from_bytes("pilot.csv", (folder / "pilot.csv").read_bytes())
    settings = next((p for p in folder.iterdir() if p.name == "steelyard.yml"), None)
    told = PostedFile.from_bytes("steelyard.yml", settings.read_bytes()) if settings else None
    return dict(decided(analyse(Evidence((posted,), told), today=ON)).files)


@cache
def ledger_files() -> dict[str, bytes]:
    """The ledger of the sample quarter with that decision and a review in it, by path."""
    files = {
        p.relative_to(QUARTER).as_posix(): p.read_bytes()
        for name in ("decisions", "sign-offs")
        for p in sorted((QUARTER / name).rglob("*.json"))
    }
    made = decision_files()
    entry = Entry(
        issue=20,
        seq=1,
        quarter="2027Q1",
        place="c20000",
        asked_by="olga",
        comment_url="https://github.com/lab/pilots/issues/20#issuecomment-20000",
        decided_on=ON.isoformat(),
        verdict="EXTEND",
        workload="first-look",
        region="us-east-2",
        sha256={name: hashlib.sha256(data).hexdigest() for name, data in made.items()},
        files=tuple(sorted(made)),
    )
    index = Index.read((QUARTER / "index.json").read_bytes()).with_entry(entry)
    files |= {f"{DECIDED}/{name}": data for name, data in made.items()}
    return {
        **files,
        "reviews/2027Q1/review.md": REVIEW,
        "reviews/2027Q1/review.xlsx": b"PK",
        "index.json": index.written(),
    }


def put(emulate: Emulator, repository: str, branch: str, files: dict[str, bytes], message: str = "Put") -> None:
    """One commit with these files, as olga."""
    there = Branch(Connection(github.Auth.Token(token_of("olga")), emulate.url, pace=False), repository, branch)
    there.commit(there.head(), message, files)


def furnish(emulate: Emulator, repository: str) -> None:
    """Books on the default branch, the ledger on its own."""
    put(emulate, repository, "main", {path: file.read_bytes() for path, file in BOOKS.items()})
    put(emulate, repository, "steelyard", ledger_files())
