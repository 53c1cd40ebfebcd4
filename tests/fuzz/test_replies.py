"""Any posting with any settings, contracts and prices gets a reply, a record and a memo; none of them fails."""

import json
import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.render.comment import LIMIT, render_comment
from bot.render.comment.links import Links
from bot.render.plan import Place, render_plan
from bot.render.record import render_record
from bot.render.whatif import render_whatif
from bot.render.workbook import render_workbook
from scoring.analysis import Evidence, analyse, analyse_read, read_evidence, with_settings_of
from scoring.model.decision import Decision
from scoring.plan import PlanRequest, plan_runs
from scoring.reading.posted import PostedFile
from tests.bot.inert import assert_inert
from tests.scoring.helpers import TODAY

EXAMPLES = os.environ.get("STEELYARD_FUZZ_EXAMPLES")
fuzzed = settings(
    max_examples=int(EXAMPLES or 40) // 2,
    deadline=None,
    derandomize=EXAMPLES is None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
numbers = st.one_of(
    st.floats(0.01, 1e6).map(lambda x: f"{x:.6g}"),
    st.sampled_from(("0", "-1", "", "nan", "1e17", "1e-17", "7.4 ± 0.1", "91.2%", "1.5M", "$3", "3 €/h", "01:02:03")),
)
HEADERS = (
    "run", "block", "seed", "duration_s", "time (min)", "price_usd_per_hour", "cost ($)", "wer", "accuracy (%)",
    "reward", "loss", "tokens", "tokens/s", "ttft_p99_ms", "status", "region", "instance_type", "n", "workload",
    "phase", "init_s", "warmup_s", "started_at", "pricing", "instances", "quality_metric", "quality_value", "note",
)  # fmt: skip
WORDS = {
    "status": ("ok", "failed", "diverged", "?"), "region": ("us-east-1", "eu-west-1", ""), "phase": ("train", "serve"),
    "instance_type": ("p5.48xlarge", "trn2.48xlarge"), "workload": ("a", "a", "a", "b"), "note": ("x", "=1+1", "@x"),
    "pricing": ("on-demand", "spot", "contract"), "quality_metric": ("wer", "bleu", "foo"), "n": ("3", "5", "1"),
    "started_at": ("2026-11-02", "2026-11-02T08:00:00Z", "x"), "block": ("d1", "d2", "d3"), "run": tuple("1234"),
    "seed": tuple("123"), "instances": ("1", "4"),
}  # fmt: skip
OVERRIDES = (
    "demand=1000", "horizon=1m", "horizon=30m", "migration_cost=5000", "discount=8%", "confidence=0.999",
    "capacity=100", "reuse_share=0.5", "margin.wer=0.2", "margin.accuracy=1%", "margin.reward=1", "price.gpu=40",
    "price.trn2=1e-9", "price.trn2=30", "count_initialisation=true", "approved_regions=eu-west-1", "baseline=trn2",
    "latency_limits.ttft_p99_ms=300", "currency=EUR", "cost_source=stated", "mixed_pricing=accept",
    "decision_date=2027-05-01", "workload=a", "phase=serve", "planned_runs_per_arm=2", "split_minimum_gain=0",
)  # fmt: skip
contracts = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.sampled_from(("c1", "c2", "=1")),
            "kind": st.sampled_from(("take_or_pay", "on_demand")),
            "starts_on": st.sampled_from(("2025-01-01", "2026-06-15", "2027-02-01")),
            "ends_on": st.sampled_from(("2026-11-30", "2027-03-14", "2027-06-30", "2029-01-31")),
            "rate": st.sampled_from(("0", "20", "38.5")),
            "commitment": st.sampled_from(({"instances": "1"}, {"instance_hours_per_month": "500"})),
        },
        optional={
            "covers": st.sampled_from(({"instance_types": ["p5.48xlarge"]}, {"instance_types": ["trn2", "gpu"]})),
            "overage_rate": st.sampled_from(("10", "70")),
            "notice": st.sampled_from(({"days": "90"}, {"months": "3", "business_day": "previous"})),
            "renewal": st.sampled_from(({"kind": "automatic", "months": "12"}, {"kind": "none"})),
            "currency": st.just("EUR"),
            "note": st.sampled_from(("x", "=1+1")),
        },
    ),
    max_size=3,
)


@st.composite
def postings(draw: st.DrawFn) -> str:
    header = draw(st.lists(st.sampled_from(HEADERS), min_size=2, max_size=9, unique=True))
    arms = draw(st.sampled_from((("gpu", "trn2"), ("gpu", "trn2"), ("gpu",), ("gpu", "trn2", "tpu"), ("=gpu", "@trn"))))
    rows = [
        ",".join([arm, *(draw(st.sampled_from(WORDS[h]) if h in WORDS else numbers) for h in header)])
        for arm in arms
        for _ in range(draw(st.integers(1, 5)))
    ]
    return "\n".join([",".join(["arm", *header]), *rows])


def _answered_otherwise(
    decision: Decision, files: tuple[PostedFile, ...], overrides: tuple[str, ...], book: PostedFile | None
) -> None:
    """The same pilot planned further, and beside itself without the settings."""
    plan = plan_runs(decision, PlanRequest(seed=1))
    assert plan.runs >= plan.done
    assert_inert(render_plan(plan, decision, Place("")), "plan")
    read = read_evidence(Evidence(files, contracts=book))
    anew = analyse_read(with_settings_of(Evidence(files, contracts=book, overrides=overrides), read), today=TODAY)
    assert anew.verdict == decision.verdict
    before = analyse_read(read, today=TODAY)
    assert_inert(render_whatif(before, decision, overrides or ("horizon=12m",)), "whatif")


@fuzzed
@given(postings(), st.lists(st.sampled_from(OVERRIDES), max_size=5, unique=True), contracts)
def test_everything_is_rendered(text: str, overrides: list[str], held: list[dict[str, object]]) -> None:
    book = PostedFile.from_bytes("contracts.yml", json.dumps({"contracts": held}).encode()) if held else None
    files = (PostedFile.from_bytes("pilot.csv", text.encode()),)
    decision = analyse(Evidence(files, contracts=book, overrides=tuple(overrides)), today=TODAY)
    assert decision.verdict.reasons
    assert len(render_comment(decision)) <= LIMIT
    assert len(render_comment(decision, Links.of(1 + len(decision.others)))) < LIMIT
    _answered_otherwise(decision, files, tuple(overrides), book)
    json.loads(render_record(decision))
    assert render_workbook(decision).startswith(b"PK")
    for other in decision.others:
        render_workbook(other)
