"""Makes `samples/quarter`: small pilots with a known truth, decided on by the engine, and what came of them.

`python -m tests.quarter_sample` writes the folder's ledger, workloads and outcomes anew; settings and contracts are
written by hand and read here. Everything is drawn from seeds, so that the same program gives the same bytes.
"""

import csv
import io
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from hashlib import sha256
from math import exp
from pathlib import Path
from typing import Any

import yaml

from bot.github.index import Entry, Index
from bot.github.ledger import quarter_of
from bot.github.sign_offs import SignOffs, path_of
from bot.render.record import render_record, stamped
from bot.render.workbook import render_workbook
from bot.repo_config import read_repo_config
from bot.review_sources import ledger_of, read_books, reviewed
from scoring.analysis import Evidence, analyse
from scoring.model.decision import Decision
from scoring.model.signing import Act, Signature
from scoring.reading.posted import PostedFile
from scoring.review.quarter import Quarter
from scoring.review.values import Review

FOLDER = Path(__file__).parents[1] / "samples" / "quarter"
ROLES = {"finance-lead": "finance", "platform-lead": "platform"}
NOISE = 0.015
"""Standard deviation of a month's unit cost about its truth."""


@dataclass(frozen=True)
class Way:
    """An accelerator to run on; `price` is per instance-hour, None where none is public."""

    id: str
    instance_type: str
    region: str
    price: float
    cloud: str | None = "aws"
    plan_rate: float | None = None
    pool: str | None = None


P5 = Way("h100", "p5.48xlarge", "us-east-1", 55.04)
TRN2 = Way("trn2", "trn2.48xlarge", "us-east-2", 36.40, plan_rate=28.00)
G6 = Way("l4", "g6.12xlarge", "eu-west-1", 4.60)
G6E = Way("l40s", "g6e.48xlarge", "us-east-2", 30.10, plan_rate=19.50)
INF2 = Way("inf2", "inf2.48xlarge", "us-east-1", 12.98, pool="inf2-east")
H200 = Way("h200", "h200-node", "eu-north-1", 33.00, None)
GAUDI = Way("gaudi3", "gaudi3-node", "eu-west-1", 16.80, None)
L40S = Way("l40s-hosted", "l40s-node", "eu-north-1", 9.90, None)
P5EN = Way("h200-aws", "p5en.48xlarge", "us-east-2", 63.30)
FAR = Way("trn1-far", "trn1.32xlarge", "ap-south-1", 19.00)


@dataclass(frozen=True)
class Work:
    """`hours` a month on the incumbent; `truth` is the true ratio of the costs of a unit, candidate by incumbent.

    `judged` are the contracts that its pilot was judged with: those whose hours are its own.
    """

    name: str
    owner: str
    unit: str
    units: float
    hours: float
    a: Way
    b: Way
    truth: float
    metric: str = "accuracy"
    quality: tuple[float, float] = (0.912, 0.912)
    moved: bool = False
    migration: int = 12_000
    judged: tuple[str, ...] = ()


WORK = (
    Work("speech-finetune", "speech", "audio_hours", 260_000, 900, P5, TRN2, 0.72, "wer", (7.4, 7.42), True),
    Work("ranking-train", "search", "samples", 9_000_000, 1_100, P5, TRN2, 0.88),
    Work("vision-pretrain", "vision", "images", 52_000_000, 700, P5, GAUDI, 0.55, moved=True),
    Work("query-embed", "search", "documents", 31_000_000, 2_600, G6, INF2, 0.81, judged=("g6-standard",)),
    Work(
        "transcribe-batch",
        "speech",
        "audio_hours",
        640_000,
        2_000,
        INF2,
        G6E,
        1.35,
        "wer",
        (8.1, 8.1),
        judged=("inf2-standard",),
    ),
    Work("chat-distil", "research", "tokens", 4_000_000_000, 1_500, H200, TRN2, 0.97, judged=("h200-minimum",)),
    Work("eval-nightly", "research", "samples", 2_400_000, 420, H200, G6E, 0.62, moved=True),
    Work("doc-ocr", "vision", "documents", 7_500_000, 1_050, G6E, L40S, 0.66, moved=True),
    Work("moderation", "trust", "documents", 22_000_000, 1_300, L40S, INF2, 1.12),
    Work("caption-images", "vision", "images", 18_000_000, 380, GAUDI, P5, 1.9, judged=("gaudi-minimum",)),
    Work("code-assist", "research", "tokens", 2_900_000_000, 520, P5EN, TRN2, 0.70),
    Work("voice-clone-check", "trust", "audio_hours", 45_000, 260, P5, FAR, 0.5, "wer", (6.2, 6.2)),
)


