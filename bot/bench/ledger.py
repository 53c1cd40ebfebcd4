"""A large ledger and its books for the bench of the pages: thousands of decisions, all with the files of one sample."""

import base64
from collections.abc import Iterator
from datetime import date, timedelta
from hashlib import sha256

from bot.github.client import Connection
from bot.github.index import Entry, Index
from bot.github.ledger import quarter_of

ON = date(2027, 1, 11)
BATCH = 1_000
WORKLOADS, VERDICTS = 60, ("SWITCH", "STAY", "SPLIT", "EXTEND", "NONE")
REGIONS = ("us-east-1", "us-east-2", "eu-west-1", "eu-north-1")
CONTRACT = """- id: contract-{n}
  provider: aws
  kind: reserved_standard
  starts_on: 2026-0{month}-01
  ends_on: 2027-0{month}-28
  covers: {{cloud: aws, instance_types: [p5.48xlarge], regions: [us-east-1]}}
  commitment: {{instances: {n}}}
  rate: 38.00
"""
WORKLOAD = """- name: workload-{n}
  demand: {{units_per_month: 100000, unit: samples}}
  runs_on: h100
  options:
  - {{id: h100, instance_type: p5.48xlarge, cloud: aws, region: us-east-1, on_demand_price: 55.04,
      hours_per_unit: 0.004}}
"""


def books() -> dict[str, str]:
    """Settings, nine contracts and twelve workloads, by path."""
    contracts = "contracts:\n" + "".join(CONTRACT.format(n=n, month=n) for n in range(1, 10))
    workloads = "workloads:\n" + "".join(WORKLOAD.format(n=n) for n in range(1, 13))
    return {
        ".github/steelyard.yml": "currency: USD\n",
        ".github/steelyard/contracts.yml": contracts,
        ".github/steelyard/workloads.yml": workloads,
    }


def sample_files() -> dict[str, bytes]:
    """The files that `/compare` writes for the sample of the package."""
    from bot.commands.compare import decided
    from bot.folder import CONFIG_NAMES, CONTRACT_NAMES
    from bot.templates import sample_path
    from scoring.analysis import Evidence, analyse
    from scoring.reading.posted import PostedFile

    files = {p.name: PostedFile.from_path(p, name=p.name) for p in sorted(sample_path("llama2-70b-lora").iterdir())}
    settings, contracts = (
        next((files.pop(n) for n in names if n in files), None) for names in (CONFIG_NAMES, CONTRACT_NAMES)
    )
    posted = tuple(file for name, file in files.items() if name.endswith(".csv") and name != "prices.csv")
    return dict(decided(analyse(Evidence(posted, settings, contracts), today=ON)).files)


def entries(count: int, files: dict[str, bytes]) -> Iterator[Entry]:
    """So many decisions on the days before ON, three a day."""
    digests = {name: sha256(data).hexdigest() for name, data in files.items()}
    for number in range(1, count + 1):
        day = ON - timedelta(days=number // 3)
        yield Entry(
            issue=number,
            seq=1,
            quarter=quarter_of(day.year, day.month),
            place=f"c{number}",
            asked_by="olga",
            decided_on=day.isoformat(),
            verdict=VERDICTS[number % len(VERDICTS)],
            workload=f"workload-{number % WORKLOADS}",
            incumbent="h100",
            candidate="gaudi2",
            region=REGIONS[number % len(REGIONS)],
            sha256=digests,
            files=tuple(sorted(files)),
        )


class Ledger:
    """The ledger's branch in a GitHub, written by git's own objects; a file of many decisions is stored once."""

    def __init__(self, connection: Connection, repository: str, branch: str = "steelyard") -> None:
        self._connection, self._root, self._branch = connection, f"/repos/{repository}/git", branch
        self._tree: str | None = None
        self._commit: str | None = None

    def write(self, index: Index, files: dict[str, bytes]) -> None:
        """All decisions of the index with these files, in one commit."""
        blobs = {name: self._blob(data) for name, data in files.items()}
        paths = [(f"{entry.folder}/{name}", blob) for entry in index.entries for name, blob in blobs.items()]
        for first in range(0, len(paths), BATCH):
            self._tree = self._with(paths[first : first + BATCH])
        self.put("index.json", index.written(), "Decisions")

    def put(self, path: str, data: bytes, message: str) -> None:
        """One more commit, with one file."""
        self._tree = self._with([(path, self._blob(data))])
        parents = [self._commit] if self._commit else []
        made = {"message": message, "tree": self._tree, "parents": parents}
        commit = str(self._connection.post(f"{self._root}/commits", made)["sha"])
        if self._commit is None:
            self._connection.post(f"{self._root}/refs", {"ref": f"refs/heads/{self._branch}", "sha": commit})
        else:
            self._connection.patch(f"{self._root}/refs/heads/{self._branch}", {"sha": commit, "force": False})
        self._commit = commit

    def _with(self, paths: list[tuple[str, str]]) -> str:
        items = [{"path": path, "mode": "100644", "type": "blob", "sha": blob} for path, blob in paths]
        base = {"base_tree": self._tree} if self._tree else {}
        return str(self._connection.post(f"{self._root}/trees", {"tree": items, **base})["sha"])

    def _blob(self, data: bytes) -> str:
        body = {"content": base64.b64encode(data).decode(), "encoding": "base64"}
        return str(self._connection.post(f"{self._root}/blobs", body)["sha"])
