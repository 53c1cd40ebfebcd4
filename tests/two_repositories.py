"""The sample's quarter in two repositories whose issue numbers collide: `lab/finance`, which reviews both, and
`lab/train`, which agrees.

Issues 1 to 6 stay in the home, 7 to 12 are issues 1 to 6 of the other, each with its own work and outcomes; the
contract book, the pool and the offer are shared. All figures of the two together are those of the sample as one
repository.
"""

import csv
import io
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from bot.github.index import Entry, Index
from bot.github.sign_offs import SignOffs, path_of
from tests.quarter_sample import FOLDER, PILOTS

HOME, OTHER = "lab/finance", "lab/train"
LAST = 6
"""The home's last issue; the other's numbers begin again behind it."""


@dataclass(frozen=True)
class Two:
    """Both folders."""

    home: Path
    other: Path

    @property
    def arguments(self) -> list[str]:
        """Of `steelyard review`, without the quarter's options."""
        beside = ["--home", HOME, "--repository", f"{OTHER}={self.other}"]
        return ["review", str(self.home), "2027Q1", *beside]


def written(to: Path) -> Two:
    """Both folders, below `to`."""
    two = Two(to / "finance", to / "train")
    _repository(two.home, 0, {"repositories": [OTHER]})
    _repository(two.other, LAST, {"reviewed_in": [HOME]})
    return two


def _repository(to: Path, shift: int, more: dict[str, list[str]]) -> None:
    issues = range(shift + 1, shift + LAST + 1)
    to.mkdir(parents=True)
    settings = _loaded("steelyard.yml")
    settings["github"] |= more
    if shift:
        for key in ("prices", "capacity", "approved_regions", "rates"):
            del settings[key]
    (to / "steelyard.yml").write_text(yaml.safe_dump(settings))
    shutil.copy(FOLDER / "contracts.yml", to / "contracts.yml")
    names = {pilot.work for pilot in PILOTS if pilot.issue in issues}
    book = _loaded("workloads.yml")
    book["workloads"] = [work for work in book["workloads"] if work["name"] in names]
    used = {option.get("pool") for work in book["workloads"] for option in work["options"]}
    book["pools"] = [pool for pool in book["pools"] if pool["id"] in used]
    (to / "workloads.yml").write_text(yaml.safe_dump(book))
    (to / "outcomes.csv").write_text(_outcomes(issues, shift))
    for path, data in _ledger(issues, shift).items():
        (to / path).parent.mkdir(parents=True, exist_ok=True)
        (to / path).write_bytes(data)


def _loaded(name: str) -> Any:
    """Every scalar as its text: a key `on` is no truth."""
    return yaml.load((FOLDER / name).read_text(), Loader=yaml.BaseLoader)  # noqa: S506 - it makes texts alone


def _outcomes(issues: range, shift: int) -> str:
    rows = list(csv.DictReader(io.StringIO((FOLDER / "outcomes.csv").read_text())))
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, "issue": int(row["issue"]) - shift} for row in rows if int(row["issue"]) in issues)
    return out.getvalue()


def _ledger(issues: range, shift: int) -> dict[str, bytes]:
    """Records as they are, under other numbers: none of them says of which issue it is."""
    files, entries = dict[str, bytes](), list[Entry]()
    for entry in Index.read((FOLDER / "index.json").read_bytes()).entries:
        if entry.issue in issues:
            moved = entry.model_copy(update={"issue": entry.issue - shift})
            entries.append(moved)
            files[f"{moved.folder}/decision.json"] = (FOLDER / entry.folder / "decision.json").read_bytes()
    for issue in issues:
        signed = FOLDER / path_of(issue)
        if signed.is_file():
            known = SignOffs.read(signed.read_bytes())
            files[path_of(issue - shift)] = known.written()
    files["index.json"] = Index(entries=tuple(entries)).written()
    assert json.loads(files["index.json"])["entries"]
    return files