POOL = {
    "id": "inf2-east",
    "provider": "aws",
    "region": "us-east-1",
    "hours_per_month": 2_600,
    "changes": [{"from": date(2027, 8, 1), "hours_per_month": 2_900}],
    "confirmed_by": "synthetic",
    "confirmed_until": date(2027, 9, 30),
}
OFFER = {
    "id": "trn2-one-year",
    "kind": "reserved",
    "provider": "aws",
    "term_months": 12,
    "rate": 24.5,
    "upfront": 12_000,
    "most_instances": 4,
    "covers": {"cloud": "aws", "instance_types": ["trn2.48xlarge"], "regions": ["us-east-2"]},
    "expires_on": date(2027, 2, 12),
    "source": "synthetic quote",
}


@dataclass(frozen=True)
class Pilot:
    """A pilot of `runs` an arm; `spread` is a run's coefficient of variation, `signed` who approves and who rejects."""

    issue: int
    seq: int
    day: date
    work: str
    runs: int
    spread: float = 0.02
    signed: str = ""


PILOTS = (
    Pilot(1, 1, date(2026, 4, 14), "speech-finetune", 6, 0.02, "+finance-lead +platform-lead"),
    Pilot(2, 1, date(2026, 4, 28), "ranking-train", 4, 0.09),
    Pilot(3, 1, date(2026, 5, 12), "vision-pretrain", 6, 0.03, "+finance-lead +platform-lead"),
    Pilot(4, 1, date(2026, 6, 2), "query-embed", 6, 0.02, "+finance-lead +platform-lead"),
    Pilot(5, 1, date(2026, 6, 23), "transcribe-batch", 5, 0.02, "+finance-lead +platform-lead"),
    Pilot(6, 1, date(2026, 7, 7), "chat-distil", 4, 0.07),
    Pilot(7, 1, date(2026, 7, 21), "eval-nightly", 6, 0.03, "+platform-lead +finance-lead"),
    Pilot(8, 1, date(2026, 8, 11), "doc-ocr", 6, 0.02, "+finance-lead +platform-lead"),
    Pilot(9, 1, date(2026, 9, 1), "moderation", 5, 0.02, "+finance-lead +platform-lead"),
    Pilot(10, 1, date(2026, 9, 15), "caption-images", 5, 0.02, "+platform-lead"),
    Pilot(11, 1, date(2026, 10, 6), "code-assist", 6, 0.02, "+finance-lead +platform-lead"),
    Pilot(12, 1, date(2026, 11, 3), "voice-clone-check", 5),
    Pilot(2, 2, date(2026, 11, 24), "ranking-train", 8, 0.03, "+platform-lead"),
    Pilot(6, 2, date(2026, 12, 8), "chat-distil", 6, 0.06),
)
RUN_HOURS = 2.0


def work_of(name: str) -> Work:
    """The workload of that name."""
    return next(w for w in WORK if w.name == name)


def hours_per_unit(work: Work, way: Way) -> float:
    """By the true ratio of costs, which is that of the hours times that of the prices."""
    hours = work.hours / work.units
    return round(hours if way is work.a else hours * work.truth * work.a.price / way.price, 12)


def decide(pilot: Pilot) -> Decision:
    """What the engine says of a pilot on its day."""
    work = work_of(pilot.work)
    files = (
        ("pilot.csv", _runs(pilot, work)),
        ("steelyard.yml", _settings(pilot, work)),
        ("contracts.yml", _book(work)),
    )
    posting, settings, contracts = (PostedFile.from_bytes(name, text.encode()) for name, text in files)
    return stamped(analyse(Evidence((posting,), settings, contracts), today=pilot.day))


