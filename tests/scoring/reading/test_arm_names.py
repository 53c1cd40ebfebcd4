"""Which arm a file is of that names none."""

import pytest

from scoring.reading.arm_names import ArmNames
from tests.scoring.reading.read import posted


@pytest.mark.parametrize(
    ("arms", "names"),
    [
        (["gpu", "trn2"], ["gpu/r.json", "trn2/r.json"]),
        (["gpu", "trn2"], ["gpu.json", "trn2.json"]),
        (
            ["gpu", "gpu", "trn2"],
            ["gpu/run1/r.json", "gpu/run2/r.json", "trn2/run1/r.json"][:1] * 2 + ["trn2/run1/r.json"],
        ),
        (["gpu", "trn2"], ["out/gpu/seed1/m/r.json", "out/trn2/seed1/m/r.json"]),
        (["gpu", "trn2"], ["results/gpu/r.json", "results/trn2/r.json"]),
        (["run1", "run2"], ["gpu/run1/r.json", "gpu/run2/r.json"]),
        (["r", "gpu"], ["all.zip/r.json", "all.zip/gpu/r.json"]),
        (["gpu"], ["gpu/notes.md#1"]),
    ],
)
def test_arm(arms: list[str], names: list[str]) -> None:
    of = ArmNames(names)
    assert [of.of(posted(name, "")) for name in names] == arms
