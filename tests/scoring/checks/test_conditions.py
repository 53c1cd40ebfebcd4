"""Hidden dimensions: refused where they vary within an arm, shown where they differ between the arms."""

from typing import Any

import pytest

from scoring.checks.conditions import check
from tests.scoring.scenes import Posted, run, runs, scene, short, summary


def with_(arm: str, *conditions: dict[str, str], **fields: Any) -> Posted:
    return [run(arm, conditions=c, **fields) for c in conditions]


BF16, FP8 = {"precision": "bf16"}, {"precision": "fp8"}
SHORT, LONG, ALIKE = ({"input_tokens_per_request": n} for n in ("100", "1000", "102"))


@pytest.mark.parametrize(
    ("wanted", "incumbent", "candidate"),
    [
        ([], runs("gpu", [1, 2]), runs("trn2", [1, 2])),
        ([], with_("gpu", BF16, BF16), with_("trn2", BF16, BF16)),
        ([("condition-differs", "warning", None, "precision: bf16 / fp8")], with_("gpu", BF16), with_("trn2", FP8)),
        ([("condition-one-sided", "info", None, "precision")], with_("gpu", BF16), with_("trn2", {})),
        ([], with_("gpu", SHORT, ALIKE), with_("trn2", ALIKE, SHORT)),
        ([], with_("gpu", SHORT), with_("trn2", {"input_tokens_per_request": "long"})),
        ([("condition-differs", "warning", None, "input_tokens_per_request: 1000 / 101")],
         with_("gpu", LONG), with_("trn2", SHORT, ALIKE)),
        ([("condition-varies", "error", "input_tokens_per_request", "100, 1000"),
          ("condition-differs", "warning", None, "input_tokens_per_request: 550 / 100")],
         with_("gpu", SHORT, LONG), with_("trn2", SHORT)),
        ([("condition-varies", "error", "precision", "bf16, fp8"),
          ("condition-one-sided", "info", None, "precision")], with_("gpu", BF16, FP8), with_("trn2", BF16)),
        ([("condition-varies", "error", "region", "us-east-1, us-west-2")],
         [run("gpu", region="us-east-1"), run("gpu", region="us-west-2")], runs("trn2", [1])),
        ([("condition-varies", "error", "instance_type", "p5.48xlarge, p4d.24xlarge")],
         [run("gpu", instance_type="p5.48xlarge"), run("gpu", instance_type="p4d.24xlarge")], runs("trn2", [1])),
        ([], [run("gpu", region="us-east-1", instance_type="p5.48xlarge", accelerator="H100")],
         [run("trn2", region="us-east-2", instance_type="trn2.48xlarge", accelerator="Trainium2")]),
        ([("condition-varies", "error", "instance_count", "1, 2"), ("device-count-differs", "info", None, "1 / 2")],
         [run("gpu"), run("gpu", instance_count=2)], [run("trn2", instance_count=2)]),
        ([("condition-varies", "error", "device_count", "8, 16")],
         [run("gpu", device_count=8), run("gpu", device_count=16), run("gpu")], [run("trn2", device_count=16)]),
        ([], [run("gpu", device_count=8)], [run("trn2", device_count=16)]),
        ([("device-count-differs", "info", None, "1 / 4")], runs("gpu", [1]), [run("trn2", instance_count=4)]),
        ([("condition-differs", "warning", None, "precision: bf16 / fp8")],
         summary("gpu", n=3, duration_s=(9, 1), conditions=BF16), with_("trn2", FP8)),
    ],
)  # fmt: skip
def test_conditions(wanted: list[tuple[Any, ...]], incumbent: Posted, candidate: Posted) -> None:
    assert short(check(scene(incumbent, candidate)), "column", "found") == wanted


def test_what_varies_names_the_arm() -> None:
    (said,) = [p for p in check(scene(with_("gpu", BF16), with_("trn2", BF16, FP8))) if p.code == "condition-varies"]
    assert said.arguments["arm"] == "trn2"


def test_all_that_differs_is_one_sentence_by_name_and_cut_at_eight() -> None:
    names = [f"condition_{i}" for i in range(9)]
    shown = scene(with_("gpu", dict.fromkeys(reversed(names), "a")), with_("trn2", dict.fromkeys(names, "b")))
    (said,) = check(shown)
    assert said.found is not None
    assert said.found == "; ".join(f"{n}: a / b" for n in names[:8]) + "; …"
    assert said.arguments["count"] == 9