def _runs(pilot: Pilot, work: Work) -> str:
    drawn, out = random.Random(100 * pilot.issue + pilot.seq), io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        "workload arm instance_type region run started_at duration_s work_units unit price_usd_per_hour pricing "
        "quality_metric quality_value status".split()
    )
    for run in range(1, pilot.runs + 1):
        day = datetime.combine(pilot.day - timedelta(days=pilot.runs - run + 2), time(8), UTC)
        for number, way in enumerate((work.a, work.b)):
            units = round(RUN_HOURS / hours_per_unit(work, way), 3)
            seconds = round(3600 * RUN_HOURS * exp(drawn.gauss(0, pilot.spread)), 1)
            quality = round(work.quality[number] * exp(drawn.gauss(0, 0.002)), 4)
            started = (day + timedelta(hours=5 * number)).isoformat().replace("+00:00", "Z")
            where = (work.name, way.id, way.instance_type, way.region)
            what = (seconds, units, work.unit, way.price, "on_demand", work.metric, quality, "ok")
            writer.writerow((*where, run, started, *what))
    return out.getvalue()


def _settings(pilot: Pilot, work: Work) -> str:
    given: dict[str, Any] = {
        "decision_date": pilot.day.isoformat(),
        "baseline": work.a.id,
        "candidate": work.b.id,
        "horizon": "12m",
        "annual_discount_rate": "8%",
        "demand": {"units_per_month": work.units, "unit": work.unit, "source": "synthetic"},
        "migration_cost": work.migration,
        "margins": {work.metric: {"absolute": 0.2 if work.metric == "wer" else 0.01}},
        "approved_regions": yaml.safe_load((FOLDER / "steelyard.yml").read_text())["approved_regions"],
        "planned_runs_per_arm": 12,
    }
    return yaml.safe_dump(given, sort_keys=False)


def _book(work: Work) -> str:
    book = yaml.safe_load((FOLDER / "contracts.yml").read_text())["contracts"]
    return yaml.safe_dump({"contracts": [c for c in book if c["id"] in work.judged]}, sort_keys=False)


def ledger() -> Iterator[tuple[str, bytes]]:
    """The ledger's files by their path."""
    entries, signed = list[Entry](), dict[int, SignOffs]()
    for number, pilot in enumerate(PILOTS, start=1):
        decision = decide(pilot)
        record, memo = render_record(decision).encode(), sha256(render_workbook(decision)).hexdigest()
        entry = _entry(pilot, number, decision, memo, sha256(record).hexdigest())
        entries.append(entry)
        for signature in _signatures(pilot, number, decision, memo, entry.folder):
            signed[pilot.issue] = signed.get(pilot.issue, SignOffs()).with_signature(signature)
        yield f"{entry.folder}/decision.json", record
    yield "index.json", Index(entries=tuple(sorted(entries, key=lambda e: (e.issue, e.seq)))).written()
    yield from ((path_of(issue), sign_offs.written()) for issue, sign_offs in sorted(signed.items()))


def _entry(pilot: Pilot, number: int, decision: Decision, memo: str, record: str) -> Entry:
    return Entry(
        issue=pilot.issue,
        seq=pilot.seq,
        quarter=quarter_of(pilot.day.year, pilot.day.month),
        place=f"c{1000 * number}",
        asked_by="pilot-runner",
        decided_on=pilot.day.isoformat(),
        verdict=decision.verdict.word.value if decision.verdict.word else "NONE",
        workload=decision.workload,
        incumbent=decision.incumbent,
        candidate=decision.candidate,
        document=decision.document,
        memo_sha256=memo,
        sha256={"decision.json": record},
        files=("decision.json",),
    )


def _signatures(pilot: Pilot, number: int, decision: Decision, memo: str, folder: str) -> Iterator[Signature]:
    for order, word in enumerate(pilot.signed.split(), start=1):
        yield Signature(
            login=word[1:],
            roles=(ROLES[word[1:]],),
            act=Act.APPROVED if word[0] == "+" else Act.REJECTED,
            at=datetime.combine(pilot.day + timedelta(days=order), time(9), UTC),
            place=f"c{1000 * number + order}",
            document=decision.document,
            memo_sha256=memo,
            verdict=decision.verdict.word.value if decision.verdict.word else "NONE",
            folder=folder,
        )


def workloads() -> str:
    """`workloads.yml`."""
    listed = []
    for work in WORK:
        options = [_option(work, way) for way in (work.a, work.b)]
        demand = {"units_per_month": work.units, "low": work.units * 0.9, "high": work.units * 1.15, "unit": work.unit}
        runs_on = (work.b if work.moved else work.a).id
        entry = {"name": work.name, "owner": work.owner, "demand": demand, "runs_on": runs_on, "options": options}
        listed.append(entry)
    return "# Synthetic.\n" + yaml.safe_dump({"workloads": listed, "pools": [POOL], "offers": [OFFER]}, sort_keys=False)


def _option(work: Work, way: Way) -> dict[str, Any]:
    told = {
        "id": way.id,
        "instance_type": way.instance_type,
        "cloud": way.cloud,
        "region": way.region,
        "on_demand_price": way.price,
        "hours_per_unit": hours_per_unit(work, way),
        "pool": way.pool,
        "migration_cost": None if way is (work.b if work.moved else work.a) else work.migration,
        "savings_plan_rates": {"compute-plan": way.plan_rate} if way.plan_rate else None,
    }
    return {name: value for name, value in told.items() if value is not None}


def outcomes(decisions: dict[tuple[int, int], Decision]) -> str:
    """`outcomes.csv`: of each month after a move, and of two that stayed."""
    drawn, out = random.Random(2027), io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        "issue seq period cost_per_unit incumbent_cost_per_unit monthly_cost quality.wer quality.accuracy".split()
    )
    for issue, seq in sorted(decisions):
        decision, work = decisions[issue, seq], work_of(decisions[issue, seq].workload or "")
        months = [m for m in decision.economics.months if m.starts_on < date(2027, 1, 1)][-2:]
        is_heard = work.moved or (issue, seq) in ((5, 1), (9, 1))
        for month in months if is_heard else ():
            shift, drift = exp(drawn.gauss(0, NOISE)), 1.10 if work.name == "doc-ocr" else 1.0
            base = work.hours / work.units * work.a.price
            cost = base * (work.truth * drift if work.moved else 1.0) * shift
            paid = (month.full_cost if work.moved else month.stay_cost) * exp(drawn.gauss(0, NOISE))
            quality = work.quality[1] * exp(drawn.gauss(0, 0.001))
            cells = ["", f"{quality:.4f}"] if work.metric == "accuracy" else [f"{quality:.3f}", ""]
            writer.writerow([issue, seq, f"{month.starts_on:%Y-%m}", f"{cost:.9g}", "", f"{paid:.2f}", *cells])
    return out.getvalue()


@cache
def reviewed_sample() -> Review:
    """The sample's review, as `steelyard review` makes it."""
    names = ("steelyard.yml", "contracts.yml", "workloads.yml", "outcomes.csv")
    settings, contracts, work, happened = (PostedFile.from_path(FOLDER / name) for name in names)
    books = read_books(settings, contracts, work, happened, read_repo_config(settings)[0].signing)
    day = books.settings.decision_date
    assert day is not None and not books.problems
    return reviewed(books, ledger_of(_file), Quarter(year=2027, number=1), day, None)


def _file(path: str) -> bytes | None:
    return (FOLDER / path).read_bytes() if (FOLDER / path).is_file() else None


def main() -> None:
    """Write everything that is not written by hand."""
    for path, data in ledger():
        target = FOLDER / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    (FOLDER / "workloads.yml").write_text(workloads(), encoding="utf-8")
    (FOLDER / "outcomes.csv").write_text(outcomes({(p.issue, p.seq): decide(p) for p in PILOTS}), encoding="utf-8")


if __name__ == "__main__":
    main()
